//! Texts that grow: by pieces that are streamed, and by the whole text so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::kit::parts::joined;

/// How much of a text was told.
#[derive(Clone, Debug, Default)]
pub(super) struct Growing {
    told: String,
    /// How much of it was streamed, or was told by the whole text and then streamed.
    streamed: usize,
    /// The text that took the place of what was told.
    rewritten: Option<String>,
}

/// The texts of a message, each of its own part.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    /// Each with its place.
    by_part: BTreeMap<Arc<str>, (usize, String)>,
}

impl Texts {
    /// The text of a part, as it is now. Gives what the message says where that is its only text:
    /// the whole of several is told once, at the end.
    pub fn set(&mut self, part: Arc<str>, text: &str) -> Option<&str> {
        let next = self.by_part.len();
        let (place, known) = self
            .by_part
            .entry(part)
            .or_insert_with(|| (next, String::new()));
        text.clone_into(known);
        (*place == 0 && next <= 1).then_some(known.as_str())
    }

    /// All of them.
    pub fn joined(self) -> Option<String> {
        let mut texts: Vec<(usize, String)> = self.by_part.into_values().collect();
        texts.sort();
        joined(texts.into_iter().map(|(_, text)| text))
    }
}

impl Growing {
    /// The text as it is now, as far as it is known.
    pub fn text(&self) -> &str {
        self.rewritten.as_deref().unwrap_or(&self.told)
    }

    /// A piece is streamed. Nothing where the whole text told it before.
    pub fn stream(&mut self, piece: &str) -> Option<String> {
        let ahead = self.told.get(self.streamed..).unwrap_or_default();
        if !ahead.is_empty() && ahead.starts_with(piece) {
            self.streamed += piece.len();
            return None;
        }
        self.told.push_str(piece);
        self.streamed = self.told.len();
        if let Some(text) = &mut self.rewritten {
            text.push_str(piece);
        }
        (!piece.is_empty()).then(|| piece.to_owned())
    }

    /// The whole text so far. Gives what is new at its end. A text that was told and is another one
    /// now can't be taken back: whoever completes the item tells it whole.
    pub fn whole(&mut self, text: &str) -> Option<String> {
        let Some(new) = text.strip_prefix(&*self.told) else {
            self.rewritten = Some(text.to_owned());
            return None;
        };
        self.rewritten = None;
        if new.is_empty() {
            return None;
        }
        let new = new.to_owned();
        self.told.push_str(&new);
        Some(new)
    }

    /// The whole text so far, with the piece by which it grew: the piece counts where the rest is
    /// not what was told.
    pub fn grown(&mut self, text: &str, piece: &str) -> Option<String> {
        if text.starts_with(&*self.told) {
            return self.whole(text);
        }
        if !text.ends_with(piece) {
            return self.whole(text);
        }
        text.clone_into(&mut self.told);
        self.rewritten = None;
        Some(piece.to_owned())
    }

    /// The same text is not needed any more.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Growing, Texts};

    #[test]
    fn texts_are_told_one_by_one_and_joined_at_the_end() {
        let part = |id: &str| Arc::from(id);
        let mut texts = Texts::default();
        assert_eq!(texts.set(part("z"), "Light"), Some("Light"));
        assert_eq!(texts.set(part("z"), "Light it."), Some("Light it."));
        assert_eq!(texts.set(part("a"), "Now."), None);
        assert_eq!(texts.set(part("z"), "Light them."), None);
        let whole = texts.joined();
        assert_eq!(whole.as_deref(), Some("Light them.\nNow."));
    }

    #[test]
    fn what_is_streamed_is_not_told_again_by_the_whole() {
        let mut text = Growing::default();
        assert_eq!(text.whole(""), None);
        assert_eq!(text.stream("The la").as_deref(), Some("The la"));
        assert_eq!(text.stream("mp").as_deref(), Some("mp"));
        assert_eq!(text.whole("The lamp is lit.").as_deref(), Some(" is lit."));
        assert_eq!(text.whole("The lamp is lit."), None);
        assert_eq!(text.text(), "The lamp is lit.");
    }

    #[test]
    fn what_the_whole_told_is_not_told_again_by_a_piece() {
        let mut text = Growing::default();
        assert_eq!(text.whole("The lamp").as_deref(), Some("The lamp"));
        assert_eq!(text.stream("The "), None);
        assert_eq!(text.stream("lamp"), None);
        assert_eq!(text.stream(" is").as_deref(), Some(" is"));
        assert_eq!(text.whole("The lamp is lit").as_deref(), Some(" lit"));
    }

    #[test]
    fn a_text_that_is_trimmed_or_another_one_adds_nothing() {
        let mut text = Growing::default();
        text.stream("lamp \n");
        assert_eq!(text.whole("lamp"), None);
        assert_eq!(text.text(), "lamp");
        assert_eq!(text.whole("moon"), None);
        assert_eq!(text.text(), "moon");
        text.stream("light");
        assert_eq!(text.text(), "moonlight");
        assert_eq!(text.whole("lamp \nlight!").as_deref(), Some("!"));
        assert_eq!(text.text(), "lamp \nlight!");
    }

    #[test]
    fn a_piece_beside_the_whole_counts_once() {
        let mut text = Growing::default();
        assert_eq!(text.grown("Hel", "Hel").as_deref(), Some("Hel"));
        assert_eq!(text.grown("Hello", "lo").as_deref(), Some("lo"));
        assert_eq!(text.grown("Hello", "lo"), None);
        assert_eq!(text.grown("Jell-o", "-o").as_deref(), Some("-o"));
        assert_eq!(text.grown("Jell-o!", "!").as_deref(), Some("!"));
    }
}
