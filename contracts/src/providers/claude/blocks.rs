//! Blocks of the model's messages as items: in pieces, and in whole lines.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated, TurnPlanUpdated,
};
use crate::json::{Json, OwnedJson};
use crate::kit::conversation::calls::{Call, output_summary};
use crate::kit::conversation::values::member_of;
use crate::kit::mapping::Cx;
use crate::kit::parts::filled;
use crate::providers::claude::wire::values;

use super::mapping::ClaudeMapping;
use super::plan::{TODO_WRITE, todos};
use super::result_block::failed;

/// What a message tells beside an item.
pub(super) enum Told {
    /// An item started.
    Started(ItemStarted),
    /// An item changed.
    Updated(ItemUpdated),
    /// An item ended.
    Completed(ItemCompleted),
    /// A plan.
    Plan(TurnPlanUpdated),
}

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
        self.opens(cx, item_type, parent.as_ref());
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
        self.announce(cx, parent.as_ref(), id, name, item_type)
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
                self.texts.push(&block.item, piece);
            }
            self.about(cx, &block.item);
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
        self.about(cx, &block.item);
        block.item_type
    }

    /// A block ends. Text is over; a call has its input, and waits for its result.
    pub(super) fn block_stops(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&str>,
        index: i64,
        tell: impl FnMut(&mut Cx<'_>, Told),
    ) {
        let mut tell = tell;
        let parent = parent.map(Arc::<str>::from);
        let Some(block) = self.messages.block_ends(parent.as_ref(), index) else {
            return cx.dropped("no block of that index is open");
        };
        self.about(cx, &block.item);
        let text = self.texts.take(&block.item);
        if !block.of_call {
            self.open.remove(&block.item);
            let item = ItemLifecycle {
                status: Some(ItemStatus::Completed),
                detail: text.and_then(filled),
                ..ItemLifecycle::new(block.item_type)
            };
            return tell(cx, Told::Completed(item.into()));
        }
        let known = self.calls.get(&block.item);
        let known = known.is_some_and(|call| call.input.is_some() || call.ended);
        let input = text.as_deref().and_then(|text| OwnedJson::parse(text).ok());
        if let (false, Some(input)) = (known, input) {
            self.calls.give(&block.item, input);
        }
        let call = self.calls.get(&block.item).filter(|call| !call.ended);
        match call.filter(|_| !block.in_line) {
            Some(call) => {
                let item = call.item(&block.item);
                tell(cx, Told::Updated(item.into()));
            }
            None => cx.dropped("the whole input was told before"),
        }
        if let Some(plan) = self.plan_of(&block.item) {
            cx.refs.item = None;
            tell(cx, Told::Plan(plan));
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
        mut tell: impl FnMut(&mut Cx<'_>, Told),
    ) {
        if let Some(call) = piece.result_of {
            let over = self.calls.get(call).is_some_and(|call| call.ended);
            let item = self.result(cx, call, piece.item_type, piece.raw, None);
            return match over {
                true => tell(cx, Told::Updated(item.into())),
                false => tell(cx, Told::Completed(item.into())),
            };
        }
        let id = piece.call.map(|(id, _)| id);
        let block =
            self.messages
                .block_in_line(parent, message, piece.item_type, id, piece.call.is_some());
        self.about(cx, &block.item);
        if let Some((id, name)) = piece.call {
            let is_new = self.calls.get(id).is_none();
            if is_new {
                // The ledger keeps an item whose start another line told.
                let started = self.announce(cx, parent, id, name, piece.item_type);
                drop(started);
            }
            let input = piece.raw.as_ref().and_then(|raw| member_of(raw, "input"));
            if let Some(input) = input.filter(|_| self.calls.get(id).is_some_and(|it| !it.ended)) {
                self.calls.give(id, input);
            }
            if let Some(call) = self.calls.get(id) {
                let item = call.item(id);
                match (is_new, call.ended) {
                    (true, _) => tell(cx, Told::Started(item.into())),
                    (false, false) => tell(cx, Told::Updated(item.into())),
                    (false, true) => {}
                }
            }
            if let Some(plan) = self.plan_of(id) {
                cx.refs.item = None;
                tell(cx, Told::Plan(plan));
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
        if block.streamed {
            if let Some(text) = piece.text.filter(|_| !block.ended) {
                self.texts.put(&block.item, text);
            }
            return tell(cx, Told::Updated(item.into()));
        }
        let started = ItemLifecycle {
            status: Some(ItemStatus::InProgress),
            ..ItemLifecycle::new(piece.item_type)
        };
        tell(cx, Told::Started(started.into()));
        tell(cx, Told::Completed(item.into()));
    }

    /// A call is new: its item opens.
    fn announce(
        &mut self,
        cx: &mut Cx<'_>,
        parent: Option<&Arc<str>>,
        id: &str,
        name: &str,
        item_type: ItemType,
    ) -> ItemStarted {
        let call = Call {
            name: Arc::from(name),
            item_type,
            input: None,
            scope: self.scope(parent.map(|parent| &**parent)),
            parent: parent.cloned(),
            denied: false,
            ended: false,
            planned: false,
        };
        let item = call.item(id);
        self.calls.start(id, call);
        cx.refs.item = Some(Arc::from(id));
        self.opens(cx, item_type, parent);
        ItemStarted(item)
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
        let item: Arc<str> = Arc::from(id);
        self.about(cx, &item);
        self.open.remove(id);
        let call = self.calls.get(id).cloned();
        let fails = block.as_ref().is_some_and(failed);
        let status = match (fails, call.as_ref().is_some_and(|call| call.denied)) {
            (_, true) => ItemStatus::Declined,
            (true, false) => ItemStatus::Failed,
            (false, false) => ItemStatus::Completed,
        };
        let content = block.as_ref().and_then(|block| member_of(block, "content"));
        let content = content
            .as_ref()
            .and_then(|it| Json::parse(it.as_str()).ok());
        let detail = output_summary(content);
        let mut parts = Vec::new();
        parts.extend(block.map(|block| ("result", block)));
        parts.extend(more.map(|more| ("toolUseResult", more)));
        self.calls.end(id);
        let Some(call) = call else {
            return ItemLifecycle {
                status: Some(status),
                detail,
                data: Some(crate::kit::parts::object(&parts)),
                ..ItemLifecycle::new(item_type)
            };
        };
        ItemLifecycle {
            item_type: call.item_type,
            status: Some(status),
            title: filled(&*call.name),
            detail,
            data: Some(call.data(id, parts)),
        }
    }

    /// The plan that the input of a call sets, once.
    fn plan_of(&mut self, id: &str) -> Option<TurnPlanUpdated> {
        let call = self.calls.get_mut(id)?;
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
