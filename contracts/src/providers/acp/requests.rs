//! Requests of the agent that wait for the client, and what their answers decide.

use std::sync::Arc;

use crate::canonical::{Decision, RequestType};
use crate::kit::envelope::RequestId;
use crate::kit::ledger::Refs;
use crate::kit::remembered::Remembered;

/// How many requests are remembered until they are answered.
const REQUESTS: usize = 4096;

/// The requests of one connection that are open.
#[derive(Debug)]
pub(super) struct Requests {
    open: Remembered<RequestId, OpenRequest>,
    /// Those whose answer goes another way than through the client, by the id of the question.
    elsewhere: Remembered<Arc<str>, Refs>,
    /// What the request that is being mapped asks for.
    asks: Option<Asks>,
}

/// A request of the agent that waits for the client.
#[derive(Clone, Debug)]
pub(super) struct OpenRequest {
    /// The method on the wire.
    pub method: Arc<str>,
    /// What it is about.
    pub refs: Refs,
    /// What it asks for.
    pub asks: Asks,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asks {
    /// The type that its `request.opened` carries.
    pub request_type: RequestType,
    /// The options to choose from, by their ids. Two of a kind may stand beside each other, and
    /// a kind that no version has means no decision that we could name.
    pub options: Vec<(Box<str>, Option<Decision>)>,
}

/// How a question is put to a person.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way<'m> {
    /// As a form.
    Form,
    /// By a link, with the id of the question.
    Link(&'m str, &'m str),
    /// In a way that no version has.
    Other,
}

impl Default for Requests {
    fn default() -> Self {
        Self {
            open: Remembered::new(REQUESTS),
            elsewhere: Remembered::new(REQUESTS),
            asks: None,
        }
    }
}

impl Requests {
    /// The request that is being mapped asks for this.
    pub fn asks(&mut self, asks: Asks) {
        self.asks = Some(asks);
    }

    /// A request was mapped: it is open until it is answered.
    pub fn opens(&mut self, id: &RequestId, method: &str, refs: Refs) {
        let asks = self.asks.take();
        let open = OpenRequest {
            method: Arc::from(method),
            refs,
            asks: asks.unwrap_or(Asks::of(RequestType::Unknown)),
        };
        self.open.insert(id.plain(), open);
    }

    /// The request of an id is answered, or taken back.
    pub fn answer(&mut self, id: &RequestId) -> Option<OpenRequest> {
        self.open.remove(&id.plain())
    }

    /// The requests of a turn are over with it.
    pub fn end_turn(&mut self, thread: &Arc<str>, turn: &Arc<str>) {
        let of_turn =
            |refs: &Refs| refs.thread.as_ref() == Some(thread) && refs.turn.as_ref() == Some(turn);
        self.open.retain(|open| !of_turn(&open.refs));
        self.elsewhere.retain(|refs| !of_turn(refs));
    }

    /// A question will be answered another way than through the client.
    pub fn ask_elsewhere(&mut self, question: &str, refs: Refs) {
        self.elsewhere.insert(Arc::from(question), refs);
    }

    /// A question was answered another way than through the client.
    pub fn answer_elsewhere(&mut self, question: &str) -> Option<Refs> {
        self.elsewhere.remove(&Arc::from(question))
    }
}

impl Asks {
    /// A request without options.
    pub const fn of(request_type: RequestType) -> Self {
        Self {
            request_type,
            options: Vec::new(),
        }
    }

    /// What the option of an id decides.
    pub fn decision(&self, option: &str) -> Option<Decision> {
        let known = self.options.iter().find(|(id, _)| **id == *option);
        known.and_then(|(_, decision)| *decision)
    }
}
