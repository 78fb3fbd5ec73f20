//! Tasks of the agent: which call began each, whether it runs on, and how it ended.

use std::sync::Arc;

use crate::canonical::{ItemStatus, TaskCompleted, TaskStatus};
use crate::json::OwnedJson;
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::head::{Head, text_at};
use crate::kit::conversation::values::{member_of, text_in};
use crate::kit::core::{Core, Place};
use crate::kit::ledger::Refs;
use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;
use crate::kit::session::Outcome;
use crate::providers::claude::wire::message::implied;

use super::mapping::ClaudeMapping;

/// How many tasks are remembered.
const TASKS: usize = 4096;

/// The tasks.
#[derive(Debug)]
pub(super) struct Tasks {
    known: Remembered<Arc<str>, Task>,
    /// By the calls that began them.
    of_calls: Remembered<Arc<str>, Arc<str>>,
    /// An end of which the next line may tell more.
    ends: Option<(Refs, TaskCompleted)>,
}

/// A task.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    /// The call that began it.
    pub call: Option<Arc<str>>,
    /// It goes on when the call is over, and when the turn is.
    pub runs_on: bool,
    ended: bool,
}

impl Default for Tasks {
    fn default() -> Self {
        Self {
            known: Remembered::new(TASKS),
            of_calls: Remembered::new(TASKS),
            ends: None,
        }
    }
}

impl Tasks {
    /// A task begins.
    pub fn start(&mut self, id: &str, call: Option<&str>, runs_on: bool) {
        let id: Arc<str> = Arc::from(id);
        let call: Option<Arc<str>> = call.map(Arc::from);
        if let Some(call) = &call {
            self.of_calls.insert(Arc::clone(call), Arc::clone(&id));
        }
        let task = Task {
            call,
            runs_on,
            ended: false,
        };
        self.known.insert(id, task);
    }

    /// What is known of a task.
    pub fn get(&self, id: &str) -> Option<&Task> {
        self.known.get(&Arc::from(id))
    }

    /// A task goes on in the background.
    pub fn runs_on(&mut self, id: &str) {
        if let Some(task) = self.known.get_mut(&Arc::from(id)) {
            task.runs_on = true;
        }
    }

    /// A task ends. False where it had ended before.
    pub fn end(&mut self, id: &str) -> bool {
        match self.known.get_mut(&Arc::from(id)) {
            Some(task) => !std::mem::replace(&mut task.ended, true),
            None => true,
        }
    }

    /// A task ends, and what comes next may tell more of that.
    pub fn ends_soon(&mut self, refs: Refs, end: TaskCompleted) {
        self.ends = Some((refs, end));
    }

    /// The task that a call began.
    fn of_call(&self, call: &str) -> Option<(Arc<str>, &Task)> {
        let id = self.of_calls.get(&Arc::from(call))?;
        Some((Arc::clone(id), self.known.get(id)?))
    }
}

/// What a call's result means for its task.
pub(super) enum AfterCall {
    /// It goes on in the background, from now on.
    RunsOn(Arc<str>),
    /// It ended with the call.
    Ended(TaskCompleted),
}

impl ClaudeMapping {
    /// Whether an agent that a call started goes on when the call has this result. Where no task
    /// tells of it, nothing says that it is over.
    pub(super) fn goes_on(&self, call: &str, result: Option<&OwnedJson>) -> bool {
        let task = self.running.of_call(call);
        task.is_none_or(|(_, task)| task.runs_on) || result.is_some_and(goes_on)
    }

    /// What the result of a call means for the task that it began. Older versions never tell the
    /// end of one that ran in the foreground.
    pub(super) fn task_after_call(
        &mut self,
        call: &str,
        status: Option<ItemStatus>,
        result: Option<&OwnedJson>,
    ) -> Option<AfterCall> {
        let (id, task) = self.running.of_call(call)?;
        if task.runs_on || task.ended {
            return None;
        }
        if result.is_some_and(goes_on) {
            self.running.runs_on(&id);
            return Some(AfterCall::RunsOn(id));
        }
        self.running.end(&id);
        let status = match status {
            Some(ItemStatus::Completed) => TaskStatus::Completed,
            Some(ItemStatus::Declined) => TaskStatus::Stopped,
            _ => TaskStatus::Failed,
        };
        Some(AfterCall::Ended(TaskCompleted {
            task_id: (&*id).into(),
            status,
            summary: None,
            usage: None,
        }))
    }
}

/// The end of a task that the line before told, and of which this one tells no more.
pub(super) fn before(
    core: &mut Core<ClaudeMapping>,
    place: &Place<'_>,
    head: &Head<'_>,
) -> Option<Outcome> {
    let (refs, end) = core.mapping.running.ends.take()?;
    let is_notification = head.subtype.as_deref() == Some("task_notification");
    if is_notification && text_at(place, &["task_id"]).as_deref() == Some(end.task_id.as_str()) {
        return None;
    }
    core.mapping.running.end(end.task_id.as_str());
    let tag = head.tag();
    let label = ClaudeMapping::label(tag.as_deref(), head);
    Some(core.mapped(place, &label, Vec::new(), |_, cx: &mut Cx<'_>| {
        cx.refs = refs;
        implied::next_line().emit(cx, end);
    }))
}

/// Whether the input of a call asks for work in the background.
pub(super) fn asks_for_background(input: Option<&OwnedJson>) -> bool {
    let asks = input.and_then(|input| member_of(input, "run_in_background"));
    asks.is_some_and(|asks| asks.as_str() == "true")
}

/// Whether the result of a call says that its work goes on.
fn goes_on(result: &OwnedJson) -> bool {
    let is_async = member_of(result, "isAsync").is_some_and(|it| it.as_str() == "true");
    is_async
        || text_in(result, &["status"]).as_deref() == Some("async_launched")
        || text_in(result, &["backgroundTaskId"]).is_some()
}
