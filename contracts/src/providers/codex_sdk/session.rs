//! Runs of `codex exec --json`: bytes in, outcomes with events out.

use crate::canonical::RawSource;
use crate::json::{Reader, Wire};
use crate::kit::core::{Core, Label, Place};
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::streams::{Streams, session_api};
use crate::providers::codex_sdk::wire::{ThreadEvent, thread_event as rows};

use super::mapping::CodexSdkMapping;
use super::unread::unread;

/// Reads what `codex exec --json` prints, which is what the Codex SDK makes its events from.
///
/// Sans-I/O: push the bytes, and take the outcomes. Nothing is lost: what no vendored version knows
/// becomes a `runtime.warning` with the untouched line, what does not decode a `runtime.error` that
/// names the place, and the stream goes on.
///
/// One reader may be given the output of several runs, one after the other, as a thread that is
/// continued has them.
pub struct CodexSdkSession {
    core: Core<CodexSdkMapping>,
    streams: Streams,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size: what the program printed, and what the
    /// host wrote to it, which is its prompt and tells nothing more.
    CodexSdkSession {}
}

impl CodexSdkSession {
    fn drain(&mut self, direction: Direction) {
        while let Some((number, line)) = self.streams.next_line(direction) {
            if direction == Direction::ToAgent {
                // What the host writes is its prompt, in any words.
                let place = Place::whole(number, &line, direction);
                let outcome = self.core.silent(&place, &label(None), Verdict::Noted);
                self.streams.add(outcome);
                continue;
            }
            for message in self.streams.messages(number, &line, direction) {
                let place = Place {
                    number,
                    line: &line,
                    message: message.start..message.end,
                    body: message.start..message.end,
                    direction,
                };
                let outcome = self.message(&place);
                self.streams.add(outcome);
            }
        }
    }

    fn message(&mut self, place: &Place<'_>) -> Outcome {
        let mut reader = Reader::over(place.line, place.message.clone());
        let tag = match reader.tag("type") {
            Ok(tag) => tag,
            Err(error) => {
                let notes = reader.take_notes();
                return self.core.malformed(place, &label(None), &error, notes);
            }
        };
        let label = label(Some(&tag));
        let decoded = ThreadEvent::read(&mut reader);
        let notes = reader.take_notes();
        match decoded {
            Err(error) => {
                let outcome = self.core.malformed(place, &label, &error, notes);
                unread(&mut self.core, place, &label, outcome)
            }
            Ok(message) => self.core.mapped(place, &label, notes, |mapping, cx| {
                cx.lift(rows::refs(&message));
                mapping.set_place(cx);
                rows::map(mapping, cx, &message);
            }),
        }
    }
}

fn label(message_type: Option<&str>) -> Label<'_> {
    Label {
        source: RawSource::CodexSdkThreadEvent,
        method: None,
        message_type,
        wire_ms: None,
    }
}
