//! What the user says, as the host sends it: told when it goes out, and not again when it comes
//! back.

use crate::canonical::{ItemLifecycle, ItemType};
use crate::kit::core::{Core, Place};
use crate::kit::parts::filled;
use crate::kit::session::Outcome;

use super::calls::output_summary;
use super::driver::Conversation;
use super::head::{Head, json_at, text_at};
use super::items::whole;

/// A message of the user: the agent refuses other roles, and lines without a message. The first one
/// after a turn starts the next one; one that comes while a turn is going on waits, or is taken
/// into it.
pub(crate) fn speaks<M: Conversation>(
    core: &mut Core<M>,
    place: &Place<'_>,
    head: &Head<'_>,
) -> Option<Outcome> {
    let role = text_at(place, &["message", "role"]);
    if !head.is("user") || role.as_deref() != Some("user") {
        return None;
    }
    let content = json_at(place, &["message", "content"])?;
    let text = output_summary(Some(content)).unwrap_or_default();
    let label = M::label(Some("user"), &Head::default());
    Some(core.mapped(place, &label, Vec::new(), |mapping, cx| {
        mapping.talk().speak(cx, None);
        if !head.is_note {
            mapping.user_speaks(cx);
        }
        let talk = mapping.talk();
        let scope = talk.scope(None);
        let id = head.uuid.as_deref().filter(|_| M::SENDS_IDS_BACK);
        cx.refs.item = Some(talk.said.add(id, &text, scope).item);
        let (started, completed) = whole(ItemLifecycle {
            detail: filled(text),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::UserMessage)
        });
        M::user_said(cx, started, completed);
    }))
}
