//! Requests of the agent that wait for the client, and what the client answered.

use std::sync::Arc;

use crate::canonical::RequestType;
use crate::json::OwnedJson;
use crate::kit::envelope::RequestId;
use crate::kit::ledger::Refs;
use crate::kit::remembered::Remembered;

/// How many requests are remembered: an agent that never resolves any must not fill the memory.
const REMEMBERED: usize = 4096;

/// A request that waits, or whose resolution has not been told yet.
#[derive(Clone, Debug)]
pub(super) struct OpenRequest {
    /// The method on the wire.
    pub method: Arc<str>,
    /// What it asks for.
    pub request_type: RequestType,
    /// What it is about.
    pub refs: Refs,
    /// What the client answered, when the reader was told.
    pub answer: Option<Answer>,
}

/// The client's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Answer {
    /// The decision in a canonical word; none where the answer can't be read.
    pub decision: Option<String>,
    /// The answer as sent: the result, or the error.
    pub resolution: Option<OwnedJson>,
}

/// Open requests by the agent's own id.
#[derive(Debug)]
pub(super) struct OpenRequests(Remembered<RequestId, OpenRequest>);

impl Default for OpenRequests {
    fn default() -> Self {
        Self(Remembered::new(REMEMBERED))
    }
}

impl OpenRequests {
    /// Remembers a request; one with the same id is replaced, since ids are reused.
    pub fn open(&mut self, id: RequestId, request: OpenRequest) {
        self.0.insert(id, request);
    }

    /// The request of an id.
    pub fn get(&self, id: &RequestId) -> Option<&OpenRequest> {
        self.0.get(id)
    }

    /// Keeps the client's answer until the agent says that the request is resolved.
    pub fn answer(&mut self, id: &RequestId, answer: Answer) {
        if let Some(request) = self.0.get_mut(id) {
            request.answer = Some(answer);
        }
    }

    /// Forgets a request that is resolved.
    pub fn resolve(&mut self, id: &RequestId) -> Option<OpenRequest> {
        self.0.remove(id)
    }
}
