//! A session with the Claude Agent SDK's program: bytes of both directions in, outcomes with
//! events out.

use crate::kit::conversation::driver::drain;
use crate::kit::core::Core;
use crate::kit::session::Direction;
use crate::kit::streams::{Streams, session_api};

use super::mapping::ClaudeMapping;

/// Reads the stream of one process of Claude, in the form that `--output-format stream-json` and
/// the Agent SDK have: what the program writes to its standard output, and what the host writes to
/// its standard input.
///
/// Sans-I/O: push the bytes of both, and take the outcomes. Nothing is lost: what no vendored
/// version knows becomes a `runtime.warning` with the untouched message, what does not decode a
/// `runtime.error` that names the place, and the stream goes on. A list of messages in one line,
/// as `--output-format json` prints it, is read like as many lines.
///
/// A turn begins with the message of the user that goes out. A reader that is told only what the
/// program writes begins it at the first sign of work.
pub struct ClaudeSession {
    core: Core<ClaudeMapping>,
    streams: Streams,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size: what the program wrote, and what the
    /// host wrote to it. Without the latter, what a response answers and how a permission was
    /// decided is not known.
    ClaudeSession {}
}

impl ClaudeSession {
    fn drain(&mut self, direction: Direction) {
        drain(&mut self.core, &mut self.streams, direction);
    }
}
