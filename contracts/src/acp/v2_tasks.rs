//! Child sessions of version 2, which the session that made them tells of.

use crate::canonical::{TaskCompleted, TaskProgress, TaskStarted, TaskStatus, TurnState};
use crate::generated::acp_v2::notification::row;
use crate::generated::acp_v2::{IdleStateUpdate, StateUpdate, SubagentUpdate};
use crate::mapping::{Cx, Out};
use crate::parts::filled;

use super::mapping::AcpMapping;
use super::v2_memory::key;
use super::v2_parts::set;
use super::v2_turns::completed;

/// A child session, as the patches so far describe it.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    phase: Phase,
    title: Option<String>,
    description: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    New,
    /// It was told of, and has not worked yet.
    Waiting,
    Working,
    Over,
}

impl AcpMapping {
    /// Adds a patch to its child session, and tells what it means.
    pub(super) fn child_session(
        &mut self,
        cx: &mut Cx<'_>,
        patch: &SubagentUpdate<'_>,
        out: &Out<row::SubagentUpdate>,
    ) {
        let id = patch.session_id.as_str();
        let known = key(cx, id);
        let mut task = self.v2.tasks.get(&known).cloned().unwrap_or_default();
        if let Some(title) = &patch.title {
            task.title = title.as_deref().and_then(filled);
        }
        if let Some(description) = &patch.description {
            task.description = description.as_deref().and_then(filled);
        }
        let state = set(&patch.state);
        let works = state.is_some_and(works);
        let begins = task.phase == Phase::New || (task.phase == Phase::Over && works);
        let end = state.and_then(|state| task.end(state));
        if begins {
            let (title, description) = (task.title.clone(), task.description.clone());
            let started = TaskStarted {
                task_id: id.into(),
                task_type: title.as_ref().and(description.clone()),
                description: title.or(description),
            };
            out.emit(cx, started);
            task.phase = Phase::Waiting;
        }
        if works {
            task.phase = Phase::Working;
        }
        if let Some((status, summary)) = end {
            task.phase = Phase::Over;
            let completed = TaskCompleted {
                task_id: id.into(),
                status,
                summary,
                usage: cx
                    .raw(&["state", "usage"])
                    .filter(|usage| usage.as_str() != "null"),
            };
            out.emit(cx, completed);
        } else if !begins {
            let words = state.map(|state| state.tag().to_owned());
            let words = words.or_else(|| task.title.clone());
            let words = words.or_else(|| task.description.clone());
            let progress = TaskProgress {
                task_id: id.into(),
                description: words.unwrap_or_else(|| String::from("updated")),
                usage: None,
                last_tool_name: None,
            };
            out.emit(cx, progress);
        }
        self.v2.tasks.insert(known, task);
    }
}

impl Task {
    /// How the child ended, where its state is the end of its work.
    fn end(&self, state: &StateUpdate<'_>) -> Option<(TaskStatus, Option<String>)> {
        let idle = idle(state)?;
        let says_so = idle.stop_reason.is_some() || idle.error.is_some();
        if self.phase == Phase::Over || (!says_so && self.phase != Phase::Working) {
            return None;
        }
        let end = completed(idle);
        let status = match end.state {
            TurnState::Completed => TaskStatus::Completed,
            TurnState::Failed => TaskStatus::Failed,
            TurnState::Interrupted | TurnState::Cancelled => TaskStatus::Stopped,
        };
        Some((status, end.error_message))
    }
}

fn works(state: &StateUpdate<'_>) -> bool {
    matches!(
        state,
        StateUpdate::Running(_) | StateUpdate::RequiresAction(_)
    )
}

fn idle<'m, 'a>(state: &'m StateUpdate<'a>) -> Option<&'m IdleStateUpdate<'a>> {
    if let StateUpdate::Idle(idle) = state {
        return Some(idle);
    }
    None
}
