//! The lives of threads and turns.

use std::sync::Arc;

use super::{Before, Draft, Ledger, Phase, Refs, Rule};
use crate::canonical::{
    EventPayload, ThreadId, ThreadStarted, ThreadState, TurnCompleted, TurnId, TurnStarted,
    TurnState,
};
use crate::kit::sources::{Clock, IdKind, IdSource};

#[derive(Debug)]
pub(super) struct Thread {
    id: ThreadId,
    phase: Phase,
}

#[derive(Debug)]
pub(super) struct Turn {
    id: TurnId,
    pub phase: Phase,
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    pub(super) fn thread_id(&mut self, refs: &Refs) -> Option<ThreadId> {
        let name = refs.thread.as_ref()?;
        if refs.minted && self.threads.get(&self.nowhere, name).is_none() {
            let thread = Thread {
                id: self.ids.next(IdKind::Thread).into(),
                phase: Phase::Mentioned,
            };
            self.threads.insert(&self.nowhere, name, thread);
        }
        let thread = self.threads.get(&self.nowhere, name)?;
        Some(thread.id.clone())
    }

    pub(super) fn turn_id(&mut self, scope: &Arc<str>, refs: &Refs) -> Option<TurnId> {
        let name = refs.turn.as_ref()?;
        if refs.minted && self.turns.get(scope, name).is_none() {
            let turn = Turn {
                id: self.ids.next(IdKind::Turn).into(),
                phase: Phase::Mentioned,
            };
            self.turns.insert(scope, name, turn);
            let group = (Arc::clone(scope), Arc::clone(&self.nowhere));
            self.turns.group(scope, name, group, 0);
        }
        let turn = self.turns.get(scope, name)?;
        Some(turn.id.clone())
    }

    /// What comes before the start or the end of a thread.
    pub(super) fn first_of_thread(
        &self,
        refs: &Refs,
        payload: &EventPayload,
    ) -> Result<Before, Rule> {
        let Some(name) = &refs.thread else {
            return Ok(Before::new());
        };
        let known = self.threads.get(&self.nowhere, name);
        let phase = known.map(|thread| thread.phase);
        if let EventPayload::ThreadStarted(_) = payload
            && phase == Some(Phase::Started)
        {
            return Err(Rule::Twice);
        }
        if !closes(payload) {
            return Ok(Before::new());
        }
        let mut first = Before::new();
        match phase {
            Some(Phase::Ended) => return Err(Rule::Twice),
            Some(Phase::Mentioned) => {
                let start = EventPayload::from(ThreadStarted::default());
                let refs = Refs {
                    session: refs.session.clone(),
                    thread: refs.thread.clone(),
                    ..Refs::default()
                };
                first.push((
                    Draft {
                        refs,
                        payload: start,
                    },
                    Rule::Stub,
                ));
            }
            Some(Phase::Started) | None => {}
        }
        let open = self.of_thread(name).into_iter();
        first.extend(open.map(|draft| (draft, Rule::ThreadCloses)));
        Ok(first)
    }

    pub(super) fn move_thread(&mut self, refs: &Refs, payload: &EventPayload) {
        let Some(name) = &refs.thread else {
            return;
        };
        let phase = if closes(payload) {
            Phase::Ended
        } else if let EventPayload::ThreadStarted(_) = payload {
            Phase::Started
        } else {
            return;
        };
        if let Some(thread) = self.threads.get_mut(&self.nowhere, name) {
            thread.phase = phase;
        }
        if phase == Phase::Ended {
            // The provider has let go of it: what it names there from now on is something new.
            self.items.forget_scope(name);
            self.threads.end(&self.nowhere, name);
        }
    }

    /// What comes before the start or the end of a turn.
    pub(super) fn first_of_turn(
        &self,
        refs: &Refs,
        payload: &EventPayload,
        rule: Option<Rule>,
    ) -> Result<Before, Rule> {
        let Some(name) = &refs.turn else {
            return Ok(Before::new());
        };
        let scope = self.scope(refs);
        let known = self.turns.get(scope, name);
        let Some(phase) = known.map(|turn| turn.phase) else {
            return Ok(Before::new());
        };
        if let EventPayload::TurnStarted(_) = payload {
            return match phase {
                Phase::Started => Err(Rule::Twice),
                Phase::Ended => Err(Rule::AfterTheEnd),
                Phase::Mentioned => Ok(self.overtaken(scope)),
            };
        }
        let Some(state) = ends(payload) else {
            return Ok(Before::new());
        };
        let mut first = Before::new();
        match phase {
            Phase::Ended => return Err(Rule::AfterTheEnd),
            Phase::Mentioned => {
                let refs = Refs {
                    item: None,
                    request: None,
                    ..refs.clone()
                };
                let payload = TurnStarted::default().into();
                first.push((Draft { refs, payload }, Rule::Stub));
            }
            Phase::Started => {}
        }
        let open = self.of_turn(&(Arc::clone(scope), Arc::clone(name)), state);
        let rule = rule.unwrap_or(Rule::TurnEnds);
        first.extend(open.into_iter().map(|draft| (draft, rule)));
        Ok(first)
    }

    pub(super) fn move_turn(&mut self, refs: &Refs, payload: &EventPayload) {
        let phase = if let EventPayload::TurnStarted(_) = payload {
            Phase::Started
        } else if ends(payload).is_some() {
            Phase::Ended
        } else {
            return;
        };
        let Some(name) = &refs.turn else {
            return;
        };
        let scope = refs.thread.as_ref().unwrap_or(&self.nowhere);
        if let Some(turn) = self.turns.get_mut(scope, name) {
            turn.phase = phase;
        }
        if phase == Phase::Ended {
            self.turns.end(scope, name);
        }
    }

    /// The ends of the turns that are open where another one begins.
    fn overtaken(&self, scope: &Arc<str>) -> Before {
        if !self.lifecycle.one_turn_at_a_time {
            return Before::new();
        }
        let open = self.turns.open_of(scope);
        let started = open.filter(|(.., turn)| turn.phase == Phase::Started);
        let ends = started.map(|(scope, name, _)| {
            let draft = ended(scope, name, TurnCompleted::new(TurnState::Interrupted));
            (draft, Rule::NextTurn)
        });
        ends.collect()
    }

    /// Whether a turn ended.
    pub(super) fn is_over(&self, refs: &Refs) -> bool {
        let turn = refs.turn.as_ref();
        let turn = turn.and_then(|name| self.turns.get(self.scope(refs), name));
        turn.is_some_and(|turn| turn.phase == Phase::Ended)
    }
}

/// The end of a turn that nobody tells.
pub(super) fn ended(scope: &Arc<str>, name: &Arc<str>, end: TurnCompleted) -> Draft {
    Draft {
        refs: Refs {
            thread: Some(Arc::clone(scope)),
            turn: Some(Arc::clone(name)),
            ..Refs::default()
        },
        payload: end.into(),
    }
}

/// Whether an event closes its thread.
fn closes(payload: &EventPayload) -> bool {
    matches!(payload, EventPayload::ThreadStateChanged(change) if change.state == ThreadState::Closed)
}

/// How a turn ended, where an event ends one.
fn ends(payload: &EventPayload) -> Option<TurnState> {
    if let EventPayload::TurnCompleted(end) = payload {
        return Some(end.state);
    }
    matches!(payload, EventPayload::TurnAborted(_)).then_some(TurnState::Interrupted)
}
