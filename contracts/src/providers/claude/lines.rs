//! Whole lines of the model and of the user, and what becomes of the blocks in them.

use std::sync::Arc;

use crate::canonical::{
    ErrorClass, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, ItemUpdated, SessionState,
    TaskProgress, ThreadTokenUsageUpdated,
};
use crate::json::{Json, OwnedJson};
use crate::kit::conversation::calls::output_summary;
use crate::kit::conversation::driver::Conversation;
use crate::kit::conversation::items::unknown_block;
use crate::kit::conversation::values::{elements, text_in};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{filled, part};
use crate::providers::claude::wire;
use crate::providers::claude::wire::AnthropicBetaContentBlock as Block;
use crate::providers::claude::wire::message::row;
use crate::providers::claude::wire::values;

use super::blocks::{Piece, tool_type};
use super::mapping::ClaudeMapping;
use super::plan::{TASK_CREATE, TASK_UPDATE};
use super::tasks::AfterCall;

/// The model that stands for messages that the agent makes itself.
const SYNTHETIC: &str = "<synthetic>";

/// How a task is described that goes on in the background.
pub(super) const IN_BACKGROUND: &str = "in the background";

/// What the agent writes for the user who broke a turn off.
const INTERRUPTED: &str = "[Request interrupted by user";

/// A line of the user, in the terms of no type.
pub(super) struct Line<'m> {
    /// The call that started the agent that it belongs to.
    pub parent: Option<&'m str>,
    /// Its id.
    pub uuid: Option<&'m str>,
    /// The agent sends back what the host sent.
    pub is_replay: bool,
}

impl ClaudeMapping {
    /// A whole line of the model: most versions tell one block a line.
    pub(super) fn line_of_model(
        &mut self,
        cx: &mut Cx<'_>,
        line: &wire::SdkAssistantMessage<'_>,
        out: &Out<row::Assistant>,
    ) {
        let parent = line.parent_tool_use_id.as_deref().map(Arc::<str>::from);
        if parent.is_none() {
            let class = |error| values::assistant_error(error).unwrap_or(ErrorClass::Unknown);
            self.failure = line.error.as_ref().map(class);
        }
        if !self.is_new(&line.uuid) {
            return cx.dropped("the same line again");
        }
        let message = &*line.message.id;
        let raws = elements(cx, &["message", "content"]);
        let fails = line.error.is_some() || line.aborted == Some(true);
        for (index, block) in line.message.content.iter().enumerate() {
            if let Block::Unrecognized(unrecognized) = block {
                out.emit(cx, unknown_block(cx, unrecognized));
            }
            let Some(piece) = piece(block, raws.get(index).cloned(), fails) else {
                continue;
            };
            let before = cx.refs.clone();
            self.block_in_line(cx, parent.as_ref(), message, piece, out);
            cx.refs = before;
        }
        let synthetic = crate::kit::members::text(cx, &["message", "model"]);
        if synthetic.as_deref() != Some(SYNTHETIC)
            && self.messages.take_usage(parent.as_ref(), message)
        {
            let usage = part(cx, &["message", "usage"]);
            out.emit(cx, ThreadTokenUsageUpdated { usage });
        }
    }

    /// A line of the user: what the user says, and the results of calls.
    pub(super) fn line_of_user(
        &mut self,
        cx: &mut Cx<'_>,
        line: &Line<'_>,
        out: &Out<row::User>,
    ) {
        let content = cx.raw(&["message", "content"]);
        let blocks = elements(cx, &["message", "content"]);
        let results: Vec<(String, &OwnedJson)> = blocks
            .iter()
            .filter_map(|block| Some((result_of(block)?, block)))
            .collect();
        let more = cx.raw(&["tool_use_result"]).filter(|_| results.len() == 1);
        let before = cx.refs.clone();
        for (call, block) in &results {
            self.result_in_line(cx, call, (*block).clone(), more.clone(), out);
            cx.refs = before.clone();
        }
        if results.len() == blocks.len() && !blocks.is_empty() {
            return;
        }
        let json = content
            .as_ref()
            .and_then(|it| Json::parse(it.as_str()).ok());
        let text = output_summary(json).unwrap_or_default();
        if line.parent.is_none() && !line.is_replay && text.starts_with(INTERRUPTED) {
            self.talk.turns.stop();
            return cx.dropped("the end of the turn tells it");
        }
        let told = match line.is_replay {
            true => self.talk.said.find(line.uuid, &text),
            false => line.uuid.and_then(|uuid| self.talk.said.known(uuid)),
        };
        let of_line = (line.uuid, line.parent);
        self.talk.words(cx, told, of_line, &text, out);
    }

    /// The result of a call ends its item, and may change the plan.
    fn result_in_line(
        &mut self,
        cx: &mut Cx<'_>,
        call: &str,
        block: OwnedJson,
        more: Option<OwnedJson>,
        out: &Out<row::User>,
    ) {
        self.learn_refusal(cx, call);
        let known = self.talk.calls.get(call).cloned();
        if !self.goes_on(call, more.as_ref()) {
            self.ends_agent(cx, call);
        }
        let item = self.result(cx, call, ItemType::Unknown, Some(block), more.clone());
        let status = item.status;
        let ended_well = status == Some(ItemStatus::Completed);
        match known.as_ref().is_some_and(|call| call.ended) {
            true => return out.emit(cx, ItemUpdated(item)),
            false => out.emit(cx, ItemCompleted(item)),
        }
        match self.task_after_call(call, status, more.as_ref()) {
            Some(AfterCall::Ended(task)) => out.emit(cx, task),
            Some(AfterCall::RunsOn(task)) => {
                let before = std::mem::replace(&mut cx.refs.runs_on, true);
                let progress = TaskProgress {
                    task_id: (&*task).into(),
                    description: String::from(IN_BACKGROUND),
                    usage: None,
                    last_tool_name: None,
                };
                out.emit(cx, progress);
                cx.refs.runs_on = before;
            }
            None => {}
        }
        let Some(known) = known.filter(|known| ended_well && known.parent.is_none()) else {
            return;
        };
        let plan = match &*known.name {
            TASK_CREATE => more.and_then(|result| self.tasks.created(&result)),
            TASK_UPDATE => known.input.and_then(|input| self.tasks.updated(&input)),
            _ => None,
        };
        if let Some(plan) = plan {
            cx.refs.item = None;
            out.emit(cx, plan);
        }
    }

    /// Newer versions say beside the result whether the user or a rule refused the call.
    fn learn_refusal(&mut self, cx: &Cx<'_>, call: &str) {
        for about in elements(cx, &["tool_result_meta"]) {
            if text_in(&about, &["id"]).as_deref() == Some(call)
                && text_in(&about, &["permission_decision", "decision"]).as_deref()
                    == Some("reject")
            {
                self.talk.calls.deny(call);
            }
        }
    }

    /// A message of the model stops. Text in it that never stopped, or that the agent abandons
    /// to ask again, is none of its answer.
    pub(super) fn message_stops(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        out: &Out<row::StreamEventMessageStop>,
    ) {
        let parent = parent.map(Arc::<str>::from);
        let abandoned = cx.raw(&["abandoned_blocks", "from_block_index"]);
        let abandoned = abandoned.and_then(|index| index.reader().integer::<i64>().ok());
        cx.dropped("its blocks have ended");
        for (index, block) in self.messages.stops(parent.as_ref()) {
            let is_abandoned = abandoned.is_some_and(|from| index >= from);
            if block.ended && !is_abandoned {
                continue;
            }
            self.talk.about(cx, &block.item);
            self.talk.open.remove(&block.item);
            let item = ItemLifecycle {
                status: Some(ItemStatus::Failed),
                detail: self.talk.texts.take(&block.item).and_then(filled),
                ..ItemLifecycle::new(block.item_type)
            };
            match block.ended {
                true => out.emit(cx, ItemUpdated(item)),
                false => out.emit(cx, ItemCompleted(item)),
            }
        }
    }

    /// Makes the context speak of a task, and of the call that it belongs to.
    pub(super) fn about_task(&self, cx: &mut Cx<'_>, task: &str, call: Option<&str>) {
        let task = self.running.get(task);
        cx.refs.runs_on = task.is_some_and(|task| task.runs_on);
        let call = call.or_else(|| task?.call.as_deref());
        if let Some(call) = call.filter(|call| self.talk.calls.get(call).is_some()) {
            self.talk.about(cx, &Arc::from(call));
        }
    }

    /// The state of a session of which no more is known than whether a turn is going on.
    pub(super) fn works_or_waits(&self) -> SessionState {
        match self.talk.turns.current().is_some_and(|turn| !turn.told) {
            true => SessionState::Running,
            false => SessionState::Ready,
        }
    }
}

/// A block in the terms of no type; nothing where it is no item.
fn piece<'m>(block: &'m Block<'_>, raw: Option<OwnedJson>, fails: bool) -> Option<Piece<'m>> {
    let (text, call, result_of) = match block {
        Block::Text(block) => (Some(&*block.text), None, None),
        Block::Thinking(block) => (Some(&*block.thinking), None, None),
        Block::RedactedThinking(_) | Block::ContainerUpload(_) => (None, None, None),
        Block::Compaction(block) => (block.content.as_deref(), None, None),
        Block::ToolUse(block) => (None, Some((&*block.id, &*block.name)), None),
        Block::ServerToolUse(block) => (None, Some((&*block.id, block.name.as_str())), None),
        Block::McpToolUse(block) => (None, Some((&*block.id, &*block.name)), None),
        Block::AdvisorToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::BashCodeExecutionToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::CodeExecutionToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::McpToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::TextEditorCodeExecutionToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::ToolSearchToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::WebFetchToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::WebSearchToolResult(block) => (None, None, Some(&*block.tool_use_id)),
        Block::Fallback(_) | Block::McpToolListing(_) | Block::Unrecognized(_) => return None,
    };
    let of_block = values::content_block(block).unwrap_or(ItemType::Unknown);
    let item_type = match (call, block) {
        (Some(_), Block::McpToolUse(_)) | (None, _) => of_block,
        (Some((_, name)), _) => tool_type(name),
    };
    Some(Piece {
        item_type,
        text,
        call,
        result_of,
        raw,
        fails,
    })
}

/// The call whose result a block is.
fn result_of(block: &OwnedJson) -> Option<String> {
    let kind = text_in(block, &["type"])?;
    let call = text_in(block, &["tool_use_id"])?;
    kind.ends_with("tool_result").then_some(call)
}
