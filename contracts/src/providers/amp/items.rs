//! Blocks of Amp's messages as items: what the model says and calls, and what calls give back.

use std::sync::Arc;

use crate::canonical::{
    ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemType, RuntimeWarning,
};
use crate::json::{Json, Kind, Malformed, OwnedJson, Reader, Unrecognized};
use crate::kit::conversation::calls::{Call, output_summary};
use crate::kit::mapping::Cx;
use crate::kit::parts::{filled, object};
use crate::providers::amp::wire::{ToolResultContent, ToolUseContent, values};

use super::mapping::AmpMapping;

/// A text of the model, which comes whole: its item begins and ends.
pub(super) fn said(
    mapping: &mut AmpMapping,
    cx: &mut Cx<'_>,
    text: &str,
) -> (ItemStarted, ItemCompleted) {
    cx.refs.item = Some(mapping.next_text());
    let item = ItemLifecycle {
        status: Some(ItemStatus::Completed),
        detail: filled(text),
        data: Some(cx.body()),
        ..ItemLifecycle::new(ItemType::AssistantMessage)
    };
    (begins(item.item_type), item.into())
}

/// The beginning of an item that a line tells whole.
pub(super) fn begins(item_type: ItemType) -> ItemStarted {
    ItemStarted(ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        ..ItemLifecycle::new(item_type)
    })
}

/// A call of a tool: its item opens, until its result comes. Nothing where it is told again.
pub(super) fn called(
    mapping: &mut AmpMapping,
    cx: &mut Cx<'_>,
    parent: Option<&Arc<str>>,
    block: &ToolUseContent<'_>,
    input: Option<OwnedJson>,
) -> Option<ItemStarted> {
    let id = &*block.id;
    cx.refs.item = Some(Arc::from(id));
    if mapping.calls.get(id).is_some_and(|known| !known.ended) {
        return None;
    }
    let item_type = values::tool_item(&block.name).unwrap_or(ItemType::DynamicToolCall);
    let call = Call {
        name: Arc::from(&*block.name),
        item_type,
        input,
        scope: mapping.scope(parent.map(|parent| &**parent)),
        parent: parent.cloned(),
        denied: false,
        ended: false,
        planned: false,
    };
    let item = call.item(id);
    mapping.calls.start(id, call);
    mapping.opens(id, item_type, parent);
    Some(item.into())
}

/// What a call gave back ends its item.
pub(super) fn gave_back(
    mapping: &mut AmpMapping,
    cx: &mut Cx<'_>,
    block: &ToolResultContent<'_>,
    raw: Option<OwnedJson>,
) -> ItemCompleted {
    let id = &*block.tool_use_id;
    mapping.close_agent(cx, id);
    mapping.open.remove(id);
    cx.refs.item = Some(Arc::from(id));
    let call = mapping.calls.get(id).cloned();
    mapping.calls.end(id);
    if let Some(scope) = call.as_ref().and_then(|call| call.scope.as_ref()) {
        crate::kit::conversation::turns::set_scope(&mut cx.refs, scope);
    }
    let of_command = call
        .as_ref()
        .is_some_and(|call| call.item_type == ItemType::CommandExecution);
    let printed = match of_command {
        true => block.content.and_then(printed),
        false => None,
    };
    let failed = block.is_error || printed.as_ref().is_some_and(|it| it.failed);
    let detail = match printed {
        Some(printed) => printed.output,
        None => output_summary(block.content),
    };
    let result: Vec<(&str, OwnedJson)> = raw.map(|raw| ("result", raw)).into_iter().collect();
    ItemCompleted(ItemLifecycle {
        item_type: call.as_ref().map_or(ItemType::Unknown, |it| it.item_type),
        status: Some(match failed {
            true => ItemStatus::Failed,
            false => ItemStatus::Completed,
        }),
        title: call.as_ref().and_then(|call| filled(&*call.name)),
        detail,
        data: Some(match &call {
            Some(call) => call.data(id, result),
            None => object(&result),
        }),
    })
}

/// What a command printed, and whether it failed.
struct Printed {
    output: Option<String>,
    failed: bool,
}

/// The result of a command is JSON in a text, with its output and exit code. One that fails is no
/// error on the wire.
fn printed(content: Json<'_>) -> Option<Printed> {
    let text = Reader::new(content.as_str()).string().ok()?;
    let read = |reader: &mut Reader<'_>| -> Result<Option<Printed>, Malformed> {
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
        Ok(Some(Printed { output, failed }))
    };
    read(&mut Reader::new(&text)).ok().flatten()
}

/// A block that no vendored version has: its neighbours are untouched.
pub(super) fn unknown_block(cx: &Cx<'_>, block: &Unrecognized<'_>) -> RuntimeWarning {
    RuntimeWarning {
        message: format!("unrecognized block `{}`", block.tag),
        detail: Some(cx.own(block.raw)),
    }
}
