//! Tasks and hooks that run: no id of the canonical model names them, only their own.

use std::sync::Arc;

use super::{Draft, Ledger, Refs};
use crate::canonical::{
    EventPayload, ExitKind, HookCompleted, HookOutcome, SessionExited, TaskCompleted, TaskStatus,
};
use crate::kit::sources::{Clock, IdSource};

/// Something that runs until its end is told.
#[derive(Clone, Debug)]
pub(super) struct Work {
    kind: Kind,
    refs: Refs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Task,
    Hook,
}

impl Kind {
    /// Where its names are apart from those of the other kind.
    fn scope(self) -> Arc<str> {
        Arc::from(match self {
            Self::Task => "task",
            Self::Hook => "hook",
        })
    }
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// Remembers what begins, until it ends.
    pub(super) fn watch_work(&mut self, refs: &Refs, payload: &EventPayload) {
        let started = if let EventPayload::TaskStarted(task) = payload {
            Some((Kind::Task, task.task_id.as_str()))
        } else if let EventPayload::HookStarted(hook) = payload {
            Some((Kind::Hook, hook.hook_id.as_str()))
        } else {
            None
        };
        if let Some((kind, id)) = started {
            let refs = refs.clone();
            let work = Work { kind, refs };
            self.work.insert(&kind.scope(), &Arc::from(id), work);
        }
        let ended = if let EventPayload::TaskCompleted(task) = payload {
            Some((Kind::Task, task.task_id.as_str()))
        } else if let EventPayload::HookCompleted(hook) = payload {
            Some((Kind::Hook, hook.hook_id.as_str()))
        } else {
            None
        };
        if let Some((kind, id)) = ended {
            self.work.end(&kind.scope(), id);
        }
    }

    /// The ends of what runs when the program is gone.
    pub(super) fn open_work(&self, exit: &SessionExited) -> Vec<Draft> {
        let status = match exit.exit_kind {
            Some(ExitKind::Graceful) => TaskStatus::Stopped,
            Some(ExitKind::Error) | None => TaskStatus::Failed,
        };
        let end = |(_, id, work): (&Arc<str>, &Arc<str>, &Work)| Draft {
            refs: Refs {
                minted: false,
                ..work.refs.clone()
            },
            payload: match work.kind {
                Kind::Task => TaskCompleted {
                    task_id: (&**id).into(),
                    status,
                    summary: None,
                    usage: None,
                }
                .into(),
                Kind::Hook => HookCompleted {
                    hook_id: id.to_string(),
                    outcome: HookOutcome::Cancelled,
                    output: None,
                    stdout: None,
                    stderr: None,
                    exit_code: None,
                }
                .into(),
            },
        };
        self.work.open().map(end).collect()
    }
}
