//! Texts that an agent streams: which chunks are one item, what it holds, and when it is whole.
//!
//! The protocol has no message that ends a text. Whatever begins after it does: another text, a
//! tool call, the end of the turn. Some agents name the message that a chunk belongs to, others
//! don't; then chunks of one kind that follow each other are one.

use std::sync::Arc;

use crate::canonical::{ItemCompleted, ItemLifecycle, ItemStatus, ItemType};
use crate::kit::ledger::Refs;
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;

use super::mapping::AcpMapping;

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
    parts: Remembered<(Arc<str>, Arc<str>), u32>,
    /// How many texts had no name.
    unnamed: u64,
}

/// A text that goes on.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// What it is about.
    pub refs: Refs,
    item_type: ItemType,
    /// The text so far, unless it is too long.
    written: Option<String>,
    message: Option<Arc<str>>,
}

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
    /// The text that goes on in a session.
    pub fn going(&self, thread: &Arc<str>) -> Option<&Text> {
        self.going.get(thread)
    }

    /// Takes the text that goes on in a session: it is over.
    pub fn end(&mut self, thread: &Arc<str>) -> Option<Text> {
        let text = self.going.remove(thread)?;
        if let Some(message) = &text.message {
            let key = (Arc::clone(thread), Arc::clone(message));
            let part = self.parts.get(&key).copied().unwrap_or(1);
            self.parts.insert(key, part + 1);
        }
        Some(text)
    }
}

impl Text {
    /// The end of the text. What a person wrote is whole, whatever became of the turn.
    pub fn completed(self, status: ItemStatus) -> (Refs, ItemCompleted) {
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
}

impl AcpMapping {
    /// A piece of a text: its message is what the context names as the item, if anything. Names
    /// the item that it is a part of, and ends the text before.
    pub(super) fn piece(&mut self, cx: &mut Cx<'_>, item_type: ItemType, piece: Option<&str>) {
        let Some(thread) = cx.refs.thread.clone() else {
            return;
        };
        cx.refs.item = cx.refs.item.take().filter(|name| !name.trim().is_empty());
        // A text without a name that nothing would end is no item.
        let history = self.turns.is_history(&thread);
        if cx.refs.item.is_none() && cx.refs.turn.is_none() && !history {
            return;
        }
        let message = cx.refs.item.clone();
        let goes_on = self.texts.going(&thread).is_some_and(|text| {
            text.item_type == item_type && text.message == message && text.refs.turn == cx.refs.turn
        });
        if !goes_on {
            self.next_text(cx, &thread, item_type, message);
        }
        if let Some(text) = self.texts.going.get_mut(&thread) {
            cx.refs.item.clone_from(&text.refs.item);
            text.add(piece.unwrap_or_default());
        }
    }

    /// All of a message so far, in place of what was told of it before.
    pub(super) fn whole(&mut self, cx: &mut Cx<'_>, item_type: ItemType, whole: Option<&str>) {
        let (Some(thread), Some(message)) = (cx.refs.thread.clone(), cx.refs.item.clone()) else {
            return;
        };
        let key = (Arc::clone(&thread), Arc::clone(&message));
        let goes_on = self
            .texts
            .going(&thread)
            .is_some_and(|text| text.message.as_ref() == Some(&message));
        if !goes_on {
            // One that is over only gets news.
            if self.texts.parts.get(&key).is_some() {
                return;
            }
            self.next_text(cx, &thread, item_type, Some(message));
        }
        if let Some(text) = self.texts.going.get_mut(&thread) {
            cx.refs.item.clone_from(&text.refs.item);
            if let Some(whole) = whole {
                text.written = Some(String::new());
                text.add(whole);
            }
        }
    }

    /// Ends the text that goes on in a session.
    pub(super) fn end_text(&mut self, cx: &mut Cx<'_>, thread: &Arc<str>) {
        if let Some(text) = self.texts.end(thread) {
            let (refs, completed) = text.completed(ItemStatus::Completed);
            let refs = std::mem::replace(&mut cx.refs, refs);
            cx.emit_unlisted(completed);
            cx.refs = refs;
        }
    }

    fn next_text(
        &mut self,
        cx: &mut Cx<'_>,
        thread: &Arc<str>,
        item_type: ItemType,
        message: Option<Arc<str>>,
    ) {
        self.end_text(cx, thread);
        let item = match &message {
            Some(message) => {
                let key = (Arc::clone(thread), Arc::clone(message));
                match self.texts.parts.get(&key) {
                    Some(part) => Arc::from(format!("{message}#{part}")),
                    None => Arc::clone(message),
                }
            }
            None => {
                self.texts.unnamed += 1;
                Arc::from(format!("#{}-{}", word(item_type), self.texts.unnamed))
            }
        };
        let text = Text {
            refs: Refs {
                item: Some(item),
                ..cx.refs.clone()
            },
            item_type,
            written: Some(String::new()),
            message,
        };
        self.texts.going.insert(Arc::clone(thread), text);
    }
}

impl Text {
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
