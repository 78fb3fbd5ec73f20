//! Where something stands in a TOML file that is written by hand.

use toml::de::DeTable;

use crate::source::{SourceFile, Span};

/// The key at the end of a path, or, of the list that stands there, one of its texts.
pub fn entry(file: &SourceFile, path: &[&str], text: Option<&str>) -> Option<Span> {
    // What is wrong elsewhere in the file is told by who reads it.
    let (root, _) = DeTable::parse_recoverable(file.text());
    let (last, above) = path.split_last()?;
    let mut table = root.get_ref();
    for step in above {
        table = table.get(*step)?.get_ref().as_table()?;
    }
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == last)?;
    let Some(text) = text else {
        return Some(file.span(key.span()));
    };
    let list = value.get_ref().as_array()?;
    let found = list
        .iter()
        .find(|value| value.get_ref().as_str() == Some(text))?;
    Some(file.span(found.span()))
}

#[cfg(test)]
mod tests {
    use super::entry;
    use crate::source::SourceFile;

    #[test]
    fn a_text_is_found_where_it_is_meant() {
        let text = "[provider.a]\nversions = [\"1.0.0\"]\n[provider.b]\nversions = [\n  \"0.9.0\",\n  \"1.0.0\",\n]\n[value.\"x.y\"]\n";
        let file = SourceFile::new("s.toml", text);
        let at = |path: &[&str], text: Option<&str>| {
            entry(&file, path, text).map(|span| span.line_col().line)
        };
        assert_eq!(at(&["provider", "a", "versions"], Some("1.0.0")), Some(2));
        assert_eq!(at(&["provider", "b", "versions"], Some("1.0.0")), Some(6));
        assert_eq!(at(&["provider", "b", "versions"], None), Some(4));
        assert_eq!(at(&["value", "x.y"], None), Some(8));
        for none in [&["value", "z"][..], &["none", "z"], &["value"], &[]] {
            assert_eq!(at(none, Some("1.0.0")), None);
        }
        // The rest of a file that is no TOML is still looked at.
        let broken = SourceFile::new("s.toml", format!("{text}<<<<<<< ours\n"));
        assert!(entry(&broken, &["provider", "a", "versions"], None).is_some());
    }
}
