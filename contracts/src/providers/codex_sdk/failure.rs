//! The class of a failure, which the lines of `codex exec --json` tell in words only.

use crate::canonical::ErrorClass;
use crate::kit::failures::{of_status, status_after};

/// What stands in the program's words before the status of the model's server.
const STATUS: &str = "unexpected status ";

/// Words that say what kind of failure it is, the more particular ones first.
const WORDS: &[(&str, ErrorClass)] = &[
    ("usage limit", ErrorClass::UsageLimit),
    ("Transport error", ErrorClass::TransportError),
    ("error sending request", ErrorClass::TransportError),
];

/// The class of a failure. The program tells what it could not do itself in other ways: where its
/// words say no more, the model or its server has failed.
pub(super) fn class(words: &str) -> ErrorClass {
    if let Some(status) = status_after(STATUS, words) {
        return of_status(status);
    }
    let known = WORDS.iter().find(|(part, _)| words.contains(part));
    known.map_or(ErrorClass::ProviderError, |(_, class)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_class() {
        for (words, wanted) in [
            (
                "unexpected status 401 Unauthorized: no lamp",
                ErrorClass::PermissionError,
            ),
            (
                "Again... 1/1 (unexpected status 503 Gone)",
                ErrorClass::ProviderError,
            ),
            ("unexpected status x", ErrorClass::ProviderError),
            ("the usage limit is reached", ErrorClass::UsageLimit),
            ("cut off: Transport error: lamp", ErrorClass::TransportError),
            ("the model failed", ErrorClass::ProviderError),
        ] {
            assert_eq!(class(words), wanted, "{words}");
        }
    }
}
