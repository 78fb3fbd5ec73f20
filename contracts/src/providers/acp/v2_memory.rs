//! What the mapping of version 2 remembers besides: this version sends patches.

use std::sync::Arc;

use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;

use super::tool_calls::Key;
use super::v2_calls::Terminal;
use super::v2_turns::Marks;

/// How many things of each kind are remembered.
const REMEMBERED: usize = 16_384;

/// What is remembered of the sessions of one connection.
#[derive(Debug)]
pub(super) struct V2Memory {
    /// How far the turns are that go on.
    pub turns: Remembered<Key, Marks>,
    /// How many turns the agent began without a prompt.
    pub unprompted: u64,
    /// Terminals, as the patches so far describe them.
    pub terminals: Remembered<Key, Terminal>,
    /// Calls that ended.
    pub ended: Remembered<Key, ()>,
    /// What each id of an item was used for first.
    roles: Remembered<Key, Role>,
}

impl Default for V2Memory {
    fn default() -> Self {
        Self {
            turns: Remembered::new(REMEMBERED),
            unprompted: 0,
            terminals: Remembered::new(REMEMBERED),
            ended: Remembered::new(REMEMBERED),
            roles: Remembered::new(REMEMBERED),
        }
    }
}

/// What an id of an item names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A message of the user.
    UserMessage,
    /// A message of the agent.
    AgentMessage,
    /// A message of one session to another.
    SessionMessage,
    /// A tool call, or the terminal in which it runs: agents give both one id.
    Call,
    /// A compaction.
    Compaction,
    /// A plan.
    Plan,
}

impl V2Memory {
    /// Gives an id that is used for a second thing a name of its own: a message to a child session
    /// has the id of the tool call behind it. The first use keeps the id as it is.
    pub fn tell_apart(&mut self, cx: &mut Cx<'_>, role: Role) {
        let Some(item) = cx.refs.item.clone() else {
            return;
        };
        let key = key(cx, &item);
        match self.roles.get(&key) {
            None => self.roles.insert(key, role),
            Some(first) if *first != role => {
                cx.refs.item = Some(Arc::from(format!("{item}#{}", role.word())));
            }
            Some(_) => {}
        }
    }
}

impl Role {
    const fn word(self) -> &'static str {
        match self {
            Self::UserMessage => "user-message",
            Self::AgentMessage => "message",
            Self::SessionMessage => "session-message",
            Self::Call => "call",
            Self::Compaction => "compaction",
            Self::Plan => "plan",
        }
    }
}

/// An id in the session that the context names.
pub(super) fn key(cx: &Cx<'_>, id: &str) -> Key {
    (cx.refs.thread.clone().unwrap_or_default(), Arc::from(id))
}
