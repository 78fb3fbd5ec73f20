//! What the older event protocol leaves to be remembered: the turn that runs, what was told in it,
//! and where the ids of a message are to be found.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use crate::kit::mapping::{Cx, RowInfo};
use crate::providers::codex::wire::TurnItem;
use crate::providers::codex::wire::eventmsg::{EventMsg, ROWS};

/// How many turns are remembered: a process may serve threads for weeks.
const REMEMBERED: usize = 4096;

/// The messages that make their turn a failed one.
const FAILING: &[&str] = &["error"];

/// What carries an `EventMsg`, with the ids that stand around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// The live wire of the app server.
    Live {
        /// `conversationId`.
        thread: Option<Arc<str>>,
        /// `id`: a turn, or the submission that caused the message.
        turn: Option<Arc<str>>,
    },
    /// A rollout file, or any other carrier that tells one thread from its start to its end.
    Rollout {
        /// The thread that the file is about.
        thread: Option<Arc<str>>,
    },
}

/// What is remembered between the messages of the older event protocol.
///
/// The running turn and what belongs to it are kept for one story, a rollout file. The live wire
/// mixes the stories of many threads, and needs only to know which turns there are.
#[derive(Debug, Default)]
pub(super) struct TurnMemory {
    /// The turns that a `task_started` named, by thread.
    started: BTreeSet<(Arc<str>, Arc<str>)>,
    order: VecDeque<(Arc<str>, Arc<str>)>,
    /// The turn that runs.
    running: Option<Arc<str>>,
    /// The last error that was told in each turn; under no name, what was told while none ran.
    failures: BTreeMap<Arc<str>, String>,
    /// The twins that were told in it. They are texts of the row table, so there are few.
    told: BTreeSet<&'static str>,
}

impl TurnMemory {
    /// Corrects the ids that were lifted from a message by what its carrier knows better, and notes
    /// the start of a turn.
    ///
    /// On the live wire the ids in the message can't be trusted: in a review they name a thread and
    /// a turn that nobody else ever mentions. A rollout names its thread once, and its turn where
    /// that begins; only items name the turn again, and the turn of a review is another one.
    pub fn place(&mut self, cx: &mut Cx<'_>, message: &EventMsg<'_>, carrier: &Carrier) {
        if let EventMsg::CollabAgentSpawnEnd(spawned) = message {
            // The new thread is what the call made, not where it happened.
            cx.refs.thread = Some(Arc::from(spawned.sender_thread_id.as_str()));
        }
        if let EventMsg::DynamicToolCallRequest(call) = message {
            cx.refs.item = Some(Arc::from(&*call.call_id));
            cx.refs.turn = Some(Arc::from(&*call.turn_id));
        }
        let starts = matches!(message, EventMsg::TaskStarted(_));
        let lifted = cx.refs.turn.take().filter(|turn| !turn.is_empty());
        match carrier {
            Carrier::Live { thread, turn } => {
                cx.refs.thread = thread.clone().or_else(|| cx.refs.thread.take());
                let turn = turn.clone().filter(|turn| !turn.is_empty());
                cx.refs.turn = match turn {
                    Some(turn) if starts => Some(turn),
                    Some(turn) => Some(turn).filter(|turn| self.knows(cx, turn)),
                    None if starts => lifted,
                    None => None,
                };
            }
            Carrier::Rollout { thread } => {
                cx.refs.thread = thread.clone().or_else(|| cx.refs.thread.take());
                cx.refs.turn = lifted.or_else(|| self.running.clone());
                if starts {
                    self.begin(cx.refs.turn.clone());
                }
            }
        }
        if starts && let Some(turn) = &cx.refs.turn {
            self.remember(thread_of(cx), Arc::clone(turn));
        }
    }

    /// The twin that tells what a message of a rollout would tell, if it was told in this turn.
    ///
    /// Also notes that the message itself is told, as far as it is a twin. It is known by its whole
    /// tag path: a told plan says nothing about a message of the assistant.
    pub fn silenced(&mut self, message: &EventMsg<'_>) -> Option<&'static str> {
        let tag = message.tag();
        let twin = RowInfo::find(ROWS, tag).and_then(|row| row.twin);
        if let Some(twin) = twin.filter(|twin| self.told.contains(twin)) {
            return Some(twin);
        }
        let item = item_of(message);
        if item.is_none_or(|(_, turn)| !self.is_over(turn)) {
            let is_path = |twin: &&'static str| match twin.split_once(':') {
                Some((outer, inner)) => {
                    outer == tag && item.is_some_and(|(item, _)| item.tag() == inner)
                }
                None => *twin == tag,
            };
            self.told
                .extend(ROWS.iter().filter_map(|row| row.twin).find(is_path));
        }
        None
    }

    /// Notes an error that makes the running turn a failed one. Where no turn runs, its start was
    /// not seen: it is the next to end.
    pub fn fail(&mut self, message: &str) {
        let turn = self.running.clone().unwrap_or_default();
        self.failures.insert(turn, message.to_owned());
        while self.failures.len() > REMEMBERED {
            self.failures.pop_first();
        }
    }

    /// Notes a message that did not decode: an error that can't be read is an error.
    pub fn unread(&mut self, tag: &str) {
        if FAILING.contains(&tag) {
            self.fail("an error that could not be read");
        }
    }

    /// Ends the turn that the context names, and gives the error that was told in it.
    ///
    /// A review ends with another id than it began with. So the end of a turn that never began is
    /// the end of the one that runs, and is told of that one; only the end of one that did begin is
    /// its own.
    pub fn end(&mut self, cx: &mut Cx<'_>) -> Option<String> {
        if let Some(named) = &cx.refs.turn
            && self.running.as_ref() != Some(named)
            && self.knows(cx, named)
        {
            return self.failures.remove(named);
        }
        let running = self.running.take();
        let failure = self.failures.remove(running.as_deref().unwrap_or_default());
        if let Some(running) = running {
            cx.refs.turn = Some(running);
        }
        self.told.clear();
        failure
    }

    /// Starts the story of a turn. What was told while none ran belongs to it: items may come
    /// before their turn.
    fn begin(&mut self, turn: Option<Arc<str>>) {
        if self.running == turn {
            return;
        }
        if self.running.is_some() {
            self.told.clear();
        }
        self.failures.remove("");
        self.running = turn;
    }

    fn remember(&mut self, thread: Arc<str>, turn: Arc<str>) {
        let key = (thread, turn);
        if self.started.insert(key.clone()) {
            self.order.push_back(key);
        }
        while self.started.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.started.remove(&oldest);
        }
    }

    fn knows(&self, cx: &Cx<'_>, turn: &Arc<str>) -> bool {
        self.started.contains(&(thread_of(cx), Arc::clone(turn)))
    }

    /// Whether a turn was started and is not the one that runs.
    fn is_over(&self, turn: &str) -> bool {
        self.running.as_deref() != Some(turn)
            && self.started.iter().any(|(_, started)| **started == *turn)
    }
}

fn thread_of(cx: &Cx<'_>) -> Arc<str> {
    cx.refs.thread.clone().unwrap_or_default()
}

/// The item that a message tells about, and the turn that it names for it.
fn item_of<'m>(message: &'m EventMsg<'m>) -> Option<(&'m TurnItem<'m>, &'m str)> {
    if let EventMsg::ItemStarted(started) = message {
        return Some((&started.item, &started.turn_id));
    }
    if let EventMsg::ItemCompleted(completed) = message {
        return Some((&completed.item, &completed.turn_id));
    }
    None
}

#[cfg(test)]
#[path = "turn_memory_tests.rs"]
mod tests;
