//! What the server tells of sessions and their messages.

use std::sync::Arc;

use crate::canonical::{
    ItemCompleted, ItemLifecycle, ItemStatus, ItemType, PlanStep, PlanStepStatus, RuntimeWarning, SessionStarted, ThreadMetadataUpdated, ThreadStarted,
    ThreadState, ThreadStateChanged, TurnCompleted, TurnDiffUpdated, TurnPlanUpdated,
};
use crate::json::Unrecognized;
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::{filled, metadata, part};
use crate::providers::opencode::wire;
use crate::providers::opencode::wire::event::row;
use crate::providers::opencode::wire::{Message, Part, SessionStatus, values};

use super::failures::{Told, of_session};
use super::mapping::OpenCodeMapping;
use super::messages;
use super::server_events::warning;
use super::texts::{self, PART, Text};
use super::tools;
use super::turns::Turn;

/// Where a session names itself, and older servers name it nowhere else.
const INFO: &[&str] = &["properties", "info", "id"];

/// `message.part.delta`.
pub(super) fn message_part_delta(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventMessagePartDelta<'_>,
    out: &Out<row::MessagePartDelta>,
) {
    if let Some(thread) = mapping.threads.of(cx) {
        texts::piece(thread, cx, &params.properties, out);
    }
}

/// `message.part.removed`.
pub(super) fn message_part_removed(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventMessagePartRemoved<'_>,
    out: &Out<row::MessagePartRemoved>,
) {
    if let Some(thread) = mapping.threads.of(cx) {
        texts::removed(thread, cx, &Arc::from(&*params.properties.part_id), out);
    }
}

/// `message.part.updated`.
pub(super) fn message_part_updated(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventMessagePartUpdated<'_>,
    out: &Out<row::MessagePartUpdated>,
) {
    let delta = params.properties.delta.as_deref();
    set_thread(cx, &["properties", "part", "sessionID"]);
    let Some(thread) = mapping.threads.of(cx) else {
        return;
    };
    match &params.properties.part {
        Part::Text(part) => {
            let ended = part.time.as_ref().is_some_and(|time| time.end.is_some());
            let text = Text {
                id: &part.id,
                message: &part.message_id,
                text: &part.text,
                delta,
                ended,
            };
            texts::text(thread, cx, &text, ItemType::AssistantMessage, out);
        }
        Part::Reasoning(part) => {
            let text = Text {
                id: &part.id,
                message: &part.message_id,
                text: &part.text,
                delta,
                ended: part.time.end.is_some(),
            };
            texts::text(thread, cx, &text, ItemType::Reasoning, out);
        }
        Part::Tool(part) => tools::told(thread, cx, part, out),
        Part::StepFinish(part) => match messages::finished(thread, cx, part) {
            Some(usage) => out.emit(cx, usage),
            None => cx.dropped("the tokens of the step were told"),
        },
        Part::StepStart(_) => {
            if let Some(turn) = &mut thread.turn {
                turn.stepped = true;
            }
            cx.dropped("a step begins, as its message tells");
        }
        Part::Snapshot(_) => cx.dropped("the state of the files by a hash"),
        Part::Patch(part) => {
            cx.refs.turn = thread.turn_of(&Arc::from(&*part.message_id));
            let event = metadata("patch", crate::kit::parts::part(cx, PART));
            out.emit(cx, event);
        }
        Part::Retry(part) => {
            cx.refs.turn = thread.turn_of(&Arc::from(&*part.message_id));
            let words = part.error.data.message.to_string();
            let event = warning(cx, words);
            out.emit(cx, event);
        }
        Part::Compaction(part) => {
            let item: Arc<str> = Arc::from(&*part.id);
            thread.compaction = Some(Arc::clone(&item));
            let begins = ItemType::ContextCompaction;
            texts::opens(thread, cx, (&item, &part.message_id), begins, out);
        }
        Part::File(part) => {
            let title = part.filename.as_deref().map(str::to_owned);
            texts::given(thread, cx, (&part.id, &part.message_id), title, out);
        }
        Part::Agent(part) => {
            let title = Some(part.name.to_string());
            texts::given(thread, cx, (&part.id, &part.message_id), title, out);
        }
        Part::Subtask(part) => {
            let title = Some(part.description.to_string());
            texts::given(thread, cx, (&part.id, &part.message_id), title, out);
        }
        Part::Unrecognized(part) => {
            cx.refs.turn = thread.turn_name().cloned();
            let event = unrecognized(cx, "part", part);
            out.emit(cx, event);
        }
    }
}

/// `message.removed`.
pub(super) fn message_removed(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventMessageRemoved<'_>,
    out: &Out<row::MessageRemoved>,
) {
    let message: Arc<str> = Arc::from(&*params.properties.message_id);
    if let Some(thread) = mapping.threads.of(cx) {
        let turn = thread.turn_of(&message);
        for item in thread.open_items(Some(&message)) {
            texts::removed(thread, cx, &item, out);
        }
        texts::unsaid(thread, cx, &message, out);
        cx.refs.turn = turn;
    }
    cx.refs.item = None;
    let removed = part(cx, &["properties", "messageID"]);
    let event = metadata("messageRemoved", removed);
    out.emit(cx, event);
}

/// `message.updated`.
pub(super) fn message_updated(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventMessageUpdated<'_>,
    out: &Out<row::MessageUpdated>,
) {
    set_thread(cx, &["properties", "info", "sessionID"]);
    let Some(thread) = mapping.threads.of(cx) else {
        return;
    };
    match &params.properties.info {
        Message::User(info) => messages::user(thread, cx, info, out),
        Message::Assistant(info) => {
            messages::assistant(thread, cx, info, out);
            cx.dropped("a step goes on, and its parts tell it");
        }
        Message::Unrecognized(info) => {
            cx.refs.turn = thread.turn_name().cloned();
            let event = unrecognized(cx, "message", info);
            out.emit(cx, event);
        }
    }
}

/// `session.compacted`.
pub(super) fn session_compacted(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventSessionCompacted<'_>,
    out: &Out<row::SessionCompacted>,
) {
    if let Some(thread) = mapping.threads.of(cx) {
        if let Some(item) = thread.compaction.take()
            && thread.close(&item)
        {
            let turn = thread.parts.get(&item).and_then(|part| part.turn.clone());
            cx.refs.turn = turn;
            cx.refs.item = Some(item);
            out.emit(cx, ItemCompleted(compaction(None)));
        }
        cx.refs.turn = thread.turn_name().cloned();
    }
    cx.refs.item = None;
    out.emit(cx, ThreadStateChanged::new(ThreadState::Compacted));
}

/// `session.created`.
pub(super) fn session_created(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionCreated<'_>,
    out: &Out<row::SessionCreated>,
) {
    let info = &params.properties.info;
    set_thread(cx, INFO);
    note(mapping, cx, info);
    if !std::mem::replace(&mut mapping.begun, true) {
        cx.refs.session.clone_from(&cx.refs.thread);
        out.emit(cx, SessionStarted::default());
        cx.refs.session = None;
    }
    let provider_thread_id = cx.refs.thread.as_deref().map(Into::into);
    out.emit(cx, ThreadStarted { provider_thread_id });
    let event = session(cx, info);
    out.emit(cx, event);
}

/// `session.deleted`.
pub(super) fn session_deleted(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventSessionDeleted<'_>,
    out: &Out<row::SessionDeleted>,
) {
    set_thread(cx, INFO);
    if let Some(thread) = mapping.threads.of(cx) {
        thread.break_off(cx, out);
    }
    mapping.threads.forget(cx);
    cx.refs.turn = None;
    cx.refs.item = None;
    out.emit(cx, ThreadStateChanged::new(ThreadState::Closed));
}

/// `session.diff`.
pub(super) fn session_diff(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionDiff<'_>,
    out: &Out<row::SessionDiff>,
) {
    cx.refs.turn = mapping.threads.turn_or_last(cx);
    let files = &params.properties.diff;
    let mut unified_diff = String::new();
    for patch in files.iter().filter_map(|file| file.patch.as_deref()) {
        unified_diff.push_str(patch);
        if !patch.is_empty() && !patch.ends_with('\n') {
            unified_diff.push('\n');
        }
    }
    let is_whole = files.iter().all(|file| file.patch.is_some());
    if is_whole || !unified_diff.is_empty() {
        out.emit(cx, TurnDiffUpdated { unified_diff });
    }
    if !is_whole {
        let event = metadata("diff", part(cx, &["properties", "diff"]));
        out.emit(cx, event);
    }
}

/// `session.error`.
pub(super) fn session_error(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionError<'_>,
    out: &Out<row::SessionError>,
) {
    let raw = cx.raw(&["properties", "error"]);
    let error = params.properties.error.as_ref();
    let told = error.map_or_else(Told::nameless, |error| of_session(error, raw));
    match mapping.threads.of(cx) {
        None => {
            if let Some(event) = told.event() {
                out.emit(cx, event);
            }
        }
        Some(thread) => {
            cx.refs.turn = thread.turn_name().cloned();
            messages::tell(thread, cx, &told, out);
            // What the user asked for was never begun, and the server says no more of it.
            if thread.turn.as_ref().is_some_and(|turn| !turn.has_begun()) {
                thread.end_turn(cx, out);
            }
        }
    }
    cx.dropped("it was told, or the end of the turn tells it");
}

/// `session.idle`.
pub(super) fn session_idle(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventSessionIdle<'_>,
    out: &Out<row::SessionIdle>,
) {
    let thread = mapping.threads.of(cx);
    let again = thread.is_some_and(|it| std::mem::take(&mut it.idle_follows));
    idle(mapping, cx, again, out);
    out.emit(cx, ThreadStateChanged::new(ThreadState::Idle));
}

/// `session.status`.
pub(super) fn session_status(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionStatus<'_>,
    out: &Out<row::SessionStatus>,
) {
    let status = &params.properties.status;
    match status {
        SessionStatus::Busy(_) => busy(mapping, cx, out),
        SessionStatus::Idle(_) => {
            idle(mapping, cx, false, out);
            if let Some(thread) = mapping.threads.of(cx) {
                thread.idle_follows = true;
            }
        }
        SessionStatus::Retry(retry) => {
            busy(mapping, cx, out);
            break_off(mapping, cx, out);
            let event = warning(cx, retry.message.to_string());
            out.emit(cx, event);
        }
        SessionStatus::Unrecognized(status) => {
            let event = unrecognized(cx, "status", status);
            out.emit(cx, event);
        }
    }
    if let Some(state) = values::session_status(status) {
        let detail = cx.raw(&["properties", "status"]);
        out.emit(cx, ThreadStateChanged { state, detail });
    }
}

/// `session.updated`.
pub(super) fn session_updated(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionUpdated<'_>,
) -> ThreadMetadataUpdated {
    set_thread(cx, INFO);
    note(mapping, cx, &params.properties.info);
    session(cx, &params.properties.info)
}

/// `todo.updated`.
pub(super) fn todo_updated(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventTodoUpdated<'_>,
) -> TurnPlanUpdated {
    cx.refs.turn = mapping.threads.turn_or_last(cx);
    let step = |todo: &wire::Todo<'_>| PlanStep {
        step: todo.content.to_string(),
        status: values::todo_status(&todo.status).unwrap_or(PlanStepStatus::Pending),
    };
    TurnPlanUpdated {
        explanation: None,
        plan: params.properties.todos.iter().map(step).collect(),
    }
}

/// A session as it is told: the name and everything else.
fn session(cx: &Cx<'_>, info: &wire::Session<'_>) -> ThreadMetadataUpdated {
    ThreadMetadataUpdated {
        name: filled(&*info.title),
        ..metadata("session", part(cx, &["properties", "info"]))
    }
}

/// Notes what a session tells of itself that its messages are read by.
fn note(mapping: &mut OpenCodeMapping, cx: &Cx<'_>, info: &wire::Session<'_>) {
    if let Some(thread) = mapping.threads.of(cx) {
        thread.created = info.time.created;
        thread.directory = filled(&*info.directory);
        if let Some(model) = &info.model {
            thread.model = filled(&*model.id);
        }
    }
}

/// The thread of an event that names it only here.
fn set_thread(cx: &mut Cx<'_>, path: &[&str]) {
    if cx.refs.thread.is_none() {
        let named = crate::kit::members::text(cx, path);
        cx.refs.thread = named.map(Arc::from);
    }
}

/// A compaction that ended.
pub(super) fn compaction(text: Option<String>) -> ItemLifecycle {
    ItemLifecycle {
        status: Some(ItemStatus::Completed),
        detail: text,
        ..ItemLifecycle::new(ItemType::ContextCompaction)
    }
}

/// A part, a role or a status that no vendored version has: what stands beside it is untouched.
fn unrecognized(cx: &Cx<'_>, what: &str, value: &Unrecognized<'_>) -> RuntimeWarning {
    RuntimeWarning {
        message: format!("unrecognized {what} `{}`", value.tag),
        detail: Some(cx.own(value.raw)),
    }
}

/// The server works in a session.
fn busy(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, out: &Out<row::SessionStatus>) {
    if let Some(thread) = mapping.threads.of(cx) {
        thread.begin_turn(cx, None, None, out);
        thread.close_said(cx, out);
        if let Some(turn) = &mut thread.turn {
            turn.busy = true;
        }
        thread.idle_follows = false;
    }
}

/// The model is asked once more: what it said so far broke off.
fn break_off(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, out: &Out<row::SessionStatus>) {
    if let Some(thread) = mapping.threads.of(cx)
        && let Some(message) = thread.turn.as_ref().and_then(|it| it.working.clone())
    {
        thread.close_all(cx, Some(&message), Some(ItemStatus::Failed), out);
    }
}

/// The server has done its work in a session: the turn is over, also one in which it never said that
/// it works. Where it says so again, a turn that it has not begun goes on: the news is of the one
/// before.
fn idle<R>(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, again: bool, out: &Out<R>)
where
    TurnCompleted: EmittedBy<R>,
{
    if let Some(thread) = mapping.threads.of(cx)
        && (!again || thread.turn.as_ref().is_some_and(Turn::has_begun))
    {
        thread.end_turn(cx, out);
    }
    cx.refs.turn = None;
    cx.refs.item = None;
}
