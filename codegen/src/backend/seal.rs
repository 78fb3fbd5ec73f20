//! The seal: the build fails while a row table differs from what the code was generated from.

use std::collections::BTreeMap;

/// The seal over the row tables, by path from the root of the repository.
pub fn seal(tables: &BTreeMap<String, String>) -> String {
    let mut text = String::from(SEALED);
    for (path, table) in tables {
        let digest = fnv(table.as_bytes());
        // The seal stands in `contracts/src/generated`, the tables in `contracts/mapping`.
        let relative = path
            .strip_prefix("contracts/")
            .map_or_else(|| path.clone(), |rest| format!("../../{rest}"));
        text.push_str(&format!("sealed!({path:?}, {relative:?}, {digest});\n"));
    }
    super::file("The seal of the row tables", &text)
}

/// A table by its path, by where it lies from here, and by its digest.
const SEALED: &str = "\
macro_rules! sealed {
    ($table:literal, $file:literal, $digest:literal) => {
        const _: () = assert!(
            crate::kit::fnv::digest(include_bytes!($file)) == $digest,
            concat!($table, \" changed after the last `cargo xtask regen`: run it, and commit what it writes\")
        );
    };
}
";

/// FNV-1a over 64 bits, as `contracts` computes it at compile time.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
