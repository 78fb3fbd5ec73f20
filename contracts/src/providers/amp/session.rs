//! A session with Amp: bytes of both directions in, outcomes with events out.

use crate::kit::conversation::driver::drain;
use crate::kit::core::Core;
use crate::kit::session::Direction;
use crate::kit::streams::{Streams, session_api};

use super::stream_json::AmpMapping;

/// Reads the stream of one process of Amp, in the form that `--stream-json` has: what the program
/// writes to its standard output, and what the host writes to its standard input.
///
/// Sans-I/O: push the bytes of both, and take the outcomes. Nothing is lost: what no vendored
/// version knows becomes a `runtime.warning` with the untouched line, what does not decode a
/// `runtime.error` that names the place, and the stream goes on.
///
/// A turn begins with a message of the user, and ends with the result or, where the model has
/// answered or broke off, with the next message. Where the model breaks off and nothing follows, the
/// program may write no result: such a turn has no end here, and no success.
pub struct AmpSession {
    core: Core<AmpMapping>,
    streams: Streams,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size: what the program wrote, and what the
    /// host wrote to it. The program tells most of the latter again; what it never read is not known
    /// without it.
    AmpSession {}
}

impl AmpSession {
    fn drain(&mut self, direction: Direction) {
        drain(&mut self.core, &mut self.streams, direction);
    }
}
