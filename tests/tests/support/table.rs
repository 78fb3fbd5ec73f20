//! Tables of facts beside the tests.

use std::collections::BTreeSet;
use std::fs;

use agentwire_tests::root;

/// The lines of a file in `tests/data`, without blank ones and those that begin with `#`.
pub fn lines(name: &str) -> Vec<String> {
    let path = root().join("tests/data").join(name);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// The rows of a table of `N` columns between tabs, below its head.
pub fn rows<const N: usize>(name: &str) -> Vec<[String; N]> {
    let rows = lines(name).into_iter().skip(1).map(|line| {
        let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
        cells
            .try_into()
            .unwrap_or_else(|cells| panic!("{name}: not {N} columns: {cells:?}"))
    });
    rows.collect()
}

/// A reviewed list in `tests/data`. With `UPDATE_EXPECT` in the environment what was found is added to it; with
/// all recordings at hand, what is found no more must leave it.
pub fn reviewed(name: &str, found: &BTreeSet<String>) -> BTreeSet<String> {
    let path = root().join("tests/data").join(name);
    let listed: BTreeSet<String> = lines(name).into_iter().collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let all: Vec<&str> = found.union(&listed).map(String::as_str).collect();
        let text = fs::read_to_string(&path).unwrap();
        let head: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with('#'))
            .collect();
        fs::write(&path, format!("{}\n{}\n", head.join("\n"), all.join("\n"))).unwrap();
        return found.clone();
    }
    if std::env::var_os("AGENTWIRE_RECORDED").is_some() {
        assert_eq!(
            listed.difference(found).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "not found any more"
        );
    }
    listed
}
