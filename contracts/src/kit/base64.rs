//! Base64 with the standard alphabet, as strict as the text form allows.

/// What base64 text stands for as text: bytes that are no UTF-8 become U+FFFD.
///
/// Text that is no base64 stays as it was sent: a reader sees that something is there, and nothing
/// is invented or lost.
pub(crate) fn text(base64: &str) -> String {
    match decode(base64) {
        Some(bytes) => String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        None => base64.to_owned(),
    }
}

/// The bytes; nothing where the text is not exactly what an encoder writes: whole groups of four
/// with their padding, no white space, and no bits set that belong to no byte.
pub(crate) fn decode(base64: &str) -> Option<Vec<u8>> {
    let text = base64.as_bytes();
    let (groups, rest) = text.as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(groups.len() * 3);
    for (index, group) in groups.iter().enumerate() {
        let last = index + 1 == groups.len();
        let padding = match group {
            [_, _, b'=', b'='] if last => 2,
            [_, _, _, b'='] if last => 1,
            _ => 0,
        };
        let mut bits = 0_u32;
        for &digit in &group[..4 - padding] {
            bits = bits << 6 | u32::from(value(digit)?);
        }
        bits <<= 6 * padding;
        let [_, whole @ ..] = bits.to_be_bytes();
        let (kept, dropped) = whole.split_at(3 - padding);
        if dropped.iter().any(|&byte| byte != 0) {
            return None;
        }
        bytes.extend_from_slice(kept);
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_vectors_decode() {
        for (base64, expected) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
            ("Pz8+", "??>"),
            ("Pz8/", "???"),
        ] {
            assert_eq!(
                decode(base64).as_deref(),
                Some(expected.as_bytes()),
                "{base64}"
            );
        }
        let every: Vec<u8> = (0..=255).collect();
        let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7\
            PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2RlZmdoaWprbG1ub3BxcnN0dXZ3eHl6\
            e3x9fn+AgYKDhIWGh4iJiouMjY6PkJGSk5SVlpeYmZqbnJ2en6ChoqOkpaanqKmqq6ytrq+wsbKztLW2t7i5\
            uru8vb6/wMHCw8TFxsfIycrLzM3Oz9DR0tPU1dbX2Nna29zd3t/g4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4\
            +fr7/P3+/w==";
        assert_eq!(decode(text), Some(every));
    }

    #[test]
    fn what_no_encoder_writes_is_refused() {
        for base64 in [
            "Z", "Zg", "Zg=", "Zm8", "Zg==Zg==", "Zm9v\n", "Zm 9", "Z===", "====", "Zh==", "Zm9=",
            "Zm-_", "Zm=v", "Zgé=",
        ] {
            assert_eq!(decode(base64), None, "{base64}");
        }
    }

    #[test]
    fn text_is_lossy_and_never_lost() {
        assert_eq!(text("Z3LDvG4K"), "grün\n");
        assert_eq!(text("Z3LD"), "gr\u{fffd}");
        assert_eq!(text("not base64"), "not base64");
    }
}
