//! Requests of the client that wait for their reply: most replies name nothing.

use std::ops::Range;
use std::sync::Arc;

use crate::json::{OwnedJson, Reader};
use crate::kit::core::{Place, peek_refs};
use crate::kit::ledger::Refs;
use crate::kit::mapping::member;

use super::mapping::AcpMapping;

/// The requests of the client whose parameters say what their results leave out.
const TELLING: &[&str] = &[
    "session/fork",
    "session/load",
    "session/resume",
    "session/set_mode",
    "session/set_model",
];

/// A request of the client that waits for its reply.
#[derive(Debug)]
pub(super) struct Pending {
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

impl Pending {
    /// A request as it goes out.
    pub fn of(place: &Place<'_>, method: &str, params: Option<Range<usize>>) -> Self {
        let refs = params
            .clone()
            .map(|params| peek_refs::<AcpMapping>(place.line, params));
        Self {
            method: Arc::from(method),
            refs: refs.unwrap_or_default(),
            params: params
                .filter(|_| TELLING.contains(&method))
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

/// The protocol versions that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

impl Version {
    /// What the result of `initialize` names. Whatever is not at least 2 is read as version 1.
    pub fn negotiated(line: &Arc<str>, result: Range<usize>) -> Self {
        let named = member(line, result, "protocolVersion").and_then(|range| {
            let mut reader = Reader::over(line, range);
            reader.integer::<i64>().ok()
        });
        match named {
            Some(2..) => Self::Two,
            Some(_) | None => Self::One,
        }
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
