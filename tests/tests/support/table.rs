//! Tables of facts beside the tests.

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
