//! The forms of a stream, told apart by its first line: a transcript, a stored session, raw lines of
//! the agent, server-sent events. Values that are written over several lines are read like one line
//! each.

use agentwire::event_stream::begins_events;
use agentwire::frame::{FrameContent, Framer, Limits};
use agentwire::json::Reader as Json;
use agentwire::session::{Direction, Outcome, Verdict};
use agentwire::transcript::Recorded;
use agentwire::{Provider, Session};

use crate::pretty::Pretty;
use crate::provider::{Ids, live, stored};

/// One stream.
pub struct Stream {
    provider: &'static Provider,
    ids: Ids,
    framer: Framer,
    pretty: Pretty,
    reader: Option<(Form, Box<dyn Session>)>,
    lines: u64,
    /// What was read of a stream that does not tell yet whether it is one of server-sent events;
    /// nothing where that is known.
    held: Option<Vec<u8>>,
    outcomes: Vec<Outcome>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `{"dir": "in" | "out", "line": …}`: both directions, `out` is the agent's.
    Transcript,
    /// The agent's lines, or the records of a stored session.
    Raw,
    /// Server-sent events, whose blank lines count.
    Events,
}

impl Stream {
    /// A stream whose form is not known yet.
    pub fn new(provider: &'static Provider, ids: Ids) -> Self {
        Self {
            provider,
            ids,
            framer: Framer::new(Limits::default()),
            pretty: Pretty::default(),
            reader: None,
            lines: 0,
            held: provider.has_events.then(Vec::new),
            outcomes: Vec::new(),
        }
    }

    /// Takes bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        let Some(mut held) = self.held.take() else {
            return self.read(bytes);
        };
        held.extend_from_slice(bytes);
        match begins_events(&held) {
            None => self.held = Some(held),
            Some(is_events) => {
                if is_events {
                    self.reader = Some((Form::Events, live(self.provider, self.ids.clone())));
                }
                self.read(&held);
            }
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        if let Some((Form::Events, reader)) = &mut self.reader {
            self.lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            reader.push(Direction::FromAgent, bytes);
            while let Some(outcome) = reader.next_outcome() {
                self.outcomes.push(outcome);
            }
            return;
        }
        self.framer.push(bytes);
        self.drain();
    }

    /// The end of the stream.
    pub fn finish(&mut self) {
        if let Some(held) = self.held.take() {
            self.read(&held);
        }
        self.framer.finish();
        self.drain();
        for (number, line) in self.pretty.rest() {
            self.line(number, &line);
        }
        if let Some((_, reader)) = &mut self.reader {
            reader.finish();
        }
        if let Some((Form::Events, reader)) = &mut self.reader {
            while let Some(outcome) = reader.next_outcome() {
                self.outcomes.push(outcome);
            }
            return;
        }
        self.collect(self.lines);
    }

    /// The number of lines so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The outcomes since the last call.
    pub fn take(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.outcomes)
    }

    fn drain(&mut self) {
        while let Some(frame) = self.framer.next_frame() {
            self.lines = frame.number;
            match frame.content {
                FrameContent::Line(line) => {
                    for (number, line) in self.pretty.line(frame.number, &line) {
                        self.line(number, &line);
                    }
                }
                FrameContent::NotUtf8(text) => {
                    let reason = String::from("the line is not UTF-8 text");
                    self.unread(frame.number, Verdict::NotJson { reason, text });
                }
                FrameContent::TooLong { size, .. } => {
                    self.unread(frame.number, Verdict::TooLong { size })
                }
            }
        }
    }

    fn line(&mut self, number: u64, line: &str) {
        if self.reader.is_none() {
            // A banner before the first message says nothing of the form.
            if !line.trim_start().starts_with(['{', '[']) {
                let reason = String::from("text before the first message");
                return self.unread(
                    number,
                    Verdict::NotJson {
                        reason,
                        text: line.as_bytes().to_vec(),
                    },
                );
            }
            self.reader = Some(form(self.provider, self.ids.clone(), line));
        }
        let Some((form, reader)) = &mut self.reader else {
            return;
        };
        match form {
            Form::Raw | Form::Events => {
                reader.push(Direction::FromAgent, line.as_bytes());
                reader.push(Direction::FromAgent, b"\n");
            }
            Form::Transcript => match Recorded::read(line) {
                Ok(recorded) => reader.push_recorded(&recorded),
                Err(error) => {
                    let reason =
                        format!("not a line of a transcript: {}: {error}", error.path(line));
                    return self.unread(
                        number,
                        Verdict::NotJson {
                            reason,
                            text: line.as_bytes().to_vec(),
                        },
                    );
                }
            },
        }
        self.collect(number);
    }

    /// Outcomes carry the line of the file, not of their direction.
    fn collect(&mut self, number: u64) {
        let Some((_, reader)) = &mut self.reader else {
            return;
        };
        while let Some(mut outcome) = reader.next_outcome() {
            outcome.line = number;
            self.outcomes.push(outcome);
        }
    }

    fn unread(&mut self, line: u64, verdict: Verdict) {
        self.outcomes.push(Outcome {
            line,
            direction: Direction::FromAgent,
            surface: None,
            tag: None,
            verdict,
            events: Vec::new(),
            made: Vec::new(),
            refused: Vec::new(),
            oddities: Vec::new(),
        });
    }
}

fn form(provider: &'static Provider, ids: Ids, line: &str) -> (Form, Box<dyn Session>) {
    let has = |name: &str| Json::new(line).has_key(name).unwrap_or(false);
    if has("dir") && has("line") {
        (Form::Transcript, live(provider, ids))
    } else if has("timestamp") && has("type") && has("payload") {
        (Form::Raw, stored(provider, ids))
    } else {
        (Form::Raw, live(provider, ids))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Ids, Provider, Stream};

    fn events(bytes: &[u8], size: usize) -> usize {
        let mut stream = Stream::new(Provider::find("opencode").unwrap(), Ids::default());
        for piece in bytes.chunks(size) {
            stream.push(piece);
        }
        stream.finish();
        stream.outcomes.len()
    }

    #[test]
    fn events_are_told_from_lines_in_pieces_of_any_size() {
        let idle = r#"{"type":"session.idle","properties":{"sessionID":"s"}}"#;
        for text in [
            format!("data: {idle}\n\ndata: {idle}\n\n"),
            format!("{idle}\n{idle}\n"),
        ] {
            for size in [1, 2, 7, 1_000] {
                assert_eq!(events(text.as_bytes(), size), 2, "{text:?} by {size}");
            }
        }
    }
}
