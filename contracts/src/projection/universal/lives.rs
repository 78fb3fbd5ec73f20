//! The life of items: started once, a delta for every message, and one end.

use std::sync::Arc;

use super::content::{Call, Form, ended, is_private, parts, result_parts};
use super::event::{Draft, ItemCompleted, ItemDelta, ItemStarted, Synthetic};
use super::item::{ContentPart, Item, ItemKind, ItemRole, ItemStatus};
use super::memory::{Entry, Memory, Phase, Place};
use crate::canonical::{ContentDelta, ContentStreamKind, ItemLifecycle, ItemType, RuntimeEvent};
use crate::projection::{GivenBy, Out};

/// The items of a session, and the stream that names no item.
#[derive(Debug, Default)]
pub(super) struct Lives {
    memory: Memory,
    /// The open message whose pieces name no item, and what streams into it.
    loose: Option<Loose>,
    loose_count: u64,
}

#[derive(Debug)]
struct Loose {
    key: Arc<str>,
    place: Place,
    item_type: ItemType,
}

/// The place that an event names.
pub(super) fn place(event: &RuntimeEvent) -> Place {
    Place {
        thread: event.thread_id.as_ref().map(|id| Arc::clone(id.shared())),
        turn: event.turn_id.as_ref().map(|id| Arc::clone(id.shared())),
    }
}

fn native(event: &RuntimeEvent) -> Option<Arc<str>> {
    let refs = event.provider_refs.as_ref()?;
    let id = refs.provider_item_id.as_ref()?;
    Some(Arc::clone(id.shared()))
}

/// The key of the item that an event names.
fn key(event: &RuntimeEvent) -> Option<Arc<str>> {
    event.item_id.as_ref().map(|id| Arc::clone(id.shared()))
}

/// The key of an item that no other event can name.
fn own_key(event: &RuntimeEvent) -> Arc<str> {
    Arc::from(format!("{}:item", event.event_id))
}

impl Lives {
    /// An item began. Nothing where it had begun before.
    ///
    /// A start that tells no more than a type is the ledger's: the agent has said something else
    /// about an item that it never started. Such a stub is told as one.
    pub fn started<R>(
        &mut self,
        event: &RuntimeEvent,
        item: &ItemLifecycle,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        self.end_loose(event, out);
        let key = key(event).unwrap_or_else(|| own_key(event));
        if self.memory.phase(&key) == Phase::New {
            self.end_stubs(event, Form::of(item.item_type), out);
            if item.title.is_none() && item.detail.is_none() && item.data.is_none() {
                let started = self.begin_stub(&key, event, item);
                out.give(Synthetic(started));
            } else {
                let started = self.begin(key, event, item);
                out.give(started);
            }
        }
    }

    /// Something about an item changed: it is started where it was not, and what it says is kept.
    pub fn updated<R>(
        &mut self,
        event: &RuntimeEvent,
        item: &ItemLifecycle,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let form = Form::of(item.item_type);
        let key = match key(event) {
            Some(key) => {
                self.end_loose(event, out);
                key
            }
            // A message may come in pieces that name no item; anything else would say nothing.
            None if form.is_message() => self.loose(event, item.item_type, out),
            None => return,
        };
        if self.memory.phase(&key) == Phase::New {
            self.end_stubs(event, form, out);
            let started = self.begin_stub(&key, event, &without_detail(item));
            out.give(Synthetic(started));
        }
        let Some(entry) = self.memory.get_mut(&key) else {
            return;
        };
        if let Some(detail) = item.detail.as_deref()
            && entry.form.is_message()
            && !entry.has_delta
        {
            if is_piece(event) {
                self.memory.append(&key, detail);
            } else {
                self.memory.replace(&key, detail);
            }
        }
    }

    /// A piece of text, forwarded as it is.
    pub fn delta<R>(
        &mut self,
        event: &RuntimeEvent,
        delta: &ContentDelta,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let item_type = ItemType::from(delta.stream_kind);
        let key = match key(event) {
            Some(key) => key,
            None => self.loose(event, item_type, out),
        };
        if self.memory.phase(&key) == Phase::New {
            self.end_stubs(event, Form::of(item_type), out);
            let stub = self.begin_stub(&key, event, &ItemLifecycle::new(item_type));
            out.give(Synthetic(stub));
        }
        self.memory.append(&key, &delta.delta);
        if let Some(entry) = self.memory.get_mut(&key) {
            entry.has_delta = true;
            entry.private |= delta.stream_kind == ContentStreamKind::ReasoningText;
        }
        // One that ended and of which the agent has more keeps its ids.
        let Some(ids) = self.memory.ids(&key) else {
            return;
        };
        out.give(ItemDelta {
            item_id: ids.item_id,
            native_item_id: ids.native,
            delta: delta.delta.clone(),
        });
    }

    /// What a running call says about itself.
    pub fn progress<R>(
        &mut self,
        event: &RuntimeEvent,
        named: Option<&str>,
        said: &str,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemDelta: GivenBy<R>,
    {
        let Some(key) = key(event) else {
            return;
        };
        if self.memory.phase(&key) == Phase::New {
            let mut item = ItemLifecycle::new(ItemType::McpToolCall);
            item.title = named.map(str::to_owned);
            let stub = self.begin(Arc::clone(&key), event, &item);
            out.give(Synthetic(stub));
        }
        if let Some(entry) = self.memory.get_mut(&key) {
            entry.has_delta = true;
            out.give(ItemDelta {
                item_id: Arc::clone(&entry.item_id),
                native_item_id: entry.native.clone(),
                delta: said.to_owned(),
            });
        }
    }

    /// An item ended. Nothing where it had ended before.
    pub fn completed<R>(
        &mut self,
        event: &RuntimeEvent,
        item: &ItemLifecycle,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        self.end_loose(event, out);
        let key = key(event).unwrap_or_else(|| own_key(event));
        if self.memory.phase(&key) == Phase::New {
            self.end_stubs(event, Form::of(item.item_type), out);
            let started = self.begin_stub(&key, event, &without_detail(item));
            out.give(Synthetic(started));
        }
        let Some(mut entry) = self.memory.end(&key) else {
            return;
        };
        if entry.form == Form::Unknown {
            entry.form = Form::of(item.item_type);
        }
        let status = ended(item);
        let text = item.detail.clone().or_else(|| entry.text.take());
        delta_of_all(&entry, text.as_deref(), out);
        entry.private = match item.data {
            Some(_) => is_private(item),
            None => entry.private,
        };
        if entry.form == Form::Called {
            let call = Call::of_end(item, entry.call.as_ref());
            let content = vec![call.part(&entry.item_id)];
            out.give(ItemCompleted {
                item: shape(&entry, content, status),
            });
            self.result(&entry, Some(item), status, out);
        } else {
            let content = parts(entry.form, entry.private, text, item.data.as_ref());
            out.give(ItemCompleted {
                item: shape(&entry, content, status),
            });
        }
    }

    /// Ends the open messages of the thread that the event names, or all items where it says so.
    pub fn end_messages<R>(
        &mut self,
        event: &RuntimeEvent,
        status: ItemStatus,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let here = place(event);
        let keys = self.memory.open_keys(|entry| {
            let same_turn = entry.place.turn == here.turn || entry.place.turn.is_none();
            entry.form.is_message() && entry.place.thread == here.thread && same_turn
        });
        for key in keys {
            self.end_unsaid(&key, status, out);
        }
    }

    /// Ends everything that is still open; nobody knows how it went, so it failed.
    pub fn end_all<R>(&mut self, out: &mut Out<'_, R, Draft>)
    where
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        for key in self.memory.open_keys(|_| true) {
            self.end_unsaid(&key, ItemStatus::Failed, out);
        }
    }

    /// An item of the kind status, which is over as soon as it is told.
    pub fn notice<R>(
        &mut self,
        event: &RuntimeEvent,
        label: &str,
        detail: Option<String>,
        status: ItemStatus,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let mut item = Item {
            item_id: self.memory.take([&own_key(event)]),
            native_item_id: None,
            parent_id: None,
            kind: ItemKind::Status,
            role: None,
            content: vec![ContentPart::Status {
                label: label.to_owned(),
                detail,
            }],
            status: ItemStatus::InProgress,
        };
        out.give(Synthetic(ItemStarted { item: item.clone() }));
        item.status = status;
        out.give(ItemCompleted { item });
    }

    /// A message that the host sent and that the agent does not repeat.
    pub fn sent<R>(&mut self, id: &Arc<str>, text: &str, out: &mut Out<'_, R, Draft>)
    where
        ItemStarted: GivenBy<R>,
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let mut item = Item {
            item_id: self.memory.take([id]),
            native_item_id: None,
            parent_id: None,
            kind: ItemKind::Message,
            role: Some(ItemRole::User),
            content: Vec::new(),
            status: ItemStatus::InProgress,
        };
        out.give(Synthetic(ItemStarted { item: item.clone() }));
        out.give(Synthetic(ItemDelta {
            item_id: Arc::clone(&item.item_id),
            native_item_id: None,
            delta: text.to_owned(),
        }));
        item.content.push(ContentPart::Text {
            text: text.to_owned(),
        });
        item.status = ItemStatus::Completed;
        out.give(Synthetic(ItemCompleted { item }));
    }

    /// Whether nothing was told yet of the item that an event names.
    pub fn is_new(&self, event: &RuntimeEvent) -> bool {
        key(event).is_some_and(|key| self.memory.phase(&key) == Phase::New)
    }

    /// The same where only a stub tells it.
    fn begin_stub(
        &mut self,
        key: &Arc<str>,
        event: &RuntimeEvent,
        item: &ItemLifecycle,
    ) -> ItemStarted {
        let started = self.begin(Arc::clone(key), event, item);
        if let Some(entry) = self.memory.get_mut(key) {
            entry.stub = true;
        }
        started
    }

    /// A message that the agent never started, it may never end: it is whole once another begins.
    /// What the user says is whole once anything else begins.
    fn end_stubs<R>(&mut self, event: &RuntimeEvent, next: Form, out: &mut Out<'_, R, Draft>)
    where
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let thread = place(event).thread;
        let keys = self.memory.open_keys(|entry| {
            let over = entry.form == Form::Said(ItemRole::User) || next.is_message();
            entry.stub && entry.form.is_message() && entry.place.thread == thread && over
        });
        for key in keys {
            self.end_unsaid(&key, ItemStatus::Completed, out);
        }
    }

    /// Remembers an item as open and tells its beginning.
    fn begin(&mut self, key: Arc<str>, event: &RuntimeEvent, item: &ItemLifecycle) -> ItemStarted {
        let form = Form::of(item.item_type);
        let native = native(event);
        let item_id = self.memory.take(native.iter().chain([&key]));
        let place = place(event);
        let parent = (form == Form::Called)
            .then(|| self.memory.message_in(&place))
            .flatten();
        let call = (form == Form::Called).then(|| Call::of(item));
        let entry = Entry {
            key,
            item_id,
            native,
            parent,
            form,
            place,
            stub: false,
            has_delta: false,
            text: Some(String::new()),
            call: call.clone().map(Call::kept),
            private: false,
        };
        let content = match &call {
            Some(call) => vec![call.part(&entry.item_id)],
            None if form == Form::Thought || matches!(form, Form::Noted(_)) => {
                parts(form, false, None, None)
            }
            None => Vec::new(),
        };
        let item = shape(&entry, content, ItemStatus::InProgress);
        self.memory.open(entry);
        ItemStarted { item }
    }

    /// Ends an item of which the agent did not tell the end.
    fn end_unsaid<R>(&mut self, key: &str, status: ItemStatus, out: &mut Out<'_, R, Draft>)
    where
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        if self.loose.as_ref().is_some_and(|loose| *loose.key == *key) {
            self.loose = None;
        }
        let Some(mut entry) = self.memory.end(key) else {
            return;
        };
        let text = entry.text.take().filter(|text| !text.is_empty());
        delta_of_all(&entry, text.as_deref(), out);
        let content = match &entry.call {
            Some(call) => vec![call.part(&entry.item_id)],
            None => parts(entry.form, entry.private, text, None),
        };
        out.give(Synthetic(ItemCompleted {
            item: shape(&entry, content, status),
        }));
    }

    /// The result of a call: an item of its own below the message of the call.
    fn result<R>(
        &mut self,
        call: &Entry,
        item: Option<&ItemLifecycle>,
        status: ItemStatus,
        out: &mut Out<'_, R, Draft>,
    ) where
        ItemStarted: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let id: Arc<str> = Arc::from(format!("{}:result", call.item_id));
        let mut result = Item {
            item_id: self.memory.take([&id]),
            native_item_id: call.native.clone(),
            parent_id: call.parent.clone(),
            kind: ItemKind::ToolResult,
            role: Some(ItemRole::Tool),
            content: Vec::new(),
            status: ItemStatus::InProgress,
        };
        out.give(Synthetic(ItemStarted {
            item: result.clone(),
        }));
        result.content = result_parts(item, &call.item_id);
        result.status = status;
        out.give(ItemCompleted { item: result });
    }

    /// The key of the message that streams without an item; another one ends the one before.
    fn loose<R>(
        &mut self,
        event: &RuntimeEvent,
        item_type: ItemType,
        out: &mut Out<'_, R, Draft>,
    ) -> Arc<str>
    where
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let here = place(event);
        if let Some(loose) = &self.loose
            && loose.place == here
            && loose.item_type == item_type
        {
            return Arc::clone(&loose.key);
        }
        self.end_loose(event, out);
        self.loose_count += 1;
        let key: Arc<str> = Arc::from(format!("stream-{}", self.loose_count));
        self.loose = Some(Loose {
            key: Arc::clone(&key),
            place: here,
            item_type,
        });
        key
    }

    /// The message that streams without an item is whole once the agent goes on to something else.
    fn end_loose<R>(&mut self, event: &RuntimeEvent, out: &mut Out<'_, R, Draft>)
    where
        ItemDelta: GivenBy<R>,
        ItemCompleted: GivenBy<R>,
    {
        let thread = event.thread_id.as_ref().map(|id| id.shared());
        let same = |loose: &Loose| loose.place.thread.as_ref() == thread;
        if let Some(loose) = self.loose.take_if(|loose| same(loose)) {
            self.end_unsaid(&loose.key, ItemStatus::Completed, out);
        }
    }
}

/// The whole text as one delta, where a message never had one.
fn delta_of_all<R>(entry: &Entry, text: Option<&str>, out: &mut Out<'_, R, Draft>)
where
    ItemDelta: GivenBy<R>,
{
    if entry.form.is_message() && !entry.has_delta {
        out.give(Synthetic(ItemDelta {
            item_id: Arc::clone(&entry.item_id),
            native_item_id: entry.native.clone(),
            delta: text.unwrap_or_default().to_owned(),
        }));
    }
}

fn shape(entry: &Entry, content: Vec<ContentPart>, status: ItemStatus) -> Item {
    Item {
        item_id: Arc::clone(&entry.item_id),
        native_item_id: entry.native.clone(),
        parent_id: entry.parent.clone(),
        kind: entry.form.kind(),
        role: entry.form.role(),
        content,
        status,
    }
}

/// What an item is at its beginning, told by its end.
fn without_detail(item: &ItemLifecycle) -> ItemLifecycle {
    ItemLifecycle {
        detail: None,
        ..item.clone()
    }
}

/// Whether the text of an update is a piece to append. Only the message on the wire tells.
fn is_piece(event: &RuntimeEvent) -> bool {
    let raw = event.raw.as_ref();
    raw.and_then(|raw| raw.message_type.as_deref())
        .is_some_and(|tag| tag.ends_with("_chunk"))
}
