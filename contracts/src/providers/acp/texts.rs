//! Texts that an agent streams: which chunks are one item, what it holds, and when it is whole.
//!
//! The protocol has no message that ends a text. Whatever begins after it does: another text, a
//! tool call, the end of the turn, and after the turn the next one. Some agents name the message
//! that a chunk belongs to, others don't; then chunks of one kind that follow each other are one.

use std::sync::Arc;

use crate::canonical::{ItemCompleted, ItemLifecycle, ItemStatus, ItemType};
use crate::kit::ledger::Refs;
use crate::kit::remembered::Remembered;

use super::keys::Key;

/// How many sessions and names are remembered.
const SESSIONS: usize = 1024;
const NAMES: usize = 16_384;

/// How much of a text is kept for its end, in bytes. The end of a longer one does not repeat it.
const KEPT: usize = 1 << 20;

/// The texts of one connection.
#[derive(Debug)]
pub(super) struct Texts {
    /// The text that goes on in each session.
    going: Remembered<Arc<str>, Text>,
    /// Which part of a message comes, by session and message: what comes after its end is another
    /// item.
    parts: Remembered<Key, u32>,
    /// How many texts had no name.
    unnamed: u64,
}

/// A text that goes on.
#[derive(Clone, Debug)]
struct Text {
    refs: Refs,
    item_type: ItemType,
    /// The text so far, unless it is too long.
    written: Option<String>,
    message: Option<Arc<str>>,
}

/// The end of an item, and what it is about.
pub(super) type Ended = (Refs, ItemCompleted);

impl Default for Texts {
    fn default() -> Self {
        Self {
            going: Remembered::new(SESSIONS),
            parts: Remembered::new(NAMES),
            unnamed: 0,
        }
    }
}

impl Texts {
    /// Makes the refs name the item that a chunk is a part of: the text that goes on, or another
    /// one, which ends it. One that belongs to no turn is an item, too.
    pub fn piece(
        &mut self,
        refs: &mut Refs,
        item_type: ItemType,
        piece: Option<&str>,
    ) -> Option<Ended> {
        let thread = refs.thread.clone()?;
        refs.item = refs.item.take().filter(|name| !name.trim().is_empty());
        let message = refs.item.clone();
        let goes_on = self.going.get(&thread).is_some_and(|text| {
            text.item_type == item_type && text.message == message && text.refs.turn == refs.turn
        });
        let ended = match goes_on {
            true => None,
            false => self.next(refs, &thread, item_type, message),
        };
        if let Some(text) = self.going.get_mut(&thread) {
            refs.item.clone_from(&text.refs.item);
            text.add(piece.unwrap_or_default());
        }
        ended
    }

    /// The same for all of a message so far, in place of what was told of it before.
    pub fn whole(
        &mut self,
        refs: &mut Refs,
        item_type: ItemType,
        whole: Option<&str>,
    ) -> Option<Ended> {
        let (thread, message) = (refs.thread.clone()?, refs.item.clone()?);
        let key = (Arc::clone(&thread), Arc::clone(&message));
        let going = self.going.get(&thread);
        let mut ended = None;
        if going.is_none_or(|text| text.message.as_ref() != Some(&message)) {
            // One that is over only gets news.
            if self.parts.get(&key).is_some() {
                return None;
            }
            ended = self.next(refs, &thread, item_type, Some(message));
        }
        if let Some(text) = self.going.get_mut(&thread) {
            refs.item.clone_from(&text.refs.item);
            if let Some(whole) = whole {
                text.written = Some(String::new());
                text.add(whole);
            }
        }
        ended
    }

    /// Ends the text that goes on in a session, where what it is about is such.
    pub fn end(
        &mut self,
        thread: &Arc<str>,
        status: ItemStatus,
        such: impl Fn(&Refs) -> bool,
    ) -> Option<Ended> {
        let going = self.going.get(thread)?;
        if !such(&going.refs) {
            return None;
        }
        let text = self.going.remove(thread)?;
        if let Some(message) = &text.message {
            let key = (Arc::clone(thread), Arc::clone(message));
            let part = self.parts.get(&key).copied().unwrap_or(1);
            self.parts.insert(key, part + 1);
        }
        Some(text.ended(status))
    }

    fn next(
        &mut self,
        refs: &Refs,
        thread: &Arc<str>,
        item_type: ItemType,
        message: Option<Arc<str>>,
    ) -> Option<Ended> {
        let ended = self.end(thread, ItemStatus::Completed, |_| true);
        let item = match &message {
            Some(message) => {
                let key = (Arc::clone(thread), Arc::clone(message));
                match self.parts.get(&key) {
                    Some(part) => Arc::from(format!("{message}#{part}")),
                    None => Arc::clone(message),
                }
            }
            None => {
                self.unnamed += 1;
                Arc::from(format!("#{}-{}", word(item_type), self.unnamed))
            }
        };
        let text = Text {
            refs: Refs {
                item: Some(item),
                ..refs.clone()
            },
            item_type,
            written: Some(String::new()),
            message,
        };
        self.going.insert(Arc::clone(thread), text);
        ended
    }
}

impl Text {
    /// The end of the text. What a person wrote is whole, whatever became of the turn.
    fn ended(self, status: ItemStatus) -> Ended {
        let status = if self.item_type == ItemType::UserMessage {
            ItemStatus::Completed
        } else {
            status
        };
        let item = ItemLifecycle {
            status: Some(status),
            detail: self.written.filter(|text| !text.is_empty()),
            ..ItemLifecycle::new(self.item_type)
        };
        (self.refs, ItemCompleted(item))
    }

    fn add(&mut self, piece: &str) {
        self.written = self.written.take().and_then(|mut text| {
            text.push_str(piece);
            (text.len() <= KEPT).then_some(text)
        });
    }
}

/// What a text without a name is called. No name of an agent begins like ours.
fn word(item_type: ItemType) -> &'static str {
    if item_type == ItemType::Reasoning {
        "thought"
    } else if item_type == ItemType::UserMessage {
        "prompt"
    } else {
        "message"
    }
}
