//! What both generations of the protocol tell in the same way, whatever their types.

use crate::canonical::{
    AuthStatus, Decision, ErrorClass, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, RequestOpened, RequestResolved, RequestType, RuntimeError, RuntimeWarning,
    ThreadState, ThreadStateChanged, UserInputRequested, UserInputResolved,
};
use crate::kit::envelope::RequestId;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{filled, pick};

use super::mapping::AcpMapping;
use super::open_items::Step;
use super::requests::{Asks, Way};

/// The state of an agent's login, with the labels of its accounts.
pub(super) fn auth_status<'m>(
    state: &'m str,
    labels: impl Iterator<Item = &'m str>,
    is_missing: bool,
) -> AuthStatus {
    let output = std::iter::once(state).chain(labels).map(str::to_owned);
    AuthStatus {
        is_authenticating: Some(false),
        output: Some(output.collect()),
        error: is_missing.then(|| String::from("not authenticated")),
    }
}

/// A login in the words of an extension of two agents: its kind, its label, more about it.
pub(super) fn login<'m>(words: impl IntoIterator<Item = Option<&'m str>>) -> AuthStatus {
    let words = words.into_iter().flatten().map(str::to_owned);
    AuthStatus {
        output: Some(words.collect()),
        ..signed_in()
    }
}

/// A login that is over.
pub(super) fn signed_in() -> AuthStatus {
    AuthStatus {
        is_authenticating: Some(false),
        ..AuthStatus::default()
    }
}

/// A logout.
pub(super) fn signed_out() -> AuthStatus {
    login([Some("logged out")])
}

/// Something that an agent wants people to know.
pub(super) fn notice<R>(
    cx: &mut Cx<'_>,
    title: &str,
    description: Option<&str>,
    is_error: bool,
    out: &Out<R>,
) where
    RuntimeError: EmittedBy<R>,
    RuntimeWarning: EmittedBy<R>,
{
    let message = match description.filter(|description| !description.is_empty()) {
        Some(description) => format!("{title}: {description}"),
        None => title.to_owned(),
    };
    let detail = Some(cx.body());
    if is_error {
        let error = RuntimeError {
            message,
            class: Some(ErrorClass::Unknown),
            detail,
        };
        return out.emit(cx, error);
    }
    out.emit(cx, RuntimeWarning { message, detail });
}

/// News about a compaction. One whose status cannot be read goes on.
pub(super) fn compaction<R, I>(
    mapping: &mut AcpMapping,
    cx: &mut Cx<'_>,
    status: Option<ItemStatus>,
    detail: Option<String>,
    out: &Out<R>,
    implied: &Out<I>,
) where
    ItemStarted: EmittedBy<R>,
    ItemCompleted: EmittedBy<R> + EmittedBy<I>,
    ThreadStateChanged: EmittedBy<R>,
{
    let mut item = ItemLifecycle {
        status,
        detail,
        data: Some(cx.body()),
        ..ItemLifecycle::new(ItemType::ContextCompaction)
    };
    match status {
        Some(ItemStatus::Completed | ItemStatus::Failed | ItemStatus::Declined) => {
            mapping.watch(cx, &mut item, Step::Ends, implied);
            out.emit(cx, ItemCompleted(item));
        }
        Some(ItemStatus::InProgress) | None => {
            mapping.watch(cx, &mut item, Step::Starts, implied);
            out.emit(cx, ItemStarted(item));
        }
    }
    if status == Some(ItemStatus::Completed) {
        cx.refs.item = None;
        let change = ThreadStateChanged {
            state: ThreadState::Compacted,
            detail: Some(cx.body()),
        };
        out.emit(cx, change);
    }
}

impl AcpMapping {
    /// The agent asks a person.
    pub(super) fn question<R>(&mut self, cx: &mut Cx<'_>, message: &str, way: Way<'_>, out: &Out<R>)
    where
        UserInputRequested: EmittedBy<R>,
        RequestOpened: EmittedBy<R>,
    {
        let words = match way {
            Way::Form => {
                let questions = pick(cx, &[&["message"], &["requestedSchema"]]);
                out.emit(cx, UserInputRequested { questions });
                message.to_owned()
            }
            Way::Link(id, link) => {
                self.requests.ask_elsewhere(id, cx.refs.clone());
                let questions = pick(cx, &[&["message"], &["url"]]);
                out.emit(cx, UserInputRequested { questions });
                format!("{message} {link}")
            }
            Way::Other => message.to_owned(),
        };
        let request = self.opened(cx, RequestType::ToolUserInput, &words);
        out.emit(cx, request);
    }

    /// A request, whose type is kept for its answer.
    pub(super) fn opened(
        &mut self,
        cx: &Cx<'_>,
        request_type: RequestType,
        detail: &str,
    ) -> RequestOpened {
        self.requests.asks(Asks::of(request_type));
        // A request may come without params.
        let args = Some(cx.body()).filter(|body| !body.as_str().is_empty());
        RequestOpened {
            request_type,
            detail: filled(detail),
            args,
        }
    }

    /// The agent takes a request back. One that is not open is worth a warning.
    pub(super) fn taken_back(
        &mut self,
        cx: &mut Cx<'_>,
        id: Option<RequestId>,
    ) -> Result<RequestResolved, RuntimeWarning> {
        let Some(request) = id.and_then(|id| self.requests.answer(&id)) else {
            cx.refs.minted = false;
            return Err(RuntimeWarning {
                message: String::from("the agent cancels a request that is not open"),
                detail: Some(cx.body()),
            });
        };
        cx.refs = request.refs;
        Ok(RequestResolved {
            request_type: request.asks.request_type,
            decision: Some(Decision::Cancel.into()),
            resolution: Some(cx.body()),
        })
    }

    /// A question was answered, another way than through the client.
    pub(super) fn answered_elsewhere(
        &mut self,
        cx: &mut Cx<'_>,
        question: &str,
    ) -> UserInputResolved {
        match self.requests.answer_elsewhere(question) {
            Some(refs) => cx.refs = refs,
            None => cx.refs.minted = false,
        }
        UserInputResolved { answers: cx.body() }
    }
}
