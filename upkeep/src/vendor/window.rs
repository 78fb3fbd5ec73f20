//! Edits of `sources.toml`: a version comes into the window or leaves it, and nothing else changes.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use agentwire_codegen::sources::{SourcesError, namespace_decision};
use semver::Version;
use toml_edit::{Array, DocumentMut, Item, TableLike, Value};

/// The order of versions: by number where both are semantic versions, else by text.
pub fn compare(a: &str, b: &str) -> Ordering {
    match (Version::parse(a), Version::parse(b)) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) | (Err(_), Err(_)) => a.cmp(b),
    }
}

/// Whether a version is one that everybody gets: without a suffix such as `-beta.1`.
pub fn is_release(version: &str) -> bool {
    Version::parse(version).is_ok_and(|version| version.pre.is_empty())
}

/// `sources.toml` while it is edited.
#[derive(Debug)]
pub struct Edited(DocumentMut);

impl Edited {
    /// Reads the text.
    pub fn new(text: &str) -> Result<Self, SourcesError> {
        let document = text.parse::<DocumentMut>();
        document
            .map(Self)
            .map_err(|error| SourcesError(error.to_string()))
    }

    /// The text, which differs from the one that was read in what was edited only.
    pub fn text(&self) -> String {
        self.0.to_string()
    }

    /// Adds a version to the window, where the order of versions wants it.
    pub fn add_version(&mut self, provider: &str, version: &str) -> Result<(), SourcesError> {
        let window = self.window(provider)?;
        let known = |value: &Value| value.as_str() == Some(version);
        if window.iter().any(known) {
            return Ok(());
        }
        let later = |value: &Value| {
            value
                .as_str()
                .is_some_and(|other| compare(other, version) == Ordering::Greater)
        };
        let at = window.iter().position(later).unwrap_or(window.len());
        insert(window, at, version);
        Ok(())
    }

    /// Takes a version out of the window, with the versions of other packages that go with it.
    pub fn drop_version(&mut self, provider: &str, version: &str) -> Result<(), SourcesError> {
        let window = self.window(provider)?;
        let place = window
            .iter()
            .position(|value| value.as_str() == Some(version));
        if let Some(place) = place {
            let first = place == 0;
            let removed = window.remove(place);
            // The first value has no space before it.
            if let Some(next) = window.get_mut(0).filter(|_| first) {
                *next.decor_mut() = removed.decor().clone();
            }
        }
        let externals = self.table(&["provider", provider, "types", "external"]);
        for (_, package) in externals.into_iter().flat_map(|it| it.iter_mut()) {
            let versions = package.get_mut("versions");
            if let Some(versions) = versions.and_then(Item::as_table_like_mut) {
                versions.remove(version);
            }
        }
        Ok(())
    }

    /// Says which version of another package goes with a version of the provider.
    pub fn pin(
        &mut self,
        provider: &str,
        package: &str,
        version: &str,
        pinned: &str,
    ) -> Result<(), SourcesError> {
        let path = [
            "provider", provider, "types", "external", package, "versions",
        ];
        let Some(versions) = self.table(&path) else {
            return Err(SourcesError(format!("[{}] is no table", path.join("."))));
        };
        versions.insert(version, toml_edit::value(pinned));
        Ok(())
    }

    /// Takes out decisions of a provider, by the names that the lock records them under.
    pub fn drop_decisions(&mut self, provider: &str, decisions: &BTreeSet<String>) {
        let Some(table) = self.table(&["provider", provider]) else {
            return;
        };
        if let Some(namespaces) = table.get_mut("namespace").and_then(Item::as_table_like_mut) {
            let names: Vec<String> = namespaces.iter().map(|(name, _)| name.to_owned()).collect();
            for name in names {
                if decisions.contains(&namespace_decision(&name)) {
                    namespaces.remove(&name);
                }
            }
            if namespaces.is_empty() {
                table.remove("namespace");
            }
        }
        for (list, key) in [
            ("rename", "definition"),
            ("undeclared", "type"),
            ("opaque", "type"),
        ] {
            let Some(entries) = table.get_mut(list).and_then(Item::as_array_of_tables_mut) else {
                continue;
            };
            entries.retain(|entry| {
                let name = entry.get(key).and_then(Item::as_str).unwrap_or_default();
                !decisions.contains(&format!("{list} {name}"))
            });
            if entries.is_empty() {
                table.remove(list);
            }
        }
    }

    /// Takes the results of methods out that no version requests any more.
    pub fn drop_results(&mut self, kind: &str, id: &str, methods: &BTreeSet<String>) {
        let Some(results) = self.table(&[kind, id, "results"]) else {
            return;
        };
        for method in methods {
            results.remove(method);
        }
    }

    fn window(&mut self, provider: &str) -> Result<&mut Array, SourcesError> {
        self.table(&["provider", provider])
            .and_then(|table| table.get_mut("versions"))
            .and_then(Item::as_array_mut)
            .ok_or_else(|| SourcesError(format!("[provider.{provider}] has no list of `versions`")))
    }

    fn table(&mut self, path: &[&str]) -> Option<&mut dyn TableLike> {
        let mut table: &mut dyn TableLike = self.0.as_table_mut();
        for step in path {
            table = table.get_mut(step)?.as_table_like_mut()?;
        }
        Some(table)
    }
}

/// A value on a line of its own stays on one, and values on one line stay there.
fn insert(list: &mut Array, at: usize, version: &str) {
    let decor = |index: usize| list.get(index).map(|value| value.decor().clone());
    let spread = |prefix: Option<&str>| prefix.is_some_and(|prefix| prefix.contains('\n'));
    let first = decor(0);
    let own_lines = first
        .as_ref()
        .is_some_and(|decor| spread(decor.prefix().and_then(toml_edit::RawString::as_str)));
    let mut value = Value::from(version);
    match first {
        Some(first) if at == 0 => {
            *value.decor_mut() = first.clone();
            if let Some(second) = list.get_mut(0).filter(|_| !own_lines) {
                second.decor_mut().set_prefix(" ");
            }
        }
        Some(first) if own_lines => {
            value
                .decor_mut()
                .set_prefix(first.prefix().cloned().unwrap_or_default());
        }
        Some(_) => value.decor_mut().set_prefix(" "),
        None => {}
    }
    list.insert_formatted(at, value);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const TEXT: &str = r#"# Above.
[provider.acme]
package = "acme"   # odd spaces
versions = ["1.0.0", "1.10.0"] # oldest first
faces = ["stable"]

# Why the namespace is there.
[provider.acme.namespace]
old = ["Old.json"]

[provider.acme.types.external."@parts/sdk"]
alias = "parts"
versions."1.0.0" = "2.0.0"

[[provider.acme.rename]]
definition = "Thing"

# The second one.
[[provider.acme.rename]]
definition = "Other"

[provider.next]
versions = [
    "2.0.0",
]

[surface."a.b".results]
"x/y" = "Z"
"z" = "Y" # stays
"#;

    fn edited(edit: impl FnOnce(&mut Edited)) -> String {
        let mut sources = Edited::new(TEXT).unwrap();
        edit(&mut sources);
        sources.text()
    }

    #[test]
    fn a_version_goes_where_the_order_wants_it_and_every_other_byte_stays() {
        for (version, list) in [
            ("1.9.0", r#"["1.0.0", "1.9.0", "1.10.0"]"#),
            ("0.9.0", r#"["0.9.0", "1.0.0", "1.10.0"]"#),
            ("2.0.0", r#"["1.0.0", "1.10.0", "2.0.0"]"#),
            ("1.0.0", r#"["1.0.0", "1.10.0"]"#),
        ] {
            let text = edited(|it| it.add_version("acme", version).unwrap());
            assert_eq!(text, TEXT.replace(r#"["1.0.0", "1.10.0"]"#, list));
        }
        let text = edited(|it| it.add_version("next", "2.1.0").unwrap());
        assert_eq!(
            text,
            TEXT.replace("    \"2.0.0\",\n", "    \"2.0.0\",\n    \"2.1.0\",\n")
        );
    }

    #[test]
    fn what_goes_with_a_version_goes() {
        let text = edited(|it| it.drop_version("acme", "1.0.0").unwrap());
        let expected = TEXT
            .replace(r#"["1.0.0", "1.10.0"]"#, r#"["1.10.0"]"#)
            .replace("versions.\"1.0.0\" = \"2.0.0\"\n", "");
        assert_eq!(text, expected);
        let decisions = BTreeSet::from(["rename Thing".to_owned(), "namespace old".to_owned()]);
        let text = edited(|it| {
            it.drop_decisions("acme", &decisions);
            it.drop_results("surface", "a.b", &BTreeSet::from(["x/y".to_owned()]));
        });
        let expected = TEXT
            .replace("# Why the namespace is there.\n[provider.acme.namespace]\nold = [\"Old.json\"]\n\n", "")
            .replace("[[provider.acme.rename]]\ndefinition = \"Thing\"\n\n", "")
            .replace("\"x/y\" = \"Z\"\n", "");
        assert_eq!(text, expected);
    }

    #[test]
    fn a_pin_stands_beside_the_others() {
        let text = edited(|it| it.pin("acme", "@parts/sdk", "1.11.0", "2.5.0").unwrap());
        let line = "versions.\"1.0.0\" = \"2.0.0\"\n";
        assert_eq!(
            text,
            TEXT.replace(line, &format!("{line}versions.\"1.11.0\" = \"2.5.0\"\n"))
        );
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(compare("0.9.0", "0.10.0"), Ordering::Less);
        assert!(is_release("1.0.0") && !is_release("1.0.0-beta.1"));
        assert!(
            Edited::new(TEXT)
                .unwrap()
                .add_version("none", "1.0.0")
                .is_err()
        );
    }
}
