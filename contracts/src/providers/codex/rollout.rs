//! Rollout files of Codex: the session as it was stored, one record a line.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{IsoDateTime, RawSource, RuntimeEvent, RuntimeSessionId, SessionExited};
use crate::generated::lifecycles;
use crate::json::{Kind, Malformed, Reader, Wire};
use crate::kit::frame::{Frame, FrameContent, Framer, Limits};
use crate::kit::session::{Direction, Outcome, Session, Verdict};
use crate::kit::sources::{Clock, IdSource, RandomIds, WireClock};
use crate::providers::codex::wire::{self as wire, EventMsg};

use super::mapping::CodexMapping;
use super::turn_memory::Carrier;
use crate::kit::core::{Core, Label, Place};

/// Reads one rollout file, of any version in the window.
///
/// Records of type `event_msg` become events; the others hold no message of a surface and come
/// out as [`Verdict::Outside`] with their type. Times are the records' own.
pub struct CodexRollout {
    core: Core<CodexMapping>,
    framer: Framer,
    thread: Option<Arc<str>>,
    outcomes: VecDeque<Outcome>,
}

/// The members of a record.
struct Record<'l> {
    timestamp: Option<Cow<'l, str>>,
    kind: Cow<'l, str>,
    payload: Range<usize>,
}

impl Default for CodexRollout {
    fn default() -> Self {
        Self::new()
    }
}

impl Session for CodexRollout {
    fn session_id(&self) -> &RuntimeSessionId {
        Self::session_id(self)
    }

    fn push(&mut self, _: Direction, bytes: &[u8]) {
        Self::push(self, bytes);
    }

    fn finish(&mut self) {
        Self::finish(self);
    }

    fn exited(&mut self, exit: SessionExited) -> Vec<RuntimeEvent> {
        Self::finish(self);
        self.thread = None;
        self.core.exit(exit)
    }

    fn next_outcome(&mut self) -> Option<Outcome> {
        Self::next_outcome(self)
    }
}

impl CodexRollout {
    /// A file with random ids.
    #[must_use]
    pub fn new() -> Self {
        Self::with_sources(RandomIds::new(), WireClock::default(), Limits::default())
    }

    /// A file whose ids, times and limits are given, so that a run can be repeated exactly.
    pub fn with_sources(
        ids: impl IdSource + Send + 'static,
        clock: impl Clock + Send + 'static,
        limits: Limits,
    ) -> Self {
        Self {
            core: Core::of(lifecycles::CODEX_STORED, Box::new(ids), Box::new(clock)),
            framer: Framer::new(limits),
            thread: None,
            outcomes: VecDeque::new(),
        }
    }

    /// The canonical id of the session.
    #[must_use]
    pub fn session_id(&self) -> &RuntimeSessionId {
        self.core.session_id()
    }

    /// Takes bytes of the file, in pieces of any size.
    pub fn push(&mut self, bytes: &[u8]) {
        self.framer.push(bytes);
        self.drain();
    }

    /// The end of the file: a last line without an end counts.
    pub fn finish(&mut self) {
        self.framer.finish();
        self.drain();
    }

    /// The next outcome.
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.outcomes.pop_front()
    }

    /// The outcomes so far, taken as they are asked for.
    pub fn outcomes(&mut self) -> impl Iterator<Item = Outcome> + '_ {
        std::iter::from_fn(|| self.next_outcome())
    }

    fn drain(&mut self) {
        while let Some(Frame { number, content }) = self.framer.next_frame() {
            let outcome = match content {
                FrameContent::Line(line) => match record(&line) {
                    Ok(record) => self.record(number, &line, record),
                    Err(error) => self.no_record(number, &line, &error),
                },
                FrameContent::NotUtf8(text) => {
                    let reason = String::from("the line is not UTF-8 text");
                    outside(number, None, Verdict::NotJson { reason, text })
                }
                FrameContent::TooLong { size, .. } => {
                    outside(number, None, Verdict::TooLong { size })
                }
            };
            self.outcomes.push_back(outcome);
        }
    }

    /// A line that is no record: not JSON, or JSON of another form, which is loud.
    fn no_record(&mut self, number: u64, line: &Arc<str>, error: &Malformed) -> Outcome {
        let mut reader = Reader::new(line);
        if reader.skip().and_then(|()| reader.end()).is_err() {
            let reason = format!("{}: {error}", error.path(line));
            let text = line.as_bytes().to_vec();
            return outside(number, None, Verdict::NotJson { reason, text });
        }
        let place = Place {
            number,
            line,
            message: 0..line.len(),
            body: 0..line.len(),
            direction: Direction::FromAgent,
        };
        let label = Label {
            source: RawSource::CodexEventmsg,
            method: None,
            message_type: None,
            wire_ms: None,
        };
        self.core.malformed(&place, &label, error, Vec::new())
    }

    fn record(&mut self, number: u64, line: &Arc<str>, record: Record<'_>) -> Outcome {
        // A thread that another one started repeats that one's record; its own comes first.
        if record.kind == "session_meta" && self.thread.is_none() {
            self.thread = session_thread(line, record.payload.clone());
        }
        if record.kind != "event_msg" {
            return outside(number, Some(&record.kind), Verdict::Outside);
        }
        let place = Place {
            number,
            line,
            message: 0..line.len(),
            body: record.payload.clone(),
            direction: Direction::FromAgent,
        };
        let wire_ms = record
            .timestamp
            .as_deref()
            .and_then(IsoDateTime::parse)
            .map(|time| time.millis());
        let label_of = |message_type| Label {
            source: RawSource::CodexEventmsg,
            method: None,
            message_type,
            wire_ms,
        };
        let mut reader = Reader::over(line, record.payload);
        let tag = match reader.tag("type") {
            Ok(tag) => tag,
            Err(error) => {
                return self
                    .core
                    .malformed(&place, &label_of(None), &error, reader.take_notes());
            }
        };
        let label = label_of(Some(&tag));
        let decoded = EventMsg::read(&mut reader);
        let notes = reader.take_notes();
        match decoded {
            Err(error) => {
                self.core.mapping.turns.unread(&tag);
                self.core.malformed(&place, &label, &error, notes)
            }
            Ok(event) => {
                if let Some(twin) = self.core.mapping.turns.silenced(&event) {
                    return self.core.silent(&place, &label, Verdict::Told(twin));
                }
                let seen = self.core.seen_refs(&place);
                let carrier = Carrier::Rollout {
                    thread: self.thread.clone(),
                };
                self.core.mapped(&place, &label, notes, |mapping, cx| {
                    if matches!(event, EventMsg::Unrecognized(_)) {
                        cx.refs = seen;
                    }
                    cx.lift(wire::eventmsg::refs(&event));
                    mapping.turns.place(cx, &event, &carrier);
                    wire::eventmsg::map(mapping, cx, &event);
                })
            }
        }
    }
}

fn outside(line: u64, tag: Option<&str>, verdict: Verdict) -> Outcome {
    Outcome {
        line,
        direction: Direction::FromAgent,
        surface: None,
        tag: tag.map(Arc::from),
        verdict,
        events: Vec::new(),
        made: Vec::new(),
        refused: Vec::new(),
        oddities: Vec::new(),
    }
}

fn record(line: &str) -> Result<Record<'_>, Malformed> {
    let mut reader = Reader::new(line);
    let mut timestamp = None;
    let mut kind = None;
    let mut payload = None;
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        match &*key {
            // A time that can't be read must not cost the record.
            "timestamp" if reader.kind()? == Kind::String => reader.optional(&mut timestamp)?,
            "type" => reader.field(&mut kind)?,
            "payload" => reader.noted_span(&mut payload)?,
            _ => reader.skip()?,
        }
    }
    reader.end()?;
    Ok(Record {
        timestamp,
        kind: object.required(kind, "type")?,
        payload: object.required(payload, "payload")?,
    })
}

fn session_thread(line: &str, payload: Range<usize>) -> Option<Arc<str>> {
    let mut reader = Reader::over(line, payload);
    let mut id: Option<Cow<'_, str>> = None;
    let mut object = reader.object().ok()?;
    while let Some(key) = reader.key(&mut object).ok()? {
        match &*key {
            "id" => reader.optional(&mut id).ok()?,
            _ => reader.skip().ok()?,
        }
    }
    id.as_deref().map(Arc::from)
}
