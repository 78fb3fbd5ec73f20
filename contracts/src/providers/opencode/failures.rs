//! Errors of sessions and messages: their class, and what people read.

use crate::canonical::{ErrorClass, RuntimeError};
use crate::json::OwnedJson;
use crate::kit::failures::of_status;
use crate::kit::members::each_member;
use crate::kit::parts::filled;
use crate::providers::opencode::wire::{
    ApiError, AssistantMessageError as OfMessage, EventSessionErrorPropertiesError as OfSession,
    values,
};

use super::turns::Failure;

/// An error as it was told.
pub(super) struct Told {
    /// What it means for a turn.
    pub failure: Failure,
    class: ErrorClass,
    detail: Option<OwnedJson>,
}

impl Told {
    /// The event that tells it; none for a turn that was broken off, whose end tells it.
    pub fn event(&self) -> Option<RuntimeError> {
        let Failure::Failed(words) = &self.failure else {
            return None;
        };
        Some(RuntimeError {
            message: words.clone(),
            class: Some(self.class),
            detail: self.detail.clone(),
        })
    }

    /// An error that the server tells of no session, or without saying what.
    pub fn nameless() -> Self {
        Self {
            failure: Failure::Failed(String::from("the server told an error without a name")),
            class: ErrorClass::Unknown,
            detail: None,
        }
    }

    /// An error of which only words are told.
    pub fn words(words: &str, class: ErrorClass, detail: Option<OwnedJson>) -> Self {
        Self {
            failure: Failure::Failed(words.to_owned()),
            class,
            detail,
        }
    }
}

/// The two unions have the same members, and are two types.
macro_rules! told {
    ($name:ident, $union:ident, $class:path) => {
        /// Reads an error; `detail` is the same as it was sent.
        pub(super) fn $name(error: &$union<'_>, detail: Option<OwnedJson>) -> Told {
            let class = $class(error).unwrap_or(ErrorClass::Unknown);
            let (class, words) = match error {
                $union::ApiError(error) => (of_api(error).unwrap_or(class), &*error.data.message),
                $union::ContentFilterError(error) => (class, &*error.data.message),
                $union::ContextOverflowError(error) => (class, &*error.data.message),
                $union::MessageAbortedError(_) => {
                    return Told {
                        failure: Failure::Aborted,
                        class,
                        detail,
                    };
                }
                $union::MessageOutputLengthError(_) => (class, ""),
                $union::ProviderAuthError(error) => (class, &*error.data.message),
                $union::StructuredOutputError(error) => (class, &*error.data.message),
                $union::UnknownError(error) => (class, &*error.data.message),
                $union::Unrecognized(_) => (class, ""),
            };
            let said = filled(words).or_else(|| message(detail.as_ref()?));
            let words = said.unwrap_or_else(|| error.tag().to_owned());
            Told {
                failure: Failure::Failed(words),
                class,
                detail,
            }
        }
    };
}

told!(of_session, OfSession, values::session_error);
told!(of_message, OfMessage, values::message_error);

/// The class that the status of the model's server tells.
fn of_api(error: &ApiError<'_>) -> Option<ErrorClass> {
    let status = error.data.status_code?;
    u16::try_from(status).ok().map(of_status)
}

/// The words of an error that no vendored version has.
fn message(error: &OwnedJson) -> Option<String> {
    let mut words = None;
    each_member(error, |name, value| {
        if name == "data" {
            each_member(&value.to_owned_json(), |name, value| {
                if name == "message" {
                    let text = crate::json::Reader::new(value.as_str()).string();
                    words = text.ok().and_then(filled);
                }
            });
        }
    });
    words
}
