//! What the user said: told when it goes out, and not once more when the agent sends it back.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::kit::ledger::own_name;
use crate::kit::remembered::Remembered;

use super::turns::Scope;

/// How many messages are remembered.
const REMEMBERED: usize = 256;

/// The longest text by which a message is found again.
const TEXT: usize = 64 * 1024;

/// What the user said.
#[derive(Debug)]
pub(crate) struct Said {
    count: u64,
    by_id: Remembered<Arc<str>, Message>,
    /// Messages that went out without an id, until the agent sends them back.
    nameless: VecDeque<(String, Message)>,
}

/// A message of the user.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// Its item.
    pub item: Arc<str>,
    /// Where it belongs.
    pub scope: Option<Scope>,
}

impl Default for Said {
    fn default() -> Self {
        Self {
            count: 0,
            by_id: Remembered::new(REMEMBERED),
            nameless: VecDeque::new(),
        }
    }
}

impl Said {
    /// A message, with the id of its line if it has one. Its item has that id, or one of ours.
    pub fn add(&mut self, id: Option<&str>, text: &str, scope: Option<Scope>) -> Message {
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            self.count += 1;
            let message = Message {
                item: own_name(&format!("said-{}", self.count)),
                scope,
            };
            if text.len() <= TEXT {
                self.nameless.push_back((text.to_owned(), message.clone()));
            }
            while self.nameless.len() > REMEMBERED {
                self.nameless.pop_front();
            }
            return message;
        };
        let id: Arc<str> = Arc::from(id);
        let message = Message {
            item: Arc::clone(&id),
            scope,
        };
        self.by_id.insert(id, message.clone());
        message
    }

    /// A message that only the agent tells. Its item has the id of the line, or one of ours.
    pub fn told(&mut self, id: Option<&str>, scope: Option<Scope>) -> Message {
        let Some(id) = id.filter(|id| !id.is_empty()) else {
            self.count += 1;
            let item = own_name(&format!("said-{}", self.count));
            return Message { item, scope };
        };
        self.add(Some(id), "", scope)
    }

    /// The message of an id, if it was told.
    pub fn known(&self, id: &str) -> Option<Message> {
        self.by_id.get(&Arc::from(id)).cloned()
    }

    /// The message that the agent sends back, if it was told.
    pub fn find(&mut self, id: Option<&str>, text: &str) -> Option<Message> {
        let by_id = id.and_then(|id| self.by_id.get(&Arc::from(id)).cloned());
        if by_id.is_some() {
            return by_id;
        }
        let place = self.nameless.iter().position(|(said, _)| said == text)?;
        let (_, message) = self.nameless.remove(place)?;
        if let Some(id) = id {
            self.by_id.insert(Arc::from(id), message.clone());
        }
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_comes_back_is_found_once_by_its_text_and_then_by_its_id() {
        let mut said = Said::default();
        let first = said.add(None, "lamp", None);
        let second = said.add(Some(""), "lamp", None);
        assert_ne!(first.item, second.item);
        assert_eq!(said.find(Some("u1"), "lamp").unwrap().item, first.item);
        assert_eq!(said.find(Some("u2"), "lamp").unwrap().item, second.item);
        assert_eq!(said.find(Some("u1"), "lamp").unwrap().item, first.item);
        assert!(said.find(Some("u3"), "lamp").is_none());
        let named = said.add(Some("u4"), "rope", None);
        assert_eq!(&*named.item, "u4");
        assert_eq!(said.find(Some("u4"), "").unwrap().item, named.item);
    }
}
