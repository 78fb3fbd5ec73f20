//! What a mapping hands to the ledger: an event that knows only the provider's ids.

use std::sync::Arc;

use crate::canonical::{EventPayload, ProviderRefs, TrimmedNonEmptyString};

/// An event that has no canonical ids yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What the event is about, in the provider's ids.
    pub refs: Refs,
    /// What happened.
    pub payload: EventPayload,
}

/// The provider's own ids of what a draft is about. A blank id counts as none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refs {
    /// The session.
    pub session: Option<Arc<str>>,
    /// The thread.
    pub thread: Option<Arc<str>>,
    /// The turn, which is the thread's.
    pub turn: Option<Arc<str>>,
    /// The item, which is the thread's.
    pub item: Option<Arc<str>>,
    /// The request.
    pub request: Option<Arc<str>>,
    /// Whether a provider id that is new gets a canonical one. Where this is `false`, canonical
    /// ids are only looked up: the message was not understood well enough to trust its ids.
    pub minted: bool,
    /// Whether what the draft starts or speaks of, an item or a task, runs in the background: it
    /// does not end with its turn. Once said, it holds.
    pub runs_on: bool,
}

/// Marks a name that a mapping made, because the provider has none for the thing.
const OWN: char = '\u{1}';

/// A name for what the provider gives no id. It keys a thing in the ledger like an id of the
/// provider, and no event carries it.
pub(crate) fn own_name(name: &str) -> Arc<str> {
    Arc::from(format!("{OWN}{name}"))
}

/// A name for what the provider names by an id that means another thing elsewhere. Events carry the
/// id as the provider has it.
pub(crate) fn scoped_name(scope: &str, id: &str) -> Arc<str> {
    Arc::from(format!("{OWN}{scope}{OWN}{id}"))
}

/// Whether a mapping made a name.
pub(super) fn is_own(name: &str) -> bool {
    name.starts_with(OWN)
}

impl Refs {
    /// The same without the ids that are blank, which name nothing.
    pub(super) fn without_blanks(self) -> Self {
        let filled = |id: Option<Arc<str>>| id.filter(|id| !id.trim().is_empty());
        Self {
            session: filled(self.session),
            thread: filled(self.thread),
            turn: filled(self.turn),
            item: filled(self.item),
            request: filled(self.request),
            minted: self.minted,
            runs_on: self.runs_on,
        }
    }

    /// How long its texts are.
    pub(super) fn len(&self) -> usize {
        let all = [
            &self.session,
            &self.thread,
            &self.turn,
            &self.item,
            &self.request,
        ];
        all.into_iter().flatten().map(|id| id.len()).sum()
    }

    /// The ids as an event carries them.
    pub(super) fn to_provider_refs(&self) -> Option<ProviderRefs> {
        let told = |id: &Option<Arc<str>>| match id.as_ref()?.strip_prefix(OWN) {
            None => id.clone(),
            Some(own) => own.split_once(OWN).map(|(_, id)| Arc::from(id)),
        };
        let refs = ProviderRefs {
            provider_session_id: told(&self.session).map(Into::into),
            provider_thread_id: told(&self.thread).map(Into::into),
            provider_turn_id: told(&self.turn).map(Into::into),
            provider_item_id: told(&self.item).map(Into::into),
            provider_request_id: told(&self.request)
                .as_ref()
                .and_then(TrimmedNonEmptyString::from_shared),
        };
        (refs != ProviderRefs::default()).then_some(refs)
    }
}
