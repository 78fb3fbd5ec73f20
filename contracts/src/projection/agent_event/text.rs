//! The text of a run: what was streamed, what came whole, and the reasoning so far.

use std::collections::VecDeque;
use std::sync::Arc;

use super::event::{Delta, Thinking};
use crate::canonical::{ContentStreamKind, ItemLifecycle, RuntimeEvent};
use crate::kit::remembered::Remembered;
use crate::projection::opaque::first;

/// How many messages may be open at once.
const OPEN: usize = 64;
/// How much of a message is kept to tell what its end adds, in bytes.
const KEPT: usize = 1024 * 1024;
/// How long the reasoning of a run may grow, in bytes. Each event repeats it whole.
const THINKING: usize = 1024 * 1024;

/// The key of an item; empty where the event names none.
type Key = Arc<str>;

/// The text of one run.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// Messages that were streamed, with their text so far, as long as that is kept.
    streamed: VecDeque<(Key, Option<String>)>,
    /// A message that is only known from updates.
    pending: Option<(Key, String)>,
    /// The message that spoke last.
    speaker: Option<Key>,
    /// Whether what was said last ended its line.
    at_line_start: bool,
    thinking: String,
    /// The part of the reasoning that came last.
    thought: Option<Part>,
    /// Reasonings that were streamed.
    thoughts: Keys,
    /// Plans whose steps were told.
    listed: Keys,
    /// What agents say that a call of the run started.
    helpers: Keys,
}

/// Items that something is known of, as many as may be open.
#[derive(Debug)]
struct Keys(Remembered<Key, ()>);

impl Default for Keys {
    fn default() -> Self {
        Self(Remembered::new(OPEN))
    }
}

impl Keys {
    fn add(&mut self, key: &Key) {
        self.0.insert(Arc::clone(key), ());
    }

    fn has(&self, key: &Key) -> bool {
        self.0.get(key).is_some()
    }

    /// Forgets an item, and says whether it was known.
    fn take(&mut self, key: &Key) -> bool {
        self.0.remove(key).is_some()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    key: Key,
    kind: Option<ContentStreamKind>,
    index: Option<i64>,
}

pub(super) fn key(event: &RuntimeEvent) -> Key {
    match &event.item_id {
        Some(id) => Arc::clone(id.shared()),
        None => Arc::from(""),
    }
}

impl Text {
    /// A piece of a message.
    pub fn streamed(&mut self, event: &RuntimeEvent, piece: &str) -> Option<Delta> {
        let key = key(event);
        let known = self.streamed.iter_mut().find(|(known, _)| *known == key);
        match known {
            Some((_, text)) => {
                let long = text
                    .as_ref()
                    .is_some_and(|text| text.len() + piece.len() > KEPT);
                if long {
                    *text = None;
                } else if let Some(text) = text {
                    text.push_str(piece);
                }
            }
            None => {
                if self.streamed.len() >= OPEN {
                    self.streamed.pop_front();
                }
                let text = (piece.len() <= KEPT).then(|| piece.to_owned());
                self.streamed.push_back((Arc::clone(&key), text));
            }
        }
        self.say(key, piece)
    }

    /// The end of a message: what was not streamed of it.
    pub fn completed(&mut self, event: &RuntimeEvent, whole: Option<&str>) -> Option<Delta> {
        let key = key(event);
        let place = self.streamed.iter().position(|(known, _)| *known == key);
        let streamed = place.and_then(|place| self.streamed.remove(place));
        let pending = self.pending.take_if(|(known, _)| *known == key);
        let pending = pending.map(|(_, text)| text);
        match streamed {
            None => {
                let whole = whole.map(str::to_owned).or(pending)?;
                self.say(key, &whole)
            }
            Some((_, Some(text))) => {
                let rest = whole?.strip_prefix(text.as_str())?.to_owned();
                self.say(key, &rest)
            }
            // Too long to be compared; all of it was streamed, as far as anybody knows.
            Some((_, None)) => None,
        }
    }

    /// What an update says about a message that nobody streams. It is told once it is whole: when
    /// another begins, or the turn ends.
    pub fn updated(&mut self, event: &RuntimeEvent, text: &str) -> Option<Delta> {
        let key = key(event);
        if self.streamed.iter().any(|(known, _)| *known == key) {
            return None;
        }
        let earlier = match &self.pending {
            Some((known, _)) if *known != key => self.flush(),
            Some(_) | None => None,
        };
        self.pending = Some((key, text.to_owned()));
        earlier
    }

    /// The message that is only known from updates.
    pub fn flush(&mut self) -> Option<Delta> {
        let (key, text) = self.pending.take()?;
        self.say(key, &text)
    }

    /// Something else happened: what streams without an item goes on as another message.
    pub fn interrupted(&mut self) {
        self.streamed.retain(|(key, _)| !key.is_empty());
        if self.speaker.as_ref().is_some_and(|key| key.is_empty()) {
            self.speaker = Some(Arc::from("?"));
        }
    }

    /// The steps of a plan that is an item are told, by an event about that item.
    pub fn lists(&mut self, event: &RuntimeEvent) {
        let key = key(event);
        if !key.is_empty() {
            self.listed.add(&key);
        }
    }

    /// Whether the steps of a plan were told, so that its text is none of the answer.
    pub fn is_listed(&self, event: &RuntimeEvent) -> bool {
        self.listed.has(&key(event))
    }

    /// Whether an item is of an agent that a call of the run started. What such an agent says goes to
    /// the one that called it, and is none of the answer. Only some events about the item tell it.
    pub fn is_of_helper(&mut self, event: &RuntimeEvent, item: Option<&ItemLifecycle>) -> bool {
        let key = key(event);
        let data = item.and_then(|item| item.data.as_ref());
        let told = data.and_then(|data| first(data, &["parentToolUseId", "parent_tool_use_id"]));
        if told.is_some() && !key.is_empty() {
            self.helpers.add(&key);
        }
        told.is_some() || self.helpers.has(&key)
    }

    /// A piece of reasoning, as the total that it leads to.
    pub fn thought(
        &mut self,
        event: &RuntimeEvent,
        kind: ContentStreamKind,
        index: Option<i64>,
        piece: &str,
    ) -> Option<Thinking> {
        let key = key(event);
        self.thoughts.add(&key);
        let kind = Some(kind);
        self.think(Part { key, kind, index }, piece)
    }

    /// The end of a reasoning: told where it was not streamed.
    pub fn thought_whole(&mut self, event: &RuntimeEvent, whole: &str) -> Option<Thinking> {
        let key = key(event);
        if self.thoughts.take(&key) {
            return None;
        }
        let part = Part {
            key,
            kind: None,
            index: None,
        };
        self.think(part, whole)
    }

    fn think(&mut self, part: Part, piece: &str) -> Option<Thinking> {
        if piece.is_empty() {
            return None;
        }
        let another = self.thought.as_ref().is_some_and(|last| *last != part);
        let gap = if another || (part.kind.is_none() && !self.thinking.is_empty()) {
            "\n\n"
        } else {
            ""
        };
        if self.thinking.len() + gap.len() + piece.len() > THINKING {
            return None;
        }
        self.thought = Some(part);
        self.thinking.push_str(gap);
        self.thinking.push_str(piece);
        Some(Thinking {
            text: self.thinking.clone(),
        })
    }

    /// New text of the answer. Messages are apart by an empty line: a client only appends.
    fn say(&mut self, key: Key, piece: &str) -> Option<Delta> {
        if piece.is_empty() {
            return None;
        }
        let another = self.speaker.as_ref().is_some_and(|last| *last != key);
        let gap = match another {
            true if self.at_line_start => "\n",
            true => "\n\n",
            false => "",
        };
        self.speaker = Some(key);
        self.at_line_start = piece.ends_with('\n');
        Some(Delta {
            text: format!("{gap}{piece}"),
        })
    }
}
