//! The streams of a server: bytes in, outcomes with events out.

use std::ops::Range;
use std::sync::Arc;

use crate::canonical::RawSource;
use crate::json::{Kind, Malformed, OwnedJson, Reader, Wire};
use crate::kit::core::{Core, Label, Place};
use crate::kit::mapping::member;
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::streams::{Streams, session_api};
use crate::kit::transcript::Recorded;
use crate::providers::opencode::wire::{Event, event as rows};

use super::forms::{Head, Located, head, locate};
use super::mapping::OpenCodeMapping;
use super::unread::unread;

/// How much longer `properties` is than `data`.
const LONGER: usize = "properties".len() - "data".len();

/// Reads what a server of OpenCode sends: `/event`, `/global/event` and `/api/event`, as
/// server-sent events or as one event a line; the first line tells which.
///
/// Sans-I/O: push the bytes, and take the outcomes. Nothing is lost: what no vendored version knows
/// becomes a `runtime.warning` with the untouched event, what does not decode a `runtime.error`
/// that names the place, and the stream goes on.
///
/// A server may be read from several of its streams at once, and from one that is taken up again:
/// an event counts once, by its id. What the host asks by HTTP is its own affair: what it sends
/// needs not be pushed, and what the server answers tells no more than the events. One `POST` that
/// prompts is told by the events that follow, as is a turn that another client of the server began.
///
/// # A live host
///
/// Connect to the stream before the first prompt, since the server repeats nothing, and push the
/// body of the answer as it comes. A turn of a thread lasts from `turn.started` to
/// `turn.completed`; the answer to the `POST` is no sign of either. A prompt that is sent while the
/// server works belongs to the turn that is going on.
///
/// Where the connection breaks, call [`finish`](Self::finish), so that half an event is told as
/// such, connect again, and go on with the same session: its threads, turns and items keep their
/// ids. What the server said in between is lost. Ask for it (`GET /session/{id}/message`), and push
/// each message and part as an event without an id, in the form that the stream has, before what
/// the new connection says:
///
/// ```text
/// data: {"type":"message.updated","properties":{"sessionID":"…","info":{…}}}
///
/// data: {"type":"message.part.updated","properties":{"sessionID":"…","part":{…},"time":0}}
///
/// ```
///
/// What was told before is not told again. Then push `session.idle` with the `sessionID` of each
/// thread whose turn is open here and that `GET /session/status` does not call busy: without it, the
/// turn stays open, and the next prompt falls into it. Requests that wait are asked for with
/// `GET /permission` and `GET /question`, and pushed as `permission.asked` and `question.asked`.
///
/// Where the server itself is gone, call [`exited`](Self::exited).
pub struct OpenCodeSession {
    core: Core<OpenCodeMapping>,
    streams: Streams,
}

session_api! {
    /// Takes bytes of one direction, in pieces of any size.
    OpenCodeSession of of_events {}
}

impl OpenCodeSession {
    /// Takes one recorded line, of which the record says how it went.
    pub fn push_recorded(&mut self, recorded: &Recorded<'_>) {
        let is_event = match (recorded.direction, recorded.via.as_deref()) {
            (Direction::FromAgent, Some(via)) => STREAMS.contains(&via.trim_start_matches('/')),
            (Direction::FromAgent, None) => true,
            (Direction::ToAgent, _) => false,
        };
        if is_event {
            self.push(recorded.direction, recorded.line.as_bytes());
            self.push(recorded.direction, b"\n");
            return;
        }
        // What went by HTTP is no line of a stream, and may well be empty.
        let line: Arc<str> = Arc::from(&*recorded.line);
        let place = Place::whole(0, &line, recorded.direction);
        let verdict = match recorded.direction {
            Direction::FromAgent => Verdict::Outside,
            Direction::ToAgent => Verdict::Noted,
        };
        let outcome = self.core.silent(&place, &label(NO_HEAD), verdict);
        self.streams.add(outcome);
    }

    fn drain(&mut self, direction: Direction) {
        while let Some((number, line)) = self.streams.next_line(direction) {
            if direction == Direction::ToAgent {
                let place = Place::whole(number, &line, direction);
                let label = label(NO_HEAD);
                let outcome = self.core.silent(&place, &label, Verdict::Noted);
                self.streams.add(outcome);
                continue;
            }
            for message in self.streams.messages(number, &line, direction) {
                let outcome = self.event(number, &line, message.start..message.end);
                self.streams.add(outcome);
            }
        }
    }

    fn event(&mut self, number: u64, line: &Arc<str>, message: Range<usize>) -> Outcome {
        let located = locate(line, message.clone());
        let head = head(&located);
        let label = label(&head);
        let sent = Place {
            number,
            line,
            message: message.clone(),
            body: payload(line, &located, &message),
            direction: Direction::FromAgent,
        };
        let mut reader = Reader::over(&located.text, located.event.clone());
        let decoded = Event::read(&mut reader);
        let notes = reader.take_notes();
        let event = match decoded {
            Ok(event) => event,
            Err(error) => {
                let error = as_sent(error, &located, line);
                let outcome = self.core.malformed(&sent, &label, &error, Vec::new());
                return unread(&mut self.core, &sent, &label, outcome);
            }
        };
        if let (Some(id), Some(kind)) = (&head.id, &head.kind)
            && !id.is_empty()
            && !self.core.mapping.is_new(id, kind)
        {
            return self
                .core
                .silent(&sent, &label, Verdict::Told("an earlier event"));
        }
        let read = Place {
            number,
            line: &located.text,
            message: message.start..message.end + located.text.len() - line.len(),
            body: located.event.clone(),
            direction: Direction::FromAgent,
        };
        let seen = self.core.seen_refs(&sent);
        let mut outcome = self.core.mapped(&read, &label, notes, |mapping, cx| {
            cx.lift(rows::refs(&event));
            if cx.refs.thread.is_none() {
                cx.refs.thread = seen.thread;
            }
            if let Event::Unrecognized(_) = event {
                cx.refs.turn = seen.turn;
            }
            rows::map(mapping, cx, &event);
        });
        if located.renamed {
            restore(&mut outcome, line, &message);
        }
        outcome
    }
}

/// What a line says that is no event.
const NO_HEAD: &Head = &Head {
    id: None,
    kind: None,
    time: None,
};

/// The streams of a server, by their paths.
const STREAMS: &[&str] = &["event", "global/event", "api/event"];

fn label(head: &Head) -> Label<'_> {
    Label {
        source: RawSource::OpencodeEvent,
        method: None,
        message_type: head.kind.as_deref(),
        wire_ms: head.time,
    }
}

/// The payload of an event as it was sent; the whole event where it has none.
fn payload(line: &str, located: &Located, message: &Range<usize>) -> Range<usize> {
    let (event, name) = match located.renamed {
        true => {
            let longer = located.text.len() - line.len();
            (located.event.start..located.event.end - longer, "data")
        }
        false => (located.event.clone(), "properties"),
    };
    let found = member(line, event, name);
    let is_object = |range: &Range<usize>| {
        let kind = Reader::over(line, range.clone()).kind();
        matches!(kind, Ok(Kind::Object))
    };
    found.filter(is_object).unwrap_or_else(|| message.clone())
}

/// The same error, where it stands in the line.
fn as_sent(error: Malformed, located: &Located, line: &str) -> Malformed {
    let same = located.text.bytes().zip(line.bytes());
    let before = same.take_while(|(read, sent)| read == sent).count();
    let offset = match error.offset > before {
        true => error.offset.saturating_sub(LONGER).max(before),
        false => error.offset,
    };
    match located.renamed {
        true => Malformed { offset, ..error },
        false => error,
    }
}

/// Puts the message as it was sent in the place of the one that was read.
fn restore(outcome: &mut Outcome, line: &Arc<str>, message: &Range<usize>) {
    let payload = OwnedJson::from_text(Arc::clone(line), message.clone());
    for event in &mut outcome.events {
        if let Some(raw) = &mut event.raw {
            raw.payload = payload.clone();
        }
    }
    for oddity in &mut outcome.oddities {
        if let Some(below) = oddity.path.strip_prefix("properties") {
            oddity.path = format!("data{below}");
        }
    }
}
