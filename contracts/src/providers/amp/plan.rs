//! The plan of the agent, which a tool sets whole.

use crate::canonical::{PlanStep, PlanStepStatus, TurnPlanUpdated};
use crate::json::{Kind, OwnedJson};
use crate::kit::conversation::values::{member_of, text_in};
use crate::providers::amp::wire::values;

/// The tool that sets it.
pub(super) const TODO_WRITE: &str = "todo_write";

/// The plan that an input of the tool sets; nothing where it can't be read.
pub(super) fn todos(input: &OwnedJson) -> Option<TurnPlanUpdated> {
    let list = member_of(input, "todos")?;
    let mut plan = Vec::new();
    let mut reader = list.reader();
    if reader.kind() != Ok(Kind::Array) {
        return None;
    }
    let mut array = reader.array().ok()?;
    while reader.element(&mut array).ok()? {
        let todo = reader.raw().ok()?.to_owned_json();
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
