//! Failed requests of the client: JSON-RPC errors of the Codex app server.

use crate::canonical::{ErrorClass, RuntimeError, RuntimeWarning};
use crate::json::OwnedJson;
use crate::kit::envelope::RpcError;
use crate::kit::mapping::Cx;
use crate::providers::codex::wire::app_server_response::implied::rpc_error;

/// The requests without which a session or its turn does not begin; the failure of one is a
/// `runtime.error`. The failure of any other leaves the session as it was and is a
/// `runtime.warning`. Sorted; those without a `/` are the older names of the same requests, and
/// `initialize`.
const ESSENTIAL: &[&str] = &[
    "initialize",
    "newConversation",
    "resumeConversation",
    "review/start",
    "sendUserMessage",
    "sendUserTurn",
    "thread/resume",
    "thread/start",
    "turn/start",
];

/// The class of each JSON-RPC code that says more than its message. The agent uses the first for
/// nearly everything that it refuses.
const CLASSES: &[(i64, ErrorClass)] = &[
    (-32600, ErrorClass::ValidationError),
    (-32601, ErrorClass::ValidationError),
    (-32602, ErrorClass::ValidationError),
    (-32603, ErrorClass::ProviderError),
];

/// Tells the failure of a request, whose method is known where the reader saw the request.
pub(super) fn map_error(
    cx: &mut Cx<'_>,
    method: Option<&str>,
    error: &RpcError<'_>,
    raw: OwnedJson,
) {
    // A request that fails may have named what does not exist.
    cx.refs.minted = false;
    let message = format!(
        "{} failed: {}",
        method.unwrap_or("a request"),
        error.message
    );
    let detail = Some(raw);
    if method.is_some_and(|method| ESSENTIAL.contains(&method)) {
        let error = RuntimeError {
            message,
            class: Some(class_of(error.code)),
            detail,
        };
        rpc_error().emit(cx, error);
    } else {
        rpc_error().emit(cx, RuntimeWarning { message, detail });
    }
}

fn class_of(code: i64) -> ErrorClass {
    let known = CLASSES.iter().find(|(known, _)| *known == code);
    known.map_or(ErrorClass::Unknown, |(_, class)| *class)
}

#[cfg(test)]
#[path = "rpc_errors_tests.rs"]
mod tests;
