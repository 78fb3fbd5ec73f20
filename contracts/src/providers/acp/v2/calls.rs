//! Tool calls and terminals of version 2, whose messages are patches.

use std::sync::Arc;

use crate::canonical::{ItemLifecycle, ItemStatus, ItemType};
use crate::json::OwnedJson;
use crate::kit::base64;
use crate::kit::mapping::Cx;
use crate::kit::parts::filled;
use crate::providers::acp::wire::v2::{TerminalExitStatus, TerminalUpdate, ToolCallUpdate, values};

use crate::providers::acp::keys::key;
use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::parts::{Two, shown};
use crate::providers::acp::tool_calls::{News, output_summary};

use super::memory::{Role, Terminal};
use super::parts::set;

/// Where a patch stands in the life of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is the first that the agent sent.
    First,
    /// The item goes on.
    Further,
    /// The item ends with it.
    Last,
}

impl AcpMapping {
    /// Names the call that a message is about.
    pub(super) fn name_call(&mut self, cx: &mut Cx<'_>, id: &str) {
        cx.refs.item = Some(Arc::from(id));
        self.v2.tell_apart(cx, Role::Call);
    }

    /// What a patch tells about its call. `data` is the patch as it was sent.
    ///
    /// A status that cannot be read is none, and so is one that would open the call again.
    pub(super) fn call(
        &mut self,
        cx: &mut Cx<'_>,
        patch: &ToolCallUpdate<'_>,
        data: OwnedJson,
    ) -> (Step, ItemLifecycle) {
        self.name_call(cx, patch.tool_call_id.as_str());
        let first = !self.calls.knows(cx);
        let id = key(&cx.refs, patch.tool_call_id.as_str());
        let over = self.v2.ended.get(&id).is_some();
        let status = match set(&patch.status) {
            Some(status) => values::tool_call_status(status)
                .filter(|status| !over || *status != ItemStatus::InProgress),
            None => first.then_some(ItemStatus::InProgress),
        };
        let step = match status {
            Some(ItemStatus::Completed | ItemStatus::Failed | ItemStatus::Declined) => {
                self.v2.ended.insert(id, ());
                Step::Last
            }
            Some(ItemStatus::InProgress) | None if first => Step::First,
            Some(ItemStatus::InProgress) | None => Step::Further,
        };
        let news = News {
            status,
            ..news_of(patch)
        };
        (step, self.calls.item(cx, news, data))
    }

    /// What a patch tells about its terminal.
    ///
    /// A terminal that has the id of a tool call is a part of that call, which says itself when
    /// and how it ends.
    pub(super) fn terminal(
        &mut self,
        cx: &mut Cx<'_>,
        patch: &TerminalUpdate<'_>,
    ) -> (Step, ItemLifecycle) {
        self.v2.tell_apart(cx, Role::Call);
        let id = key(&cx.refs, patch.terminal_id.as_str());
        let known = self.v2.terminals.get(&id).cloned();
        let of_call = self.calls.knows(cx);
        let first = known.is_none() && !of_call;
        let mut terminal = known.unwrap_or_default();
        if let Some(command) = &patch.command {
            terminal.command = command.as_deref().and_then(filled);
        }
        if patch.output.is_some() {
            terminal.rest.clear();
        }
        let output = set(&patch.output).map(|output| base64::text(&output.data));
        let detail = output.and_then(filled);
        let command = terminal.command.clone();
        if set(&patch.exit_status).is_some() {
            // What is over needs no more than to be known.
            terminal = Terminal::default();
        }
        self.v2.terminals.insert(id, terminal);
        if of_call {
            let mut item = self.calls.item(cx, News::default(), cx.body());
            item.detail = detail;
            return (Step::Further, item);
        }
        // A command that is no call of a tool may outlive its turn, and says itself how it ends.
        cx.refs.runs_on = true;
        let exit = set(&patch.exit_status);
        let (step, status) = match exit {
            Some(exit) => (Step::Last, exit_status(exit)),
            None if first => (Step::First, Some(ItemStatus::InProgress)),
            None => (Step::Further, None),
        };
        let item = ItemLifecycle {
            item_type: ItemType::CommandExecution,
            status,
            title: command,
            detail,
            data: Some(cx.body()),
        };
        (step, item)
    }

    /// The text of a further piece of a terminal's output.
    ///
    /// The pieces are cut between bytes. The bytes of a character that is not whole wait for the
    /// next piece; those that are no text become U+FFFD.
    pub(super) fn printed(&mut self, cx: &mut Cx<'_>, id: &str, data: &str) -> String {
        self.v2.tell_apart(cx, Role::Call);
        let Some(bytes) = base64::decode(data) else {
            return data.to_owned();
        };
        let id = key(&cx.refs, id);
        let mut terminal = self.v2.terminals.get(&id).cloned().unwrap_or_default();
        let mut printed = std::mem::take(&mut terminal.rest);
        printed.extend_from_slice(&bytes);
        terminal.rest = printed.split_off(printed.len() - unfinished(&printed));
        self.v2.terminals.insert(id, terminal);
        String::from_utf8_lossy(&printed).into_owned()
    }
}

/// What a patch tells, but for the status.
pub(super) fn news_of<'m>(patch: &'m ToolCallUpdate<'_>) -> News<'m> {
    let kind = set(&patch.kind);
    News {
        by_kind: kind
            .and_then(|kind| values::tool_kind(kind).zip(values::tool_kind_approval(kind))),
        name: set(&patch.name).map(|name| &**name),
        title: set(&patch.title).map(|title| &**title),
        status: None,
        input: set(&patch.raw_input).copied(),
        output: output_summary(set(&patch.raw_output).copied())
            .or_else(|| set(&patch.content).and_then(|content| shown::<Two>(content))),
    }
}

/// How a command ended; nothing where its terminal went away without a word.
fn exit_status(exit: &TerminalExitStatus<'_>) -> Option<ItemStatus> {
    match (exit.exit_code, &exit.signal) {
        (Some(0), None) => Some(ItemStatus::Completed),
        (None, None) => None,
        (Some(_), _) | (None, Some(_)) => Some(ItemStatus::Failed),
    }
}

/// How many bytes at the end begin a character and do not end it.
fn unfinished(bytes: &[u8]) -> usize {
    for (index, byte) in bytes.iter().rev().take(3).enumerate() {
        let there = index + 1;
        let needed = match byte {
            0x80..=0xBF => continue,
            0x00..=0x7F => 1,
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xFF => 4,
        };
        return if needed > there { there } else { 0 };
    }
    0
}
