//! Names of providers and surfaces that are kept outside of this crate, as they are read back from
//! events: each is kept once, for as long as the program runs.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// How many names are kept. What reads events of more providers than this reads anything.
const KEPT: usize = 256;

/// How long a name may be, in bytes.
const LONGEST: usize = 128;

static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// A name that lives as long as the program; nothing where it is empty, too long, one too many, or has
/// other characters than ASCII letters, digits, `.`, `-` and `_`.
pub(crate) fn kept(name: &str) -> Option<&'static str> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return Some(known);
    }
    let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let is_name = (1..=LONGEST).contains(&name.len()) && name.bytes().all(of_name);
    let name: &'static str = (is_name && names.len() < KEPT).then(|| Box::leak(Box::from(name)))?;
    names.insert(name);
    Some(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::canonical::ProviderKind;

    #[test]
    fn a_name_is_kept_once() {
        let one = kept("lamp").unwrap();
        assert!(std::ptr::eq(one, kept("lamp").unwrap()));
        assert_eq!(kept(" "), None);
        assert_eq!(kept(&"x".repeat(LONGEST + 1)), None);
    }

    #[test]
    fn a_provider_that_is_kept_elsewhere_is_read_back() {
        let kind = ProviderKind::Other("lamp-agent");
        let text = serde_json::to_string(&kind).unwrap();
        assert_eq!(text, "\"lamp-agent\"");
        assert_eq!(serde_json::from_str::<ProviderKind>(&text).unwrap(), kind);
        assert_eq!(
            serde_json::from_str::<ProviderKind>("\"codex\"").unwrap(),
            ProviderKind::Codex
        );
        assert!(serde_json::from_str::<ProviderKind>("\"\"").is_err());
    }
}
