//! Calls of tools: what they are, what they print, and how they end.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind as Kind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated,
};
use crate::json::{Json, OwnedJson, Reader};
use crate::kit::mapping::{Cx, Out};
use crate::kit::members::each_member;
use crate::kit::parts::{filled, object, part};
use crate::providers::opencode::wire::event::row;
use crate::providers::opencode::wire::{ToolPart, ToolState, values};

use super::texts::PART;
use super::thread::{Part, Thread};

/// The tool that stands in for a call that is not valid: it does nothing but say so.
const INVALID: &str = "invalid";

/// What the state of a call says.
struct State<'m> {
    status: Option<ItemStatus>,
    ended: bool,
    title: Option<&'m str>,
    /// What the tool gave back, or what went wrong.
    result: Option<&'m str>,
    /// What a command printed so far.
    printed: Option<String>,
}

/// What a call is as an item, by the name of its tool.
pub(super) fn item_type(tool: &str) -> ItemType {
    values::tool_item(tool).unwrap_or(ItemType::DynamicToolCall)
}

/// What is streamed into the item of a call.
pub(super) fn kind(item_type: ItemType) -> Kind {
    if item_type == ItemType::CommandExecution {
        Kind::CommandOutput
    } else {
        Kind::Unknown
    }
}

/// A call in one of its states.
pub(super) fn told(
    thread: &mut Thread,
    cx: &mut Cx<'_>,
    call: &ToolPart<'_>,
    out: &Out<row::MessagePartUpdated>,
) {
    let (item, message): (Arc<str>, Arc<str>) =
        (Arc::from(&*call.id), Arc::from(&*call.message_id));
    let key = (Arc::clone(&message), Arc::from(&*call.call_id));
    thread.calls.insert(key, Arc::clone(&item));
    let by_name = item_type(&call.tool);
    let (is_new, part) = thread.part(&item, || Part::new(&message, by_name, kind(by_name)));
    let Some(part) = part else { return };
    let is_invalid = call.tool == INVALID;
    if !is_invalid {
        part.item_type = by_name;
        part.kind = kind(by_name);
    }
    let input = cx.raw(&["properties", "part", "state", "input"]);
    let state = read(cx, &call.state);
    let shown = state.title.and_then(filled);
    let shown = shown.or_else(|| input.as_ref().and_then(input_summary));
    let title = shown
        .or_else(|| part.title.take())
        .or_else(|| named(part.item_type).then(|| filled(&*call.tool)).flatten());
    if part.is_open() {
        part.title.clone_from(&title);
    }
    let refused = part.refused;
    let status = state.status.map(|status| {
        if status == ItemStatus::Completed && (is_invalid || exits_badly(cx)) {
            ItemStatus::Failed
        } else if status == ItemStatus::Failed && refused {
            ItemStatus::Declined
        } else {
            status
        }
    });
    cx.refs.turn.clone_from(&part.turn);
    cx.refs.item = Some(Arc::clone(&item));
    let told = ItemLifecycle {
        item_type: part.item_type,
        status,
        title,
        detail: state.result.and_then(filled),
        data: Some(data(cx, call, input)),
    };
    if !part.is_open() {
        return out.emit(cx, ItemUpdated(told));
    }
    if is_new {
        out.emit(
            cx,
            ItemStarted(ItemLifecycle {
                status: Some(ItemStatus::InProgress),
                detail: None,
                ..told.clone()
            }),
        );
    }
    let new = state.printed.filter(|_| part.kind == Kind::CommandOutput);
    let new = new.and_then(|printed| part.text.whole(&printed));
    let grew = new.is_some();
    if let Some(new) = new {
        out.emit(cx, ContentDelta::new(Kind::CommandOutput, new));
    }
    if state.ended {
        thread.close(&item);
        out.emit(cx, ItemCompleted(told));
        if let Some(turn) = &mut thread.turn {
            turn.did = true;
        }
    } else if !is_new && !grew {
        out.emit(cx, ItemUpdated(told));
    }
}

/// Whether people know what a call does by the name of its tool only.
pub(super) fn named(item_type: ItemType) -> bool {
    !matches!(
        item_type,
        ItemType::CommandExecution | ItemType::FileChange | ItemType::WebSearch
    )
}

/// The call with its input at the top, where the input of any tool is looked for.
fn data(cx: &Cx<'_>, call: &ToolPart<'_>, input: Option<OwnedJson>) -> OwnedJson {
    let text = |text: &str| OwnedJson::from_value(&text.into());
    let mut members = vec![
        ("tool", text(&call.tool)),
        ("callID", text(&call.call_id)),
        ("part", part(cx, PART)),
    ];
    members.extend(input.map(|input| ("input", input)));
    object(&members)
}

fn read<'m>(cx: &Cx<'_>, state: &'m ToolState<'_>) -> State<'m> {
    let status = values::tool_state(state);
    let printed = || text_of(&cx.raw(&["properties", "part", "state", "metadata", "output"])?);
    let (ended, title, result, printed) = match state {
        ToolState::Pending(_) => (false, None, None, None),
        ToolState::Running(state) => (false, state.title.as_deref(), None, printed()),
        ToolState::Completed(state) => (true, Some(&*state.title), Some(&*state.output), printed()),
        ToolState::Error(state) => (true, None, Some(&*state.error), printed()),
        ToolState::Unrecognized(_) => (false, None, None, None),
    };
    State {
        status,
        ended,
        title,
        result,
        printed,
    }
}

/// Whether a command ended with another code than 0, or with none, as one does that was killed, or
/// took too long: the server calls that completed, too.
fn exits_badly(cx: &Cx<'_>) -> bool {
    let code = cx.raw(&["properties", "part", "state", "metadata", "exit"]);
    code.is_some_and(|code| code.reader().float().ok() != Some(0.0))
}

/// A text as it was sent.
fn text_of(json: &OwnedJson) -> Option<String> {
    let text = json.reader().string().ok()?;
    Some(text.into_owned())
}

/// The members of an input that say what a call does, the better ones first.
const INPUTS: &[&str] = &[
    "command",
    "filePath",
    "path",
    "query",
    "url",
    "pattern",
    "description",
    "prompt",
];

/// An input for people: the text that says most.
pub(super) fn input_summary(input: &OwnedJson) -> Option<String> {
    let mut texts: Vec<Option<String>> = vec![None; INPUTS.len()];
    each_member(input, |name, value| {
        let place = INPUTS.iter().position(|known| **known == *name);
        if let Some(slot) = place.and_then(|place| texts.get_mut(place)) {
            *slot = text_in(value);
        }
    });
    texts.into_iter().flatten().next()
}

fn text_in(value: Json<'_>) -> Option<String> {
    let text = Reader::new(value.as_str()).string().ok()?;
    filled(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_input_is_summed_up_by_what_says_most() {
        let input = |text: &str| input_summary(&OwnedJson::parse(text).unwrap());
        let both = r#"{"description":"d","command":"ls"}"#;
        assert_eq!(input(both).as_deref(), Some("ls"));
        assert_eq!(input(r#"{"filePath":7,"path":"p"}"#).as_deref(), Some("p"));
        assert_eq!(input("[1]"), None);
    }

    #[test]
    fn a_tool_that_nobody_knows_is_a_call() {
        assert_eq!(item_type("bash"), ItemType::CommandExecution);
        assert_eq!(item_type("lamp_light"), ItemType::DynamicToolCall);
    }
}
