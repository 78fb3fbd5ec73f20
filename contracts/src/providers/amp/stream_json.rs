//! Lines of Amp's stream, in the terms of the canonical model. One method a row.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    ErrorClass, ItemCompleted, ItemStatus, ItemType, ProviderKind, RawSource, RuntimeError,
    SessionConfigured, ThreadTokenUsageUpdated, TurnCompleted, TurnState,
};
use crate::generated::lifecycles;
use crate::kit::conversation::driver::{Conversation, conversation_rules};
use crate::kit::conversation::head::Head;
use crate::kit::conversation::items::{NewCall, unknown_block};
use crate::kit::conversation::talk::Talk;
use crate::kit::conversation::values::{elements, member_of};
use crate::kit::core::{Place, Provider, Slot};
use crate::kit::failures::{leading_status, of_status};
use crate::kit::ledger::{Lifecycle, Refs};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{filled, joined, object, rest};
use crate::providers::amp::wire;
use crate::providers::amp::wire::AssistantMessageMessageContentItem as Block;
use crate::providers::amp::wire::AssistantMessageMessageStopReason as StopReason;
use crate::providers::amp::wire::UserMessageMessageContentItem as Said;
use crate::providers::amp::wire::stream_json::{self as rows, Mapping, implied, row};
use crate::providers::amp::wire::values;

use super::tools::{TODO_WRITE, given, todos};

/// How the agent says that the user broke the turn off.
const CANCELLED: &str = "User cancelled";

/// Maps Amp's stream; one for each process of the agent.
#[derive(Debug, Default)]
pub struct AmpMapping {
    talk: Talk,
    /// Why the model stopped last in the turn that is going on; no reason where it broke off.
    stop: Option<Option<StopReason>>,
}

impl Provider for AmpMapping {
    const KIND: ProviderKind = ProviderKind::Amp;
    const LIFECYCLE: Lifecycle = lifecycles::AMP;

    fn slot(member: &str) -> Option<Slot> {
        (member == "tool_use_id").then_some(Slot::Item)
    }

    fn place(&self, refs: &mut Refs) {
        self.talk.place(refs);
    }

    fn after_exit(self) -> Self {
        Self {
            talk: self.talk.after_exit(),
            stop: None,
        }
    }
}

conversation_rules!(AmpMapping, implied);

impl Conversation for AmpMapping {
    const SOURCE: RawSource = RawSource::AmpStreamJson;

    // The stream never has the results of an agent's calls, so nothing says how they ended.
    const LEFT_BY_AGENTS: Option<ItemStatus> = None;

    type Message<'m> = wire::StreamMessage<'m>;

    fn talk(&mut self) -> &mut Talk {
        &mut self.talk
    }

    fn tag_path<'m>(message: &'m wire::StreamMessage<'_>) -> Cow<'m, str> {
        rows::tag_path(message)
    }

    fn map(&mut self, cx: &mut Cx<'_>, message: &wire::StreamMessage<'_>) {
        rows::map(self, cx, message);
    }

    fn shows_work(head: &Head<'_>, _: &Place<'_>) -> bool {
        head.is("assistant") && head.parent.is_none()
    }

    /// Between two messages of the user no result is written, only one at the very end: a turn that
    /// the model has answered, or in which it broke off, is over by then.
    fn user_speaks(&mut self, cx: &mut Cx<'_>) {
        let (state, words) = match &self.stop {
            Some(Some(StopReason::ToolUse)) | None => return self.begin(cx),
            Some(Some(stop)) => (values::stop_reason(stop), None),
            Some(None) => (None, Some(String::from("the model broke off"))),
        };
        let stop = self.stop.take().flatten();
        if self.ends_turn(cx).is_some() {
            let completed = TurnCompleted {
                stop_reason: stop.map(|stop| Some(stop.as_str().to_owned())),
                error_message: words,
                ..TurnCompleted::new(state.unwrap_or(TurnState::Failed))
            };
            implied::next_message().emit(cx, completed);
            cx.refs.turn = None;
        }
        self.begin(cx);
    }

    fn turn_is_over(&mut self) {
        self.stop = None;
    }
}

/// Results of turns that failed: the subtype says it, whatever the flag says.
macro_rules! failures {
    ($($method:ident = $row:ident;)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::ErrorResultMessage<'_>,
            out: Out<row::$row>,
        ) {
            let class = values::result_error(&params.subtype).unwrap_or(ErrorClass::Unknown);
            self.ends(cx, Some((&*params.error, class)), &out);
        }
    )+};
}

impl Mapping for AmpMapping {
    failures! {
        result_error_during_execution = ResultErrorDuringExecution;
        result_error_max_turns = ResultErrorMaxTurns;
    }

    fn assistant(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::AssistantMessage<'_>,
        out: Out<row::Assistant>,
    ) {
        let parent = params.parent_tool_use_id.as_deref().map(Arc::<str>::from);
        if parent.is_none() {
            self.stop = Some(params.message.stop_reason.clone());
        }
        let raws = elements(cx, &["message", "content"]);
        for (block, raw) in params.message.content.iter().zip(raws) {
            let before = cx.refs.clone();
            match block {
                Block::Text(block) => self.talk.text(cx, &block.text, &out),
                Block::ToolUse(block) => {
                    let input = member_of(&raw, "input");
                    let plan = input.as_ref().filter(|_| block.name == TODO_WRITE);
                    let plan = plan.and_then(todos);
                    let item_type = values::tool_item(&block.name);
                    let call = NewCall {
                        id: &block.id,
                        name: &block.name,
                        item_type: item_type.unwrap_or(ItemType::DynamicToolCall),
                        parent: parent.as_ref(),
                    };
                    self.talk.call(cx, call, input, &out);
                    if let Some(plan) = plan {
                        cx.refs.item = None;
                        out.emit(cx, plan);
                    }
                }
                Block::Unrecognized(block) => out.emit(cx, unknown_block(cx, block)),
            }
            cx.refs = before;
        }
        if let Some(usage) = cx.raw(&["message", "usage"]) {
            out.emit(cx, ThreadTokenUsageUpdated { usage });
        }
    }

    fn result_success(
        &mut self,
        cx: &mut Cx<'_>,
        params: &wire::ResultMessage<'_>,
        out: Out<row::ResultSuccess>,
    ) {
        let failure = (&*params.result, ErrorClass::ProviderError);
        self.ends(cx, params.is_error.then_some(failure), &out);
    }

    fn system_init(&mut self, cx: &mut Cx<'_>, _: &wire::SystemMessage<'_>) -> SessionConfigured {
        SessionConfigured {
            config: rest(cx, &["type", "subtype", "session_id"]),
        }
    }

    fn user(&mut self, cx: &mut Cx<'_>, params: &wire::UserMessage<'_>, out: Out<row::User>) {
        let mut texts = Vec::new();
        let raws = elements(cx, &["message", "content"]);
        let is_empty = raws.is_empty();
        for (block, raw) in params.message.content.iter().zip(raws) {
            let before = cx.refs.clone();
            match block {
                Said::Text(block) => texts.push(&*block.text),
                Said::ToolResult(block) => {
                    let id = &*block.tool_use_id;
                    self.ends_agent(cx, id);
                    let given = given(self.talk.calls.get(id), block, raw);
                    let item = self.talk.result(cx, id, ItemType::Unknown, given);
                    out.emit(cx, ItemCompleted(item));
                }
                Said::Unrecognized(block) => out.emit(cx, unknown_block(cx, block)),
            }
            cx.refs = before;
        }
        if texts.is_empty() && !is_empty {
            return;
        }
        let text = joined(&texts).unwrap_or_default();
        let parent = params.parent_tool_use_id.as_deref();
        let told = match parent {
            Some(_) => None,
            None => self.talk.said.find(None, &text),
        };
        if parent.is_none() && told.is_none() {
            self.user_speaks(cx);
        }
        self.talk.words(cx, told, (None, parent), &text, &out);
    }
}

impl AmpMapping {
    /// The end of a turn: what went wrong, with its class where the words tell no other, and the
    /// end. A result that is called a success ends as the last message of the model says; a reason
    /// that can't be read is none for success.
    fn ends<R>(&mut self, cx: &mut Cx<'_>, failure: Option<(&str, ErrorClass)>, out: &Out<R>)
    where
        RuntimeError: EmittedBy<R>,
        TurnCompleted: EmittedBy<R>,
    {
        let stop = self.stop.take().flatten();
        let state = match (&failure, &stop) {
            (Some((words, _)), _) if words.starts_with(CANCELLED) => TurnState::Interrupted,
            (Some(_), _) => TurnState::Failed,
            (None, Some(stop)) => values::stop_reason(stop).unwrap_or(TurnState::Failed),
            (None, None) => TurnState::Completed,
        };
        // A reader may have missed the beginning of the turn; its end has a name all the same.
        self.talk.turns.start();
        self.ends_turn(cx);
        let stop = stop.map(|stop| stop.as_str().to_owned());
        let failed = state == TurnState::Failed;
        let (said, class) = failure.unwrap_or(("", ErrorClass::ProviderError));
        let words = filled(said).unwrap_or_else(|| {
            let reason = stop.as_deref().unwrap_or("no reason given");
            format!("the turn failed: {reason}")
        });
        if failed {
            let class = leading_status(&words).map_or(class, of_status);
            out.emit(cx, RuntimeError::new(&*words, class));
        }
        // What a result counts, it counts over all turns of the process: it is the turn's own only
        // where no other one ended before.
        let used = cx.raw(&["usage"]).map(|usage| match self.talk.ended {
            0 | 1 => usage,
            _ => object(&[("total", usage)]),
        });
        let completed = TurnCompleted {
            stop_reason: stop.map(Some),
            usage: used,
            error_message: failed.then_some(words),
            ..TurnCompleted::new(state)
        };
        out.emit(cx, completed);
    }
}
