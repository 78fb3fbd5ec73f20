//! The class of a failure that a status of the model's server tells.

use crate::canonical::ErrorClass;

/// The class of an HTTP status.
pub(crate) fn of_status(status: u16) -> ErrorClass {
    match status {
        401 | 403 => ErrorClass::PermissionError,
        402 | 429 => ErrorClass::UsageLimit,
        408 => ErrorClass::TransportError,
        400..=499 => ErrorClass::ValidationError,
        500..=599 => ErrorClass::ProviderError,
        _ => ErrorClass::Unknown,
    }
}

/// The status that stands in a text behind certain words.
pub(crate) fn status_after(words: &str, text: &str) -> Option<u16> {
    let (_, after) = text.split_once(words)?;
    leading_status(after)
}

/// The status that a text begins with, where it stands alone.
pub(crate) fn leading_status(text: &str) -> Option<u16> {
    let digits = text.get(..3)?;
    let ends = text
        .get(3..)
        .is_none_or(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()));
    let status = digits.parse().ok()?;
    (ends && (100..600).contains(&status)).then_some(status)
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
    fn a_status_stands_alone() {
        assert_eq!(leading_status("529 {}"), Some(529));
        assert_eq!(leading_status("403"), Some(403));
        for text in ["5290", "lamp", "52", "40é", "+40", "099 x"] {
            assert_eq!(leading_status(text), None, "{text}");
        }
    }
}
