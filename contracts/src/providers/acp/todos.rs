//! Cursor's todos as plans. A message may hold only those that changed.

use std::sync::Arc;

use crate::canonical::{PlanStep, PlanStepStatus, TurnPlanUpdated};
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;
use crate::providers::acp::wire::v1::{CursorTodo, CursorTodoStatus};

/// How many sessions' todos are remembered, and how many of each.
const SESSIONS: usize = 256;
const TODOS: usize = 1024;

/// The todos of one connection, by session.
#[derive(Debug)]
pub(super) struct Todos(Remembered<Arc<str>, Vec<Todo>>);

#[derive(Clone, Debug)]
struct Todo {
    id: Option<Box<str>>,
    step: PlanStep,
}

impl Default for Todos {
    fn default() -> Self {
        Self(Remembered::new(SESSIONS))
    }
}

impl Todos {
    /// The plan that todos make. Those that are to be merged change the ones of their ids, and the
    /// others stay.
    pub fn plan(
        &mut self,
        cx: &Cx<'_>,
        todos: &[CursorTodo<'_>],
        merge: bool,
    ) -> TurnPlanUpdated {
        let session = cx.refs.thread.clone().unwrap_or_default();
        let before = self.0.get(&session).filter(|_| merge);
        let mut all = before.cloned().unwrap_or_default();
        for todo in todos.iter().map(read) {
            let known = all
                .iter_mut()
                .find(|known| todo.id.is_some() && known.id == todo.id);
            match known {
                Some(known) => *known = todo,
                None => all.push(todo),
            }
        }
        let plan = all.iter().map(|todo| todo.step.clone()).collect();
        all.truncate(TODOS);
        self.0.insert(session, all);
        TurnPlanUpdated {
            explanation: None,
            plan,
        }
    }
}

/// Todos that stand for themselves as steps.
pub(super) fn steps<'m>(todos: impl Iterator<Item = &'m CursorTodo<'m>>) -> TurnPlanUpdated {
    TurnPlanUpdated {
        explanation: None,
        plan: todos.map(|todo| read(todo).step).collect(),
    }
}

/// What is cancelled is not done, and there is no other word for it.
fn read(todo: &CursorTodo<'_>) -> Todo {
    let status = match todo.status {
        CursorTodoStatus::Completed => PlanStepStatus::Completed,
        CursorTodoStatus::InProgress => PlanStepStatus::InProgress,
        CursorTodoStatus::Pending
        | CursorTodoStatus::Cancelled
        | CursorTodoStatus::Unrecognized(_) => PlanStepStatus::Pending,
    };
    Todo {
        id: todo.id.as_deref().map(Box::from),
        step: PlanStep {
            step: todo.content.to_string(),
            status,
        },
    }
}
