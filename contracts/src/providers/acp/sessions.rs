//! How sessions begin, in either generation: new, copied, or taken up again.

use std::sync::Arc;

use crate::canonical::{ItemCompleted, SessionStarted, SessionState, SessionStateChanged, ThreadStarted};
use crate::json::OwnedJson;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::object;

use super::mapping::AcpMapping;

/// What follows is about the session of this id, which is the protocol's word for a thread.
pub(super) fn name(cx: &mut Cx<'_>, session: &str) {
    cx.refs.thread = Some(Arc::from(session));
    cx.refs.session = cx.refs.thread.clone();
}

/// The session that the context names begins, and takes prompts; `from` is the session that it
/// takes up. `implied` tells the end of its history.
pub(super) fn begins<R, I>(
    mapping: &mut AcpMapping,
    cx: &mut Cx<'_>,
    from: Option<OwnedJson>,
    out: &Out<R>,
    implied: &Out<I>,
) where
    ItemCompleted: EmittedBy<I>,
    SessionStarted: EmittedBy<R>,
    ThreadStarted: EmittedBy<R>,
    SessionStateChanged: EmittedBy<R>,
{
    let started = SessionStarted {
        message: None,
        resume: from.map(|id| object(&[("sessionId", id)])),
    };
    out.emit(cx, started);
    mapping.end_note(cx, implied);
    let thread = ThreadStarted {
        provider_thread_id: cx.refs.thread.clone().map(Into::into),
    };
    out.emit(cx, thread);
    let ready = SessionStateChanged {
        state: SessionState::Ready,
        reason: None,
        detail: None,
    };
    out.emit(cx, ready);
}
