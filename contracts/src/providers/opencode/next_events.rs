//! What the second generation tells of its sessions, as it happens: `session.next.*`.

use std::sync::Arc;

use crate::canonical::{
    ContentDelta, ContentStreamKind as Kind, ItemCompleted, ItemLifecycle, ItemStarted, ItemStatus,
    ItemType, ItemUpdated, RuntimeWarning, ThreadMetadataUpdated, ThreadState, ThreadStateChanged,
    ThreadTokenUsageUpdated, TurnStarted,
};
use crate::kit::mapping::{Cx, Out};
use crate::kit::parts::{metadata, null, pick};
use crate::providers::opencode::wire;
use crate::providers::opencode::wire::event::row;

use super::mapping::OpenCodeMapping;
use super::next::{self, Piece};
use super::server_events::warning;
use super::session_events::compaction;
use super::tools::named;

const REASONING: (ItemType, Kind) = (ItemType::Reasoning, Kind::ReasoningText);
const SHELL: (ItemType, Kind) = (ItemType::CommandExecution, Kind::CommandOutput);
const TEXT: (ItemType, Kind) = (ItemType::AssistantMessage, Kind::AssistantText);

/// `session.next.compaction.delta`.
pub(super) fn session_next_compaction_delta(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextCompactionDelta<'_>,
) -> ContentDelta {
    compacts(mapping, cx, &params.properties.message_id);
    ContentDelta::new(Kind::Unknown, &*params.properties.text)
}

/// `session.next.compaction.ended`.
pub(super) fn session_next_compaction_ended(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextCompactionEnded<'_>,
    out: &Out<row::SessionNextCompactionEnded>,
) {
    let item = compacts(mapping, cx, &params.properties.message_id);
    if let Some(thread) = mapping.threads.of(cx) {
        thread.close(&item);
    }
    let text = params.properties.text.to_string();
    out.emit(cx, ItemCompleted(compaction(Some(text))));
    cx.refs.item = None;
    out.emit(cx, ThreadStateChanged::new(ThreadState::Compacted));
}

/// `session.next.compaction.started`.
pub(super) fn session_next_compaction_started(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextCompactionStarted<'_>,
) -> ItemStarted {
    compacts(mapping, cx, &params.properties.message_id);
    ItemStarted(ItemLifecycle {
        status: Some(ItemStatus::InProgress),
        data: cx.raw(&["properties"]),
        ..ItemLifecycle::new(ItemType::ContextCompaction)
    })
}

/// `session.next.model.switched`.
pub(super) fn session_next_model_switched(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextModelSwitched<'_>,
) -> ThreadMetadataUpdated {
    let model = &params.properties.model.id;
    if let Some(thread) = mapping.threads.of(cx) {
        cx.refs.turn = thread.turn_name().cloned();
        thread.model = Some(model.to_string());
    }
    let setting = next::model_setting(model);
    metadata("settings", setting)
}

/// `session.next.moved`.
pub(super) fn session_next_moved(
    _: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    _: &wire::EventSessionNextMoved<'_>,
) -> ThreadMetadataUpdated {
    let paths: &[&[&str]] = &[&["properties", "location"], &["properties", "subdirectory"]];
    metadata("moved", pick(cx, paths))
}

/// `session.next.prompted`.
pub(super) fn session_next_prompted(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextPrompted<'_>,
    out: &Out<row::SessionNextPrompted>,
) {
    let prompt = &params.properties;
    if let Some(thread) = mapping.threads.of(cx) {
        next::prompted(thread, cx, (&prompt.message_id, &prompt.prompt.text), out);
    }
}

/// `session.next.reasoning.delta`.
pub(super) fn session_next_reasoning_delta(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextReasoningDelta<'_>,
    out: &Out<row::SessionNextReasoningDelta>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.reasoning_id);
    if let Some(thread) = mapping.threads.of(cx) {
        next::streams(thread, cx, piece, REASONING, &told.delta, out);
    }
}

/// `session.next.reasoning.ended`.
pub(super) fn session_next_reasoning_ended(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextReasoningEnded<'_>,
    out: &Out<row::SessionNextReasoningEnded>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.reasoning_id);
    if let Some(thread) = mapping.threads.of(cx) {
        next::ends(thread, cx, piece, REASONING, &told.text, out);
    }
}

/// `session.next.reasoning.started`.
pub(super) fn session_next_reasoning_started(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextReasoningStarted<'_>,
) -> ItemStarted {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.reasoning_id);
    starts(mapping, cx, piece, REASONING, None).into()
}

/// `session.next.retried`.
pub(super) fn session_next_retried(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextRetried<'_>,
) -> RuntimeWarning {
    cx.refs.turn = mapping.threads.turn(cx);
    warning(cx, params.properties.error.message.to_string())
}

/// `session.next.revert.cleared`.
pub(super) fn session_next_revert_cleared(
    _: &mut OpenCodeMapping,
    _: &mut Cx<'_>,
    _: &wire::EventSessionNextRevertCleared<'_>,
) -> ThreadMetadataUpdated {
    metadata("revert", null())
}

/// `session.next.shell.ended`.
pub(super) fn session_next_shell_ended(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextShellEnded<'_>,
    out: &Out<row::SessionNextShellEnded>,
) {
    let told = &params.properties;
    if let Some(thread) = mapping.threads.of(cx) {
        next::ends(
            thread,
            cx,
            piece("", &told.call_id),
            SHELL,
            &told.output,
            out,
        );
    }
}

/// `session.next.shell.started`.
pub(super) fn session_next_shell_started(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextShellStarted<'_>,
) -> ItemStarted {
    let told = &params.properties;
    let title = Some(&*told.command);
    starts(mapping, cx, piece("", &told.call_id), SHELL, title).into()
}

/// `session.next.step.ended`.
pub(super) fn session_next_step_ended(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextStepEnded<'_>,
    out: &Out<row::SessionNextStepEnded>,
) {
    let told = &params.properties;
    let step = next::Step {
        message: &told.assistant_message_id,
        finish: &told.finish,
        tokens: &told.tokens,
        cost: told.cost,
    };
    let Some(thread) = mapping.threads.of(cx) else {
        return;
    };
    if next::step_ended(thread, cx, &step, out) {
        let paths: &[&[&str]] = &[&["properties", "tokens"], &["properties", "cost"]];
        let usage = pick(cx, paths);
        out.emit(cx, ThreadTokenUsageUpdated { usage });
    }
    if next::is_over(thread, cx, step.finish) {
        thread.end_turn(cx, out);
    }
}

/// `session.next.step.failed`.
pub(super) fn session_next_step_failed(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextStepFailed<'_>,
    out: &Out<row::SessionNextStepFailed>,
) {
    let told = &params.properties;
    if let Some(thread) = mapping.threads.of(cx) {
        let said = (&*told.assistant_message_id, &*told.error.message);
        next::step_failed(thread, cx, said, out);
    }
}

/// `session.next.step.started`.
pub(super) fn session_next_step_started(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextStepStarted<'_>,
) -> TurnStarted {
    let told = &params.properties;
    let thread = mapping.threads.of(cx);
    let begins =
        thread.and_then(|it| next::step(it, cx, &told.assistant_message_id, &told.model.id));
    // A turn that is going on is not begun once more.
    begins.unwrap_or_else(|| TurnStarted {
        model: Some(told.model.id.to_string()),
        effort: None,
    })
}

/// `session.next.synthetic`.
pub(super) fn session_next_synthetic(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextSynthetic<'_>,
    out: &Out<row::SessionNextSynthetic>,
) {
    cx.refs.turn = mapping.threads.turn(cx);
    let item = Arc::from(&*params.properties.message_id);
    next::says(cx, item, &params.properties.text, out);
}

/// `session.next.text.delta`.
pub(super) fn session_next_text_delta(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextTextDelta<'_>,
    out: &Out<row::SessionNextTextDelta>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.text_id);
    if let Some(thread) = mapping.threads.of(cx) {
        next::streams(thread, cx, piece, TEXT, &told.delta, out);
    }
}

/// `session.next.text.ended`.
pub(super) fn session_next_text_ended(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextTextEnded<'_>,
    out: &Out<row::SessionNextTextEnded>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.text_id);
    if let Some(thread) = mapping.threads.of(cx) {
        next::ends(thread, cx, piece, TEXT, &told.text, out);
    }
}

/// `session.next.text.started`.
pub(super) fn session_next_text_started(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextTextStarted<'_>,
) -> ItemStarted {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.text_id);
    starts(mapping, cx, piece, TEXT, None).into()
}

/// `session.next.tool.called`.
pub(super) fn session_next_tool_called(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolCalled<'_>,
    out: &Out<row::SessionNextToolCalled>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.call_id);
    if let Some(thread) = mapping.threads.of(cx) {
        match next::called(thread, cx, piece, &told.tool) {
            (true, item) => out.emit(cx, ItemStarted(item)),
            (false, item) => out.emit(cx, ItemUpdated(item)),
        }
    }
}

/// `session.next.tool.failed`.
pub(super) fn session_next_tool_failed(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolFailed<'_>,
    out: &Out<row::SessionNextToolFailed>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.call_id);
    let words = Some(told.error.message.to_string());
    if let Some(thread) = mapping.threads.of(cx) {
        let (refused, item) = next::call_ended(thread, cx, piece, ItemStatus::Failed, words);
        out.emit(cx, item);
        if refused {
            // That is the end: the server says no more of the turn.
            thread.break_off(cx, out);
        }
    }
}

/// `session.next.tool.input.delta`.
pub(super) fn session_next_tool_input_delta(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolInputDelta<'_>,
    out: &Out<row::SessionNextToolInputDelta>,
) {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.call_id);
    if let Some(thread) = mapping.threads.of(cx) {
        next::input(thread, cx, piece, &told.delta, out);
    }
}

/// `session.next.tool.input.ended`.
pub(super) fn session_next_tool_input_ended(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolInputEnded<'_>,
) -> ItemUpdated {
    let told = &params.properties;
    goes_on(
        mapping,
        cx,
        piece(&told.assistant_message_id, &told.call_id),
    )
}

/// `session.next.tool.input.started`.
pub(super) fn session_next_tool_input_started(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolInputStarted<'_>,
) -> ItemStarted {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.call_id);
    let kinds = next::call_type(&told.name);
    let title = named(kinds.0).then_some(&*told.name);
    starts(mapping, cx, piece, kinds, title).into()
}

/// `session.next.tool.progress`.
pub(super) fn session_next_tool_progress(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolProgress<'_>,
) -> ItemUpdated {
    let told = &params.properties;
    goes_on(
        mapping,
        cx,
        piece(&told.assistant_message_id, &told.call_id),
    )
}

/// `session.next.tool.success`.
pub(super) fn session_next_tool_success(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    params: &wire::EventSessionNextToolSuccess<'_>,
) -> ItemCompleted {
    let told = &params.properties;
    let piece = piece(&told.assistant_message_id, &told.call_id);
    let shown = next::output(&told.content);
    match mapping.threads.of(cx) {
        Some(thread) => next::call_ended(thread, cx, piece, ItemStatus::Completed, shown).1,
        None => ItemCompleted(ItemLifecycle::new(ItemType::DynamicToolCall)),
    }
}

const fn piece<'m>(message: &'m str, id: &'m str) -> Piece<'m> {
    Piece { message, id }
}

/// A part of a message begins.
fn starts(
    mapping: &mut OpenCodeMapping,
    cx: &mut Cx<'_>,
    piece: Piece<'_>,
    kinds: (ItemType, Kind),
    title: Option<&str>,
) -> ItemLifecycle {
    match mapping.threads.of(cx) {
        Some(thread) => next::starts(thread, cx, piece, kinds, title),
        None => ItemLifecycle::new(kinds.0),
    }
}

/// A call goes on.
fn goes_on(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, piece: Piece<'_>) -> ItemUpdated {
    match mapping.threads.of(cx) {
        Some(thread) => next::goes_on(thread, cx, piece),
        None => ItemUpdated(ItemLifecycle::new(ItemType::DynamicToolCall)),
    }
}

/// A compaction goes on. Gives its item.
fn compacts(mapping: &mut OpenCodeMapping, cx: &mut Cx<'_>, message: &str) -> Arc<str> {
    match mapping.threads.of(cx) {
        Some(thread) => next::compacts(thread, cx, message),
        None => Arc::from(message),
    }
}
