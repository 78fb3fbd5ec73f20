//! The class of what went wrong: by the status of the model's server, or by the agent's own word.

use crate::canonical::ErrorClass;

/// The class of an HTTP status.
pub(super) fn of_status(status: u16) -> ErrorClass {
    match status {
        401 | 403 => ErrorClass::PermissionError,
        402 | 429 => ErrorClass::UsageLimit,
        408 => ErrorClass::TransportError,
        400..=499 => ErrorClass::ValidationError,
        500..=599 => ErrorClass::ProviderError,
        _ => ErrorClass::Unknown,
    }
}

/// The status in a text of the form `API Error: 529 …`: older versions tell it nowhere else.
pub(super) fn status_in(text: &str) -> Option<u16> {
    let (_, after) = text.split_once("API Error: ")?;
    let digits = after.get(..3)?;
    let ends = after
        .get(3..)
        .is_none_or(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()));
    let status = digits.parse().ok()?;
    (ends && (100..600).contains(&status)).then_some(status)
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
    fn statuses_have_their_class() {
        for (status, class) in [
            (400, ErrorClass::ValidationError),
            (401, ErrorClass::PermissionError),
            (408, ErrorClass::TransportError),
            (429, ErrorClass::UsageLimit),
            (529, ErrorClass::ProviderError),
            (200, ErrorClass::Unknown),
        ] {
            assert_eq!(of_status(status), class, "{status}");
        }
    }

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
