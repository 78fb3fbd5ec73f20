//! Failed requests of the client: JSON-RPC errors of an agent.

use crate::canonical::{ErrorClass, RuntimeError, RuntimeWarning, TurnCompleted, TurnState};
use crate::json::{Json, Kind, Malformed, OwnedJson, Reader};
use crate::kit::envelope::RpcError;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::providers::acp::wire::v1::{ErrorCode, values};

/// The requests without which a session or its turn does not begin; the failure of one is a
/// `runtime.error`. The failure of any other leaves the session as it was and is a
/// `runtime.warning`, unless its code says that the client is at fault. Sorted.
const ESSENTIAL: &[&str] = &[
    "auth/login",
    "authenticate",
    "initialize",
    "session/fork",
    "session/load",
    "session/new",
    "session/prompt",
    "session/resume",
];

/// The requests that log in: whatever the code of their failure, it is one of permission.
const LOGINS: &[&str] = &["auth/login", "authenticate"];

const CANCELLED: i64 = -32800;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const AUTHENTICATION_REQUIRED: i64 = -32000;

/// Tells the failure of a request, whose method is known where the reader saw the request, and
/// gives back the end of the turn that the context names, where it names one.
pub(super) fn map_error<R>(
    cx: &mut Cx<'_>,
    method: Option<&str>,
    error: &RpcError<'_>,
    raw: OwnedJson,
    out: &Out<R>,
) -> Option<TurnCompleted>
where
    RuntimeError: EmittedBy<R>,
    RuntimeWarning: EmittedBy<R>,
{
    let message = message(method, error);
    let of_turn = cx.refs.turn.is_some();
    // A request that fails may have named what does not exist.
    cx.refs.minted = of_turn;
    let end = |state| TurnCompleted {
        error_message: Some(message.clone()),
        ..TurnCompleted::new(state)
    };
    if of_turn && error.code == CANCELLED {
        return Some(end(TurnState::Cancelled));
    }
    let essential = method.is_some_and(|method| ESSENTIAL.contains(&method));
    let of_client = matches!(error.code, INVALID_PARAMS | AUTHENTICATION_REQUIRED);
    let detail = Some(raw);
    if essential || of_client {
        let login = method.is_some_and(|method| LOGINS.contains(&method));
        let class = if login {
            ErrorClass::PermissionError
        } else {
            class_of(error.code)
        };
        let failure = RuntimeError {
            message: message.clone(),
            class: Some(class),
            detail,
        };
        out.emit(cx, failure);
    } else {
        let message = match (method, error.code) {
            // The host can still interrupt the process.
            (Some("session/cancel"), METHOD_NOT_FOUND) => {
                format!("the agent cannot cancel a turn: {}", error.message)
            }
            _ => message.clone(),
        };
        out.emit(cx, RuntimeWarning { message, detail });
    }
    of_turn.then(|| end(TurnState::Failed))
}

/// What people read. Many agents say only that something went wrong, and what it was in the data.
fn message(method: Option<&str>, error: &RpcError<'_>) -> String {
    let method = method.unwrap_or("a request");
    let details = error.data.and_then(details);
    match details.filter(|details| **details != *error.message) {
        Some(details) => format!("{method} failed: {}: {details}", error.message),
        None => format!("{method} failed: {}", error.message),
    }
}

/// The text of an error's data: the data, or its member `details`.
fn details(data: Json<'_>) -> Option<String> {
    let read = |reader: &mut Reader<'_>| {
        let mut details = None;
        match reader.kind()? {
            Kind::String => details = Some(reader.string()?.into_owned()),
            Kind::Object => {
                let mut object = reader.object()?;
                while let Some(name) = reader.key(&mut object)? {
                    if name == "details" && reader.kind()? == Kind::String {
                        details = Some(reader.string()?.into_owned());
                    } else {
                        reader.skip()?;
                    }
                }
            }
            Kind::Array | Kind::Number | Kind::Boolean | Kind::Null => {}
        }
        Ok::<_, Malformed>(details)
    };
    let details = read(&mut Reader::new(data.as_str())).ok().flatten();
    details.filter(|details| !details.trim().is_empty())
}

/// The class of a code. One agent passes on the codes of HTTP.
fn class_of(code: i64) -> ErrorClass {
    match code {
        401 | 403 => ErrorClass::PermissionError,
        429 => ErrorClass::UsageLimit,
        400..=599 => ErrorClass::ProviderError,
        _ => values::error_code(&ErrorCode::of(code)).unwrap_or(ErrorClass::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use super::{ESSENTIAL, ErrorClass, class_of};

    #[test]
    fn codes_have_their_class() {
        assert_eq!(class_of(-32603), ErrorClass::ProviderError);
        assert_eq!(class_of(-32602), ErrorClass::ValidationError);
        assert_eq!(class_of(-32000), ErrorClass::PermissionError);
        assert_eq!(class_of(401), ErrorClass::PermissionError);
        assert_eq!(class_of(500), ErrorClass::ProviderError);
        assert_eq!(class_of(7), ErrorClass::Unknown);
        assert!(ESSENTIAL.is_sorted());
    }
}
