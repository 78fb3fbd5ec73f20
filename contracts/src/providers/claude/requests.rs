//! Requests of the program to the host, other than for permission: what they ask for, and that
//! they are open.

use std::sync::Arc;

use crate::canonical::{RequestOpened, RequestType};
use crate::json::Note;
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::head::{Head, text_at};
use crate::kit::conversation::values::element_ranges;
use crate::kit::core::{Core, Label, Place};
use crate::kit::mapping::member;
use crate::kit::parts::filled;
use crate::kit::session::{Outcome, Verdict};
use crate::providers::claude::wire::message::{self as rows, implied};
use crate::providers::claude::wire::{SdkControlRequest, SdkControlRequestInner, StdoutMessage};

use super::mapping::{ALREADY_OPEN, Asks, ClaudeMapping, OpenRequest};
use super::sdk_permission as permission;

/// A request of the program to the host.
pub(super) fn waits(
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
    asks: Option<Asks>,
    notes: Vec<Note>,
) -> Outcome {
    let tag = rows::tag_path(message);
    let label = ClaudeMapping::label(Some(&tag), &Head::default());
    if core.mapping.requests.get(&Arc::from(id)).is_some() {
        return core.outcome(place, &label, ALREADY_OPEN, Vec::new(), notes);
    }
    let mut outcome = core.mapped(place, &label, notes, |mapping, cx| {
        mapping.meet(cx, head);
        mapping.talk.speak(cx, head.parent.as_deref());
        cx.refs.request = Some(Arc::from(id));
        rows::map(mapping, cx, message);
        let Some(asks) = asks else { return };
        let open = OpenRequest {
            asks,
            refs: cx.refs.clone(),
        };
        mapping.requests.insert(Arc::from(id), open);
    });
    if outcome.verdict == Verdict::Unrecognized {
        show(core, place, &label, id, &mut outcome);
    }
    outcome
}

/// The agent waits for an answer to a request that can't be read: that it is open must be seen.
pub(super) fn show(
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
        mapping.talk.speak(cx, None);
        cx.refs.request = Some(Arc::from(id));
        let opened = RequestOpened {
            request_type: RequestType::Unknown,
            detail: text_at(place, &["request", "subtype"]).and_then(filled),
            args: cx.raw(&["request"]),
        };
        implied::unreadable_request().emit(cx, opened);
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

/// What a request asks for, to be told again when it is answered; nothing where it is one that only
/// hosts make, or that has a surface of its own.
fn asks(request: &SdkControlRequestInner<'_>) -> Option<Asks> {
    use SdkControlRequestInner as Kind;
    match request {
        Kind::HookCallback(_) => Some(Asks::Hook),
        Kind::Elicitation(_) => Some(Asks::Elicitation),
        Kind::RequestUserDialog(_) => Some(Asks::Dialog),
        Kind::McpMessage(_) => Some(Asks::Other(RequestType::DynamicToolCall)),
        Kind::CanUseTool(_)
        | Kind::ApplyFlagSettings(_)
        | Kind::BackgroundTasks(_)
        | Kind::CancelAsyncMessage(_)
        | Kind::FileSuggestions(_)
        | Kind::GetBinaryVersion(_)
        | Kind::GetContextUsage(_)
        | Kind::GetHooksListing(_)
        | Kind::GetSessionCost(_)
        | Kind::GetSettings(_)
        | Kind::GetTaskOutput(_)
        | Kind::GetUsage(_)
        | Kind::Initialize(_)
        | Kind::Interrupt(_)
        | Kind::ListModels(_)
        | Kind::ListPermissionRules(_)
        | Kind::McpAuthenticate(_)
        | Kind::McpCall(_)
        | Kind::McpClearAuth(_)
        | Kind::McpReadResource(_)
        | Kind::McpReconnect(_)
        | Kind::McpSetServers(_)
        | Kind::McpStatus(_)
        | Kind::McpToggle(_)
        | Kind::ReadFile(_)
        | Kind::RegisterRepoRoot(_)
        | Kind::ReloadOutputStyles(_)
        | Kind::ReloadPlugins(_)
        | Kind::ReloadSkills(_)
        | Kind::RenameSession(_)
        | Kind::RewindFiles(_)
        | Kind::SeedReadState(_)
        | Kind::SetColor(_)
        | Kind::SetHasSubscribers(_)
        | Kind::SetMaxThinkingTokens(_)
        | Kind::SetModel(_)
        | Kind::SetPermissionMode(_)
        | Kind::StopTask(_)
        | Kind::UpdateSettings(_)
        | Kind::Unrecognized(_) => None,
    }
}
