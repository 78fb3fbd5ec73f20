//! What is remembered of requests that wait for the user.

use std::sync::Arc;

use crate::canonical::RequestType;
use crate::kit::remembered::Remembered;

/// How many requests are remembered.
const REQUESTS: usize = 4_096;

/// Requests that wait, by their ids.
#[derive(Debug)]
pub(super) struct Requests(pub Remembered<Arc<str>, Request>);

/// What a request is about.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// What it asks for.
    pub request_type: RequestType,
    /// The item that needs it.
    pub item: Option<Arc<str>>,
    /// The turn that it belongs to.
    pub turn: Option<Arc<str>>,
}

impl Default for Requests {
    fn default() -> Self {
        Self(Remembered::new(REQUESTS))
    }
}
