//! A session with an agent that speaks the agent client protocol: bytes of both directions in,
//! outcomes with events out.

use crate::kit::core::Core;
use crate::kit::json_rpc::Driver;
use crate::kit::session::Direction;
use crate::kit::streams::{Streams, session_api};

use super::mapping::AcpMapping;

/// Reads one connection with an agent, of the protocol version that `initialize` negotiates.
///
/// Sans-I/O: push the bytes that the agent writes, and the bytes that you write to it, and take
/// the outcomes. Nothing is lost: what no vendored version knows becomes a `runtime.warning` with
/// the untouched message, what does not decode a `runtime.error` that names the place, and the
/// stream goes on.
///
/// A connection may hold several of the protocol's sessions; each is a thread here. Its turns are
/// the prompts that go out, so the reader must be told what the host writes.
///
/// What the agent leaves open ends with what it belongs to: a text with what follows it, a call
/// with its turn, which is then no success, and is declined where the client did not allow it. A
/// command with a terminal of its own may go on after a turn that ended well.
pub struct AcpSession {
    core: Core<AcpMapping>,
    streams: Streams,
    driver: Driver<AcpMapping>,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size: what the agent wrote, and what the
    /// host wrote to it. Without the latter, replies can't be decoded, since a reply does not say
    /// what it answers, and turns are not known.
    AcpSession { driver: Driver::new() }
}

impl AcpSession {
    fn drain(&mut self, direction: Direction) {
        self.driver
            .drain(&mut self.core, &mut self.streams, direction);
    }
}
