//! Pieces of streamed text and of tool inputs, put together until their block ends.

use std::collections::BTreeMap;
use std::sync::Arc;

/// How many bytes are kept at once. A stream that never ends its blocks must not fill the memory.
const BYTES: usize = 64 * 1024 * 1024;

/// How many blocks are kept at once.
const BLOCKS: usize = 16_384;

/// The text so far of each block that is open, by its item.
#[derive(Debug)]
pub(crate) struct Texts {
    /// `None` for a text that did not fit: half of one is worse than none.
    texts: BTreeMap<Arc<str>, Option<String>>,
    size: usize,
    limit: usize,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            texts: BTreeMap::new(),
            size: 0,
            limit: BYTES,
        }
    }
}

impl Texts {
    /// Appends a piece.
    pub fn push(&mut self, item: &Arc<str>, piece: &str) {
        if !self.texts.contains_key(item) && self.texts.len() >= BLOCKS {
            return;
        }
        let text = self
            .texts
            .entry(Arc::clone(item))
            .or_insert_with(|| Some(String::new()));
        let Some(kept) = text else { return };
        if self.size + piece.len() > self.limit {
            self.size -= kept.len();
            *text = None;
            return;
        }
        self.size += piece.len();
        kept.push_str(piece);
    }

    /// The whole text of a block is known.
    pub fn put(&mut self, item: &Arc<str>, text: &str) {
        self.take(item);
        self.push(item, text);
    }

    /// The whole text of a block, which is forgotten.
    pub fn take(&mut self, item: &str) -> Option<String> {
        let text = self.texts.remove(item)??;
        self.size -= text.len();
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_a_text_and_what_does_not_fit_makes_none() {
        let mut texts = Texts {
            limit: 6,
            ..Texts::default()
        };
        let [a, b] = ["a", "b"].map(Arc::<str>::from);
        texts.push(&a, "lam");
        texts.push(&a, "p");
        texts.push(&b, "far");
        texts.push(&b, "too long");
        assert_eq!(texts.take("b"), None);
        assert_eq!(texts.take("a").as_deref(), Some("lamp"));
        texts.put(&a, "rope");
        assert_eq!(texts.take("a").as_deref(), Some("rope"));
        assert_eq!((texts.take("a"), texts.size), (None, 0));
    }
}
