//! What the mapping of version 2 remembers besides: this version sends patches.

use std::sync::Arc;

use crate::kit::mapping::Cx;
use crate::kit::remembered::Remembered;

use crate::providers::acp::keys::{Key, key};

/// How many things of each kind are remembered.
const REMEMBERED: usize = 16_384;

/// What is remembered of the sessions of one connection.
#[derive(Debug)]
pub(in crate::providers::acp) struct V2Memory {
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

/// How far a turn is.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::providers::acp) struct Marks {
    /// The agent took its prompt.
    pub accepted: bool,
    /// The session was seen running since.
    pub ran: bool,
}

/// A terminal, as the patches so far describe it.
#[derive(Clone, Debug, Default)]
pub(in crate::providers::acp) struct Terminal {
    pub command: Option<String>,
    /// The first bytes of a character whose others are still to come.
    pub rest: Vec<u8>,
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
pub(in crate::providers::acp) enum Role {
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
        let key = key(&cx.refs, &item);
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
