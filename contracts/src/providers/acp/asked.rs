//! Requests of the client that wait for their reply: most replies name nothing.

use std::sync::Arc;

use crate::json::OwnedJson;
use crate::kit::core::{Place, peek_refs};
use crate::kit::json_rpc::Call;
use crate::kit::ledger::Refs;
use crate::kit::mapping::member;

use super::mapping::AcpMapping;

/// The requests of the client whose parameters say what their results leave out.
const TELLING: &[&str] = &[
    "initialize",
    "session/fork",
    "session/load",
    "session/resume",
    "session/set_mode",
    "session/set_model",
];

/// A request of the client that waits for its reply.
#[derive(Debug)]
pub(crate) struct Asked {
    /// The method on the wire.
    pub method: Arc<str>,
    /// What its parameters name.
    pub refs: Refs,
    /// The parameters, where the mapping needs them.
    pub params: Option<OwnedJson>,
    /// The turn that it started.
    pub turn: Option<Arc<str>>,
    /// Until it is answered, the agent tells the history of the session that it names.
    pub replays: bool,
}

impl Asked {
    /// A request as it goes out.
    pub fn of(call: &Call<'_>) -> Self {
        let Call {
            place,
            method,
            params,
            ..
        } = call;
        let refs = params
            .clone()
            .map(|params| peek_refs::<AcpMapping>(place.line, params));
        Self {
            method: Arc::from(*method),
            refs: refs.unwrap_or_default(),
            params: params
                .clone()
                .filter(|_| TELLING.contains(method))
                .map(|params| OwnedJson::from_text(Arc::clone(place.line), params)),
            turn: None,
            replays: replays(place, method),
        }
    }

    /// What the reply is about.
    pub fn named(&self) -> Refs {
        Refs {
            turn: self.turn.clone(),
            minted: true,
            ..self.refs.clone()
        }
    }

    /// The session whose history the agent tells until it replies.
    pub fn replayed(&self) -> Option<&Arc<str>> {
        self.refs.thread.as_ref().filter(|_| self.replays)
    }
}

/// Whether a request of the client makes the agent tell the history of a session. Version 2 has one
/// request for taking a session up, with or without it.
fn replays(place: &Place<'_>, method: &str) -> bool {
    match method {
        "session/load" => true,
        "session/resume" => {
            let from = member(place.line, place.body.clone(), "replayFrom");
            from.is_some_and(|range| place.line.get(range) != Some("null"))
        }
        _ => false,
    }
}
