//! What the host asks of the program, and its answers to what the program asks.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    HookCompleted, HookOutcome, RequestResolved, RequestType, UserInputResolved,
};
use crate::json::{Kind, Malformed, OwnedJson, Reader};
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::head::{Head, text_at};
use crate::kit::core::{Core, Place};
use crate::kit::mapping::{Cx, member};
use crate::kit::parts::{filled, part};
use crate::kit::session::Outcome;
use crate::providers::claude::wire::message::implied;

use super::mapping::{Asks, ClaudeMapping, HostRequest, OpenRequest};
use super::sdk_permission as permission;

/// Requests that hold what the agent's response does not repeat.
const TOLD_AGAIN: &[&str] = &[
    "apply_flag_settings",
    "mcp_authenticate",
    "mcp_clear_auth",
    "mcp_reconnect",
    "mcp_set_servers",
    "mcp_status",
    "mcp_toggle",
    "rename_session",
    "set_color",
    "set_max_thinking_tokens",
    "set_model",
    "set_permission_mode",
    "update_settings",
];

/// The host asks for something; the agent's response does not say for what.
pub(super) fn asked(core: &mut Core<ClaudeMapping>, place: &Place<'_>) {
    let (Some(id), Some(subtype)) = (
        text_at(place, &["request_id"]),
        text_at(place, &["request", "subtype"]),
    ) else {
        return;
    };
    if subtype == "interrupt" {
        core.mapping.talk.turns.stop();
    }
    let range = member(place.line, place.message.clone(), "request");
    let range = range.filter(|_| TOLD_AGAIN.contains(&&*subtype));
    let request = range.and_then(|range| place.line.get(range));
    let request = HostRequest {
        subtype: Arc::from(&*subtype),
        request: request
            .and_then(|request| OwnedJson::parse(request).ok())
            .unwrap_or_else(crate::kit::parts::null),
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
    let label = ClaudeMapping::label(Some("control_response"), &Head::default());
    Some(core.mapped(place, &label, Vec::new(), |mapping, cx| {
        cx.refs = request.refs.clone();
        cx.refs.session.clone_from(&mapping.talk.session);
        cx.refs.minted = true;
        resolve(cx, &request, fails);
    }))
}

/// Tells the answer to a request that is no permission, or that the host could not decide.
fn resolve(cx: &mut Cx<'_>, request: &OpenRequest, fails: bool) {
    let out = implied::host_message();
    let given = part(cx, &["response", "response"]);
    let request_type = match &request.asks {
        Asks::Hook => return out.emit(cx, hook_ends(cx, &given, fails)),
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
        out.emit(cx, UserInputResolved { answers });
    }
    let resolved = RequestResolved {
        request_type,
        decision,
        resolution: Some(part(cx, &["response"])),
    };
    out.emit(cx, resolved);
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
