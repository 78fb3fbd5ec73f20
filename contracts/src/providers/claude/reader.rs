//! How Claude's stream is a conversation: which lines begin and end what, and which have more to
//! them than their row.

use std::borrow::Cow;

use crate::canonical::{RawSource, TurnStarted};
use crate::json::Note;
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::head::{Head, json_at, text_at};
use crate::kit::conversation::host;
use crate::kit::conversation::talk::Talk;
use crate::kit::core::{Core, Place};
use crate::kit::mapping::Cx;
use crate::kit::parts::filled;
use crate::kit::session::Outcome;
use crate::providers::claude::wire::{StdoutMessage, message as rows};

use super::mapping::ClaudeMapping;
use super::{answers, replies, requests, tasks};

impl Conversation for ClaudeMapping {
    const SOURCE: RawSource = RawSource::ClaudeSdkMessage;

    const SENDS_IDS_BACK: bool = true;

    type Message<'m> = StdoutMessage<'m>;

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    fn tag_path<'m>(message: &'m StdoutMessage<'_>) -> Cow<'m, str> {
        rows::tag_path(message)
    }

    fn map(&mut self, cx: &mut Cx<'_>, message: &StdoutMessage<'_>) {
        rows::map(self, cx, message);
    }

    fn shows_work(head: &Head<'_>, place: &Place<'_>) -> bool {
        shows_work(head, place)
    }

    fn turn(&self) -> TurnStarted {
        TurnStarted {
            model: self.model.as_deref().and_then(filled),
            effort: None,
        }
    }

    /// Only a conversation that was reset has another thread; else the session has another name.
    fn changes_thread(&mut self) -> bool {
        std::mem::take(&mut self.is_new_thread)
    }

    /// The settings of a turn are told before it begins.
    fn after(&mut self, cx: &mut Cx<'_>, head: &Head<'_>) {
        if head.is("system") && head.subtype.as_deref() == Some("init") {
            // A turn whose end was told, and whose result never came, is over.
            if self.talk.turns.current().is_some_and(|turn| turn.told) {
                self.talk.turns.end();
            }
            self.talk.speak(cx, None);
            cx.refs.item = None;
            self.begin(cx);
        }
    }

    fn apart(
        core: &mut Core<Self>,
        place: &Place<'_>,
        head: &Head<'_>,
        message: &StdoutMessage<'_>,
        notes: &mut Vec<Note>,
    ) -> Option<Outcome> {
        if let StdoutMessage::ControlResponse(response) = message {
            let notes = std::mem::take(notes);
            return Some(replies::reply(core, place, response, notes));
        }
        if let StdoutMessage::ControlRequest(request) = message {
            let notes = std::mem::take(notes);
            return Some(requests::waits(core, place, head, request, notes));
        }
        None
    }

    fn unread(core: &mut Core<Self>, place: &Place<'_>, head: &Head<'_>, told: &mut Outcome) {
        if head.is("control_request")
            && let Some(id) = text_at(place, &["request_id"])
        {
            let tag = head.tag();
            let label = Self::label(tag.as_deref(), head);
            requests::show(core, place, &label, &id, told);
        }
    }

    fn before(core: &mut Core<Self>, place: &Place<'_>, head: &Head<'_>) -> Option<Outcome> {
        tasks::before(core, place, head)
    }

    fn from_host(core: &mut Core<Self>, place: &Place<'_>, head: &Head<'_>) -> Option<Outcome> {
        match head.kind.as_deref() {
            Some("control_request") => {
                answers::asked(core, place);
                None
            }
            Some("control_response") => answers::answer(core, place),
            _ => host::speaks(core, place, head),
        }
    }

    fn went_well(place: &Place<'_>) -> bool {
        says_success(place)
    }
}

/// Whether a result says in each place that may say so that its turn went well.
fn says_success(place: &Place<'_>) -> bool {
    let says = |member: &str, value: &str| {
        json_at(place, &[member]).is_some_and(|json| json.as_str() == value)
    };
    let silent = |member: &str| json_at(place, &[member]).is_none() || says(member, "null");
    let well = |member: &str, value: &str| silent(member) || says(member, value);
    says("subtype", r#""success""#)
        && says("is_error", "false")
        && well("terminal_reason", r#""completed""#)
        && well("stop_reason", r#""end_turn""#)
}

/// Whether a message shows that the agent works on what the user said. What is streamed shows it
/// by its beginning; what a command of the agent itself prints comes between turns, too.
fn shows_work(head: &Head<'_>, place: &Place<'_>) -> bool {
    match head.kind.as_deref() {
        Some("assistant") => head.parent.is_none(),
        Some("user") => {
            let said = text_at(place, &["message", "content"]);
            let of_command = |text: &str| LOCAL.iter().any(|mark| text.starts_with(mark));
            head.parent.is_none() && head.is_replay && !said.is_some_and(|text| of_command(&text))
        }
        _ => false,
    }
}

/// How the agent marks what a command of its own prints, and the command.
const LOCAL: &[&str] = &["<local-command-", "<command-"];
