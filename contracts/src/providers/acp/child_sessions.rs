//! Child sessions, which the session that made them tells of as tasks. Its messages are patches.

use crate::canonical::{TaskCompleted, TaskProgress, TaskStarted, TaskStatus};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::filled;
use crate::kit::remembered::Remembered;

use super::keys::{Key, key};

/// How many child sessions are remembered.
const REMEMBERED: usize = 4096;

/// The child sessions of one connection, as the patches so far describe them.
#[derive(Debug)]
pub(super) struct ChildSessions(Remembered<Key, Task>);

/// A child session, as the patches so far describe it.
#[derive(Clone, Debug, Default)]
struct Task {
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

/// What one message tells about a child session, in the terms of no protocol version.
#[derive(Debug)]
pub(super) struct ChildNews<'m> {
    /// Its id.
    pub id: &'m str,
    /// Its title; none inside where it is cleared.
    pub title: Option<Option<&'m str>>,
    /// Its description.
    pub description: Option<Option<&'m str>>,
    /// Its state.
    pub state: Option<ChildState<'m>>,
}

/// The state of a child session.
#[derive(Debug)]
pub(super) struct ChildState<'m> {
    /// In the protocol's word.
    pub word: &'m str,
    /// It works, or waits for somebody while it does.
    pub works: bool,
    /// How it ended, where it does nothing.
    pub end: Option<ChildEnd>,
}

/// How a child session ended.
#[derive(Debug)]
pub(super) struct ChildEnd {
    /// It says so. One that does not may have done nothing yet.
    pub says_so: bool,
    /// How.
    pub status: TaskStatus,
    /// In words.
    pub summary: Option<String>,
}

impl Default for ChildSessions {
    fn default() -> Self {
        Self(Remembered::new(REMEMBERED))
    }
}

impl ChildSessions {
    /// Adds a patch to its child session, and tells what it means.
    pub fn tell<R>(&mut self, cx: &mut Cx<'_>, news: ChildNews<'_>, out: &Out<R>)
    where
        TaskStarted: EmittedBy<R>,
        TaskProgress: EmittedBy<R>,
        TaskCompleted: EmittedBy<R>,
    {
        // A child is a session, too: it goes on when the turn that began it ends.
        cx.refs.runs_on = true;
        let id = news.id;
        let known = key(&cx.refs, id);
        let mut task = self.0.get(&known).cloned().unwrap_or_default();
        if let Some(title) = news.title {
            task.title = title.and_then(filled);
        }
        if let Some(description) = news.description {
            task.description = description.and_then(filled);
        }
        let works = news.state.as_ref().is_some_and(|state| state.works);
        let word = news.state.as_ref().map(|state| state.word.to_owned());
        let begins = task.phase == Phase::New || (task.phase == Phase::Over && works);
        let end = news.state.and_then(|state| task.end(state.end?));
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
        if let Some(end) = end {
            task.phase = Phase::Over;
            let usage = cx.raw(&["state", "usage"]);
            let completed = TaskCompleted {
                task_id: id.into(),
                status: end.status,
                summary: end.summary,
                usage: usage.filter(|usage| usage.as_str() != "null"),
            };
            out.emit(cx, completed);
        } else if !begins {
            let words = word.or_else(|| task.title.clone());
            let words = words.or_else(|| task.description.clone());
            let progress = TaskProgress {
                task_id: id.into(),
                description: words.unwrap_or_else(|| String::from("updated")),
                usage: None,
                last_tool_name: None,
            };
            out.emit(cx, progress);
        }
        self.0.insert(known, task);
    }
}

impl Task {
    /// The end, where it is one of the child's work.
    fn end(&self, end: ChildEnd) -> Option<ChildEnd> {
        let over = self.phase == Phase::Over || (!end.says_so && self.phase != Phase::Working);
        (!over).then_some(end)
    }
}
