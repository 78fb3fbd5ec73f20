//! JSON strings at the level of bytes: where they end, and what they say.

use super::malformed::Malformed;

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The first place at or after `at` where a string stops being plain: a quote, a backslash or a
/// control byte; the end of the bytes if there is none. Looks at eight bytes at a time.
#[inline]
pub(super) fn plain_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let quote = word ^ (ONES * b'"' as u64);
        let backslash = word ^ (ONES * b'\\' as u64);
        // A borrow can only run upwards out of a byte that is itself a hit, so the lowest mark,
        // which is the first byte, is always right.
        let hits = (quote.wrapping_sub(ONES) & !quote)
            | (backslash.wrapping_sub(ONES) & !backslash)
            | (word.wrapping_sub(ONES * 0x20) & !word);
        let hits = hits & HIGHS;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes
        .get(at)
        .is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f))
    {
        at += 1;
    }
    at
}

/// Validates the string whose opening quote is at `open`. Returns the offset after the closing
/// quote, and whether the string is free of escapes.
#[inline]
pub(super) fn string_end(bytes: &[u8], open: usize) -> Result<(usize, bool), Malformed> {
    let at = plain_end(bytes, open + 1);
    if bytes.get(at) == Some(&b'"') {
        return Ok((at + 1, true));
    }
    escaped_end(bytes, at).map(|end| (end, false))
}

fn escaped_end(bytes: &[u8], mut at: usize) -> Result<usize, Malformed> {
    loop {
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at = escape_end(bytes, at)?,
            Some(_) => return Err(Malformed::syntax(at, "a control character in a string")),
            None => return Err(Malformed::syntax(at, "a string has no end")),
        }
        at = plain_end(bytes, at);
    }
}

#[inline]
fn escape_end(bytes: &[u8], backslash: usize) -> Result<usize, Malformed> {
    match bytes.get(backslash + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(backslash + 2),
        Some(b'u') if unit_at(bytes, backslash).is_some() => Ok(backslash + 6),
        Some(_) => Err(Malformed::syntax(
            backslash,
            "an invalid escape in a string",
        )),
        None => Err(Malformed::syntax(backslash, "a string has no end")),
    }
}

/// The UTF-16 unit of the escape `\uXXXX` at this offset, if that is what stands there.
fn unit_at(bytes: &[u8], backslash: usize) -> Option<u16> {
    let escape = bytes.get(backslash..)?.first_chunk::<6>()?;
    if !escape.starts_with(b"\\u") {
        return None;
    }
    escape.iter().skip(2).try_fold(0_u16, |unit, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        Some((unit << 4) | digit as u16)
    })
}

/// Decodes the inside of a string that `string_end` has validated. The second value says that
/// half of a surrogate pair was replaced by U+FFFD.
pub(super) fn unescape(inside: &str) -> (String, bool) {
    let bytes = inside.as_bytes();
    let mut out = String::with_capacity(inside.len());
    let mut lone = false;
    let mut at = 0;
    loop {
        let stop = plain_end(bytes, at);
        out.push_str(inside.get(at..stop).unwrap_or_default());
        let Some(escape) = bytes.get(stop + 1) else {
            return (out, lone);
        };
        at = stop + 2;
        match escape {
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            b'u' => {
                let (decoded, length) = unicode_at(bytes, stop);
                lone |= decoded.is_none();
                out.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
                at = stop + length;
            }
            plain => out.push(char::from(*plain)),
        }
    }
}

/// The character of one `\u` escape, or of a pair of them, and how many bytes that took. `None`
/// is half of a pair; what follows it is then looked at on its own.
fn unicode_at(bytes: &[u8], backslash: usize) -> (Option<char>, usize) {
    let Some(first) = unit_at(bytes, backslash) else {
        return (None, 6);
    };
    if let Some(plain) = char::from_u32(u32::from(first)) {
        return (Some(plain), 6);
    }
    let second = unit_at(bytes, backslash + 6).unwrap_or_default();
    match char::decode_utf16([first, second]).next() {
        Some(Ok(pair)) => (Some(pair), 12),
        Some(Err(_)) | None => (None, 6),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn plain_end_finds_every_stop_at_every_place() {
        for stop in ['"', '\\', '\n', '\0', '\u{1f}'] {
            for before in 0..20 {
                let text = format!(
                    "{}{stop}{}",
                    "\u{7f}".repeat(before),
                    "!\"z\\\u{1}".repeat(3)
                );
                assert_eq!(plain_end(text.as_bytes(), 0), before, "{text:?}");
            }
        }
        let plain = "é \u{2028}𝄞!#[]~".repeat(3);
        assert_eq!(plain_end(plain.as_bytes(), 0), plain.len());
    }

    #[test]
    fn ends_and_errors() {
        assert_eq!(string_end(br#""ab" "#, 0), Ok((4, true)));
        assert_eq!(string_end(br#""a\"b""#, 0), Ok((6, false)));
        assert_eq!(string_end(br#""\ud83d""#, 0), Ok((8, false)));
        for bad in [
            &b"\"a"[..],
            b"\"a\\",
            b"\"\\x\"",
            b"\"\\u12g4\"",
            b"\"\\u+123\"",
            b"\"\t\"",
        ] {
            assert!(string_end(bad, 0).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn escapes_decode() {
        let all = r#"\"\\\/\b\f\n\r\t\u00e9\ud834\udd1ex"#;
        assert_eq!(
            unescape(all),
            ("\"\\/\u{8}\u{c}\n\r\té𝄞x".to_owned(), false)
        );
    }

    #[test]
    fn a_lone_surrogate_costs_only_itself() {
        assert_eq!(unescape(r"a\ud83db"), ("a\u{fffd}b".to_owned(), true));
        assert_eq!(unescape(r"\ude00!"), ("\u{fffd}!".to_owned(), true));
        assert_eq!(unescape(r"\ud83d\n"), ("\u{fffd}\n".to_owned(), true));
        assert_eq!(
            unescape(r"\ud83d\ud83d\ude00"),
            ("\u{fffd}😀".to_owned(), true)
        );
    }
}
