//! A session with Amp: bytes of both directions in, outcomes with events out.

use crate::canonical::{RawSource, TurnCompleted, TurnState};
use crate::json::{Reader, Wire};
use crate::kit::conversation::results::noted_in_results;
use crate::kit::core::{Core, Label, Place};
use crate::kit::mapping::{Cx, member};
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::streams::{Streams, session_api};
use crate::providers::amp::wire::{StreamMessage, stream_json as rows};

use super::host;
use super::mapping::AmpMapping;

/// Reads the stream of one process of Amp, in the form that `--stream-json` has: what the program
/// writes to its standard output, and what the host writes to its standard input.
///
/// Sans-I/O: push the bytes of both, and take the outcomes. Nothing is lost: what no vendored
/// version knows becomes a `runtime.warning` with the untouched line, what does not decode a
/// `runtime.error` that names the place, and the stream goes on.
///
/// A turn begins with a message of the user, and ends with the result or, where the model has
/// answered, with the next message. Where the model breaks off, the program may write no result:
/// such a turn has no end here, and no success.
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
        while let Some((number, line)) = self.streams.next_line(direction) {
            for message in self.streams.messages(number, &line, direction) {
                let place = Place {
                    number,
                    line: &line,
                    message: message.start..message.end,
                    body: message.start..message.end,
                    direction,
                };
                let outcome = match direction {
                    Direction::FromAgent => self.message(&place),
                    Direction::ToAgent => host::message(&mut self.core, &place),
                };
                self.streams.add(outcome);
            }
        }
    }

    fn message(&mut self, place: &Place<'_>) -> Outcome {
        let text = |name: &str| text_at(place, name);
        let (kind, subtype) = (text("type"), text("subtype"));
        let mut reader = Reader::over(place.line, place.message.clone());
        let decoded = StreamMessage::read(&mut reader);
        let mut notes = reader.take_notes();
        if kind.as_deref() == Some("user") {
            notes.extend(noted_in_results(place));
        }
        let outcome = match decoded {
            Err(error) => {
                let tag = match (&kind, &subtype) {
                    (Some(kind), Some(subtype)) => Some(format!("{kind}:{subtype}")),
                    (kind, _) => kind.clone(),
                };
                let label = label(tag.as_deref());
                self.core.malformed(place, &label, &error, notes)
            }
            Ok(message) => {
                let tag = rows::tag_path(&message);
                let (session, parent) = (text("session_id"), text("parent_tool_use_id"));
                let works = kind.as_deref() == Some("assistant") && parent.is_none();
                self.core
                    .mapped(place, &label(Some(&tag)), notes, |mapping, cx| {
                        if let Some(session) = &session {
                            mapping.meet(cx, session);
                        }
                        mapping.speak(cx, parent.as_deref());
                        if works {
                            mapping.begin(cx);
                        }
                        rows::map(mapping, cx, &message);
                    })
            }
        };
        let unread = matches!(
            outcome.verdict,
            Verdict::Malformed { .. } | Verdict::Unrecognized
        );
        match unread && kind.as_deref() == Some("result") {
            true => self.unread(place, outcome),
            false => outcome,
        }
    }

    /// A result that can't be read ends its turn all the same, and not as a success.
    fn unread(&mut self, place: &Place<'_>, mut outcome: Outcome) -> Outcome {
        let tag = outcome.tag.clone();
        let ended = self
            .core
            .mapped(place, &label(tag.as_deref()), Vec::new(), fail);
        outcome.append(ended);
        outcome
    }
}

fn fail(mapping: &mut AmpMapping, cx: &mut Cx<'_>) {
    mapping.speak(cx, None);
    let Some(scope) = mapping.turns.scope() else {
        return;
    };
    mapping.end_turn(cx, &scope);
    let completed = TurnCompleted {
        error_message: Some(String::from("the result of the turn cannot be read")),
        ..TurnCompleted::new(TurnState::Failed)
    };
    rows::implied::unreadable_end().emit(cx, completed);
}

/// What is known about a message before it is decoded.
pub(super) fn label(message_type: Option<&str>) -> Label<'_> {
    Label {
        source: RawSource::AmpStreamJson,
        method: None,
        message_type,
        wire_ms: None,
    }
}

/// A text at the top of a message.
fn text_at(place: &Place<'_>, name: &str) -> Option<String> {
    let range = member(place.line, place.message.clone(), name)?;
    let mut reader = Reader::over(place.line, range);
    reader.string().ok().map(std::borrow::Cow::into_owned)
}
