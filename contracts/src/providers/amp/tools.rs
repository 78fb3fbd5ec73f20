//! What Amp's tools take and give back: the plan, and what commands print.

use crate::canonical::{ItemType, PlanStep, PlanStepStatus, TurnPlanUpdated};
use crate::json::{Json, Kind, Malformed, OwnedJson, Reader};
use crate::kit::conversation::calls::{Call, output_summary};
use crate::kit::conversation::items::Given;
use crate::kit::conversation::values::{list_of, member_of, text_in};
use crate::kit::parts::filled;
use crate::providers::amp::wire::{ToolResultContent, values};

/// The tool that sets the plan.
pub(super) const TODO_WRITE: &str = "todo_write";

/// The plan that an input of the tool sets; nothing where it can't be read.
pub(super) fn todos(input: &OwnedJson) -> Option<TurnPlanUpdated> {
    let mut plan = Vec::new();
    for todo in list_of(&member_of(input, "todos")?)? {
        let status = text_in(&todo, &["status"]).unwrap_or_default();
        plan.push(PlanStep {
            step: text_in(&todo, &["content"])?,
            status: values::todo_status(&status).unwrap_or(PlanStepStatus::Pending),
        });
    }
    Some(TurnPlanUpdated {
        explanation: None,
        plan,
    })
}

/// What a call gave back.
pub(super) fn given(
    call: Option<&Call>,
    block: &ToolResultContent<'_>,
    raw: OwnedJson,
) -> Given<'static> {
    let is_command = call.is_some_and(|call| call.item_type == ItemType::CommandExecution);
    let printed = block.content.filter(|_| is_command).and_then(printed);
    let failed = printed.as_ref().is_some_and(|(_, failed)| *failed);
    Given {
        fails: block.is_error || failed,
        detail: match printed {
            Some((output, _)) => output,
            None => output_summary(block.content),
        },
        parts: vec![("result", raw)],
    }
}

/// What a command printed, and whether it failed: its result is JSON in a text, with the output and
/// the exit code. One that fails is no error on the wire.
fn printed(content: Json<'_>) -> Option<(Option<String>, bool)> {
    let text = Reader::new(content.as_str()).string().ok()?;
    let read = |reader: &mut Reader<'_>| -> Result<Option<(Option<String>, bool)>, Malformed> {
        if reader.kind()? != Kind::Object {
            return Ok(None);
        }
        let (mut output, mut failed) = (None, false);
        let mut object = reader.object()?;
        while let Some(name) = reader.key(&mut object)? {
            match (&*name, reader.kind()?) {
                ("output", Kind::String) => output = filled(reader.string()?),
                ("exitCode", Kind::Number) => {
                    let code = reader.raw()?;
                    failed = Reader::new(code.as_str()).integer::<i64>() != Ok(0);
                }
                _ => reader.skip()?,
            }
        }
        Ok(Some((output, failed)))
    };
    read(&mut Reader::new(&text)).ok().flatten()
}
