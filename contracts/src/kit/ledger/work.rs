//! The lives of tasks and hooks: no id of the canonical model names them, only their own.

use std::sync::Arc;

use super::{Before, Draft, Ledger, Phase, Refs, Rule};
use crate::canonical::{
    EventPayload, HookCompleted, HookOutcome, HookStarted, TaskCompleted, TaskStarted, TaskStatus,
};
use crate::kit::sources::{Clock, IdSource};

/// Something that runs until its end is told.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub kind: Kind,
    refs: Refs,
    phase: Phase,
    /// It does not end with its turn.
    pub runs_on: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Task,
    Hook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Go,
    End,
}

impl Kind {
    /// Where its names are apart from those of the other kind.
    fn scope(self) -> Arc<str> {
        Arc::from(match self {
            Self::Task => "task",
            Self::Hook => "hook",
        })
    }

    fn start(self, id: &str) -> EventPayload {
        match self {
            Self::Task => TaskStarted {
                task_id: id.into(),
                description: None,
                task_type: None,
            }
            .into(),
            Self::Hook => HookStarted {
                hook_id: id.to_owned(),
                hook_name: String::from("unknown"),
                hook_event: String::from("unknown"),
            }
            .into(),
        }
    }
}

impl Work {
    pub fn is_open(&self) -> bool {
        self.phase == Phase::Started
    }

    pub fn is_of(&self, thread: &str) -> bool {
        self.refs.thread.as_deref() == Some(thread)
    }

    /// Its end, where nobody tells it.
    pub fn ended(&self, id: &str, status: TaskStatus) -> Draft {
        Draft {
            refs: Refs {
                minted: false,
                ..self.refs.clone()
            },
            payload: match self.kind {
                Kind::Task => TaskCompleted {
                    task_id: id.into(),
                    status,
                    summary: None,
                    usage: None,
                }
                .into(),
                Kind::Hook => HookCompleted {
                    hook_id: id.to_owned(),
                    outcome: HookOutcome::Cancelled,
                    output: None,
                    stdout: None,
                    stderr: None,
                    exit_code: None,
                }
                .into(),
            },
        }
    }
}

impl<I: IdSource, C: Clock> Ledger<I, C> {
    /// A task runs on in the background: it does not end with its turn. Said of what was started
    /// before; a draft says it of its own task.
    pub fn task_runs_on(&mut self, task: &str) {
        if let Some(work) = self.work.get_mut(&Kind::Task.scope(), task) {
            work.runs_on = true;
        }
    }

    /// What comes before news of a task or a hook.
    pub(super) fn first_of_work(
        &self,
        refs: &Refs,
        payload: &EventPayload,
    ) -> Result<Before, Rule> {
        let Some((kind, step, id)) = about(payload) else {
            return Ok(Before::new());
        };
        let known = self.work.get(&kind.scope(), id);
        match (step, known.map(|work| work.phase)) {
            (_, Some(Phase::Ended)) => Err(Rule::AfterTheEnd),
            (Step::Start, Some(_)) => Err(Rule::Twice),
            (Step::Go | Step::End, None) => {
                let start = Draft {
                    refs: refs.clone(),
                    payload: kind.start(id),
                };
                Ok(vec![(start, Rule::Stub)])
            }
            (Step::Start, None) | (Step::Go | Step::End, Some(_)) => Ok(Before::new()),
        }
    }

    pub(super) fn move_work(&mut self, refs: &Refs, payload: &EventPayload) {
        let Some((kind, step, id)) = about(payload) else {
            return;
        };
        let scope = kind.scope();
        match step {
            Step::Start => {
                let work = Work {
                    kind,
                    refs: refs.clone(),
                    phase: Phase::Started,
                    runs_on: refs.runs_on || self.is_over(refs),
                };
                self.work.insert(&scope, &Arc::from(id), work);
                self.work.group(&scope, id, self.group(refs), refs.len());
            }
            Step::Go => {
                if let Some(work) = self.work.get_mut(&scope, id) {
                    work.runs_on |= refs.runs_on;
                }
            }
            Step::End => {
                if let Some(work) = self.work.get_mut(&scope, id) {
                    work.phase = Phase::Ended;
                }
                self.work.end(&scope, id);
            }
        }
    }
}

fn about(payload: &EventPayload) -> Option<(Kind, Step, &str)> {
    if let EventPayload::TaskStarted(task) = payload {
        return Some((Kind::Task, Step::Start, task.task_id.as_str()));
    }
    if let EventPayload::TaskProgress(task) = payload {
        return Some((Kind::Task, Step::Go, task.task_id.as_str()));
    }
    if let EventPayload::TaskCompleted(task) = payload {
        return Some((Kind::Task, Step::End, task.task_id.as_str()));
    }
    if let EventPayload::HookStarted(hook) = payload {
        return Some((Kind::Hook, Step::Start, &hook.hook_id));
    }
    if let EventPayload::HookProgress(hook) = payload {
        return Some((Kind::Hook, Step::Go, &hook.hook_id));
    }
    if let EventPayload::HookCompleted(hook) = payload {
        return Some((Kind::Hook, Step::End, &hook.hook_id));
    }
    None
}
