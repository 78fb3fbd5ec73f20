//! What an end closes: everything that is open in a turn, in a thread, or at all.

use std::sync::Arc;

use super::items::Item;
use super::memory::{Key, Memory};
use super::requests::Asked;
use super::turns::ended;
use super::work::Kind;
use super::{Close, Draft, Ends, Ledger, Phase, Refs};
use crate::canonical::{
    ExitKind, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, SessionExited, TaskStatus,
    TurnCompleted, TurnState,
};
use crate::kit::sources::{Clock, IdSource};

/// Where an end closes what is open.
enum Place<'p> {
    Turn(&'p Key),
    Thread(&'p Arc<str>),
    Everywhere,
}

/// The ends of what is open in a place, by kind.
#[derive(Default)]
struct Closing {
    items: Vec<Draft>,
    requests: Vec<Draft>,
    questions: Vec<Draft>,
    tasks: Vec<Draft>,
    hooks: Vec<Draft>,
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// The ends of what is open in a turn that ends like this.
    pub(super) fn of_turn(&self, turn: &Key, state: TurnState) -> Vec<Draft> {
        let ends = &self.lifecycle.turn_ends;
        let well = state == TurnState::Completed;
        let stopped = state != TurnState::Failed;
        self.closing(&Place::Turn(turn), ends, well, stopped)
            .in_order()
    }

    /// The ends of what is open in a thread, its turns with the rest.
    pub(super) fn of_thread(&self, thread: &Arc<str>) -> Vec<Draft> {
        let ends = &self.lifecycle.thread_closes;
        let place = Place::Thread(thread);
        let mut drafts = self.closing(&place, ends, false, true).in_order();
        if self.lifecycle.turns_outlive_their_thread {
            return drafts;
        }
        let open = self.turns.open_of(thread);
        let started = open.filter(|(.., turn)| turn.phase == Phase::Started);
        let end = || TurnCompleted::new(TurnState::Interrupted);
        drafts.extend(started.map(|(scope, name, _)| ended(scope, name, end())));
        drafts
    }

    /// The ends of everything that is open when the program is gone.
    pub(super) fn everything(&self, exit: &SessionExited) -> Vec<Draft> {
        let stopped = exit.exit_kind == Some(ExitKind::Graceful);
        let closing = self.closing(&Place::Everywhere, &self.lifecycle.exit, false, stopped);
        let mut drafts = closing.requests_first();
        let state = match stopped {
            true => TurnState::Interrupted,
            false => TurnState::Failed,
        };
        let reason = exit.reason.as_deref();
        let reason = reason.unwrap_or("the agent's program ended");
        let open = self.turns.open();
        let started = open.filter(|(.., turn)| turn.phase == Phase::Started);
        drafts.extend(started.map(|(scope, name, _)| {
            let end = TurnCompleted {
                error_message: Some(reason.to_owned()),
                ..TurnCompleted::new(state)
            };
            ended(scope, name, end)
        }));
        drafts
    }

    fn closing(&self, place: &Place<'_>, ends: &Ends, well: bool, stopped: bool) -> Closing {
        let mut closing = Closing::default();
        for (_, name, item) in open(&self.items, place) {
            let rule = match (item.runs_on, item.item_type) {
                (true, _) => ends.background,
                (false, ItemType::CommandExecution) if well => ends.commands,
                (false, _) => ends.items,
            };
            if item.phase == Phase::Started && rule != Close::Keep {
                closing.items.push(cut(name, item, well));
            }
        }
        for (.., request) in open(&self.requests, place) {
            for (asked, draft) in request.cancelled() {
                let (rule, drafts) = match asked {
                    Asked::Request(_) => (ends.requests, &mut closing.requests),
                    Asked::Question => (ends.questions, &mut closing.questions),
                };
                if rule != Close::Keep {
                    drafts.push(draft);
                }
            }
        }
        for (_, id, work) in open(&self.work, place) {
            let (rule, drafts) = match (work.kind, work.runs_on) {
                (Kind::Task, false) => (ends.tasks, &mut closing.tasks),
                (Kind::Task, true) => (ends.background_tasks, &mut closing.tasks),
                (Kind::Hook, _) => (ends.hooks, &mut closing.hooks),
            };
            let status = match rule {
                Close::Keep => continue,
                Close::Stop if stopped => TaskStatus::Stopped,
                Close::Stop | Close::Fail => TaskStatus::Failed,
            };
            drafts.push(work.ended(id, status));
        }
        closing
    }
}

impl Closing {
    fn in_order(self) -> Vec<Draft> {
        let parts = [
            self.items,
            self.requests,
            self.questions,
            self.tasks,
            self.hooks,
        ];
        parts.concat()
    }

    fn requests_first(self) -> Vec<Draft> {
        let parts = [
            self.requests,
            self.questions,
            self.items,
            self.tasks,
            self.hooks,
        ];
        parts.concat()
    }
}

/// The end of an item that nobody tells. It is no success; where only a request named it, nothing
/// is known of it but that.
pub(super) fn cut(name: &Arc<str>, item: &Item, well: bool) -> Draft {
    Draft {
        refs: Refs {
            item: Some(Arc::clone(name)),
            ..item.refs.clone()
        },
        payload: ItemCompleted(ItemLifecycle {
            status: (!(well && item.asked_for)).then_some(ItemStatus::Failed),
            ..ItemLifecycle::new(item.item_type)
        })
        .into(),
    }
}

type Open<'m, V> = Box<dyn Iterator<Item = (&'m Arc<str>, &'m Arc<str>, &'m V)> + 'm>;

fn open<'m, V>(memory: &'m Memory<V>, place: &'m Place<'_>) -> Open<'m, V> {
    match place {
        Place::Turn(turn) => Box::new(memory.open_in(turn)),
        Place::Thread(thread) => Box::new(memory.open_of(thread)),
        Place::Everywhere => Box::new(memory.open()),
    }
}
