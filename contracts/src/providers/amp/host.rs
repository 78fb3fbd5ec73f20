//! What the host writes to Amp: messages of the user.

use crate::canonical::{ItemCompleted, ItemLifecycle, ItemStatus, ItemType};
use crate::json::{Json, Reader};
use crate::kit::conversation::calls::output_summary;
use crate::kit::core::{Core, Place};
use crate::kit::mapping::{Cx, member};
use crate::kit::parts::filled;
use crate::kit::session::{Outcome, Verdict};
use crate::providers::amp::wire::stream_json::implied;

use super::items::begins;
use super::mapping::AmpMapping;
use super::session::label;

/// A message of the host. What it writes is its own affair: what can't be read is no fault of the
/// agent, and the agent refuses it.
pub(super) fn message(core: &mut Core<AmpMapping>, place: &Place<'_>) -> Outcome {
    let kind = json_at(place, &["type"]);
    let role = json_at(place, &["message", "role"]);
    let is = |json: Option<Json<'_>>, text: &str| {
        json.is_some_and(|json| {
            Reader::new(json.as_str())
                .string()
                .is_ok_and(|it| it == text)
        })
    };
    let content = json_at(place, &["message", "content"]);
    if !is(kind, "user") || !is(role, "user") || content.is_none() {
        return core.silent(place, &label(None), Verdict::Noted);
    }
    let text = output_summary(content).unwrap_or_default();
    core.mapped(place, &label(Some("user")), Vec::new(), |mapping, cx| {
        speaks(mapping, cx, text);
    })
}

/// The user speaks, and the agent will send it back.
fn speaks(mapping: &mut AmpMapping, cx: &mut Cx<'_>, text: String) {
    mapping.speak(cx, None);
    mapping.user_speaks(cx);
    let scope = mapping.scope(None);
    let said = mapping.said.add(None, &text, scope);
    cx.refs.item = Some(said.item);
    let item = ItemLifecycle {
        status: Some(ItemStatus::Completed),
        detail: filled(text),
        data: Some(cx.body()),
        ..ItemLifecycle::new(ItemType::UserMessage)
    };
    let out = implied::host_message();
    out.emit(cx, begins(ItemType::UserMessage));
    out.emit(cx, ItemCompleted(item));
}

/// A value of the message, by its path.
fn json_at<'l>(place: &Place<'l>, path: &[&str]) -> Option<Json<'l>> {
    let mut range = place.message.clone();
    for name in path {
        range = member(place.line, range, name)?;
    }
    Reader::over(place.line, range).raw().ok()
}
