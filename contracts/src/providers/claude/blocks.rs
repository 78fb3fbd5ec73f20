//! Blocks of the model's messages as items: in pieces, and in whole lines.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated, TurnPlanUpdated,
};
use crate::json::{Json, OwnedJson};
use crate::kit::conversation::calls::output_summary;
use crate::kit::conversation::items::{Given, NewCall, begins};
use crate::kit::conversation::values::member_of;
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::filled;
use crate::providers::claude::wire::message::row;
use crate::providers::claude::wire::values;

use super::mapping::ClaudeMapping;
use super::plan::{TODO_WRITE, todos};
use super::result_block::failed;

/// A block of a line, in the terms of no type.
pub(super) struct Piece<'m> {
    /// What it is as an item.
    pub item_type: ItemType,
    /// Its text, where it has any.
    pub text: Option<&'m str>,
    /// It is a call, of this id and of this tool.
    pub call: Option<(&'m str, &'m str)>,
    /// It is the result of the call of this id.
    pub result_of: Option<&'m str>,
    /// The block as it was sent.
    pub raw: Option<OwnedJson>,
    /// Its message failed.
    pub fails: bool,
}

impl ClaudeMapping {
    /// A block that is no call begins to stream.
    pub(super) fn text_starts(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
        item_type: ItemType,
    ) -> ItemStarted {
        let parent = parent.map(Arc::<str>::from);
        let block = self
            .messages
            .block_starts(parent.as_ref(), index, item_type, None);
        cx.refs.item = Some(block.item);
        self.talk.opens(cx, item_type, parent.as_ref());
        ItemStarted(ItemLifecycle {
            status: Some(ItemStatus::InProgress),
            data: Some(cx.body()),
            ..ItemLifecycle::new(item_type)
        })
    }

    /// A call begins to stream; its input comes in pieces.
    pub(super) fn call_starts(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
        (id, name): (&str, &str),
        item_type: ItemType,
    ) -> ItemStarted {
        let parent = parent.map(Arc::<str>::from);
        self.messages
            .block_starts(parent.as_ref(), index, item_type, Some(id));
        let call = NewCall {
            id,
            name,
            item_type,
            parent: parent.as_ref(),
        };
        self.talk.announce(cx, call, None)
    }

    /// The result of a call that the provider makes itself.
    pub(super) fn result_streams(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
        call: &str,
        item_type: ItemType,
    ) -> ItemCompleted {
        let parent = parent.map(Arc::<str>::from);
        self.messages
            .result_starts(parent.as_ref(), index, item_type);
        let raw = cx.raw(&["event", "content_block"]);
        ItemCompleted(self.result(cx, call, item_type, raw, None))
    }

    /// A piece of text or of an input.
    pub(super) fn piece(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
        kind: ContentStreamKind,
        piece: &str,
    ) -> ContentDelta {
        let parent = parent.map(Arc::<str>::from);
        let item_type = Some(kind.into());
        let block = self
            .messages
            .block_goes_on(parent.as_ref(), index, item_type);
        if let Some(block) = block {
            if !block.ended {
                self.talk.texts.push(&block.item, piece);
            }
            self.talk.about(cx, &block.item);
        }
        ContentDelta::new(kind, piece)
    }

    /// Makes the context speak of a block that is being streamed, and gives its type.
    pub(super) fn about_block(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
    ) -> ItemType {
        let parent = parent.map(Arc::<str>::from);
        let block = self.messages.block_goes_on(parent.as_ref(), index, None);
        let Some(block) = block else {
            return ItemType::Unknown;
        };
        self.talk.about(cx, &block.item);
        block.item_type
    }

    /// A block ends. Text is over; a call has its input, and waits for its result.
    pub(super) fn block_stops(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
        out: &Out<row::StreamEventContentBlockStop>,
    ) {
        let parent = parent.map(Arc::<str>::from);
        let Some(block) = self.messages.block_ends(parent.as_ref(), index) else {
            return cx.dropped("no block of that index is open");
        };
        self.talk.about(cx, &block.item);
        let text = self.talk.texts.take(&block.item);
        if !block.of_call {
            self.talk.open.remove(&block.item);
            let item = ItemLifecycle {
                status: Some(ItemStatus::Completed),
                detail: text.and_then(filled),
                ..ItemLifecycle::new(block.item_type)
            };
            return out.emit(cx, ItemCompleted(item));
        }
        let known = self.talk.calls.get(&block.item);
        let known = known.is_some_and(|call| call.input.is_some() || call.ended);
        let input = text.as_deref().and_then(|text| OwnedJson::parse(text).ok());
        if let (false, Some(input)) = (known, input) {
            self.talk.calls.give(&block.item, input);
        }
        let call = self.talk.calls.get(&block.item).filter(|call| !call.ended);
        match call.filter(|_| !block.in_line) {
            Some(call) => {
                let item = call.item(&block.item);
                out.emit(cx, ItemUpdated(item));
            }
            None => cx.dropped("the whole input was told before"),
        }
        if let Some(plan) = self.plan_of(&block.item) {
            cx.refs.item = None;
            out.emit(cx, plan);
        }
    }

    /// A block of a whole line. Where it was streamed, this adds what the line says; else the line
    /// opens it, and closes it where it is no call.
    pub(super) fn block_in_line(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&Arc<str>>,
        message: &str,
        piece: Piece<'_>,
        out: &Out<row::Assistant>,
    ) {
        if let Some(call) = piece.result_of {
            let over = self.talk.calls.get(call).is_some_and(|call| call.ended);
            let item = self.result(cx, call, piece.item_type, piece.raw, None);
            return match over {
                true => out.emit(cx, ItemUpdated(item)),
                false => out.emit(cx, ItemCompleted(item)),
            };
        }
        let id = piece.call.map(|(id, _)| id);
        let block =
            self.messages
                .block_in_line(parent, message, piece.item_type, id, piece.call.is_some());
        self.talk.about(cx, &block.item);
        if let Some((id, name)) = piece.call {
            let input = piece.raw.as_ref().and_then(|raw| member_of(raw, "input"));
            match self.talk.calls.get(id).map(|call| call.ended) {
                None => {
                    let call = NewCall {
                        id,
                        name,
                        item_type: piece.item_type,
                        parent,
                    };
                    let started = self.talk.announce(cx, call, input);
                    out.emit(cx, started);
                }
                Some(false) => {
                    if let Some(input) = input {
                        self.talk.calls.give(id, input);
                    }
                    if let Some(call) = self.talk.calls.get(id) {
                        let item = call.item(id);
                        out.emit(cx, ItemUpdated(item));
                    }
                }
                Some(true) => {}
            }
            if let Some(plan) = self.plan_of(id) {
                cx.refs.item = None;
                out.emit(cx, plan);
            }
            return;
        }
        let status = match (piece.fails, block.streamed && !block.ended) {
            (true, _) => ItemStatus::Failed,
            (false, true) => ItemStatus::InProgress,
            (false, false) => ItemStatus::Completed,
        };
        let item = ItemLifecycle {
            status: Some(status),
            detail: piece.text.and_then(filled),
            data: Some(cx.body()),
            ..ItemLifecycle::new(piece.item_type)
        };
        if block.streamed && piece.fails && !block.ended {
            // What comes after this line of its end tells nothing else.
            self.messages.end_in_line(parent, message, &block.item);
            self.talk.open.remove(&block.item);
            self.talk.texts.take(&block.item);
            return out.emit(cx, ItemCompleted(item));
        }
        if block.streamed {
            if let Some(text) = piece.text.filter(|_| !block.ended) {
                self.talk.texts.put(&block.item, text);
            }
            return out.emit(cx, ItemUpdated(item));
        }
        out.emit(cx, begins(piece.item_type));
        out.emit(cx, ItemCompleted(item));
    }

    /// A call has its result; the context speaks of it then. `more` is what the line tells of it
    /// beside the block.
    pub(super) fn result(
        &mut self,
        cx: &mut Cx<'_>,
        id: &str,
        item_type: ItemType,
        block: Option<OwnedJson>,
        more: Option<OwnedJson>,
    ) -> ItemLifecycle {
        let content = block.as_ref().and_then(|block| member_of(block, "content"));
        let content = content
            .as_ref()
            .and_then(|it| Json::parse(it.as_str()).ok());
        let mut given = Given {
            fails: block.as_ref().is_some_and(failed),
            detail: output_summary(content),
            parts: Vec::new(),
        };
        given.parts.extend(block.map(|block| ("result", block)));
        given.parts.extend(more.map(|more| ("toolUseResult", more)));
        self.talk.result(cx, id, item_type, given)
    }

    /// The plan that the input of a call sets, once.
    fn plan_of(&mut self, id: &str) -> Option<TurnPlanUpdated> {
        let call = self.talk.calls.get_mut(id)?;
        if &*call.name != TODO_WRITE || call.planned {
            return None;
        }
        let input = call.input.clone()?;
        call.planned = true;
        todos(&input)
    }
}

/// The type of a tool's item, by its name.
pub(super) fn tool_type(name: &str) -> ItemType {
    values::tool_item(name).unwrap_or(ItemType::DynamicToolCall)
}
