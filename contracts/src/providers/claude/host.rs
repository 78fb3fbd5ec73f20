//! What the host writes to the program: messages of the user, requests, and answers.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    HookCompleted, HookOutcome, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus, ItemType,
    RawSource, RequestResolved, RequestType, TurnStarted, UserInputResolved,
};
use crate::json::{Json, Kind, Malformed, OwnedJson, Reader};
use crate::kit::conversation::calls::output_summary;
use crate::kit::conversation::turns::set_scope;
use crate::kit::core::{Core, Place};
use crate::kit::mapping::{Cx, member};
use crate::kit::parts::{filled, part};
use crate::kit::session::{Outcome, Verdict};

use super::head::Head;
use super::mapping::{Asks, ClaudeMapping, HostRequest, OpenRequest};
use super::reader::label;
use super::sdk_permission as permission;

/// A message of the host. What it writes is its own affair: what can't be read is no fault of the
/// agent, and the agent refuses it.
pub(super) fn message(core: &mut Core<ClaudeMapping>, place: &Place<'_>) -> Outcome {
    let head = Head::read(place.line, place.message.clone());
    let outcome = match head.kind.as_deref() {
        Some("user") if speaks(place) => Some(said(core, place, &head)),
        Some("control_request") => {
            asked(core, place);
            None
        }
        Some("control_response") => answer(core, place),
        _ => None,
    };
    outcome.unwrap_or_else(|| {
        let tag = head.kind.as_deref();
        core.silent(
            place,
            &label(RawSource::ClaudeSdkMessage, tag),
            Verdict::Noted,
        )
    })
}

/// Whether the user says something: the agent refuses other roles, and lines without a message.
fn speaks(place: &Place<'_>) -> bool {
    let role = text_at(place, &["message", "role"]);
    role.as_deref() == Some("user") && json_at(place, &["message", "content"]).is_some()
}

/// The user speaks. The first message after a turn starts the next one; one that comes while a
/// turn is going on waits, or is taken into it.
fn said(core: &mut Core<ClaudeMapping>, place: &Place<'_>, head: &Head<'_>) -> Outcome {
    let content = json_at(place, &["message", "content"]);
    let text = output_summary(content).unwrap_or_default();
    let label = label(RawSource::ClaudeSdkMessage, Some("user"));
    core.mapped(place, &label, Vec::new(), |mapping, cx| {
        mapping.speak(cx, None);
        if !head.is_note {
            mapping.begin(cx);
        }
        let scope = mapping.scope(None);
        let said = mapping.said.add(head.uuid.as_deref(), &text, scope);
        cx.refs.item = Some(said.item);
        let item = ItemLifecycle {
            detail: filled(text),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::UserMessage)
        };
        cx.emit_unlisted(ItemStarted(ItemLifecycle {
            status: Some(ItemStatus::InProgress),
            ..item.clone()
        }));
        cx.emit_unlisted(ItemCompleted(ItemLifecycle {
            status: Some(ItemStatus::Completed),
            ..item
        }));
    })
}

impl ClaudeMapping {
    /// Makes the context speak of the session, and of the turn that an agent works in.
    pub(super) fn speak(&mut self, cx: &mut Cx<'_>, parent: Option<&str>) {
        cx.refs.session.clone_from(&self.session);
        cx.refs.thread = Some(self.turns.thread());
        if let Some(scope) = self.scope(parent) {
            set_scope(&mut cx.refs, &scope);
        }
    }

    /// Begins a turn, unless one is going on.
    pub(super) fn begin(&mut self, cx: &mut Cx<'_>) {
        if let Some(scope) = self.turns.start() {
            set_scope(&mut cx.refs, &scope);
            cx.emit_unlisted(TurnStarted {
                model: self.model.as_deref().and_then(filled),
                effort: None,
            });
        }
    }
}

/// The host asks for something; the agent's response does not say for what.
fn asked(core: &mut Core<ClaudeMapping>, place: &Place<'_>) {
    let (Some(id), Some(subtype)) = (
        text_at(place, &["request_id"]),
        text_at(place, &["request", "subtype"]),
    ) else {
        return;
    };
    if subtype == "interrupt" {
        core.mapping.turns.stop();
    }
    let range = member(place.line, place.message.clone(), "request");
    let request = HostRequest {
        subtype: Arc::from(&*subtype),
        request: range.map_or_else(crate::kit::parts::null, |range| {
            OwnedJson::from_text(Arc::clone(place.line), range)
        }),
    };
    core.mapping.asked.insert(Arc::from(&*id), request);
}

/// The host answers a request of the agent. Nothing where it is not known which.
pub(super) fn answer(core: &mut Core<ClaudeMapping>, place: &Place<'_>) -> Option<Outcome> {
    let id: Arc<str> = Arc::from(&*text_at(place, &["response", "request_id"])?);
    let request = core.mapping.requests.remove(&id)?;
    core.mapping.answered.insert(id, ());
    let fails = text_at(place, &["response", "subtype"]).as_deref() != Some("success");
    if let Asks::Permission { .. } = &request.asks
        && !fails
    {
        return Some(permission::decided(core, place, request));
    }
    let label = label(RawSource::ClaudeSdkMessage, Some("control_response"));
    Some(core.mapped(place, &label, Vec::new(), |mapping, cx| {
        cx.refs = request.refs.clone();
        cx.refs.session.clone_from(&mapping.session);
        cx.refs.minted = true;
        resolve(cx, &request, fails);
    }))
}

/// Tells the answer to a request that is no permission, or that the host could not decide.
fn resolve(cx: &mut Cx<'_>, request: &OpenRequest, fails: bool) {
    let given = part(cx, &["response", "response"]);
    let request_type = match &request.asks {
        Asks::Hook => return cx.emit_unlisted(hook_ends(cx, &given, fails)),
        Asks::Permission { request_type, .. } | Asks::Other(request_type) => *request_type,
        Asks::Elicitation => RequestType::McpElicitation,
        Asks::Dialog => RequestType::ToolUserInput,
    };
    let action = cx.raw(&["response", "response", "action"]);
    let action = action.and_then(|action| action.reader().string().ok().map(Cow::into_owned));
    let decision = match (&request.asks, action.as_deref()) {
        (Asks::Elicitation, Some("accept")) => Some(String::from("accept")),
        (Asks::Elicitation, Some("decline")) => Some(String::from("decline")),
        (Asks::Elicitation, Some("cancel")) => Some(String::from("cancel")),
        (Asks::Elicitation, other) => other.map(str::to_owned),
        _ => None,
    };
    let entered = match &request.asks {
        Asks::Elicitation => cx.raw(&["response", "response", "content"]),
        Asks::Dialog if !fails => Some(given.clone()),
        Asks::Dialog | Asks::Hook | Asks::Permission { .. } | Asks::Other(_) => None,
    };
    if let Some(answers) = entered.filter(|answers| answers.as_str() != "null") {
        cx.emit_unlisted(UserInputResolved { answers });
    }
    cx.emit_unlisted(RequestResolved {
        request_type,
        decision,
        resolution: Some(part(cx, &["response"])),
    });
}

/// A hook of the host has run. One that stops what it guards is cancelled.
fn hook_ends(cx: &Cx<'_>, given: &OwnedJson, fails: bool) -> HookCompleted {
    let outcome = match (fails, stops(given)) {
        (true, _) => HookOutcome::Error,
        (false, true) => HookOutcome::Cancelled,
        (false, false) => HookOutcome::Success,
    };
    let error = cx.raw(&["response", "error"]);
    HookCompleted {
        hook_id: cx.refs.request.as_deref().unwrap_or_default().to_owned(),
        outcome,
        output: filled(given.as_str()).filter(|output| output != "null"),
        stdout: None,
        stderr: error.and_then(|error| error.reader().string().ok().and_then(filled)),
        exit_code: None,
    }
}

/// Whether the output of a hook stops what it guards.
fn stops(output: &OwnedJson) -> bool {
    let read = |reader: &mut Reader<'_>| -> Result<bool, Malformed> {
        let mut stops = false;
        if reader.kind()? != Kind::Object {
            return Ok(false);
        }
        let mut object = reader.object()?;
        while let Some(name) = reader.key(&mut object)? {
            match (&*name, reader.kind()?) {
                ("continue", Kind::Boolean) => stops |= !reader.boolean()?,
                ("decision", Kind::String) => stops |= reader.string()? == "block",
                _ => reader.skip()?,
            }
        }
        Ok(stops)
    };
    read(&mut output.reader()).unwrap_or(false)
}

/// A value of the message, by its path.
pub(super) fn json_at<'l>(place: &Place<'l>, path: &[&str]) -> Option<Json<'l>> {
    let mut range = place.message.clone();
    for name in path {
        range = member(place.line, range, name)?;
    }
    Reader::over(place.line, range).raw().ok()
}

/// A text of the message, by its path.
pub(super) fn text_at<'l>(place: &Place<'l>, path: &[&str]) -> Option<Cow<'l, str>> {
    let json = json_at(place, path)?;
    Reader::new(json.as_str()).string().ok()
}
