//! Lines of Amp's stream, in the terms of the canonical model. One method a row.

use std::sync::Arc;

use crate::canonical::{
    ErrorClass, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, ItemUpdated, SessionConfigured,
    ThreadTokenUsageUpdated,
};
use crate::kit::conversation::turns::set_scope;
use crate::kit::conversation::values::{elements, member_of};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{filled, joined, rest};
use crate::providers::amp::wire;
use crate::providers::amp::wire::AssistantMessageMessageContentItem as Block;
use crate::providers::amp::wire::UserMessageMessageContentItem as Said;
use crate::providers::amp::wire::stream_json::{Mapping, row};
use crate::providers::amp::wire::values;

use super::items::{begins, called, gave_back, said, unknown_block};
use super::mapping::AmpMapping;
use super::plan::{TODO_WRITE, todos};
use super::results::{End, ends};

/// Results of turns that failed.
macro_rules! failures {
    ($($method:ident = $row:ident;)+) => {$(
        fn $method(
            &mut self,
            cx: &mut Cx<'_>,
            params: &wire::ErrorResultMessage<'_>,
            out: Out<row::$row>,
        ) {
            let end = End {
                // The subtype says it, whatever the flag says.
                fails: true,
                words: Some(&*params.error),
                class: values::result_error(&params.subtype).unwrap_or(ErrorClass::Unknown),
            };
            let (error, completed) = ends(self, cx, &end);
            if let Some(error) = error {
                out.emit(cx, error);
            }
            out.emit(cx, completed);
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
            self.stop.clone_from(&params.message.stop_reason);
        }
        let raws = elements(cx, &["message", "content"]);
        for (block, raw) in params.message.content.iter().zip(raws) {
            let before = cx.refs.clone();
            match block {
                Block::Text(block) => {
                    let (started, completed) = said(self, cx, &block.text);
                    out.emit(cx, started);
                    out.emit(cx, completed);
                }
                Block::ToolUse(block) => {
                    let input = member_of(&raw, "input");
                    let plan = input
                        .as_ref()
                        .filter(|_| block.name == TODO_WRITE)
                        .and_then(todos);
                    match called(self, cx, parent.as_ref(), block, input) {
                        Some(started) => out.emit(cx, started),
                        None => out.emit(cx, told_again(self, &block.id)),
                    }
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
        let end = End {
            fails: params.is_error,
            words: params.is_error.then_some(&*params.result),
            class: ErrorClass::ProviderError,
        };
        let (error, completed) = ends(self, cx, &end);
        if let Some(error) = error {
            out.emit(cx, error);
        }
        out.emit(cx, completed);
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
                    let item = gave_back(self, cx, block, Some(raw));
                    out.emit(cx, item);
                }
                Said::Unrecognized(block) => out.emit(cx, unknown_block(cx, block)),
            }
            cx.refs = before;
        }
        if texts.is_empty() && !is_empty {
            return;
        }
        let text = joined(&texts).unwrap_or_default();
        let item = ItemLifecycle {
            status: Some(ItemStatus::Completed),
            detail: filled(&*text),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::UserMessage)
        };
        let of_user = params.parent_tool_use_id.is_none();
        let told = of_user.then(|| self.said.find(None, &text)).flatten();
        if let Some(told) = told {
            cx.refs.item = Some(told.item);
            if let Some(scope) = told.scope {
                set_scope(&mut cx.refs, &scope);
            }
            return out.emit(cx, ItemUpdated(item));
        }
        if of_user {
            self.user_speaks(cx);
        }
        let scope = self.scope(params.parent_tool_use_id.as_deref());
        cx.refs.item = Some(self.said.told(None, scope).item);
        out.emit(cx, begins(item.item_type));
        out.emit(cx, ItemCompleted(item));
    }
}

/// A call that is told once more while it is going on.
fn told_again(mapping: &AmpMapping, call: &str) -> ItemUpdated {
    let known = mapping.calls.get(call).map(|known| known.item(call));
    ItemUpdated(known.unwrap_or_else(|| ItemLifecycle::new(ItemType::DynamicToolCall)))
}
