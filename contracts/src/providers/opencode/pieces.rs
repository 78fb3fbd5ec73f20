//! Texts that grow: by pieces that are streamed, and by the whole text so far.

/// How much of a text was told.
#[derive(Clone, Debug, Default)]
pub(super) struct Growing {
    told: String,
    /// How much of it was streamed, or was told by the whole text and then streamed.
    streamed: usize,
}

impl Growing {
    /// What was told.
    pub fn told(&self) -> &str {
        &self.told
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
        (!piece.is_empty()).then(|| piece.to_owned())
    }

    /// The whole text so far. Gives what is new at its end. A text that was told and is another one
    /// now can't be taken back: whoever completes the item tells it whole.
    pub fn whole(&mut self, text: &str) -> Option<String> {
        let new = text.strip_prefix(&*self.told)?;
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
        text.ends_with(piece).then(|| {
            text.clone_into(&mut self.told);
            piece.to_owned()
        })
    }

    /// The same text is not needed any more.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::Growing;

    #[test]
    fn what_is_streamed_is_not_told_again_by_the_whole() {
        let mut text = Growing::default();
        assert_eq!(text.whole(""), None);
        assert_eq!(text.stream("The la").as_deref(), Some("The la"));
        assert_eq!(text.stream("mp").as_deref(), Some("mp"));
        assert_eq!(text.whole("The lamp is lit.").as_deref(), Some(" is lit."));
        assert_eq!(text.whole("The lamp is lit."), None);
        assert_eq!(text.told(), "The lamp is lit.");
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
        assert_eq!(text.whole("moon"), None);
        assert_eq!(text.whole("lamp \n!").as_deref(), Some("!"));
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
