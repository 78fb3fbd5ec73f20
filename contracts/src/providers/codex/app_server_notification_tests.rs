//! One invented message at least for each notification, and what it becomes.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::canonical::RequestType;
use crate::json::{OwnedJson, decode};
use crate::kit::envelope::{Message, RequestId, envelopes};
use crate::kit::ledger::{Draft, Refs};
use crate::kit::mapping::{Cx, RowVerb};
use crate::providers::codex::CodexMapping;
use crate::providers::codex::requests::{Answer, OpenRequest};
use crate::providers::codex::wire::app_server_notification::{ROWS, ServerNotification, map, refs};

/// What a mapping makes of a notification.
pub(in crate::providers::codex) fn told(
    mapping: &mut CodexMapping,
    method: &str,
    params: &str,
) -> Vec<Draft> {
    let line: Arc<str> = format!(r#"{{"method":"{method}","params":{params}}}"#).into();
    let messages = envelopes(&line).unwrap();
    let Message::Notification {
        params: Some(body), ..
    } = &messages[0].message
    else {
        panic!("{line} is no notification with params");
    };
    let (notification, _) = decode::<ServerNotification<'_>>(&line)
        .unwrap_or_else(|malformed| panic!("{line}: {malformed} at {}", malformed.path(&line)));
    let mut drafts = Vec::new();
    let mut cx = Cx::new(&line, body.clone(), &mut drafts);
    cx.lift(refs(&notification.kind));
    map(mapping, &mut cx, &notification.kind);
    drafts
}

/// The same as JSON: `{type: payload}` for each event, and the ids of the first one.
pub(in crate::providers::codex) fn told_json(method: &str, params: &str) -> (String, Value) {
    as_json(&told(&mut CodexMapping::new(), method, params))
}

fn as_json(drafts: &[Draft]) -> (String, Value) {
    let events = drafts.iter().map(|draft| {
        let event: Value = text_value(&serde_json::to_string(&draft.payload).unwrap());
        json!({ event["type"].as_str().unwrap(): event["payload"] })
    });
    let events: Vec<Value> = events.collect();
    (
        drafts
            .first()
            .map(|draft| ids(&draft.refs))
            .unwrap_or_default(),
        Value::Array(events),
    )
}

fn text_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `thread turn item request`, a dash for none; a question mark where they are only looked up.
fn ids(refs: &Refs) -> String {
    let all = [&refs.thread, &refs.turn, &refs.item, &refs.request];
    let names = all.map(|id| id.as_deref().unwrap_or("-"));
    format!("{}{}", names.join(" "), if refs.minted { "" } else { " ?" })
}

const THREAD: &str = r#"{"id":"t","cliVersion":"1","createdAt":1,"updatedAt":2,"cwd":"/w","ephemeral":false,"modelProvider":"p","preview":"hi","source":"cli","status":{"type":"idle"},"turns":[]}"#;

/// Method, params, ids of the first event, events.
#[rustfmt::skip] // One line a case.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("account/gatewayOAuth/changed", r#"{"providerId":"p","status":"started","authUrl":"https://x.example","loginId":"l"}"#, "- - - -", r#"[{"auth.status":{"isAuthenticating":true,"output":["https://x.example"]}}]"#),
    ("account/gatewayOAuth/changed", r#"{"providerId":"p","status":"failed"}"#, "- - - -", r#"[{"auth.status":{"isAuthenticating":false,"error":"the sign-in failed"}}]"#),
    ("account/gatewayOAuth/changed", r#"{"providerId":"p","status":"succeeded"}"#, "- - - -", r#"[{"auth.status":{"isAuthenticating":false}}]"#),
    ("account/gatewayOAuth/changed", r#"{"providerId":"p","status":"paused"}"#, "- - - -", r#"[{"auth.status":{}}]"#),
    ("account/login/completed", r#"{"loginId":null,"success":true,"error":null}"#, "- - - -", r#"[{"auth.status":{"isAuthenticating":false}}]"#),
    ("account/login/completed", r#"{"success":false,"error":"expired"}"#, "- - - -", r#"[{"auth.status":{"isAuthenticating":false,"error":"expired"}}]"#),
    ("account/rateLimits/updated", r#"{"rateLimits":{"limitId":"codex","new":[1]}}"#, "- - - -", r#"[{"account.rate-limits.updated":{"rateLimits":{"limitId":"codex","new":[1]}}}]"#),
    ("account/updated", r#"{"authMode":"chatgpt","planType":"platinum"}"#, "- - - -", r#"[{"account.updated":{"account":{"authMode":"chatgpt","planType":"platinum"}}}]"#),
    ("app/list/updated", r#"{"data":[{"id":"a","name":"A","new":1}]}"#, "- - - -", r#"[{"runtime.warning":{"message":"the list of apps changed","detail":[{"id":"a","name":"A","new":1}]}}]"#),
    ("authStatusChange", r#"{"authMethod":null}"#, "- - - -", r#"[{"account.updated":{"account":{"authMethod":null}}}]"#),
    ("autoApprovalReview/strictReviewRequired", r#"{"threadId":"t","turnId":"u","startedAtMs":5}"#, "t u - - ?", r#"[{"runtime.warning":{"message":"every action of this turn is now reviewed strictly","detail":{"threadId":"t","turnId":"u","startedAtMs":5}}}]"#),
    ("command/exec/outputDelta", r#"{"processId":"p","stream":"stdout","deltaBase64":"Z3LDvG4K","capReached":false}"#, "- - - -", r#"[{"content.delta":{"streamKind":"command_output","delta":"grün\n"}}]"#),
    ("command/exec/outputDelta", r#"{"processId":"p","stream":"stdout","deltaBase64":"no base64","capReached":false}"#, "- - - -", r#"[{"content.delta":{"streamKind":"command_output","delta":"no base64"}}]"#),
    ("configWarning", r#"{"summary":"s","details":"d","path":"/c","range":{"start":{"line":1,"column":2},"end":{"line":3,"column":4}}}"#, "- - - -", r#"[{"config.warning":{"summary":"s","details":"d","path":"/c","range":{"start":{"line":1,"column":2},"end":{"line":3,"column":4}}}}]"#),
    ("configWarning", r#"{"summary":"s","details":null,"path":null,"range":null}"#, "- - - -", r#"[{"config.warning":{"summary":"s"}}]"#),
    ("deprecationNotice", r#"{"summary":"old","details":"use new"}"#, "- - - -", r#"[{"deprecation.notice":{"summary":"old","details":"use new"}}]"#),
    ("error", r#"{"threadId":"t","turnId":"7","willRetry":true,"error":{"message":"cut","codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":502}},"additionalDetails":null}}"#, "t 7 - - ?", r#"[{"runtime.error":{"message":"cut","class":"transport_error","detail":{"willRetry":true,"codexErrorInfo":{"responseStreamDisconnected":{"httpStatusCode":502}},"additionalDetails":null}}}]"#),
    ("error", r#"{"threadId":"t","turnId":"","willRetry":false,"error":{"message":"odd","misalignment":{"errorType":"e"}}}"#, "t  - -", r#"[{"runtime.error":{"message":"odd","class":"unknown","detail":{"willRetry":false,"misalignment":{"errorType":"e"}}}}]"#),
    ("error", r#"{"threadId":"t","turnId":"u","willRetry":false,"error":{"message":"m","codexErrorInfo":"moonPhase"}}"#, "t u - - ?", r#"[{"runtime.error":{"message":"m","class":"unknown","detail":{"willRetry":false,"codexErrorInfo":"moonPhase"}}}]"#),
    ("externalAgentConfig/import/completed", r#"{"importId":"i","itemTypeResults":[]}"#, "- - - -", r#"[{"session.configured":{"config":{"externalAgentImport":{"importId":"i","itemTypeResults":[]}}}}]"#),
    ("externalAgentConfig/import/progress", r#"{"importId":"j","itemTypeResults":[]}"#, "- - - -", r#"[{"session.configured":{"config":{"externalAgentImport":{"importId":"j","itemTypeResults":[]}}}}]"#),
    ("fs/changed", r#"{"watchId":"w","changedPaths":["/a","/b"]}"#, "- - - -", r#"[{"tool.progress":{"toolUseId":"w","toolName":"fs/watch","summary":"/a\n/b"}}]"#),
    ("fuzzyFileSearch/sessionCompleted", r#"{"sessionId":"s"}"#, "- - - -", r#"[{"tool.summary":{"summary":"the file search is complete","precedingToolUseIds":["s"]}}]"#),
    ("fuzzyFileSearch/sessionUpdated", r#"{"sessionId":"s","query":"q","files":[{"root":"/r","path":"a.rs","file_name":"a.rs","score":3}]}"#, "- - - -", r#"[{"tool.progress":{"toolUseId":"s","toolName":"fuzzyFileSearch","summary":"a.rs"}}]"#),
    ("fuzzyFileSearch/sessionUpdated", r#"{"sessionId":"s","query":"q","files":[]}"#, "- - - -", r#"[{"tool.progress":{"toolUseId":"s","toolName":"fuzzyFileSearch"}}]"#),
    ("guardianWarning", r#"{"threadId":"t","message":"careful"}"#, "t - - -", r#"[{"runtime.warning":{"message":"careful"}}]"#),
    ("hook/completed", r#"{"threadId":"t","turnId":"u","run":$RUN}"#, "t u - - ?", r#"[{"hook.completed":{"hookId":"r","outcome":"cancelled","output":"one\ntwo"}}]"#),
    ("hook/started", r#"{"threadId":"t","turnId":null,"run":$RUN}"#, "t - - -", r#"[{"hook.started":{"hookId":"r","hookName":"/h.toml","hookEvent":"preToolUse"}}]"#),
    ("item/agentMessage/delta", r#"{"threadId":"t","turnId":"u","itemId":"i","delta":"a\u0041"}"#, "t u i -", r#"[{"content.delta":{"streamKind":"assistant_text","delta":"aA"}}]"#),
    ("item/autoApprovalReview/completed", r#"{"threadId":"t","turnId":"u","targetItemId":null,"reviewId":"r","startedAtMs":1,"completedAtMs":2,"decisionSource":"agent","review":{"status":"denied","rationale":"too wide"},"action":{"type":"applyPatch","cwd":"/w","files":["/a"]}}"#, "t u - -", r#"[{"item.updated":{"itemType":"file_change","detail":"denied: too wide","data":$PARAMS}}]"#),
    ("item/autoApprovalReview/started", r#"{"threadId":"t","turnId":"u","targetItemId":"i","reviewId":"r","startedAtMs":1,"review":{"status":"inProgress"},"action":{"type":"dance","x":1}}"#, "t u i -", r#"[{"item.updated":{"itemType":"unknown","detail":"inProgress","data":$PARAMS}}]"#),
    ("item/commandExecution/outputDelta", r#"{"threadId":"t","turnId":"u","itemId":"i","delta":"out"}"#, "t u i -", r#"[{"content.delta":{"streamKind":"command_output","delta":"out"}}]"#),
    ("item/commandExecution/terminalInteraction", r#"{"threadId":"t","turnId":"u","itemId":"i","processId":"p","stdin":"y\n"}"#, "t u i -", r#"[{"item.updated":{"itemType":"command_execution","detail":"y\n","data":$PARAMS}}]"#),
    ("item/completed", r#"{"threadId":"t","turnId":"u","item":{"type":"agentMessage","id":"i","text":"hi","new":1}}"#, "t u i -", r#"[{"item.completed":{"itemType":"assistant_message","status":"completed","detail":"hi","data":{"type":"agentMessage","id":"i","text":"hi","new":1}}}]"#),
    ("item/fileChange/outputDelta", r#"{"threadId":"t","turnId":"u","itemId":"i","delta":"ok"}"#, "t u i -", r#"[{"content.delta":{"streamKind":"file_change_output","delta":"ok"}}]"#),
    ("item/fileChange/patchUpdated", r#"{"threadId":"t","turnId":"u","itemId":"i","changes":[{"path":"a","kind":{"type":"add"},"diff":"+x"},{"path":"b","kind":{"type":"add"},"diff":"+y"}]}"#, "t u i -", r#"[{"item.updated":{"itemType":"file_change","title":"a and 1 other","data":[{"path":"a","kind":{"type":"add"},"diff":"+x"},{"path":"b","kind":{"type":"add"},"diff":"+y"}]}}]"#),
    ("item/mcpToolCall/progress", r#"{"threadId":"t","turnId":"u","itemId":"i","message":"half"}"#, "t u i -", r#"[{"tool.progress":{"toolUseId":"i","summary":"half"}}]"#),
    ("item/plan/delta", r#"{"threadId":"t","turnId":"u","itemId":"i","delta":"1."}"#, "t u i -", r#"[{"content.delta":{"streamKind":"plan_text","delta":"1."}}]"#),
    ("item/reasoning/summaryPartAdded", r#"{"threadId":"t","turnId":"u","itemId":"i","summaryIndex":2}"#, "t u i -", r#"[{"item.updated":{"itemType":"reasoning","data":{"summaryIndex":2}}}]"#),
    ("item/reasoning/summaryTextDelta", r#"{"threadId":"t","turnId":"u","itemId":"i","summaryIndex":2,"delta":"s"}"#, "t u i -", r#"[{"content.delta":{"streamKind":"reasoning_summary_text","delta":"s","summaryIndex":2}}]"#),
    ("item/reasoning/textDelta", r#"{"threadId":"t","turnId":"u","itemId":"i","contentIndex":0,"delta":"r"}"#, "t u i -", r#"[{"content.delta":{"streamKind":"reasoning_text","delta":"r","contentIndex":0}}]"#),
    ("item/started", r#"{"threadId":"t","turnId":"u","item":{"type":"webSearch","id":"i","query":""}}"#, "t u i -", r#"[{"item.started":{"itemType":"web_search","status":"inProgress","data":{"type":"webSearch","id":"i","query":""}}}]"#),
    ("loginChatGptComplete", r#"{"loginId":"l","success":false,"error":null}"#, "- - - -", r#"[{"auth.status":{"isAuthenticating":false,"error":"the sign-in failed"}}]"#),
    ("mcpServer/event/stream/notification", r#"{"subscriptionId":"s","notification":{"method":"m","params":{"k":1.50}}}"#, "- - - -", r#"[{"mcp.status.updated":{"status":$PARAMS}}]"#),
    ("mcpServer/oauthLogin/completed", r#"{"name":"n","success":false,"error":"refused"}"#, "- - - -", r#"[{"mcp.oauth.completed":{"success":false,"name":"n","error":"refused"}}]"#),
    ("mcpServer/startupStatus/updated", r#"{"threadId":"t","name":"n","status":"failed","error":"gone"}"#, "t - - -", r#"[{"mcp.status.updated":{"status":$PARAMS}}]"#),
    ("model/rerouted", r#"{"threadId":"t","turnId":"u","fromModel":"a","toModel":"b","reason":"full moon"}"#, "t u - - ?", r#"[{"model.rerouted":{"fromModel":"a","toModel":"b","reason":"full moon"}}]"#),
    ("model/safetyBuffering/updated", r#"{"threadId":"t","turnId":"u","model":"m","reasons":["x","y"],"useCases":[],"showBufferingUi":false}"#, "t u - - ?", r#"[{"runtime.warning":{"message":"m holds its answer back for safety: x, y","detail":$PARAMS}}]"#),
    ("model/verification", r#"{"threadId":"t","turnId":"u","verifications":["trustedAccessForCyber","zz"]}"#, "t u - - ?", r#"[{"runtime.warning":{"message":"the model asks for verification: trustedAccessForCyber, zz","detail":["trustedAccessForCyber","zz"]}}]"#),
    ("modelProvider/authRecoveryCompleted", r#"{"threadId":"t","turnId":"u","provider":"p","message":"done"}"#, "t u - - ?", r#"[{"auth.status":{"isAuthenticating":false,"output":["done"]}}]"#),
    ("modelProvider/authRecoveryStarted", r#"{"threadId":"t","turnId":"u","provider":"p","message":"wait"}"#, "t u - - ?", r#"[{"auth.status":{"isAuthenticating":true,"output":["wait"]}}]"#),
    ("process/exited", r#"{"processHandle":"h","exitCode":0,"stdout":"","stdoutCapReached":false,"stderr":"hm","stderrCapReached":false}"#, "- - h -", r#"[{"item.completed":{"itemType":"command_execution","status":"completed","detail":"hm","data":$PARAMS}}]"#),
    ("process/exited", r#"{"processHandle":"h","exitCode":-1,"stdout":"out","stdoutCapReached":false,"stderr":"hm","stderrCapReached":false}"#, "- - h -", r#"[{"item.completed":{"itemType":"command_execution","status":"failed","detail":"out","data":$PARAMS}}]"#),
    ("process/outputDelta", r#"{"processHandle":"h","stream":"stderr","deltaBase64":"/w==","capReached":false}"#, "- - h -", r#"[{"content.delta":{"streamKind":"command_output","delta":"�"}}]"#),
    ("project/changed", r#"{"projectId":"p","changeType":"deleted"}"#, "- - - -", r#"[{"thread.metadata.updated":{"metadata":{"project":$PARAMS}}}]"#),
    ("remoteControl/status/changed", r#"{"status":"connected","installationId":"i","serverName":"s"}"#, "- - - -", r#"[{"session.configured":{"config":{"remoteControl":$PARAMS}}}]"#),
    ("serverRequest/resolved", r#"{"threadId":"t","requestId":3}"#, "t - - 3 ?", r#"[{"request.resolved":{"requestType":"unknown"}}]"#),
    ("sessionConfigured", r#"{"sessionId":"t","model":"m","reasoningEffort":null,"historyLogId":18446744073709551616,"initialMessages":[{}],"rolloutPath":"/r"}"#, "t - - -", r#"[{"thread.started":{"providerThreadId":"t"}},{"session.configured":{"config":{"model":"m","reasoningEffort":null,"historyLogId":18446744073709551616,"rolloutPath":"/r"}}}]"#),
    ("skills/changed", "{}", "- - - -", r#"[{"session.configured":{"config":{"skillsChanged":true}}}]"#),
    ("thread/archived", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.state.changed":{"state":"archived","detail":{"archived":true}}}]"#),
    ("thread/attachment/updated", r#"{"threadId":"t","attachmentId":"a","attachmentType":"file","identityKey":"k","operation":"created"}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"attachment":$PARAMS}}}]"#),
    ("thread/closed", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.state.changed":{"state":"closed","detail":{"closed":true}}}]"#),
    ("thread/compacted", r#"{"threadId":"t","turnId":"auto-compact-1"}"#, "t auto-compact-1 - - ?", r#"[{"thread.state.changed":{"state":"compacted","detail":{"compacted":true}}}]"#),
    ("thread/deleted", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.state.changed":{"state":"closed","detail":{"deleted":true}}}]"#),
    ("thread/environment/connected", r#"{"threadId":"t","environmentId":"e"}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"environment":{"environmentId":"e","connected":true}}}}]"#),
    ("thread/environment/disconnected", r#"{"threadId":"t","environmentId":"e"}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"environment":{"environmentId":"e","connected":false}}}}]"#),
    ("thread/goal/cleared", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"goal":null}}}]"#),
    ("thread/goal/updated", r#"{"threadId":"t","turnId":null,"goal":{"threadId":"other","objective":"o","status":"active","createdAt":1,"updatedAt":1,"timeUsedSeconds":0,"tokensUsed":0}}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"goal":{"threadId":"other","objective":"o","status":"active","createdAt":1,"updatedAt":1,"timeUsedSeconds":0,"tokensUsed":0}}}}]"#),
    ("thread/name/updated", r#"{"threadId":"t","threadName":"n"}"#, "t - - -", r#"[{"thread.metadata.updated":{"name":"n"}}]"#),
    ("thread/name/updated", r#"{"threadId":"t","threadName":null}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"name":null}}}]"#),
    ("thread/prediction/updated", r#"{"threadId":"t","sourceTurnId":"u","result":{"type":"failed"}}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"prediction":{"sourceTurnId":"u","result":{"type":"failed"}}}}}]"#),
    ("thread/project/updated", r#"{"threadId":"t","projectId":null}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"projectId":null}}}]"#),
    ("thread/queue/changed", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"queueChanged":true}}}]"#),
    ("thread/readState/changed", r#"{"threadId":"t","readState":{"revision":"4","new":true}}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"readState":{"revision":"4","new":true}}}}]"#),
    ("thread/realtime/closed", r#"{"threadId":"t","reason":"bye"}"#, "t - - -", r#"[{"thread.realtime.closed":{"reason":"bye"}}]"#),
    ("thread/realtime/error", r#"{"threadId":"t","message":"noise"}"#, "t - - -", r#"[{"thread.realtime.error":{"message":"noise"}}]"#),
    ("thread/realtime/item/completed", r#"{"threadId":"t","item":{"type":"transcriptSegment","id":"x","realtimeSessionId":"s","role":"user","text":"a"}}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"type":"transcriptSegment","id":"x","realtimeSessionId":"s","role":"user","text":"a"}}}]"#),
    ("thread/realtime/item/started", r#"{"threadId":"t","item":{"type":"realtimeSessionStarted","id":"x","realtimeSessionId":"s"}}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"type":"realtimeSessionStarted","id":"x","realtimeSessionId":"s"}}}]"#),
    ("thread/realtime/item/transcript/delta", r#"{"threadId":"t","itemId":"x","delta":"d"}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"itemId":"x","delta":"d"}}}]"#),
    ("thread/realtime/itemAdded", r#"{"threadId":"t","item":{"id":"x","any":[]}}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"id":"x","any":[]}}}]"#),
    ("thread/realtime/outputAudio/delta", r#"{"threadId":"t","audio":{"data":"AA==","sampleRate":24000,"numChannels":1}}"#, "t - - -", r#"[{"thread.realtime.audio.delta":{"audio":{"data":"AA==","sampleRate":24000,"numChannels":1}}}]"#),
    ("thread/realtime/sdp", r#"{"threadId":"t","sdp":"v=0"}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"sdp":"v=0"}}}]"#),
    ("thread/realtime/started", r#"{"threadId":"t","sessionId":"old"}"#, "t - - -", r#"[{"thread.realtime.started":{"realtimeSessionId":"old"}}]"#),
    ("thread/realtime/started", r#"{"threadId":"t","realtimeSessionId":"new","version":"v2"}"#, "t - - -", r#"[{"thread.realtime.started":{"realtimeSessionId":"new"}}]"#),
    ("thread/realtime/transcript/delta", r#"{"threadId":"t","role":"user","delta":"d"}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"role":"user","delta":"d"}}}]"#),
    ("thread/realtime/transcript/done", r#"{"threadId":"t","role":"user","text":"all"}"#, "t - - -", r#"[{"thread.realtime.item-added":{"item":{"role":"user","text":"all"}}}]"#),
    ("thread/reverted", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.state.changed":{"state":"idle","detail":{"reverted":true}}}]"#),
    ("thread/search/partial", r#"{"requestId":12,"data":[{"snippet":"one","thread":$THREAD},{"snippet":"two","thread":$THREAD}]}"#, "- - - -", r#"[{"tool.progress":{"toolUseId":"12","toolName":"thread/search","summary":"one\ntwo"}}]"#),
    ("thread/section/changed", r#"{"threadId":"t","sectionId":"s"}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"sectionId":"s"}}}]"#),
    ("thread/settings/updated", r#"{"threadId":"t","threadSettings":$SETTINGS}"#, "t - - -", r#"[{"thread.metadata.updated":{"metadata":{"settings":$SETTINGS}}}]"#),
    ("thread/started", r#"{"thread":$THREAD}"#, "t - - -", r#"[{"thread.started":{"providerThreadId":"t"}}]"#),
    ("thread/status/changed", r#"{"threadId":"t","status":{"type":"active","activeFlags":["waitingOnApproval"]}}"#, "t - - -", r#"[{"thread.state.changed":{"state":"active","detail":{"type":"active","activeFlags":["waitingOnApproval"]}}}]"#),
    ("thread/status/changed", r#"{"threadId":"t","status":{"type":"notLoaded"}}"#, "t - - -", r#"[{"thread.state.changed":{"state":"closed","detail":{"type":"notLoaded"}}}]"#),
    ("thread/status/changed", r#"{"threadId":"t","status":{"type":"asleep","until":9}}"#, "t - - -", r#"[{"thread.state.changed":{"state":"error","detail":{"type":"asleep","until":9}}}]"#),
    ("thread/tokenUsage/updated", r#"{"threadId":"t","turnId":"u","tokenUsage":{"total":$USAGE,"last":$USAGE,"modelContextWindow":null,"new":0}}"#, "t u - - ?", r#"[{"thread.token-usage.updated":{"usage":{"total":$USAGE,"last":$USAGE,"modelContextWindow":null,"new":0}}}]"#),
    ("thread/unarchived", r#"{"threadId":"t"}"#, "t - - -", r#"[{"thread.state.changed":{"state":"idle","detail":{"unarchived":true}}}]"#),
    ("turn/completed", r#"{"threadId":"t","turn":{"id":"u","items":[],"status":"completed","error":null}}"#, "t u - -", r#"[{"turn.completed":{"state":"completed"}}]"#),
    ("turn/completed", r#"{"threadId":"t","turn":{"id":"u","items":[],"status":"failed","error":{"message":"no quota"}}}"#, "t u - -", r#"[{"turn.completed":{"state":"failed","errorMessage":"no quota"}}]"#),
    ("turn/completed", r#"{"threadId":"t","turn":{"id":"u","items":[],"status":"interrupted"}}"#, "t u - -", r#"[{"turn.completed":{"state":"interrupted"}}]"#),
    ("turn/completed", r#"{"threadId":"t","turn":{"id":"u","items":[],"status":"expired"}}"#, "t u - -", r#"[{"turn.completed":{"state":"failed","errorMessage":"unrecognized turn status `expired`"}}]"#),
    ("turn/completed", r#"{"threadId":"t","turn":{"id":"u","items":[],"status":"expired","error":{"message":"late"}}}"#, "t u - -", r#"[{"turn.completed":{"state":"failed","errorMessage":"unrecognized turn status `expired`: late"}}]"#),
    ("turn/diff/updated", r#"{"threadId":"t","turnId":"u","diff":"--- a\n+++ b"}"#, "t u - -", r#"[{"turn.diff.updated":{"unifiedDiff":"--- a\n+++ b"}}]"#),
    ("turn/moderationMetadata", r#"{"threadId":"t","turnId":"u","metadata":{"flag":1e2}}"#, "t u - -", r#"[{"thread.metadata.updated":{"metadata":{"moderation":{"flag":1e2}}}}]"#),
    ("turn/plan/updated", r#"{"threadId":"t","turnId":"u","explanation":null,"plan":[{"step":"a","status":"completed"},{"step":"b","status":"inProgress"},{"step":"c","status":"skipped"}]}"#, "t u - -", r#"[{"turn.plan.updated":{"explanation":null,"plan":[{"step":"a","status":"completed"},{"step":"b","status":"inProgress"},{"step":"c","status":"pending"}]}}]"#),
    ("turn/plan/updated", r#"{"threadId":"t","turnId":"u","plan":[]}"#, "t u - -", r#"[{"turn.plan.updated":{"plan":[]}}]"#),
    ("turn/plan/updated", r#"{"threadId":"t","turnId":"u","explanation":"why","plan":[]}"#, "t u - -", r#"[{"turn.plan.updated":{"explanation":"why","plan":[]}}]"#),
    ("turn/started", r#"{"threadId":"t","turn":{"id":"u","items":[],"status":"inProgress"}}"#, "t u - -", r#"[{"turn.started":{}}]"#),
    ("warning", r#"{"threadId":null,"message":"mind"}"#, "- - - -", r#"[{"runtime.warning":{"message":"mind"}}]"#),
    ("windows/worldWritableWarning", r#"{"samplePaths":["C:\\a","C:\\b"],"extraCount":4,"failedScan":true}"#, "- - - -", r#"[{"runtime.warning":{"message":"everyone can write to some folders: C:\\a, C:\\b, 4 more; not all folders could be checked","detail":$PARAMS}}]"#),
    ("windows/worldWritableWarning", r#"{"samplePaths":[],"extraCount":0,"failedScan":false}"#, "- - - -", r#"[{"runtime.warning":{"message":"everyone can write to some folders","detail":$PARAMS}}]"#),
    ("windowsSandbox/setupCompleted", r#"{"mode":"elevated","success":true}"#, "- - - -", r#"[{"session.state.changed":{"state":"ready","reason":"elevated"}}]"#),
    ("windowsSandbox/setupCompleted", r#"{"mode":"unelevated","success":false,"error":"denied"}"#, "- - - -", r#"[{"session.state.changed":{"state":"error","reason":"unelevated","detail":"denied"}},{"runtime.warning":{"message":"denied"}}]"#),
    ("windowsSandbox/setupCompleted", r#"{"mode":"elevated","success":false,"error":null}"#, "- - - -", r#"[{"session.state.changed":{"state":"error","reason":"elevated","detail":"the Windows sandbox could not be set up"}},{"runtime.warning":{"message":"the Windows sandbox could not be set up"}}]"#),
];

fn filled(template: &str, params: &str) -> String {
    template
        .replace("$PARAMS", params)
        .replace("$THREAD", THREAD)
        .replace("$SETTINGS", r#"{"approvalPolicy":"never","approvalsReviewer":"user","collaborationMode":{"mode":"default","settings":{"model":"m"}},"cwd":"/w","model":"m","modelProvider":"p","sandboxPolicy":{"type":"dangerFullAccess"},"new":{}}"#)
        .replace("$USAGE", r#"{"cachedInputTokens":1,"inputTokens":2,"outputTokens":3,"reasoningOutputTokens":4,"totalTokens":5}"#)
        .replace("$RUN", &run("blocked", r#"[{"kind":"stop","text":"one"},{"kind":"error","text":"two"}]"#))
}

fn run(status: &str, entries: &str) -> String {
    format!(
        r#"{{"id":"r","displayOrder":0,"entries":{entries},"eventName":"preToolUse","executionMode":"sync","handlerType":"command","scope":"turn","sourcePath":"/h.toml","startedAt":1,"status":"{status}"}}"#
    )
}

#[test]
fn every_mapped_notification_tells_what_it_should() {
    let mut covered = BTreeSet::new();
    let mut wrong = Vec::new();
    for (method, params, expected_ids, expected) in CASES {
        let params = filled(params, "");
        let (ids, events) = told_json(method, &params);
        let expected = text_value(&filled(expected, &params));
        if ids != *expected_ids || events != expected {
            wrong.push(format!(
                "{method} {params}\n  is   {ids}: {events}\n  want {expected_ids}: {expected}"
            ));
        }
        covered.insert(*method);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mapped = ROWS
        .iter()
        .filter(|row| !matches!(row.verb, RowVerb::Drop(_)));
    let mapped: BTreeSet<&str> = mapped.map(|row| row.tag).collect();
    assert_eq!(covered, mapped);
    assert_eq!(mapped.len(), 90);
}

#[test]
fn parts_of_the_message_keep_their_exact_text() {
    let params = r#"{"threadId":"t","turnId":"u","metadata":{ "a" : 1.50, "b":18446744073709551616, "c":"\ud800" }}"#;
    let drafts = told(&mut CodexMapping::new(), "turn/moderationMetadata", params);
    let text = serde_json::to_string(&drafts[0].payload).unwrap();
    let exact = r#"{"moderation":{ "a" : 1.50, "b":18446744073709551616, "c":"\ud800" }}"#;
    assert!(text.contains(exact), "{text}");
}

#[test]
fn a_hook_that_did_not_end_well_is_no_success() {
    for (status, entries, outcome, output) in [
        ("completed", "[]", "success", json!(null)),
        (
            "failed",
            r#"[{"kind":"error","text":"x"}]"#,
            "error",
            json!("x"),
        ),
        ("stopped", "[]", "cancelled", json!(null)),
        ("running", "[]", "error", json!(null)),
        (
            "evaporated",
            "[]",
            "error",
            json!("unrecognized status `evaporated`"),
        ),
    ] {
        let params = format!(r#"{{"threadId":"t","run":{}}}"#, run(status, entries));
        let (_, events) = told_json("hook/completed", &params);
        let payload = &events[0]["hook.completed"];
        assert_eq!(payload["outcome"], outcome, "{status}");
        assert_eq!(payload["output"], output, "{status}");
    }
}

#[test]
fn a_resolved_request_is_the_one_of_exactly_that_id() {
    let mut mapping = CodexMapping::new();
    let about = |item: &str| Refs {
        thread: Some("t".into()),
        turn: Some("u".into()),
        item: Some(item.into()),
        minted: true,
        ..Refs::default()
    };
    let request = |request_type, item, answer| OpenRequest {
        method: "m".into(),
        request_type,
        refs: about(item),
        answer,
    };
    let answer = Answer {
        decision: Some("decline".to_owned()),
        resolution: Some(OwnedJson::parse(r#"{"decision":"decline"}"#).unwrap()),
    };
    let text = RequestId::Text("1".into());
    mapping.requests.open(
        text.clone(),
        request(RequestType::FileChangeApproval, "f", Some(answer)),
    );
    let number = RequestId::Integer(1);
    mapping.requests.open(
        number.clone(),
        request(RequestType::ToolUserInput, "q", None),
    );

    let resolved = |mapping: &mut CodexMapping, id: &str| {
        let params = format!(r#"{{"threadId":"t","requestId":{id}}}"#);
        as_json(&told(mapping, "serverRequest/resolved", &params))
    };
    let (ids, events) = resolved(&mut mapping, "1");
    assert_eq!(ids, "t u q 1");
    assert_eq!(
        events,
        json!([{"request.resolved": {"requestType": "tool_user_input"}}])
    );
    assert!(mapping.requests.get(&number).is_none());
    assert!(mapping.requests.get(&text).is_some());

    let (ids, events) = resolved(&mut mapping, r#""1""#);
    assert_eq!(ids, r#"t u f "1""#);
    let payload = json!({"requestType": "file_change_approval", "decision": "decline", "resolution": {"decision": "decline"}});
    assert_eq!(events, json!([{ "request.resolved": payload }]));

    // A second resolution, and ids that are none, are of requests that nobody knows.
    for id in [r#""1""#, "true", "1.0"] {
        let (ids, events) = resolved(&mut mapping, id);
        assert_eq!(ids, format!("t - - {id} ?"));
        assert_eq!(
            events,
            json!([{"request.resolved": {"requestType": "unknown"}}])
        );
    }
}
