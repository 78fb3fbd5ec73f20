//! Messages of the model and their blocks: streamed, told by whole lines, or both.
//!
//! A block is known by the call that started its agent, the id of its message and its index: the
//! lines have ids of their own, which name nothing. With partial messages each block comes twice,
//! in pieces and in a line; what tells the second time must find the item of the first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::canonical::ItemType;
use crate::kit::remembered::Remembered;

/// How many messages are remembered, those of the longest ago are forgotten first.
const MESSAGES: usize = 4096;

/// How many blocks of a message are remembered.
const BLOCKS: usize = 4096;

/// The messages of the model.
#[derive(Debug)]
pub(super) struct Messages {
    known: Remembered<Key, Message>,
    /// The message that is being streamed, for each agent.
    current: Remembered<Option<Arc<str>>, Key>,
    /// How many messages had no id.
    nameless: u64,
}

/// The call that started the agent, and the id of the message.
type Key = (Option<Arc<str>>, Arc<str>);

#[derive(Debug, Default)]
struct Message {
    /// How often the id was used before: a name twice is two messages.
    used_before: u32,
    blocks: BTreeMap<i64, Block>,
    /// The blocks that were streamed and that no line told.
    untold: BTreeSet<i64>,
    /// The index after the last.
    next: i64,
    /// Its figures of use have been told.
    usage_told: bool,
    streamed: bool,
    /// Its beginning was not seen, so that its id is not known.
    is_nameless: bool,
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its item: for a call the id of the call, else a name made of what the block is known by.
    pub item: Arc<str>,
    /// What it is.
    pub item_type: ItemType,
    /// It belongs to a call, which has a life of its own: it is one, or the result of one.
    pub of_call: bool,
    /// A line told it.
    pub in_line: bool,
    /// It came in pieces.
    pub streamed: bool,
    /// It ended.
    pub ended: bool,
}

impl Default for Messages {
    fn default() -> Self {
        Self {
            known: Remembered::new(MESSAGES),
            current: Remembered::new(MESSAGES),
            nameless: 0,
        }
    }
}

impl Messages {
    /// A message begins to stream.
    pub fn start(&mut self, parent: Option<&Arc<str>>, id: &str) {
        let key = (parent.cloned(), Arc::<str>::from(id));
        let before = self.known.remove(&key);
        let message = Message {
            used_before: before.as_ref().map_or(0, |it| it.used_before + 1),
            usage_told: before.is_some_and(|it| it.usage_told),
            streamed: true,
            ..Message::default()
        };
        self.known.insert(key.clone(), message);
        self.current.insert(parent.cloned(), key);
    }

    /// Takes the right to tell the figures of use of the message that is being streamed.
    pub fn take_streamed_usage(&mut self, parent: Option<&Arc<str>>) -> bool {
        let key = self.streaming(parent);
        self.known
            .get_mut(&key)
            .is_some_and(|message| !std::mem::replace(&mut message.usage_told, true))
    }

    /// Takes the right to tell the figures of use that a line brings.
    pub fn take_usage(&mut self, parent: Option<&Arc<str>>, id: &str) -> bool {
        let message = self.message(&(parent.cloned(), Arc::from(id)));
        message.is_some_and(|message| {
            !message.streamed && !std::mem::replace(&mut message.usage_told, true)
        })
    }

    /// A block begins to stream. A call brings its own id.
    pub fn block_starts(
        &mut self,
        parent: Option<&Arc<str>>,
        index: i64,
        item_type: ItemType,
        call: Option<&str>,
    ) -> Block {
        let key = self.streaming(parent);
        let block = self.block(&key, index, item_type, call);
        self.keep(&key, index, &block);
        block
    }

    /// The result of a call that the provider makes itself: it ends the call, and is no item.
    pub fn result_starts(&mut self, parent: Option<&Arc<str>>, index: i64, item_type: ItemType) {
        let key = self.streaming(parent);
        let block = self.block(&key, index, item_type, None);
        let of_call = Block {
            of_call: true,
            ended: true,
            ..block
        };
        self.keep(&key, index, &of_call);
    }

    /// A block that is being streamed. One whose start was not seen starts here, if its type is
    /// known.
    pub fn block_goes_on(
        &mut self,
        parent: Option<&Arc<str>>,
        index: i64,
        item_type: Option<ItemType>,
    ) -> Option<Block> {
        let key = self.streaming(parent);
        let known = self.known.get(&key).and_then(|it| it.blocks.get(&index));
        if let Some(block) = known {
            return Some(block.clone());
        }
        let item_type = item_type?;
        Some(self.block_starts(parent, index, item_type, None))
    }

    /// A block ends. Nothing where none of that index is open.
    pub fn block_ends(&mut self, parent: Option<&Arc<str>>, index: i64) -> Option<Block> {
        let key = self.streaming(parent);
        let block = self.known.get_mut(&key)?.blocks.get_mut(&index)?;
        let open = block.clone();
        (!std::mem::replace(&mut block.ended, true)).then_some(open)
    }

    /// The blocks of the message that is being streamed which are no calls, as they were before
    /// it stopped.
    pub fn stops(&mut self, parent: Option<&Arc<str>>) -> Vec<(i64, Block)> {
        // What streams next belongs to another message, even where its beginning is not seen.
        let Some(key) = self.current.remove(&parent.cloned()) else {
            return Vec::new();
        };
        let Some(message) = self.known.get_mut(&key) else {
            return Vec::new();
        };
        let texts = message
            .blocks
            .iter_mut()
            .filter(|(_, block)| !block.of_call && block.streamed);
        texts
            .map(|(index, block)| {
                let before = block.clone();
                block.ended = true;
                (*index, before)
            })
            .collect()
    }

    /// A line tells a block. Where it was streamed it is that one: the call of the same id, else
    /// the first of its type that no line told. Where not, it comes after those that are known.
    pub fn block_in_line(
        &mut self,
        parent: Option<&Arc<str>>,
        id: &str,
        item_type: ItemType,
        call: Option<&str>,
        of_call: bool,
    ) -> Block {
        let key = (parent.cloned(), Arc::<str>::from(id));
        self.name(&key);
        self.message(&key);
        let is_told = |block: &Block| match call {
            Some(call) => *block.item == *call,
            None => block.item_type == item_type && block.of_call == of_call,
        };
        if let Some(message) = self.known.get_mut(&key)
            && let Some(block) = message.tell(is_told)
        {
            return block;
        }
        let index = self.known.get(&key).map_or(0, |message| message.next);
        let mut block = self.block(&key, index, item_type, call);
        (block.streamed, block.in_line, block.of_call) = (false, true, of_call || block.of_call);
        self.keep(&key, index, &block);
        block
    }

    /// A line tells that a block which was streamed has ended.
    pub fn end_in_line(&mut self, parent: Option<&Arc<str>>, id: &str, item: &str) {
        let key = (parent.cloned(), Arc::<str>::from(id));
        let blocks = self.known.get_mut(&key).map(|it| &mut it.blocks);
        let block = blocks.and_then(|it| it.values_mut().find(|block| *block.item == *item));
        if let Some(block) = block {
            block.ended = true;
        }
    }

    /// The item of the last block of a type that the main agent is streaming.
    pub fn open_block(&self, item_type: ItemType) -> Option<Arc<str>> {
        let message = self.known.get(self.current.get(&None)?)?;
        let mut open = message.blocks.values().rev().filter(|block| !block.ended);
        let block = open.find(|block| block.item_type == item_type)?;
        Some(Arc::clone(&block.item))
    }

    /// The message that is being streamed. One whose start was not seen has a name of ours.
    fn streaming(&mut self, parent: Option<&Arc<str>>) -> Key {
        if let Some(key) = self.current.get(&parent.cloned()).cloned()
            && self.known.get(&key).is_some()
        {
            return key;
        }
        self.nameless += 1;
        let id = format!("message-{}", self.nameless);
        self.start(parent, &id);
        let key = (parent.cloned(), Arc::from(id));
        if let Some(message) = self.known.get_mut(&key) {
            message.is_nameless = true;
        }
        key
    }

    /// The line of a message that is not known tells the name of the one that is being streamed,
    /// where the beginning of that was not seen.
    fn name(&mut self, key: &Key) {
        let Some(current) = self.current.get(&key.0).cloned() else {
            return;
        };
        let is_this = |message: &Message| message.is_nameless && !message.untold.is_empty();
        if self.known.get(key).is_some() || !self.known.get(&current).is_some_and(is_this) {
            return;
        }
        if let Some(mut message) = self.known.remove(&current) {
            message.is_nameless = false;
            self.known.insert(key.clone(), message);
            self.current.insert(key.0.clone(), key.clone());
        }
    }

    fn message(&mut self, key: &Key) -> Option<&mut Message> {
        if self.known.get(key).is_none() {
            self.known.insert(key.clone(), Message::default());
        }
        self.known.get_mut(key)
    }

    fn block(&self, key: &Key, index: i64, item_type: ItemType, call: Option<&str>) -> Block {
        let message = self.known.get(key);
        let used_before = message.map_or(0, |message| message.used_before);
        Block {
            item: call.map_or_else(|| item_name(key, used_before, index), Arc::from),
            item_type,
            of_call: call.is_some(),
            in_line: false,
            streamed: true,
            ended: false,
        }
    }

    fn keep(&mut self, key: &Key, index: i64, block: &Block) {
        let Some(message) = self.known.get_mut(key) else {
            return;
        };
        message.next = message.next.max(index.saturating_add(1));
        if message.blocks.len() < BLOCKS || message.blocks.contains_key(&index) {
            message.blocks.insert(index, block.clone());
            let is_result = block.of_call && block.ended;
            if block.streamed && !block.in_line && !is_result {
                message.untold.insert(index);
            }
        }
    }
}

impl Message {
    /// The first block that was streamed, and that a line tells now.
    fn tell(&mut self, is_told: impl Fn(&Block) -> bool) -> Option<Block> {
        let blocks = &mut self.blocks;
        let found = self
            .untold
            .iter()
            .copied()
            .find(|index| blocks.get(index).is_some_and(&is_told))?;
        self.untold.remove(&found);
        let block = blocks.get_mut(&found)?;
        block.in_line = true;
        Some(block.clone())
    }
}

/// The name of a block's item: the same stream gives the same names.
fn item_name((parent, id): &Key, used_before: u32, index: i64) -> Arc<str> {
    let mut name = String::new();
    if let Some(parent) = parent {
        name.push_str(parent);
        name.push('/');
    }
    name.push_str(id);
    if used_before > 0 {
        name.push_str(&format!("#{}", used_before + 1));
    }
    name.push_str(&format!("/{index}"));
    Arc::from(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_line_finds_the_block_that_was_streamed() {
        let mut messages = Messages::default();
        messages.start(None, "m");
        let text = messages.block_starts(None, 0, ItemType::AssistantMessage, None);
        assert_eq!(&*text.item, "m/0");
        messages.block_starts(None, 1, ItemType::DynamicToolCall, Some("call"));
        messages.block_starts(None, 2, ItemType::AssistantMessage, None);
        let told = |messages: &mut Messages, item_type, call: Option<&str>| {
            messages.block_in_line(None, "m", item_type, call, call.is_some())
        };
        let call = told(&mut messages, ItemType::DynamicToolCall, Some("call"));
        let first = told(&mut messages, ItemType::AssistantMessage, None);
        let second = told(&mut messages, ItemType::AssistantMessage, None);
        let third = told(&mut messages, ItemType::AssistantMessage, None);
        assert_eq!(
            [&*call.item, &*first.item, &*second.item, &*third.item],
            ["call", "m/0", "m/2", "m/3"]
        );
        assert!(call.streamed && first.streamed && !third.streamed);
    }

    #[test]
    fn agents_and_repeated_ids_are_kept_apart() {
        let mut messages = Messages::default();
        let parent: Arc<str> = Arc::from("p");
        messages.start(None, "m");
        messages.start(Some(&parent), "m");
        let own = messages.block_starts(None, 0, ItemType::Reasoning, None);
        let other = messages.block_starts(Some(&parent), 0, ItemType::Reasoning, None);
        messages.start(None, "m");
        let again = messages.block_starts(None, 0, ItemType::Reasoning, None);
        assert_eq!(
            [&*own.item, &*other.item, &*again.item],
            ["m/0", "p/m/0", "m#2/0"]
        );
    }

    #[test]
    fn a_message_whose_beginning_is_lost_is_none_that_stopped() {
        let mut messages = Messages::default();
        messages.start(None, "m");
        let first = messages.block_starts(None, 0, ItemType::AssistantMessage, None);
        messages.block_ends(None, 0);
        assert_eq!(messages.stops(None).len(), 1);
        assert!(messages.stops(None).is_empty());
        let second = messages.block_starts(None, 0, ItemType::AssistantMessage, None);
        assert_ne!(first.item, second.item);
        // The line of the first finds its block all the same.
        let line = messages.block_in_line(None, "m", ItemType::AssistantMessage, None, false);
        assert_eq!(line.item, first.item);
    }

    #[test]
    fn a_line_names_the_message_whose_beginning_was_not_seen() {
        let mut messages = Messages::default();
        let text = Some(ItemType::AssistantMessage);
        let streamed = messages.block_goes_on(None, 0, text).unwrap();
        let line = messages.block_in_line(None, "m", ItemType::AssistantMessage, None, false);
        assert!(line.streamed && line.item == streamed.item);
        assert!(!messages.take_usage(None, "m") && messages.take_streamed_usage(None));
        let other = messages.block_in_line(None, "n", ItemType::AssistantMessage, None, false);
        assert_eq!(&*other.item, "n/0");
    }

    #[test]
    fn use_is_told_once_for_a_message() {
        let mut messages = Messages::default();
        messages.start(None, "m");
        assert!(!messages.take_usage(None, "m"));
        assert!(messages.take_streamed_usage(None));
        assert!(!messages.take_streamed_usage(None));
        messages.start(None, "m");
        assert!(!messages.take_streamed_usage(None));
        assert!(messages.take_usage(None, "n") && !messages.take_usage(None, "n"));
    }

    #[test]
    fn a_piece_without_a_beginning_makes_a_block() {
        let mut messages = Messages::default();
        assert!(messages.block_goes_on(None, 7, None).is_none());
        let item_type = Some(ItemType::AssistantMessage);
        let block = messages.block_goes_on(None, 7, item_type).unwrap();
        assert_eq!(&*block.item, "message-1/7");
        let again = messages.block_goes_on(None, 7, item_type).unwrap();
        assert_eq!(again.item, block.item);
        assert!(messages.block_ends(None, 7).is_some() && messages.block_ends(None, 7).is_none());
    }
}
