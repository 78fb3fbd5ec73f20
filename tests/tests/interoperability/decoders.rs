//! Two decoders of one payload: ours, and that of the crate that the authors of the protocol
//! publish. Each gives what it encodes again.

use agent_client_protocol_schema as official;
use agentwire::acp;
use agentwire::json::{Object, Reader, Writer};
use serde_json::Value;

use crate::interoperability::corpus::{Payload, Role, Version};

/// What became of a payload: its second form, or why it has none.
pub type Again = Result<Value, String>;

/// Our second form, as text: what it holds may be no text for others.
pub fn ours(payload: &Payload) -> Result<String, String> {
    macro_rules! through {
        ($union:ty, $member:literal) => {{
            let text = format!(concat!("{{\"", $member, "\":{}}}"), payload.text);
            let start = $member.len() + 4;
            // What has nothing to say is `null` on the wire of some agents.
            let content = (payload.text != "null").then_some(start..text.len() - 1);
            let mut reader = Reader::new(&text);
            let tag = payload.method.as_str().into();
            let read = <$union>::read_content(&mut reader, &Object::at(0), tag, content);
            let read = read.map_err(|error| format!("{}: {error}", error.path(&text)))?;
            let mut writer = Writer::new();
            let mut object = writer.object();
            read.write_content(&mut object);
            object.end();
            let again = writer.finish();
            let inner = again
                .strip_prefix(concat!("{\"", $member, "\":"))
                .and_then(|rest| rest.strip_suffix('}'));
            Ok(inner.unwrap_or("null").to_owned())
        }};
    }
    match (payload.version, payload.role) {
        (Version::One, Role::AgentNotification) => {
            through!(acp::wire::v1::AgentNotification<'_>, "params")
        }
        (Version::One, Role::AgentRequest) => {
            through!(acp::wire::v1::AgentRequestKind<'_>, "params")
        }
        (Version::One, Role::AgentResult) => through!(acp::wire::v1::AgentResult<'_>, "result"),
        (Version::One, Role::ClientNotification) => {
            through!(acp::wire::v1::ClientNotification<'_>, "params")
        }
        (Version::One, Role::ClientRequest) => {
            through!(acp::wire::v1::ClientRequestKind<'_>, "params")
        }
        (Version::One, Role::ClientResult) => through!(acp::wire::v1::ClientAnswer<'_>, "result"),
        (Version::Two, Role::AgentNotification) => {
            through!(acp::wire::v2::AgentNotification<'_>, "params")
        }
        (Version::Two, Role::AgentRequest) => {
            through!(acp::wire::v2::AgentRequestKind<'_>, "params")
        }
        (Version::Two, Role::AgentResult) => through!(acp::wire::v2::AgentResult<'_>, "result"),
        (Version::Two, Role::ClientNotification) => {
            through!(acp::wire::v2::ClientNotification<'_>, "params")
        }
        (Version::Two, Role::ClientRequest) => {
            through!(acp::wire::v2::ClientRequestKind<'_>, "params")
        }
        (Version::Two, Role::ClientResult) => through!(acp::wire::v2::ClientAnswer<'_>, "result"),
        (Version::One, Role::Error) => through_error::<acp::wire::v1::Error<'_>>(&payload.text),
        (Version::Two, Role::Error) => through_error::<acp::wire::v2::Error<'_>>(&payload.text),
    }
}

fn through_error<'a, T: agentwire::json::Wire<'a>>(text: &'a str) -> Result<String, String> {
    let (error, _) = agentwire::json::decode::<T>(text)
        .map_err(|error| format!("{}: {error}", error.path(text)))?;
    Ok(agentwire::json::encode(&error))
}

/// The second form of the official crate.
pub fn theirs(payload: &Payload) -> Again {
    let sent: Value = serde_json::from_str(&payload.text).map_err(|error| error.to_string())?;
    let method = payload.method.as_str();
    macro_rules! again {
        ($read:ident) => {{
            let read = $read.map_err(|error| error.to_string())?;
            serde_json::to_value(read).map_err(|error| error.to_string())
        }};
    }
    macro_rules! params {
        ($union:ty) => {{
            let read = <$union>::from_method_and_params(method, &sent);
            again!(read)
        }};
    }
    macro_rules! result {
        ($union:ty) => {{
            let read = <$union>::from_method_and_result(method, sent);
            again!(read)
        }};
    }
    match (payload.version, payload.role) {
        (Version::One, _) if method.starts_with("$/") => {
            params!(official::v1::ProtocolLevelNotification)
        }
        (Version::Two, _) if method.starts_with("$/") => {
            params!(official::v2::ProtocolLevelNotification)
        }
        (Version::One, Role::AgentNotification) => params!(official::v1::AgentNotification),
        (Version::One, Role::AgentRequest) => params!(official::v1::AgentRequest),
        (Version::One, Role::AgentResult) => result!(official::v1::AgentResponse),
        (Version::One, Role::ClientNotification) => params!(official::v1::ClientNotification),
        (Version::One, Role::ClientRequest) => params!(official::v1::ClientRequest),
        (Version::One, Role::ClientResult) => result!(official::v1::ClientResponse),
        (Version::Two, Role::AgentNotification) => params!(official::v2::AgentNotification),
        (Version::Two, Role::AgentRequest) => params!(official::v2::AgentRequest),
        (Version::Two, Role::AgentResult) => result!(official::v2::AgentResponse),
        (Version::Two, Role::ClientNotification) => params!(official::v2::ClientNotification),
        (Version::Two, Role::ClientRequest) => params!(official::v2::ClientRequest),
        (Version::Two, Role::ClientResult) => result!(official::v2::ClientResponse),
        (Version::One, Role::Error) => {
            let read: Result<official::v1::Error, _> = serde_json::from_value(sent);
            again!(read)
        }
        (Version::Two, Role::Error) => {
            let read: Result<official::v2::Error, _> = serde_json::from_value(sent);
            again!(read)
        }
    }
}
