//! The provider that a stream is of, found by name, and its readers with ids of one run.

use std::sync::{Arc, Mutex, PoisonError};

use agentwire::frame::Limits;
use agentwire::sources::{IdKind, IdSource, SequentialIds, WireClock};
use agentwire::{PROVIDERS, Provider, Session, Sources};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Ids that are the same in every run, and no two of which are the same in one run, of however many
/// streams.
#[derive(Clone, Default)]
pub struct Ids(Arc<Mutex<SequentialIds>>);

impl IdSource for Ids {
    fn next(&mut self, kind: IdKind) -> Arc<str> {
        let mut ids = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        ids.next(kind)
    }
}

/// The argument that names a provider.
pub fn argument() -> impl TypedValueParser<Value = &'static Provider> {
    let values = PROVIDERS.iter();
    let values = values.map(|it| PossibleValue::new(it.name).help(it.about));
    let values = PossibleValuesParser::new(values);
    values.try_map(|name| Provider::find(&name).ok_or("no provider has this name"))
}

/// A reader of the provider's live wire.
pub fn live(provider: &Provider, ids: Ids) -> Box<dyn Session> {
    provider.open(sources(ids))
}

/// A reader of the provider's stored sessions; the live one where it stores none.
pub fn stored(provider: &Provider, ids: Ids) -> Box<dyn Session> {
    match provider.stored {
        Some(open) => open(sources(ids)),
        None => live(provider, ids),
    }
}

fn sources(ids: Ids) -> Sources {
    Sources {
        ids: Box::new(ids),
        clock: Box::new(WireClock::default()),
        limits: Limits::default(),
    }
}
