//! Updates of a session, in version 2 of the agent client protocol.
//!
//! The context's thread is the session that the notification names, and its body is the update.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind, ItemCompleted, ItemLifecycle, ItemStarted, ItemType,
    ItemUpdated, SessionConfigured, ThreadMetadataUpdated, ThreadTokenUsageUpdated,
    TurnPlanUpdated,
};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{config, filled, part, rest};
use crate::providers::acp::wire::v2::notification::{Mapping, SURFACE, implied, row};
use crate::providers::acp::wire::v2::{
    AgentMessage, AgentThought, AvailableCommandsUpdate, CompactionSummaryChunk, CompactionUpdate,
    ConfigOptionUpdate, ContentBlock, ContentChunk, Notice, PlanRemoved,
    PlanUpdate, PlanUpdateContent, SessionInfoUpdate, SessionMessage, SessionMessageChunk,
    StateUpdate, SubagentUpdate, TerminalOutputChunk, TerminalUpdate, ToolCallContentChunk,
    ToolCallUpdate, UsageUpdate, UserMessage, values,
};

use crate::providers::acp::child_sessions::ChildNews;
use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::open_items::Step as Life;
use crate::providers::acp::parts::{Parts, Two, joined, plan};
use crate::providers::acp::shared::{compaction, notice};
use crate::providers::acp::tool_calls::News;
use super::calls::Step;
use super::memory::Role;
use super::parts::{bit, block, set, whole};
use super::turns::child_state;

impl Mapping for AcpMapping {
    fn agent_message(&mut self, cx: &mut Cx<'_>, params: &AgentMessage<'_>) -> ItemUpdated {
        self.v2.tell_apart(cx, Role::AgentMessage);
        self.said(cx, ItemType::AssistantMessage, &params.content)
    }

    fn agent_message_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ContentChunk<'_>,
        out: Out<row::AgentMessageChunk>,
    ) {
        self.v2.tell_apart(cx, Role::AgentMessage);
        self.piece(
            cx,
            ItemType::AssistantMessage,
            Two::text(&params.content),
            &implied::next_item(),
        );
        let kind = values::content_block(&params.content).unwrap_or(ContentStreamKind::Unknown);
        match Two::text(&params.content) {
            Some(text) => out.emit(cx, ContentDelta::new(kind, text)),
            None => {
                let block = block(cx, ItemType::AssistantMessage);
                out.emit(cx, block);
            }
        }
    }

    fn agent_thought(&mut self, cx: &mut Cx<'_>, params: &AgentThought<'_>) -> ItemUpdated {
        name_thought(cx, params.message_id.as_str());
        self.said(cx, ItemType::Reasoning, &params.content)
    }

    fn agent_thought_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ContentChunk<'_>,
        out: Out<row::AgentThoughtChunk>,
    ) {
        name_thought(cx, params.message_id.as_str());
        self.piece(
            cx,
            ItemType::Reasoning,
            Two::text(&params.content),
            &implied::next_item(),
        );
        match Two::text(&params.content) {
            Some(text) => out.emit(
                cx,
                ContentDelta::new(ContentStreamKind::ReasoningText, text),
            ),
            None => {
                let block = block(cx, ItemType::Reasoning);
                out.emit(cx, block);
            }
        }
    }

    fn available_commands_update(
        &mut self,
        cx: &mut Cx<'_>,
        _: &AvailableCommandsUpdate<'_>,
    ) -> SessionConfigured {
        config("availableCommands", part(cx, &["availableCommands"]))
    }

    fn compaction_summary_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CompactionSummaryChunk<'_>,
    ) -> ItemUpdated {
        self.v2.tell_apart(cx, Role::Compaction);
        self.goes_on(cx, bit(cx, ItemType::ContextCompaction, &params.content))
    }

    fn compaction_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CompactionUpdate<'_>,
        out: Out<row::CompactionUpdate>,
    ) {
        self.v2.tell_apart(cx, Role::Compaction);
        let error = set(&params.error).and_then(|error| filled(&**error));
        let detail = error.or_else(|| set(&params.summary).and_then(|summary| joined::<Two>(summary)));
        let status = values::compaction_status(&params.status);
        compaction(self, cx, status, detail, &out, &implied::next_item());
    }

    fn config_option_update(
        &mut self,
        cx: &mut Cx<'_>,
        _: &ConfigOptionUpdate<'_>,
    ) -> SessionConfigured {
        config("configOptions", part(cx, &["configOptions"]))
    }

    fn notice(&mut self, cx: &mut Cx<'_>, params: &Notice<'_>, out: Out<row::Notice>) {
        let is_error = Two::is_error(&params.severity);
        let description = params.description.as_deref();
        notice(cx, &params.title, description, is_error, &out);
    }

    fn plan_removed(&mut self, _: &mut Cx<'_>, _: &PlanRemoved<'_>) -> TurnPlanUpdated {
        plan::<Two>(&[])
    }

    fn plan_update(&mut self, cx: &mut Cx<'_>, params: &PlanUpdate<'_>, out: Out<row::PlanUpdate>) {
        let (id, detail) = match &params.plan {
            PlanUpdateContent::Items(items) => return out.emit(cx, plan::<Two>(&items.entries)),
            PlanUpdateContent::File(file) => (&file.plan_id, &file.uri),
            PlanUpdateContent::Markdown(text) => (&text.plan_id, &text.content),
            PlanUpdateContent::Unrecognized(unrecognized) => {
                return cx.unrecognized(SURFACE, unrecognized);
            }
        };
        cx.refs.item = Some(id.as_str().into());
        self.v2.tell_apart(cx, Role::Plan);
        let item = ItemLifecycle {
            detail: filled(&**detail),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::Plan)
        };
        let item = self.goes_on(cx, ItemUpdated(item));
        out.emit(cx, item);
    }

    fn session_info_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &SessionInfoUpdate<'_>,
    ) -> ThreadMetadataUpdated {
        let name = set(&params.title).map(|title| title.to_string());
        // A title that is cleared is no name, and is told as it was sent.
        let told: &[&str] = match name {
            Some(_) => &["sessionUpdate", "title"],
            None => &["sessionUpdate"],
        };
        let metadata = Some(rest(cx, told)).filter(|metadata| !metadata.is_empty());
        ThreadMetadataUpdated { name, metadata }
    }

    fn session_message(&mut self, cx: &mut Cx<'_>, params: &SessionMessage<'_>) -> ItemUpdated {
        self.v2.tell_apart(cx, Role::SessionMessage);
        self.goes_on(cx, whole(cx, ItemType::CollabAgentToolCall, &params.content))
    }

    fn session_message_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &SessionMessageChunk<'_>,
    ) -> ItemUpdated {
        self.v2.tell_apart(cx, Role::SessionMessage);
        self.goes_on(cx, bit(cx, ItemType::CollabAgentToolCall, &params.content))
    }

    fn state_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &StateUpdate<'_>,
        out: Out<row::StateUpdate>,
    ) {
        self.session_state(cx, params, &out);
    }

    fn subagent_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &SubagentUpdate<'_>,
        out: Out<row::SubagentUpdate>,
    ) {
        let news = ChildNews {
            id: params.session_id.as_str(),
            title: params.title.as_ref().map(Option::as_deref),
            description: params.description.as_ref().map(Option::as_deref),
            state: set(&params.state).map(child_state),
        };
        self.children.tell(cx, news, &out);
    }

    fn terminal_output_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &TerminalOutputChunk<'_>,
    ) -> ContentDelta {
        let text = self.printed(cx, params.terminal_id.as_str(), &params.data);
        self.prints(cx);
        ContentDelta::new(ContentStreamKind::CommandOutput, text)
    }

    fn terminal_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &TerminalUpdate<'_>,
        out: Out<row::TerminalUpdate>,
    ) {
        let (step, mut item) = self.terminal(cx, params);
        self.watch(cx, &mut item, life(step), &implied::next_item());
        match step {
            Step::First => out.emit(cx, ItemStarted(item)),
            Step::Further => out.emit(cx, ItemUpdated(item)),
            Step::Last => out.emit(cx, ItemCompleted(item)),
        }
    }

    fn tool_call_content_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallContentChunk<'_>,
        out: Out<row::ToolCallContentChunk>,
    ) {
        self.name_call(cx, params.tool_call_id.as_str());
        if let Some(text) = Two::produced(&params.content) {
            let delta = ContentDelta::new(ContentStreamKind::CommandOutput, text);
            self.prints(cx);
            return out.emit(cx, delta);
        }
        let data = part(cx, &["content"]);
        let item = self.calls.item(cx, News::default(), data);
        let item = self.goes_on(cx, ItemUpdated(item));
        out.emit(cx, item);
    }

    fn tool_call_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
        out: Out<row::ToolCallUpdate>,
    ) {
        called(self, cx, params, &out);
    }

    fn tool_call_update_cancelled(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemCompleted {
        let (_, mut item) = self.call(cx, params, cx.body());
        self.watch(cx, &mut item, Life::Ends, &implied::next_item());
        ItemCompleted(item)
    }

    fn tool_call_update_completed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemCompleted {
        let (_, mut item) = self.call(cx, params, cx.body());
        self.watch(cx, &mut item, Life::Ends, &implied::next_item());
        ItemCompleted(item)
    }

    fn tool_call_update_failed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemCompleted {
        let (_, mut item) = self.call(cx, params, cx.body());
        self.watch(cx, &mut item, Life::Ends, &implied::next_item());
        ItemCompleted(item)
    }

    fn tool_call_update_in_progress(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
        out: Out<row::ToolCallUpdateInProgress>,
    ) {
        called(self, cx, params, &out);
    }

    fn tool_call_update_paused(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
        out: Out<row::ToolCallUpdatePaused>,
    ) {
        called(self, cx, params, &out);
    }

    fn tool_call_update_pending(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
        out: Out<row::ToolCallUpdatePending>,
    ) {
        called(self, cx, params, &out);
    }

    fn usage_update(&mut self, cx: &mut Cx<'_>, _: &UsageUpdate<'_>) -> ThreadTokenUsageUpdated {
        ThreadTokenUsageUpdated { usage: cx.body() }
    }

    fn user_message(&mut self, cx: &mut Cx<'_>, params: &UserMessage<'_>) -> ItemUpdated {
        self.v2.tell_apart(cx, Role::UserMessage);
        self.said(cx, ItemType::UserMessage, &params.content)
    }

    fn user_message_chunk(&mut self, cx: &mut Cx<'_>, params: &ContentChunk<'_>) -> ItemUpdated {
        self.v2.tell_apart(cx, Role::UserMessage);
        self.piece(
            cx,
            ItemType::UserMessage,
            Two::text(&params.content),
            &implied::next_item(),
        );
        bit(cx, ItemType::UserMessage, &params.content)
    }
}

/// A call that goes on, told as its start where it is new.
fn called<R>(mapping: &mut AcpMapping, cx: &mut Cx<'_>, patch: &ToolCallUpdate<'_>, out: &Out<R>)
where
    ItemStarted: EmittedBy<R>,
    ItemUpdated: EmittedBy<R>,
{
    let (step, mut item) = mapping.call(cx, patch, cx.body());
    let life = match step {
        Step::First => Life::Starts,
        Step::Further | Step::Last => Life::GoesOn,
    };
    mapping.watch(cx, &mut item, life, &implied::next_item());
    match step {
        Step::First => out.emit(cx, ItemStarted(item)),
        Step::Further | Step::Last => out.emit(cx, ItemUpdated(item)),
    }
}

/// Where a patch stands in the life of its item.
fn life(step: Step) -> Life {
    match step {
        Step::First => Life::Starts,
        Step::Further => Life::GoesOn,
        Step::Last => Life::Ends,
    }
}

/// Agents give a thought the id of the message that follows it, and these are two items.
fn name_thought(cx: &mut Cx<'_>, id: &str) {
    cx.refs.item = Some(Arc::from(format!("{id}#thought")));
}

impl AcpMapping {
    /// News about an item that is no text.
    fn goes_on(&mut self, cx: &mut Cx<'_>, news: ItemUpdated) -> ItemUpdated {
        let ItemUpdated(mut item) = news;
        self.watch(cx, &mut item, Life::GoesOn, &implied::next_item());
        ItemUpdated(item)
    }

    /// A command prints something.
    fn prints(&mut self, cx: &mut Cx<'_>) {
        let mut item = ItemLifecycle::new(ItemType::CommandExecution);
        self.watch(cx, &mut item, Life::GoesOn, &implied::next_item());
    }

    /// A whole message of one side: its text so far, where the patch has its content.
    fn said(
        &mut self,
        cx: &mut Cx<'_>,
        item_type: ItemType,
        content: &Option<Option<Vec<ContentBlock<'_>>>>,
    ) -> ItemUpdated {
        let text = content.as_ref().map(|content| {
            let text = content.as_deref().and_then(joined::<Two>);
            text.unwrap_or_default()
        });
        self.whole(cx, item_type, text.as_deref(), &implied::next_item());
        whole(cx, item_type, content)
    }
}
