//! Turns that the wire does not name: a message of the user starts one, its result ends it.

use std::sync::Arc;

use crate::kit::ledger::{Refs, lasting_name, own_name};
use crate::kit::remembered::Remembered;

/// How many sessions are remembered.
const SESSIONS: usize = 256;

/// Where an event belongs: a thread, and a turn of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The thread, which is one conversation of the process.
    pub thread: Arc<str>,
    /// The turn.
    pub turn: Arc<str>,
}

/// Which turn is going on.
#[derive(Debug)]
pub(crate) struct Turns {
    threads: u64,
    thread: Option<Arc<str>>,
    /// The threads of sessions, by the agent's ids.
    of_sessions: Remembered<Arc<str>, Arc<str>>,
    /// The thread is that of an earlier program, as far as is known.
    resumed: bool,
    turns: u64,
    open: Option<Turn>,
}

/// A turn whose result is still to come.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    /// Where it belongs.
    pub scope: Scope,
    /// Its end was told before its result: the answer to a permission request broke it off.
    pub told: bool,
    /// The host or the user broke it off.
    pub stopped: bool,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            threads: 0,
            thread: None,
            of_sessions: Remembered::new(SESSIONS),
            resumed: false,
            turns: 0,
            open: None,
        }
    }
}

impl Turns {
    /// The thread that is going on. It has a name of ours, since the wire tells its own only after
    /// the first message of the user.
    pub fn thread(&mut self) -> Arc<str> {
        if self.thread.is_none() {
            self.next_thread();
        }
        self.thread
            .clone()
            .unwrap_or_else(|| lasting_name("thread"))
    }

    /// The same, where it was spoken of before.
    pub fn known_thread(&self) -> Option<&Arc<str>> {
        self.thread.as_ref()
    }

    /// Another conversation begins; what belongs to the turn that is going on stays where it was.
    pub fn next_thread(&mut self) {
        self.threads += 1;
        self.thread = Some(lasting_name(&format!("thread-{}", self.threads)));
    }

    /// The thread that is going on is that of a session, from now on.
    pub fn name_thread(&mut self, session: &str) {
        let thread = self.thread();
        self.of_sessions.insert(Arc::from(session), thread);
    }

    /// Goes on with the thread of a session, if it has one. What belongs to the turn that is going
    /// on stays where it was.
    pub fn resume(&mut self, session: &str) -> bool {
        let known = self.of_sessions.get(&Arc::from(session)).cloned();
        let is_known = known.is_some();
        self.thread = known.or_else(|| self.thread.take());
        is_known
    }

    /// Whether the thread is that of an earlier program, and nothing was told in it since then.
    pub fn is_resumed(&self) -> bool {
        self.resumed && self.open.is_none()
    }

    /// What the next program may go on with: what the user says before the agent tells which
    /// session it is belongs to the thread that was going on.
    pub fn after_exit(self) -> Self {
        Self {
            threads: self.threads,
            resumed: self.thread.is_some(),
            thread: self.thread,
            of_sessions: self.of_sessions,
            ..Self::default()
        }
    }

    /// Starts a turn, unless one is going on.
    pub fn start(&mut self) -> Option<Scope> {
        if self.open.is_some() {
            return None;
        }
        self.turns += 1;
        let scope = Scope {
            thread: self.thread(),
            turn: own_name(&format!("turn-{}", self.turns)),
        };
        self.open = Some(Turn {
            scope: scope.clone(),
            told: false,
            stopped: false,
        });
        Some(scope)
    }

    /// The turn that is going on.
    pub fn current(&self) -> Option<&Turn> {
        self.open.as_ref()
    }

    /// Where the turn that is going on belongs.
    pub fn scope(&self) -> Option<Scope> {
        self.open.as_ref().map(|turn| turn.scope.clone())
    }

    /// The host or the user breaks the turn off; its result is still to come.
    pub fn stop(&mut self) {
        if let Some(turn) = &mut self.open {
            turn.stopped = true;
        }
    }

    /// The end of the turn is told before its result. False where it was told already.
    pub fn tell_end(&mut self) -> bool {
        let Some(turn) = &mut self.open else {
            return false;
        };
        turn.stopped = true;
        !std::mem::replace(&mut turn.told, true)
    }

    /// The result is here.
    pub fn end(&mut self) -> Option<Turn> {
        self.open.take()
    }
}

/// Puts references into a turn.
pub(crate) fn set_scope(refs: &mut Refs, scope: &Scope) {
    refs.thread = Some(Arc::clone(&scope.thread));
    refs.turn = Some(Arc::clone(&scope.turn));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_turn_starts_once_and_ends_once() {
        let mut turns = Turns::default();
        let first = turns.start().unwrap();
        assert_eq!(turns.start(), None);
        assert!(turns.tell_end() && !turns.tell_end());
        assert!(turns.end().is_some_and(|turn| turn.told && turn.stopped));
        assert!(turns.end().is_none() && !turns.tell_end());
        let second = turns.start().unwrap();
        assert_eq!(first.thread, second.thread);
        assert_ne!(first.turn, second.turn);
    }

    #[test]
    fn another_conversation_leaves_the_turn_where_it_was() {
        let mut turns = Turns::default();
        let scope = turns.start().unwrap();
        turns.next_thread();
        assert_eq!(turns.scope().unwrap(), scope);
        turns.end();
        assert_ne!(turns.start().unwrap().thread, scope.thread);
    }
}
