//! Validating a value without decoding it: strict about the grammar, free of recursion.

use super::malformed::Malformed;
use super::number::number_end;
use super::text::string_end;

/// Validates the value at or after `at` and returns the offset after it.
pub(super) fn value_end(bytes: &[u8], mut at: usize) -> Result<usize, Malformed> {
    let mut levels = Levels::default();
    loop {
        at = white_end(bytes, at);
        match bytes.get(at) {
            Some(b'"') => at = string_end(bytes, at)?.0,
            Some(b'-' | b'0'..=b'9') => at = number_end(bytes, at)?,
            Some(b'{') => {
                at = white_end(bytes, at + 1);
                levels.push(true);
                if bytes.get(at) != Some(&b'}') {
                    at = key_end(bytes, at)?;
                    continue;
                }
            }
            Some(b'[') => {
                at = white_end(bytes, at + 1);
                levels.push(false);
                if bytes.get(at) != Some(&b']') {
                    continue;
                }
            }
            Some(b't') => at = literal_end(bytes, at, b"true")?,
            Some(b'f') => at = literal_end(bytes, at, b"false")?,
            Some(b'n') => at = literal_end(bytes, at, b"null")?,
            _ => return Err(Malformed::token(bytes, at, "a value is expected here")),
        }
        // A value, or the inside of a container, has ended: close what closes here.
        loop {
            let Some(in_object) = levels.top() else {
                return Ok(at);
            };
            at = white_end(bytes, at);
            match (bytes.get(at), in_object) {
                (Some(b','), true) => {
                    at = key_end(bytes, white_end(bytes, at + 1))?;
                    break;
                }
                (Some(b','), false) => {
                    at += 1;
                    break;
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    at += 1;
                    levels.pop();
                }
                (_, true) => return Err(Malformed::token(bytes, at, "expected `,` or `}`")),
                (_, false) => return Err(Malformed::token(bytes, at, "expected `,` or `]`")),
            }
        }
    }
}

/// The first offset at or after `at` that is not white space.
#[inline]
pub(super) fn white_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Validates one of the three words.
#[inline]
pub(super) fn literal_end(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Malformed> {
    if bytes.get(at..).is_some_and(|rest| rest.starts_with(word)) {
        return Ok(at + word.len());
    }
    Err(Malformed::syntax(at, "a value is expected here"))
}

/// Validates a key and its colon.
#[inline]
fn key_end(bytes: &[u8], at: usize) -> Result<usize, Malformed> {
    if bytes.get(at) != Some(&b'"') {
        return Err(Malformed::token(bytes, at, "a key is expected here"));
    }
    colon_end(bytes, string_end(bytes, at)?.0)
}

/// Validates the colon after a key.
#[inline]
pub(super) fn colon_end(bytes: &[u8], at: usize) -> Result<usize, Malformed> {
    let at = white_end(bytes, at);
    if bytes.get(at) != Some(&b':') {
        return Err(Malformed::token(bytes, at, "expected `:`"));
    }
    Ok(at + 1)
}

/// The open containers, one bit each: set for an object. The innermost 64 stand in a word, so
/// that nothing is allocated for what real messages nest.
#[derive(Default)]
struct Levels {
    word: u64,
    in_word: u32,
    outer: Vec<u64>,
}

impl Levels {
    #[inline]
    fn push(&mut self, object: bool) {
        if self.in_word == u64::BITS {
            self.outer.push(self.word);
            self.in_word = 0;
        }
        self.word = (self.word << 1) | u64::from(object);
        self.in_word += 1;
    }

    #[inline]
    fn top(&self) -> Option<bool> {
        (self.in_word > 0).then_some(self.word & 1 == 1)
    }

    #[inline]
    fn pop(&mut self) {
        self.word >>= 1;
        self.in_word = self.in_word.saturating_sub(1);
        if self.in_word == 0
            && let Some(word) = self.outer.pop()
        {
            self.word = word;
            self.in_word = u64::BITS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        value_end(text.as_bytes(), 0) == Ok(text.len())
    }

    #[test]
    fn grammar() {
        for good in [
            "{}",
            "[]",
            "[[],{}]",
            r#" {"a" : [1 , "x"] , "b":null}"#,
            "true",
            "-0.5e-7",
        ] {
            assert!(accepts(good), "{good}");
        }
        for bad in [
            "",
            " ",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[1}",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,}",
            "{,}",
            "{a:1}",
            "{\"a\" 1}",
            "{\"a\":1]",
            "tru",
            "nul",
            "]",
            "NaN",
            "'a'",
            "[01]",
            "\u{a0}1",
            "\u{feff}1",
            "[1]]",
        ] {
            assert!(!accepts(bad), "{bad}");
        }
    }

    #[test]
    fn depth_is_free_and_kinds_are_kept_over_word_borders() {
        let pairs = 100_000;
        let deep = format!("{}1{}", "[{\"k\":".repeat(pairs), "}]".repeat(pairs));
        assert!(accepts(&deep));
        for depth in [63, 64, 65, 128, 129] {
            let wrong = format!("{}{}{}", "[".repeat(depth), "}", "]".repeat(depth - 1));
            assert!(!accepts(&wrong), "{depth}");
            let mixed = format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
            assert!(accepts(&mixed), "{depth}");
        }
    }
}
