//! Texts of the parts that messages of version 2 are made of.

use crate::canonical::AuthStatus;
use crate::generated::acp_v2::{AuthAccount, AuthState, ContentBlock, ToolCallContent};
use crate::parts::filled;

/// The text of a block that has one.
pub(super) fn block_text<'m>(block: &'m ContentBlock<'_>) -> Option<&'m str> {
    match block {
        ContentBlock::Text(text) => Some(&text.text),
        ContentBlock::Audio(_)
        | ContentBlock::Image(_)
        | ContentBlock::Resource(_)
        | ContentBlock::ResourceLink(_)
        | ContentBlock::Unrecognized(_) => None,
    }
}

/// The text blocks of a message as one text.
pub(super) fn text_of(blocks: &[ContentBlock<'_>]) -> Option<String> {
    let texts: Vec<&str> = blocks.iter().filter_map(block_text).collect();
    filled(texts.join("\n"))
}

/// The text of a piece that a tool produced.
pub(super) fn content_text<'m>(content: &'m ToolCallContent<'_>) -> Option<&'m str> {
    match content {
        ToolCallContent::Content(content) => block_text(&content.content),
        ToolCallContent::Diff(_)
        | ToolCallContent::Terminal(_)
        | ToolCallContent::Unrecognized(_) => None,
    }
}

/// The text of all that a tool produced.
pub(super) fn produced(content: &[ToolCallContent<'_>]) -> Option<String> {
    let texts: Vec<&str> = content.iter().filter_map(content_text).collect();
    filled(texts.join("\n"))
}

/// The state of an agent's login, with its accounts by their labels.
pub(super) fn auth_status(state: &AuthState, accounts: Option<&[AuthAccount<'_>]>) -> AuthStatus {
    let labels = accounts.unwrap_or_default().iter();
    let labels = labels.map(|account| account.label.to_string());
    let output = std::iter::once(state.as_str().to_owned()).chain(labels);
    let error = match state {
        AuthState::Unauthenticated => Some(String::from("not authenticated")),
        AuthState::Authenticated
        | AuthState::NotRequired
        | AuthState::Unknown
        | AuthState::Unrecognized(_) => None,
    };
    AuthStatus {
        is_authenticating: Some(false),
        output: Some(output.collect()),
        error,
    }
}

/// A value of a patch that is set: neither left out nor cleared.
pub(super) fn set<T>(patch: &Option<Option<T>>) -> Option<&T> {
    patch.as_ref().and_then(Option::as_ref)
}
