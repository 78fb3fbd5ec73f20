//! What the model says and calls, what calls give back, and what the user says: as items.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated, RuntimeWarning,
};
use crate::json::{OwnedJson, Unrecognized};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{filled, object};

use super::calls::Call;
use super::said::Message;
use super::talk::Talk;
use super::turns::set_scope;

/// A call that a line tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewCall<'m> {
    /// Its id.
    pub id: &'m str,
    /// The tool.
    pub name: &'m str,
    /// What it is as an item.
    pub item_type: ItemType,
    /// The call that started the agent that makes it.
    pub parent: Option<&'m Arc<str>>,
}

/// What a call gave back.
#[derive(Debug, Default)]
pub(crate) struct Given<'m> {
    /// The call failed.
    pub fails: bool,
    /// What people read of it.
    pub detail: Option<String>,
    /// What is kept of it, by the names of the members.
    pub parts: Vec<(&'m str, OwnedJson)>,
}

/// The beginning and the end of an item that a line tells whole.
pub(crate) fn whole(item: ItemLifecycle) -> (ItemStarted, ItemCompleted) {
    let with = |status| ItemLifecycle {
        status: Some(status),
        ..item.clone()
    };
    (
        ItemStarted(with(ItemStatus::InProgress)),
        ItemCompleted(with(ItemStatus::Completed)),
    )
}

/// The beginning of an item of which its end tells everything.
pub(crate) fn begins(item_type: ItemType) -> ItemStarted {
    ItemStarted(ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        ..ItemLifecycle::new(item_type)
    })
}

/// A block that no vendored version has: its neighbours are untouched.
pub(crate) fn unknown_block(cx: &Cx<'_>, block: &Unrecognized<'_>) -> RuntimeWarning {
    RuntimeWarning {
        message: format!("unrecognized block `{}`", block.tag),
        detail: Some(cx.own(block.raw)),
    }
}

impl Talk {
    /// A text of the model that comes whole: its item begins and ends.
    pub fn text<R>(&mut self, cx: &mut Cx<'_>, text: &str, out: &Out<R>)
    where
        ItemStarted: EmittedBy<R>,
        ItemCompleted: EmittedBy<R>,
    {
        cx.refs.item = Some(self.next_text());
        out.emit(cx, begins(ItemType::AssistantMessage));
        let item = ItemLifecycle {
            status: Some(ItemStatus::Completed),
            detail: filled(text),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::AssistantMessage)
        };
        out.emit(cx, ItemCompleted(item));
    }

    /// A piece of a text that goes on until something else is told: the first one begins its item.
    #[expect(
        dead_code,
        reason = "for wires whose texts have no end, of which none is read yet"
    )]
    pub fn piece<R>(&mut self, cx: &mut Cx<'_>, kind: ContentStreamKind, piece: &str, out: &Out<R>)
    where
        ItemStarted: EmittedBy<R>,
        ContentDelta: EmittedBy<R>,
        ItemCompleted: EmittedBy<R>,
    {
        let item_type = ItemType::from(kind);
        if self.running.as_ref().is_some_and(|it| it.1 != item_type) {
            self.text_ends(cx, ItemStatus::Completed, out);
        }
        let running = self.running.clone();
        let item = running.map_or_else(
            || {
                let item = self.next_text();
                cx.refs.item = Some(Arc::clone(&item));
                out.emit(cx, begins(item_type));
                self.opens(cx, item_type, None);
                item
            },
            |(item, _)| item,
        );
        self.texts.push(&item, piece);
        cx.refs.item = Some(Arc::clone(&item));
        self.running = Some((item, item_type));
        out.emit(cx, ContentDelta::new(kind, piece));
    }

    /// The text that goes on is over: something else is told.
    pub fn text_ends<R>(&mut self, cx: &mut Cx<'_>, status: ItemStatus, out: &Out<R>)
    where
        ItemCompleted: EmittedBy<R>,
    {
        let Some((item, item_type)) = self.running.take() else {
            return;
        };
        let before = cx.refs.clone();
        let open = self.open.remove(&item);
        if let Some(scope) = open.and_then(|open| open.scope) {
            set_scope(&mut cx.refs, &scope);
        }
        let ended = ItemLifecycle {
            status: Some(status),
            detail: self.texts.take(&item).and_then(filled),
            ..ItemLifecycle::new(item_type)
        };
        cx.refs.item = Some(item);
        out.emit(cx, ItemCompleted(ended));
        cx.refs = before;
    }

    /// A call of a tool: its item opens, until its result comes. One that is going on is told
    /// again.
    pub fn call<R>(
        &mut self,
        cx: &mut Cx<'_>,
        call: NewCall<'_>,
        input: Option<OwnedJson>,
        out: &Out<R>,
    ) where
        ItemStarted: EmittedBy<R>,
        ItemUpdated: EmittedBy<R>,
    {
        let known = self.calls.get(call.id).filter(|known| !known.ended);
        if let Some(item) = known.map(|known| known.item(call.id)) {
            cx.refs.item = Some(Arc::from(call.id));
            return out.emit(cx, ItemUpdated(item));
        }
        let started = self.announce(cx, call, input);
        out.emit(cx, started);
    }

    /// A call is new: its item opens.
    pub fn announce(
        &mut self,
        cx: &mut Cx<'_>,
        call: NewCall<'_>,
        input: Option<OwnedJson>,
    ) -> ItemStarted {
        let NewCall {
            id,
            name,
            item_type,
            parent,
        } = call;
        let call = Call {
            name: Arc::from(name),
            item_type,
            input,
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

    /// A call has its result; the context speaks of it then. `item_type` is what it is as an item
    /// where its beginning was not seen.
    pub fn result(
        &mut self,
        cx: &mut Cx<'_>,
        id: &str,
        item_type: ItemType,
        given: Given<'_>,
    ) -> ItemLifecycle {
        let Given {
            fails,
            detail,
            parts,
        } = given;
        self.about(cx, &Arc::from(id));
        self.open.remove(id);
        let call = self.calls.get(id).cloned();
        self.calls.end(id);
        let denied = call.as_ref().is_some_and(|call| call.denied);
        let status = Some(match (fails, denied) {
            (_, true) => ItemStatus::Declined,
            (true, false) => ItemStatus::Failed,
            (false, false) => ItemStatus::Completed,
        });
        match call {
            Some(call) => ItemLifecycle {
                item_type: call.item_type,
                status,
                title: filled(&*call.name),
                detail,
                data: Some(call.data(id, parts)),
            },
            None => ItemLifecycle {
                status,
                detail,
                data: Some(object(&parts)),
                ..ItemLifecycle::new(item_type)
            },
        }
    }

    /// What the agent tells of what the user says, or writes in the user's name. `told` is the
    /// message that it sends back, if it does; else its line has this id.
    pub fn words<R>(
        &mut self,
        cx: &mut Cx<'_>,
        told: Option<Message>,
        (id, parent): (Option<&str>, Option<&str>),
        text: &str,
        out: &Out<R>,
    ) where
        ItemStarted: EmittedBy<R>,
        ItemUpdated: EmittedBy<R>,
        ItemCompleted: EmittedBy<R>,
    {
        let item = ItemLifecycle {
            detail: filled(text),
            data: Some(cx.body()),
            ..ItemLifecycle::new(ItemType::UserMessage)
        };
        if let Some(told) = told {
            cx.refs.item = Some(told.item);
            if let Some(scope) = told.scope {
                set_scope(&mut cx.refs, &scope);
            }
            let status = Some(ItemStatus::Completed);
            return out.emit(cx, ItemUpdated(ItemLifecycle { status, ..item }));
        }
        let scope = self.scope(parent);
        cx.refs.item = Some(self.said.told(id, scope).item);
        let (started, completed) = whole(item);
        out.emit(cx, started);
        out.emit(cx, completed);
    }
}
