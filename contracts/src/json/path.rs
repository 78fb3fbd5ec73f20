//! The JSON path to an offset, found by walking the text again when somebody asks.

use std::ops::Range;

use super::text::string_end;

/// How many segments of a path are printed from either end; a hostile text nests without bound.
const SEGMENTS: usize = 32;

/// The path to the value that begins at or holds this offset, e.g. `params.item.content[3].text`.
/// Empty for the whole text. The text need not be valid JSON, before or after the offset.
#[must_use]
pub fn path_at(text: &str, offset: usize) -> String {
    let segments = segments(text.as_bytes(), offset);
    let mut path = String::new();
    let hidden = SEGMENTS..segments.len().saturating_sub(SEGMENTS);
    for (index, segment) in segments.iter().enumerate() {
        if hidden.contains(&index) {
            if index == hidden.start {
                path.push('…');
            }
            continue;
        }
        match segment {
            Segment::Index(index) => path.push_str(&format!("[{index}]")),
            Segment::Key(Some(key)) => {
                append_member(&mut path, text.get(key.clone()).unwrap_or_default())
            }
            Segment::Key(None) => {}
        }
    }
    path
}

/// Appends the name of a member.
pub(super) fn append_member(path: &mut String, name: &str) {
    let simple = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$');
    if name.is_empty() || !name.as_bytes().iter().all(simple) {
        // A key is shown as it stands in the text, escapes and all.
        path.push_str(&format!("[\"{name}\"]"));
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

/// A container that holds the offset, and where in it.
enum Segment {
    /// In an object: the range of the key inside its quotes, if a key was passed.
    Key(Option<Range<usize>>),
    /// In an array.
    Index(usize),
}

fn segments(bytes: &[u8], offset: usize) -> Vec<Segment> {
    let mut open: Vec<Segment> = Vec::new();
    let mut at = 0;
    while at < offset
        && let Some(byte) = bytes.get(at)
    {
        let mut next = at + 1;
        match byte {
            b'{' => open.push(Segment::Key(None)),
            b'[' => open.push(Segment::Index(0)),
            b'}' | b']' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Segment::Key(key)) => *key = None,
                Some(Segment::Index(index)) => *index += 1,
                None => {}
            },
            b'"' => {
                next = string_end(bytes, at).map_or(bytes.len(), |(end, _)| end);
                if next <= offset
                    && let Some(Segment::Key(key @ None)) = open.last_mut()
                {
                    *key = Some(at + 1..next - 1);
                }
            }
            _ => {}
        }
        at = next;
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_to_every_kind_of_place() {
        let text =
            r#"{"a":1,"params":{"x":[{"k":","}],"item":{"content":[0,[],{},{"text":7}]}},"z":[]}"#;
        let at = |needle: &str| path_at(text, text.find(needle).unwrap_or_default());
        assert_eq!(at("{\"a"), "");
        assert_eq!(at("1,"), "a");
        assert_eq!(at("7}"), "params.item.content[3].text");
        assert_eq!(at("{\"text"), "params.item.content[3]");
        assert_eq!(at("[],"), "params.item.content[1]");
        assert_eq!(at("\",\""), "params.x[0].k");
        assert_eq!(at("[]}"), "z");
        assert_eq!(at("\"z"), "");
    }

    #[test]
    fn odd_keys_and_broken_texts() {
        assert_eq!(
            path_at(r#"{"/tmp/a.rs":{"":1}}"#, 17),
            r#"["/tmp/a.rs"][""]"#
        );
        assert_eq!(path_at("[1,2", 4), "[1]");
        assert_eq!(path_at(r#"{"a":[1,"x"#, 10), "a[1]");
        assert_eq!(path_at("]]}},", 5), "");
        assert_eq!(path_at("[", 99), "[0]");
    }

    #[test]
    fn a_deep_path_is_shortened() {
        let path = path_at(&"[".repeat(100_000), 100_000);
        assert_eq!(path, format!("{0}…{0}", "[0]".repeat(SEGMENTS)));
    }
}
