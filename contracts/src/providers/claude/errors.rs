//! The class of what went wrong: by the status of the model's server, or by the agent's own word.

use crate::canonical::ErrorClass;
pub(super) use crate::kit::failures::of_status;
use crate::kit::failures::status_after;

/// The status in a text of the form `API Error: 529 …`: older versions tell it nowhere else.
pub(super) fn status_in(text: &str) -> Option<u16> {
    status_after("API Error: ", text)
}

/// The class that a word of the agent names, which no type has: how it failed to reach the server.
pub(super) fn of_word(word: &str) -> Option<ErrorClass> {
    match word {
        "connection_failed" => Some(ErrorClass::TransportError),
        "usage_limit_reached" => Some(ErrorClass::UsageLimit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_from_the_text_where_it_stands_alone() {
        assert_eq!(status_in("API Error: 529 {}"), Some(529));
        assert_eq!(status_in("It failed. API Error: 403"), Some(403));
        assert_eq!(status_in("API Error: 5290"), None);
        assert_eq!(status_in("API Error: Lamp"), None);
        assert_eq!(status_in("API Error: 52"), None);
        assert_eq!(status_in("529"), None);
        assert_eq!(status_in("API Error: 40é"), None);
    }
}
