//! What an agent tells about a session: the kinds of `session/update`, version 1.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated, SessionConfigured, ThreadMetadataUpdated, ThreadTokenUsageUpdated,
    TurnPlanUpdated,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{config, filled, part, rest};
use crate::providers::acp::wire::v1::notification::{Mapping, SURFACE, implied, row};
use crate::providers::acp::wire::v1::{
    AvailableCommandsUpdate, CompactionSummaryChunk, CompactionUpdate, ConfigOptionUpdate,
    ContentChunk, CurrentModeUpdate, Notice, Plan, PlanRemoved, PlanUpdate,
    PlanUpdateContent, SessionInfoUpdate, SessionMessage, SessionMessageChunk, SubagentUpdate,
    ToolCall, ToolCallUpdate, UsageUpdate, values,
};

use crate::providers::acp::child_sessions::ChildNews;
use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::open_items::Step;
use crate::providers::acp::parts::{One, Parts, joined, plan, shown};
use crate::providers::acp::shared::{compaction, notice};
use crate::providers::acp::tool_calls::{News, output_summary};
use super::parts::{begun, block_item, by_kind, child_state, message_item, news_of};

impl Mapping for AcpMapping {
    fn agent_message_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ContentChunk<'_>,
        out: Out<row::AgentMessageChunk>,
    ) {
        cx.refs.item = message_item(params, ItemType::AssistantMessage);
        self.piece(
            cx,
            ItemType::AssistantMessage,
            One::text(&params.content),
            &implied::next_item(),
        );
        match One::text(&params.content) {
            Some(text) => out.emit(
                cx,
                ContentDelta::new(ContentStreamKind::AssistantText, text),
            ),
            None => {
                let item = block_item(cx, ItemType::AssistantMessage, &params.content);
                out.emit(cx, ItemUpdated(item));
            }
        }
    }

    fn agent_thought_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ContentChunk<'_>,
        out: Out<row::AgentThoughtChunk>,
    ) {
        cx.refs.item = message_item(params, ItemType::Reasoning);
        self.piece(
            cx,
            ItemType::Reasoning,
            One::text(&params.content),
            &implied::next_item(),
        );
        match One::text(&params.content) {
            Some(text) => out.emit(
                cx,
                ContentDelta::new(ContentStreamKind::ReasoningText, text),
            ),
            None => {
                let item = block_item(cx, ItemType::Reasoning, &params.content);
                out.emit(cx, ItemUpdated(item));
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
        let mut item = block_item(cx, ItemType::ContextCompaction, &params.content);
        self.watch(cx, &mut item, Step::GoesOn, &implied::next_item());
        item.into()
    }

    fn compaction_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CompactionUpdate<'_>,
        out: Out<row::CompactionUpdate>,
    ) {
        let summary = params.summary.as_ref().and_then(Option::as_deref);
        let error = params.error.as_ref().and_then(Option::as_deref);
        let detail = error.and_then(filled).or_else(|| summary.and_then(joined::<One>));
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

    fn current_mode_update(
        &mut self,
        cx: &mut Cx<'_>,
        _: &CurrentModeUpdate<'_>,
    ) -> SessionConfigured {
        config("currentModeId", part(cx, &["currentModeId"]))
    }

    fn notice(&mut self, cx: &mut Cx<'_>, params: &Notice<'_>, out: Out<row::Notice>) {
        let is_error = One::is_error(&params.severity);
        let description = params.description.as_deref();
        notice(cx, &params.title, description, is_error, &out);
    }

    fn plan(&mut self, _: &mut Cx<'_>, params: &Plan<'_>) -> TurnPlanUpdated {
        plan::<One>(&params.entries)
    }

    fn plan_removed(&mut self, _: &mut Cx<'_>, _: &PlanRemoved<'_>) -> TurnPlanUpdated {
        plan::<One>(&[])
    }

    fn plan_update(&mut self, cx: &mut Cx<'_>, params: &PlanUpdate<'_>, out: Out<row::PlanUpdate>) {
        let (id, detail) = match &params.plan {
            PlanUpdateContent::Items(items) => {
                out.emit(cx, plan::<One>(&items.entries));
                return;
            }
            PlanUpdateContent::Markdown(plan) => (&plan.plan_id, filled(&*plan.content)),
            PlanUpdateContent::File(plan) => (&plan.plan_id, filled(&*plan.uri)),
            PlanUpdateContent::Unrecognized(unrecognized) => {
                return cx.unrecognized(SURFACE, unrecognized);
            }
        };
        cx.refs.item = Some(Arc::from(id.as_str()));
        let mut item = ItemLifecycle {
            detail,
            data: Some(part(cx, &["plan"])),
            ..ItemLifecycle::new(ItemType::Plan)
        };
        self.watch(cx, &mut item, Step::GoesOn, &implied::next_item());
        out.emit(cx, ItemUpdated(item));
    }

    fn session_info_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &SessionInfoUpdate<'_>,
    ) -> ThreadMetadataUpdated {
        let title = params.title.as_ref().and_then(Option::as_deref);
        // A title that is taken away stays among the rest, as `null`.
        let but: &[&str] = match title {
            Some(_) => &["sessionUpdate", "title"],
            None => &["sessionUpdate"],
        };
        let metadata = rest(cx, but);
        ThreadMetadataUpdated {
            name: title.map(str::to_owned),
            metadata: (!metadata.is_empty()).then_some(metadata),
        }
    }

    fn session_message(&mut self, cx: &mut Cx<'_>, params: &SessionMessage<'_>) -> ItemUpdated {
        cx.refs.item = Some(Arc::from(params.message_id.as_str()));
        let content = params.content.as_ref().and_then(Option::as_deref);
        let mut item = ItemLifecycle {
            detail: content.and_then(joined::<One>),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::CollabAgentToolCall)
        };
        self.watch(cx, &mut item, Step::GoesOn, &implied::next_item());
        item.into()
    }

    fn session_message_chunk(
        &mut self,
        cx: &mut Cx<'_>,
        params: &SessionMessageChunk<'_>,
    ) -> ItemUpdated {
        cx.refs.item = Some(Arc::from(params.message_id.as_str()));
        let mut item = block_item(cx, ItemType::CollabAgentToolCall, &params.content);
        self.watch(cx, &mut item, Step::GoesOn, &implied::next_item());
        item.into()
    }

    fn subagent_update(
        &mut self,
        cx: &mut Cx<'_>,
        params: &SubagentUpdate<'_>,
        out: Out<row::SubagentUpdate>,
    ) {
        let state = params.state.as_ref().and_then(Option::as_ref);
        let news = ChildNews {
            id: params.session_id.as_str(),
            title: params.title.as_ref().map(Option::as_deref),
            description: params.description.as_ref().map(Option::as_deref),
            state: state.map(child_state),
        };
        self.children.tell(cx, news, &out);
    }

    fn tool_call(&mut self, cx: &mut Cx<'_>, params: &ToolCall<'_>) -> ItemStarted {
        self.opened_call(cx, params).into()
    }

    fn tool_call_completed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCall<'_>,
        out: Out<row::ToolCallCompleted>,
    ) {
        let mut item = self.announced(cx, params);
        let mut begun = begun(&item);
        self.watch(cx, &mut begun, Step::Starts, &implied::next_item());
        out.emit(cx, ItemStarted(begun));
        self.watch(cx, &mut item, Step::Ends, &implied::next_item());
        out.emit(cx, ItemCompleted(item));
    }

    fn tool_call_failed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCall<'_>,
        out: Out<row::ToolCallFailed>,
    ) {
        let mut item = self.announced(cx, params);
        let mut begun = begun(&item);
        self.watch(cx, &mut begun, Step::Starts, &implied::next_item());
        out.emit(cx, ItemStarted(begun));
        self.watch(cx, &mut item, Step::Ends, &implied::next_item());
        out.emit(cx, ItemCompleted(item));
    }

    fn tool_call_in_progress(&mut self, cx: &mut Cx<'_>, params: &ToolCall<'_>) -> ItemStarted {
        self.opened_call(cx, params).into()
    }

    fn tool_call_pending(&mut self, cx: &mut Cx<'_>, params: &ToolCall<'_>) -> ItemStarted {
        self.opened_call(cx, params).into()
    }

    fn tool_call_update(&mut self, cx: &mut Cx<'_>, params: &ToolCallUpdate<'_>) -> ItemUpdated {
        self.updated(cx, params, Step::GoesOn).into()
    }

    fn tool_call_update_completed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemCompleted {
        self.updated(cx, params, Step::Ends).into()
    }

    fn tool_call_update_failed(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemCompleted {
        self.updated(cx, params, Step::Ends).into()
    }

    fn tool_call_update_in_progress(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemUpdated {
        self.updated(cx, params, Step::GoesOn).into()
    }

    fn tool_call_update_pending(
        &mut self,
        cx: &mut Cx<'_>,
        params: &ToolCallUpdate<'_>,
    ) -> ItemUpdated {
        self.updated(cx, params, Step::GoesOn).into()
    }

    fn usage_update(&mut self, cx: &mut Cx<'_>, _: &UsageUpdate<'_>) -> ThreadTokenUsageUpdated {
        ThreadTokenUsageUpdated { usage: cx.body() }
    }

    fn user_message_chunk(&mut self, cx: &mut Cx<'_>, params: &ContentChunk<'_>) -> ItemUpdated {
        cx.refs.item = message_item(params, ItemType::UserMessage);
        self.piece(
            cx,
            ItemType::UserMessage,
            One::text(&params.content),
            &implied::next_item(),
        );
        block_item(cx, ItemType::UserMessage, &params.content).into()
    }
}

impl AcpMapping {
    fn announced(&mut self, cx: &Cx<'_>, call: &ToolCall<'_>) -> ItemLifecycle {
        let news = News {
            by_kind: call.kind.as_ref().and_then(by_kind),
            name: call.name.as_deref(),
            title: Some(&call.title),
            // A call whose status is not told is pending; one that cannot be read may be anything.
            status: match &call.status {
                None => Some(ItemStatus::InProgress),
                Some(status) => values::tool_call_status(status),
            },
            input: call.raw_input,
            output: output_summary(call.raw_output)
                .or_else(|| call.content.as_deref().and_then(shown::<One>)),
        };
        self.calls.item(cx, news, cx.body())
    }

    /// A call that is announced, and is not over.
    fn opened_call(&mut self, cx: &mut Cx<'_>, call: &ToolCall<'_>) -> ItemLifecycle {
        let mut item = self.announced(cx, call);
        self.watch(cx, &mut item, Step::Starts, &implied::next_item());
        self.note_terminal(cx);
        item
    }

    fn updated(
        &mut self,
        cx: &mut Cx<'_>,
        call: &ToolCallUpdate<'_>,
        step: Step,
    ) -> ItemLifecycle {
        let mut item = self.calls.item(cx, news_of(call), cx.body());
        self.watch(cx, &mut item, step, &implied::next_item());
        self.note_terminal(cx);
        item
    }

    /// A command whose output goes to a terminal of its own says itself when it is over.
    fn note_terminal(&mut self, cx: &Cx<'_>) {
        if cx.raw(&["_meta", "terminal_info"]).is_some() {
            self.open.has_terminal(&cx.refs);
        }
    }
}
