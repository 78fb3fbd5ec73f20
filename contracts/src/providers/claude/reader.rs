//! Reads what the program writes: decodes each message, finds where it belongs, and maps it.

use std::sync::Arc;

use crate::canonical::{
    RawSource, RequestOpened, RequestType, SessionStarted, ThreadStarted, TurnCompleted, TurnState,
};
use crate::json::{Note, Reader, Wire};
use crate::kit::conversation::results::noted_in_results;
use crate::kit::conversation::turns::set_scope;
use crate::kit::conversation::values::element_ranges;
use crate::kit::core::{Core, Label, Place};
use crate::kit::mapping::{Cx, Fate, member};
use crate::kit::parts::filled;
use crate::kit::session::{Outcome, Verdict};
use crate::providers::claude::wire::{
    SdkControlRequest, SdkControlRequestInner, StdoutMessage, message as rows,
};

use super::head::Head;
use super::host::{json_at, text_at};
use super::mapping::{ALREADY_OPEN, Asks, ClaudeMapping, OpenRequest};
use super::replies;
use super::sdk_permission as permission;

/// A message of the program.
pub(super) fn message(core: &mut Core<ClaudeMapping>, place: &Place<'_>) -> Outcome {
    let head = Head::read(place.line, place.message.clone());
    let mut reader = Reader::over(place.line, place.message.clone());
    let decoded = StdoutMessage::read(&mut reader);
    let mut notes = reader.take_notes();
    if head.is("user") {
        notes.extend(noted_in_results(place));
    }
    match decoded {
        Err(error) => {
            let tag = known_tag(&head);
            let label = timed(label(RawSource::ClaudeSdkMessage, tag.as_deref()), &head);
            let mut outcome = core.malformed(place, &label, &error, notes);
            if let Some(id) = text_at(place, &["request_id"])
                && head.is("control_request")
            {
                show(core, place, &label, &id, &mut outcome);
            }
            unread(core, place, &head, &label, outcome)
        }
        Ok(StdoutMessage::ControlResponse(response)) => {
            replies::reply(core, place, &response, notes)
        }
        Ok(StdoutMessage::ControlRequest(request)) => waits(core, place, &head, &request, notes),
        Ok(message) => {
            let tag = rows::tag_path(&message);
            let label = timed(label(RawSource::ClaudeSdkMessage, Some(&tag)), &head);
            let works = shows_work(&head, place);
            let outcome = core.mapped(place, &label, notes, |mapping, cx| {
                mapping.before(cx, &head, works);
                rows::map(mapping, cx, &message);
                mapping.after(cx, &head);
            });
            if outcome.verdict == Verdict::Unrecognized {
                return unread(core, place, &head, &label, outcome);
            }
            outcome
        }
    }
}

/// A request of the program to the host.
fn waits(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    head: &Head<'_>,
    request: &SdkControlRequest<'_>,
    notes: Vec<Note>,
) -> Outcome {
    let id = &*request.request_id;
    if let SdkControlRequestInner::CanUseTool(asked) = &request.request {
        return permission::asked(core, place, id, asked, notes);
    }
    let asks = asks(&request.request);
    let message = StdoutMessage::ControlRequest(request.clone());
    requested(core, place, head, &message, id, asks, notes)
}

/// A request of the program to the host, other than for permission.
fn requested(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    head: &Head<'_>,
    message: &StdoutMessage<'_>,
    id: &str,
    asks: Asks,
    notes: Vec<Note>,
) -> Outcome {
    let tag = rows::tag_path(message);
    let label = label(RawSource::ClaudeSdkMessage, Some(&tag));
    if core.mapping.requests.get(&Arc::from(id)).is_some() {
        return core.outcome(place, &label, ALREADY_OPEN, Vec::new(), notes);
    }
    let mut outcome = core.mapped(place, &label, notes, |mapping, cx| {
        mapping.before(cx, head, false);
        cx.refs.request = Some(Arc::from(id));
        rows::map(mapping, cx, message);
        let open = OpenRequest {
            asks,
            refs: cx.refs.clone(),
        };
        if cx.fate() == &Fate::Mapped {
            mapping.requests.insert(Arc::from(id), open);
        }
    });
    if outcome.verdict == Verdict::Unrecognized {
        show(core, place, &label, id, &mut outcome);
    }
    outcome
}

/// The agent waits for an answer to a request that can't be read: that it is open must be seen.
fn show(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    label: &Label<'_>,
    id: &str,
    outcome: &mut Outcome,
) {
    if core.mapping.requests.get(&Arc::from(id)).is_some() {
        return;
    }
    let shown = core.mapped(place, label, Vec::new(), |mapping, cx| {
        mapping.speak(cx, None);
        cx.refs.request = Some(Arc::from(id));
        cx.emit_unlisted(RequestOpened {
            request_type: RequestType::Unknown,
            detail: text_at(place, &["request", "subtype"]).and_then(filled),
            args: cx.raw(&["request"]),
        });
        let open = OpenRequest {
            asks: Asks::Other(RequestType::Unknown),
            refs: cx.refs.clone(),
        };
        mapping.requests.insert(Arc::from(id), open);
    });
    outcome.prepend(shown);
}

/// Requests of an earlier connection that still wait for the host come with the response to the
/// first request.
pub(super) fn pending(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    list: &str,
    requests: &[SdkControlRequest<'_>],
    outcome: &mut Outcome,
) {
    let mut range = Some(place.message.clone());
    for name in ["response", list] {
        range = range.and_then(|range| member(place.line, range, name));
    }
    let Some(range) = range else { return };
    let ranges = element_ranges(place.line, range);
    for (request, body) in requests.iter().zip(ranges) {
        if core
            .mapping
            .requests
            .get(&Arc::from(&*request.request_id))
            .is_some()
        {
            continue;
        }
        let inner = Place {
            body,
            message: place.message.clone(),
            ..*place
        };
        let told = waits(core, &inner, &Head::default(), request, Vec::new());
        outcome.append(told);
    }
}

/// What a request asks for, to be told again when it is answered.
fn asks(request: &SdkControlRequestInner<'_>) -> Asks {
    if let SdkControlRequestInner::HookCallback(_) = request {
        return Asks::Hook;
    }
    if let SdkControlRequestInner::Elicitation(_) = request {
        return Asks::Elicitation;
    }
    if let SdkControlRequestInner::RequestUserDialog(_) = request {
        return Asks::Dialog;
    }
    if let SdkControlRequestInner::McpMessage(_) = request {
        return Asks::Other(RequestType::DynamicToolCall);
    }
    Asks::Other(RequestType::Unknown)
}

/// A result that can't be read ends its turn all the same: as a success only where all that says
/// how it ended can be read, and what can't be is something else.
fn unread(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    head: &Head<'_>,
    label: &Label<'_>,
    mut outcome: Outcome,
) -> Outcome {
    if !head.is("result") {
        return outcome;
    }
    let ended = core.mapped(place, label, Vec::new(), |mapping, cx| {
        mapping.speak(cx, None);
        let Some(turn) = mapping.turns.end() else {
            return;
        };
        mapping.close_turn(cx, &turn.scope);
        set_scope(&mut cx.refs, &turn.scope);
        if turn.told {
            return;
        }
        cx.emit_unlisted(match says_success(place) {
            true => TurnCompleted {
                usage: cx.raw(&["usage"]),
                ..TurnCompleted::new(TurnState::Completed)
            },
            false => TurnCompleted {
                error_message: Some(String::from("the result of the turn cannot be read")),
                ..TurnCompleted::new(TurnState::Failed)
            },
        });
    });
    outcome.append(ended);
    outcome
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

impl ClaudeMapping {
    /// What comes before the events of a message: the beginning of what it is the first sign of.
    fn before(&mut self, cx: &mut Cx<'_>, head: &Head<'_>, works: bool) {
        self.meet(cx, head);
        self.speak(cx, head.parent.as_deref());
        if works {
            self.begin(cx);
        }
    }

    /// What comes after them: the settings of a turn are told before it begins.
    fn after(&mut self, cx: &mut Cx<'_>, head: &Head<'_>) {
        if head.is("system") && head.subtype.as_deref() == Some("init") {
            // A turn whose end was told, and whose result never came, is over.
            if self.turns.current().is_some_and(|turn| turn.told) {
                self.turns.end();
            }
            self.speak(cx, None);
            cx.refs.item = None;
            self.begin(cx);
        }
    }

    /// The first message of a session begins it, and the thread with it; the first one after the
    /// conversation was reset begins the next thread.
    pub(super) fn meet(&mut self, cx: &mut Cx<'_>, head: &Head<'_>) {
        let Some(session) = head.session.as_deref() else {
            return;
        };
        if self.session.as_deref() == Some(session) {
            return;
        }
        let is_first = self.session.is_none();
        self.session = Some(Arc::from(session));
        if !is_first && !std::mem::take(&mut self.is_new_thread) {
            return;
        }
        cx.refs.session.clone_from(&self.session);
        cx.refs.thread = Some(self.turns.thread());
        if is_first {
            cx.emit_unlisted(SessionStarted::default());
        }
        cx.emit_unlisted(ThreadStarted {
            provider_thread_id: Some(session.into()),
        });
    }
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

/// The type of a message that does not decode, with its subtype.
fn known_tag(head: &Head<'_>) -> Option<String> {
    let kind = head.kind.as_deref()?;
    Some(match &head.subtype {
        Some(subtype) => format!("{kind}:{subtype}"),
        None => kind.to_owned(),
    })
}

fn timed<'l>(label: Label<'l>, head: &Head<'_>) -> Label<'l> {
    Label {
        wire_ms: head.time,
        ..label
    }
}

/// What is known about a message before it is decoded.
pub(super) fn label(source: RawSource, tag: Option<&str>) -> Label<'_> {
    Label {
        source,
        method: None,
        message_type: tag,
        wire_ms: None,
    }
}
