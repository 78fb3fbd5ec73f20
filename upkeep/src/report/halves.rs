//! Halves of surrogate pairs in JSON: agents write them, and strict parsers refuse the whole text.

/// The JSON with U+FFFD for each half of a pair that stands alone.
pub fn without_halves(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((before, escape)) = rest.find('\\').and_then(|at| rest.split_at_checked(at)) {
        text.push_str(before);
        let length = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => 0,
            (Some(_), _) => 6,
            (None, _) => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        let (kept, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        text.push_str(kept);
        rest = after;
        if length == 0 {
            text.push_str("\\ufffd");
            rest = escape.get(6..).unwrap_or_default();
        }
    }
    text + rest
}

/// The code unit of a `\u` escape at the start.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::without_halves;

    #[test]
    fn only_halves_are_replaced() {
        for (json, expected) in [
            (
                r#""\ud83d\ude00 é \\ud83d \n""#,
                r#""\ud83d\ude00 é \\ud83d \n""#,
            ),
            (r#""\ud83d \uDE00\\""#, r#""\ufffd \ufffd\\""#),
            (
                r#""\ud83d\ud83d\ude00\u0041""#,
                r#""\ufffd\ud83d\ude00\u0041""#,
            ),
            ("\\", "\\"),
            ("\\é\\u00", "\\é\\u00"),
        ] {
            assert_eq!(without_halves(json), expected);
        }
    }
}
