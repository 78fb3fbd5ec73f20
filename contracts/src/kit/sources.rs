//! Where new ids and times come from: injected, so that a run can be repeated exactly.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use crate::canonical::IsoDateTime;

/// What a new id is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdKind {
    /// An event.
    Event,
    /// A session.
    Session,
    /// A thread.
    Thread,
    /// A turn.
    Turn,
    /// An item.
    Item,
    /// A request.
    Request,
    /// A background task.
    Task,
}

impl IdKind {
    /// The kind in one word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Session => "session",
            Self::Thread => "thread",
            Self::Turn => "turn",
            Self::Item => "item",
            Self::Request => "request",
            Self::Task => "task",
        }
    }
}

/// Makes canonical ids; no id of a kind comes twice.
pub trait IdSource {
    /// A new id.
    fn next(&mut self, kind: IdKind) -> Arc<str>;
}

/// Makes the time that an event carries.
pub trait Clock {
    /// The time of an event whose message came with this time, if it came with one.
    fn now(&mut self, wire_ms: Option<i64>) -> IsoDateTime;
}

impl<T: IdSource + ?Sized> IdSource for Box<T> {
    fn next(&mut self, kind: IdKind) -> Arc<str> {
        (**self).next(kind)
    }
}

impl<T: Clock + ?Sized> Clock for Box<T> {
    fn now(&mut self, wire_ms: Option<i64>) -> IsoDateTime {
        (**self).now(wire_ms)
    }
}

/// Counts each kind from one: `event-1`, `event-2`, `thread-1`. The same stream gives the same ids.
#[derive(Clone, Debug, Default)]
pub struct SequentialIds {
    counts: [u64; 7],
}

impl SequentialIds {
    /// Nothing counted yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl IdSource for SequentialIds {
    fn next(&mut self, kind: IdKind) -> Arc<str> {
        let count = &mut self.counts[kind as usize];
        *count += 1;
        Arc::from(format!("{}-{count}", kind.as_str()))
    }
}

/// Makes ids that have the form of a random UUID and do not repeat between processes.
///
/// The standard library has no random numbers, but it keys its hash maps at random: a count that
/// is hashed under two such keys is as good for telling things apart. It is no secret.
#[derive(Clone, Debug, Default)]
pub struct RandomIds {
    keys: [RandomState; 2],
    count: u64,
}

impl RandomIds {
    /// A source with keys of its own.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl IdSource for RandomIds {
    fn next(&mut self, _kind: IdKind) -> Arc<str> {
        self.count += 1;
        // Standard keys of one thread differ by a counter only, so the process is hashed besides.
        let [high, low] =
            [0, 1].map(|half| self.keys[half].hash_one((self.count, std::process::id(), half)));
        Arc::from(format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xffff,
            high & 0x0fff,
            (low >> 48) & 0x3fff | 0x8000,
            low & 0xffff_ffff_ffff
        ))
    }
}

/// The system's clock; the wire's time is ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&mut self, _wire_ms: Option<i64>) -> IsoDateTime {
        IsoDateTime::now()
    }
}

/// The wire's clock: a message without a time has the time of the one before it, and those before
/// the first time have the epoch. The same stream gives the same times.
#[derive(Clone, Copy, Debug, Default)]
pub struct WireClock {
    last: IsoDateTime,
}

impl WireClock {
    /// A clock that shows the epoch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Clock for WireClock {
    fn now(&mut self, wire_ms: Option<i64>) -> IsoDateTime {
        if let Some(millis) = wire_ms {
            self.last = IsoDateTime::from_millis(millis);
        }
        self.last
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sequential_ids_count_each_kind() {
        let mut ids = SequentialIds::new();
        assert_eq!(&*ids.next(IdKind::Event), "event-1");
        assert_eq!(&*ids.next(IdKind::Task), "task-1");
        assert_eq!(&*ids.next(IdKind::Event), "event-2");
    }

    #[test]
    fn random_ids_look_like_uuids_and_do_not_repeat() {
        let mut seen = BTreeSet::new();
        for mut ids in [RandomIds::new(), RandomIds::new()] {
            for _ in 0..1_000 {
                let id = ids.next(IdKind::Event);
                assert_eq!(id.len(), 36, "{id}");
                assert!("89ab".contains(&id[19..20]) && &id[14..15] == "4", "{id}");
                assert!(seen.insert(id));
            }
        }
        assert_eq!(seen.len(), 2_000);
    }

    #[test]
    fn the_wire_clock_stands_still_without_a_time() {
        let mut clock = WireClock::new();
        let shown = [None, Some(5), None, Some(3), None].map(|wire| clock.now(wire).millis());
        assert_eq!(shown, [0, 5, 5, 3, 3]);
    }

    #[test]
    fn the_system_clock_ignores_the_wire() {
        assert!(SystemClock.now(Some(5)) > IsoDateTime::from_millis(5));
    }
}
