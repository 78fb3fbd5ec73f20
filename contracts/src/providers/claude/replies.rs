//! Responses of the program to requests of the host: what they change.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    AccountRateLimitsUpdated, AccountUpdated, ErrorClass, McpStatusUpdated, RuntimeError,
    RuntimeWarning, SessionConfigured, ThreadMetadataUpdated,
};
use crate::json::{Note, Object, OwnedJson, Reader};
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::head::Head;
use crate::kit::conversation::values::{member_of, text_in};
use crate::kit::core::{Core, Place};
use crate::kit::mapping::{Cx, Out, member};
use crate::kit::members::members_of;
use crate::kit::parts::{config, metadata, object, part};
use crate::kit::session::{Outcome, Verdict};
use crate::providers::claude::wire::message::{self as rows, row};
use crate::providers::claude::wire::{
    ControlErrorResponse, ControlResult, SdkControlRequest, SdkControlResponse,
    SdkControlResponseResponse, StdoutMessage,
};

use super::answers::answer;
use super::mapping::{ClaudeMapping, HostRequest};
use super::requests::pending;

/// A response of the program. Which request it answers is known where the reader saw the request.
pub(super) fn reply(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    response: &SdkControlResponse<'_>,
    mut notes: Vec<Note>,
) -> Outcome {
    let (id, succeeds) = match &response.response {
        SdkControlResponseResponse::Success(success) => (&success.request_id, true),
        SdkControlResponseResponse::Error(error) => (&error.request_id, false),
        SdkControlResponseResponse::Unrecognized(_) => {
            let message = StdoutMessage::ControlResponse(response.clone());
            let tag = rows::tag_path(&message);
            let label = ClaudeMapping::label(Some(&tag), &Head::default());
            return core.mapped(place, &label, notes, |mapping, cx| {
                mapping.talk.speak(cx, None);
                rows::map(mapping, cx, &message);
            });
        }
    };
    let message = StdoutMessage::ControlResponse(response.clone());
    let tag = rows::tag_path(&message);
    let label = ClaudeMapping::label(Some(&tag), &Head::default());
    let id: Arc<str> = Arc::from(&**id);
    let Some(request) = core.mapping.asked.remove(&id) else {
        if core.mapping.answered.get(&id).is_some() {
            let verdict = Verdict::Told("the host's own answer");
            return core.silent(place, &label, verdict);
        }
        // Who sees the program's output alone learns from it what the host answered.
        if let Some(outcome) = answer(core, place) {
            return outcome;
        }
        let text = format!("a response to request {id}, which this reader was not told of");
        return core.warned(place, &label, Verdict::Unmatched, text);
    };
    if succeeds && let Err(error) = check(place, &request, &mut notes) {
        return core.malformed(place, &label, &error, notes);
    }
    let mut outcome = core.mapped(place, &label, notes, |mapping, cx| {
        mapping.talk.speak(cx, None);
        mapping.replied = Some(request);
        rows::map(mapping, cx, &message);
        mapping.replied = None;
    });
    for (list, requests) in waiting(&response.response) {
        pending(core, place, list, requests, &mut outcome);
    }
    outcome
}

/// The lists of requests that still wait for the host, which a response brings with it.
fn waiting<'r, 'a>(
    response: &'r SdkControlResponseResponse<'a>,
) -> Vec<(&'static str, &'r [SdkControlRequest<'a>])> {
    let [permissions, elicitations, dialogs] = match response {
        SdkControlResponseResponse::Success(it) => [
            &it.pending_permission_requests,
            &it.pending_elicitation_requests,
            &it.pending_user_dialog_requests,
        ],
        SdkControlResponseResponse::Error(it) => [
            &it.pending_permission_requests,
            &it.pending_elicitation_requests,
            &it.pending_user_dialog_requests,
        ],
        SdkControlResponseResponse::Unrecognized(_) => return Vec::new(),
    };
    vec![
        (
            "pending_permission_requests",
            permissions.as_deref().unwrap_or_default(),
        ),
        (
            "pending_elicitation_requests",
            elicitations.as_deref().unwrap_or_default(),
        ),
        (
            "pending_user_dialog_requests",
            dialogs.as_deref().unwrap_or_default(),
        ),
    ]
}

/// What a response holds that does no more than acknowledge, in versions that say nothing there.
const EMPTY: &[&str] = &["null", "{}"];

/// Decodes what a response holds, by the request that it answers. What no version has a type for
/// answers the host, who knows what it asked.
fn check(
    place: &Place<'_>,
    request: &HostRequest,
    notes: &mut Vec<Note>,
) -> Result<(), crate::json::Malformed> {
    let response = member(place.line, place.message.clone(), "response");
    let content = response.and_then(|range| member(place.line, range, "response"));
    let content = content.filter(|range| {
        let text = place.line.get(range.clone());
        !text.is_some_and(|text| EMPTY.contains(&text))
    });
    if content.is_none() {
        return Ok(());
    }
    let mut reader = Reader::over(place.line, place.message.clone());
    let whole = Object::at(place.message.start);
    let tag = Cow::Owned(request.subtype.to_string());
    let decoded = ControlResult::read_content(&mut reader, &whole, tag, content)?;
    if !matches!(decoded, ControlResult::Unrecognized(_)) {
        notes.extend(reader.take_notes());
    }
    Ok(())
}

impl ClaudeMapping {
    /// The agent did what the host asked for.
    pub(super) fn done(&mut self, cx: &mut Cx<'_>, out: &Out<row::ControlResponseSuccess>) {
        let Some(HostRequest { subtype, request }) = self.replied.take() else {
            return;
        };
        let given = part(cx, &["response", "response"]);
        match &*subtype {
            "initialize" | "reload_plugins" | "reload_skills" | "reload_output_styles" => {
                let mut settings = members_of(cx, &given);
                let account = settings.get("account").cloned();
                settings.remove("pid");
                out.emit(cx, SessionConfigured { config: settings });
                if let Some(account) = account.filter(|_| &*subtype == "initialize") {
                    out.emit(cx, AccountUpdated { account });
                }
            }
            "set_permission_mode" => {
                let mode = member_of(&given, "mode").or_else(|| member_of(&request, "mode"));
                let mode = mode.unwrap_or_else(crate::kit::parts::null);
                out.emit(cx, config("permissionMode", mode));
            }
            "set_model" => {
                let model = member_of(&given, "model").or_else(|| member_of(&request, "model"));
                let name = text_in(&request, &["model"]).or_else(|| text_in(&given, &["model"]));
                self.model = name.map(Arc::from);
                out.emit(
                    cx,
                    config("model", model.unwrap_or_else(crate::kit::parts::null)),
                );
            }
            "set_max_thinking_tokens" | "apply_flag_settings" | "update_settings" => {
                let settings = asked_for(&request);
                out.emit(cx, config(&subtype, settings));
            }
            "mcp_status" | "mcp_set_servers" | "mcp_toggle" | "mcp_reconnect"
            | "mcp_authenticate" | "mcp_clear_auth" => {
                let status = match given.as_str() {
                    "null" | "{}" => asked_for(&request),
                    _ => given,
                };
                out.emit(cx, McpStatusUpdated { status });
            }
            "get_usage" => {
                out.emit(cx, AccountRateLimitsUpdated { rate_limits: given });
            }
            "rename_session" => {
                let renamed = ThreadMetadataUpdated {
                    name: text_in(&request, &["title"]),
                    metadata: None,
                };
                out.emit(cx, renamed);
            }
            "set_color" => out.emit(cx, metadata("color", asked_for(&request))),
            "rewind_files" => out.emit(cx, metadata("rewindFiles", given)),
            "interrupt" => cx.dropped("the result of the turn tells it"),
            "stop_task" | "background_tasks" => cx.dropped("the news of the task tell it"),
            _ => cx.dropped("it answers the host"),
        }
    }

    /// The agent did not do what the host asked for.
    pub(super) fn refused(
        &mut self,
        cx: &mut Cx<'_>,
        response: &ControlErrorResponse<'_>,
        out: &Out<row::ControlResponseError>,
    ) {
        let subtype = self.replied.take().map(|request| request.subtype);
        let subtype = subtype.as_deref().unwrap_or("a request");
        let message = format!("{subtype} failed: {}", response.error);
        let detail = Some(part(cx, &["response"]));
        if subtype == "initialize" {
            let error = RuntimeError {
                message,
                class: Some(ErrorClass::ValidationError),
                detail,
            };
            return out.emit(cx, error);
        }
        out.emit(cx, RuntimeWarning { message, detail });
    }
}

/// What a request asks for, without what says that it is one.
fn asked_for(request: &OwnedJson) -> OwnedJson {
    let mut members = Vec::new();
    crate::kit::members::each_member(request, |name, value| {
        if name != "subtype" {
            members.push((name.into_owned(), value.to_owned_json()));
        }
    });
    let members: Vec<(&str, OwnedJson)> = members
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    object(&members)
}
