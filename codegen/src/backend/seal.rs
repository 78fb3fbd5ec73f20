//! The seal: the build fails while a row table differs from what the code was generated from.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

/// The seal over the row tables, by path from the root of the repository.
pub fn seal(tables: &BTreeMap<String, String>) -> String {
    let checks = tables.iter().map(|(path, text)| {
        let digest = fnv(text.as_bytes());
        // The seal stands in `contracts/src/generated`, the tables in `contracts/mapping`.
        let relative = path
            .strip_prefix("contracts/")
            .map_or_else(|| path.clone(), |rest| format!("../../{rest}"));
        let message = format!(
            "{path} changed after the last `cargo xtask regen`: run it, and commit what it writes"
        );
        quote!(
            const _: () =
                assert!(crate::kit::fnv::digest(include_bytes!(#relative)) == #digest, #message);
        )
    });
    let checks: TokenStream = checks.collect();
    super::print("The seal of the row tables", checks)
}

/// FNV-1a over 64 bits, as `contracts` computes it at compile time.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
