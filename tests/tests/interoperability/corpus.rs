//! The payloads of recorded connections: what each message carries besides its envelope.

use std::collections::BTreeMap;
use std::path::Path;

use agentwire::envelope::{Envelope, Message, RequestId, envelopes};
use agentwire::session::Direction;
use serde_json::Value;

use crate::support::acp::lines;

/// The generation of the protocol that a connection speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    One,
    Two,
}

/// What a payload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    AgentNotification,
    AgentRequest,
    AgentResult,
    ClientNotification,
    ClientRequest,
    ClientResult,
    Error,
}

/// One payload.
#[derive(Clone, Debug)]
pub struct Payload {
    pub version: Version,
    pub role: Role,
    /// The method, of the request for what answers one.
    pub method: String,
    /// Its JSON text.
    pub text: String,
}

/// The payloads of a recording, in their order. Replies to what was not recorded have none.
pub fn payloads(path: &Path) -> Vec<Payload> {
    let mut connection = Connection {
        version: Version::One,
        asked: BTreeMap::new(),
        found: Vec::new(),
    };
    for line in lines(path) {
        for envelope in envelopes(&line.text).unwrap_or_default() {
            connection.take(&line.text, line.direction, envelope);
        }
    }
    connection.found
}

struct Connection {
    version: Version,
    /// The methods of open requests, by who asked.
    asked: BTreeMap<(bool, RequestId), String>,
    found: Vec<Payload>,
}

impl Connection {
    fn take(&mut self, line: &str, direction: Direction, envelope: Envelope<'_>) {
        let by_agent = direction == Direction::FromAgent;
        let (role, method, range) = match envelope.message {
            Message::Notification { method, params } => {
                let role = match by_agent {
                    true => Role::AgentNotification,
                    false => Role::ClientNotification,
                };
                (role, method.into_owned(), params)
            }
            Message::Request { id, method, params } => {
                self.asked.insert((by_agent, id), method.to_string());
                let role = match by_agent {
                    true => Role::AgentRequest,
                    false => Role::ClientRequest,
                };
                (role, method.into_owned(), params)
            }
            Message::Response { id, result } => {
                let Some(method) = self.asked.remove(&(!by_agent, id)) else {
                    return;
                };
                if method == "initialize" {
                    self.version = version(&line[result.clone()]);
                }
                let role = match by_agent {
                    true => Role::AgentResult,
                    false => Role::ClientResult,
                };
                (role, method, Some(result))
            }
            Message::Error { id, error } => {
                let method = id.and_then(|id| self.asked.remove(&(!by_agent, id)));
                (Role::Error, method.unwrap_or_default(), Some(error))
            }
            Message::Other => return,
        };
        self.found.push(Payload {
            version: self.version,
            role,
            method,
            text: range.map_or("null", |range| &line[range]).to_owned(),
        });
    }
}

fn version(result: &str) -> Version {
    let tree: Value = serde_json::from_str(result).unwrap_or_default();
    match tree["protocolVersion"].as_i64() {
        Some(2..) => Version::Two,
        Some(_) | None => Version::One,
    }
}
