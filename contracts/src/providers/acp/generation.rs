//! What differs between the two generations of the protocol, as far as the reader needs to know.

use std::borrow::Cow;
use std::ops::Range;

use crate::canonical::{
    Decision, RequestOpened, RequestResolved, RuntimeWarning, TurnStarted, UserInputResolved,
};
use crate::generated::{acp_v1, acp_v2};
use crate::json::{Malformed, Object, OwnedJson, Reader};
use crate::kit::envelope::RpcError;
use crate::kit::mapping::{Cx, WireRefs};

use super::mapping::AcpMapping;
use super::parts::{One, Two};
use super::requests::Asks;
use super::rpc_errors::map_error;
use super::{v1, v2};

/// A generation: the unions of what an agent sends, and what the end of a prompt means.
pub(super) trait Generation {
    /// A notification.
    type Notification<'a>: Content<'a> + Message;
    /// What a `session/update` tells.
    type Update<'a>: Message;
    /// A request.
    type Request<'a>: Content<'a> + Message;
    /// A result of the client's request.
    type Result<'a>: Content<'a> + Message;

    /// Whether the reply to a prompt ends its turn. Else it only says that the agent took it.
    const REPLY_ENDS_TURN: bool;

    /// The session and the news of a `session/update`.
    fn update<'m, 'a>(
        notification: &'m Self::Notification<'a>,
    ) -> Option<(&'m str, &'m Self::Update<'a>)>;

    /// Whether any vendored version has the request.
    fn is_known(request: &Self::Request<'_>) -> bool;

    /// What the client's answer to a request decides, where it decides anything that we could
    /// name.
    fn decide<'a>(
        reader: &mut Reader<'a>,
        object: &Object,
        method: &'a str,
        content: Option<Range<usize>>,
        asks: &Asks,
    ) -> Option<Decision>;

    /// A prompt goes out.
    fn prompted(mapping: &mut AcpMapping, cx: &mut Cx<'_>);

    /// The reply to a prompt ends its turn, and cannot be read.
    fn ended_unreadably(mapping: &mut AcpMapping, cx: &mut Cx<'_>);

    /// The agent asks for something that cannot be read.
    fn asks_unreadably(cx: &mut Cx<'_>, opened: RequestOpened);

    /// The client answered the agent; `entered` is what a person entered.
    fn answered(cx: &mut Cx<'_>, entered: Option<OwnedJson>, resolved: RequestResolved);

    /// The agent refused a request of the client.
    fn refused(
        mapping: &mut AcpMapping,
        cx: &mut Cx<'_>,
        method: Option<&str>,
        error: &RpcError<'_>,
        raw: OwnedJson,
    );

    /// The agent named a version of the protocol that nobody knows.
    fn agreed_on_unknown(cx: &mut Cx<'_>, warning: RuntimeWarning);
}

/// A union whose tag stands in the envelope.
pub(super) trait Content<'a>: Sized {
    /// Decodes the payload of `tag` from the range where it lies.
    fn read(
        reader: &mut Reader<'a>,
        object: &Object,
        tag: Cow<'a, str>,
        content: Option<Range<usize>>,
    ) -> Result<Self, Malformed>;
}

/// A message that a surface maps.
pub(super) trait Message {
    /// The tag on the wire.
    fn tag(&self) -> &str;
    /// The ids that it names.
    fn refs(&self) -> WireRefs<'_>;
    /// Tells what its row says.
    fn map(&self, mapping: &mut AcpMapping, cx: &mut Cx<'_>);
}

macro_rules! generation {
    ($generation:ident, $wire:ident, $surfaces:ident, $ends:literal) => {
        impl Generation for $generation {
            type Notification<'a> = $wire::AgentNotification<'a>;
            type Update<'a> = $wire::SessionUpdate<'a>;
            type Request<'a> = $wire::AgentRequestKind<'a>;
            type Result<'a> = $wire::AgentResult<'a>;

            const REPLY_ENDS_TURN: bool = $ends;

            fn update<'m, 'a>(
                notification: &'m Self::Notification<'a>,
            ) -> Option<(&'m str, &'m Self::Update<'a>)> {
                if let $wire::AgentNotification::SessionUpdate(news) = notification {
                    return Some((news.session_id.as_str(), &news.update));
                }
                None
            }

            fn is_known(request: &Self::Request<'_>) -> bool {
                !matches!(request, $wire::AgentRequestKind::Unrecognized(_))
            }

            fn decide<'a>(
                reader: &mut Reader<'a>,
                object: &Object,
                method: &'a str,
                content: Option<Range<usize>>,
                asks: &Asks,
            ) -> Option<Decision> {
                let tag = Cow::Borrowed(method);
                match $wire::ClientAnswer::read_content(reader, object, tag, content) {
                    Ok(answer) => $surfaces::answers::decision(&answer, asks),
                    Err(_) => $surfaces::answers::unreadable(method),
                }
            }

            fn prompted(mapping: &mut AcpMapping, cx: &mut Cx<'_>) {
                let out = $wire::request::implied::host_message();
                cx.refs.session = cx.refs.thread.clone();
                mapping.end_note(cx, &out);
                out.emit(cx, TurnStarted::default());
            }

            fn ended_unreadably(mapping: &mut AcpMapping, cx: &mut Cx<'_>) {
                cx.refs.session = cx.refs.thread.clone();
                $surfaces::response::ended_unreadably(mapping, cx);
            }

            fn asks_unreadably(cx: &mut Cx<'_>, opened: RequestOpened) {
                $wire::request::implied::unreadable_request().emit(cx, opened);
            }

            fn answered(cx: &mut Cx<'_>, entered: Option<OwnedJson>, resolved: RequestResolved) {
                let out = $wire::request::implied::host_message();
                if let Some(answers) = entered {
                    out.emit(cx, UserInputResolved { answers });
                }
                out.emit(cx, resolved);
            }

            fn refused(
                mapping: &mut AcpMapping,
                cx: &mut Cx<'_>,
                method: Option<&str>,
                error: &RpcError<'_>,
                raw: OwnedJson,
            ) {
                if let Some(end) = map_error(cx, method, error, raw, &$wire::response::implied::rpc_error()) {
                    mapping.end_turn(cx, end.state, &$wire::response::implied::turn_ends());
                    $wire::response::implied::rpc_error().emit(cx, end);
                }
            }

            fn agreed_on_unknown(cx: &mut Cx<'_>, warning: RuntimeWarning) {
                $wire::response::implied::unknown_version().emit(cx, warning);
            }
        }

        generation!(@content $wire::AgentNotification);
        generation!(@content $wire::AgentRequestKind);
        generation!(@content $wire::AgentResult);
        generation!(@message $wire::AgentNotification, $wire::notification_method);
        generation!(@message $wire::SessionUpdate, $wire::notification);
        generation!(@message $wire::AgentRequestKind, $wire::request);
        generation!(@message $wire::AgentResult, $wire::response);
    };
    (@content $wire:ident::$union:ident) => {
        impl<'a> Content<'a> for $wire::$union<'a> {
            fn read(
                reader: &mut Reader<'a>,
                object: &Object,
                tag: Cow<'a, str>,
                content: Option<Range<usize>>,
            ) -> Result<Self, Malformed> {
                Self::read_content(reader, object, tag, content)
            }
        }
    };
    (@message $wire:ident::$union:ident, $_wire:ident::$surface:ident) => {
        impl Message for $wire::$union<'_> {
            fn tag(&self) -> &str {
                $wire::$union::tag(self)
            }

            fn refs(&self) -> WireRefs<'_> {
                $wire::$surface::refs(self)
            }

            fn map(&self, mapping: &mut AcpMapping, cx: &mut Cx<'_>) {
                $wire::$surface::map(mapping, cx, self);
            }
        }
    };
}

generation!(One, acp_v1, v1, true);
generation!(Two, acp_v2, v2, false);
