//! A fully filled and a smallest instance of each payload.
//!
//! The full ones name every field and use no `..`, so that a new field must be filled here too.

use std::collections::BTreeMap;

use agentwire::canonical::*;
use agentwire::json::OwnedJson;

use super::telemetry;

pub(crate) struct Instance {
    pub(crate) full: EventPayload,
    pub(crate) small: EventPayload,
}

pub(crate) fn both(full: impl Into<EventPayload>, small: impl Into<EventPayload>) -> Instance {
    Instance {
        full: full.into(),
        small: small.into(),
    }
}

/// For a payload without options.
pub(crate) fn only<P: Into<EventPayload> + Clone>(payload: P) -> Instance {
    both(payload.clone(), payload)
}

pub(crate) fn text() -> String {
    "text".to_owned()
}

pub(crate) fn some_text() -> Option<String> {
    Some(text())
}

pub(crate) fn opaque() -> OwnedJson {
    OwnedJson::from_value(&serde_json::json!({ "opaque": [1, null] }))
}

fn record() -> BTreeMap<String, OwnedJson> {
    BTreeMap::from([(text(), opaque())])
}

fn item() -> ItemLifecycle {
    ItemLifecycle {
        item_type: ItemType::Plan,
        status: Some(ItemStatus::InProgress),
        title: some_text(),
        detail: some_text(),
        data: Some(opaque()),
    }
}

/// One event with every member of the envelope, and one with none that may be left out.
pub(crate) fn events() -> [RuntimeEvent; 2] {
    let full = RuntimeEvent {
        event_id: "event".into(),
        provider: ProviderKind::Codex,
        session_id: "session".into(),
        created_at: IsoDateTime::EPOCH,
        thread_id: Some("thread".into()),
        turn_id: Some("turn".into()),
        item_id: Some("item".into()),
        request_id: Some("request".into()),
        provider_refs: Some(ProviderRefs {
            provider_session_id: Some("session".into()),
            provider_thread_id: Some("thread".into()),
            provider_turn_id: Some("turn".into()),
            provider_item_id: Some("item".into()),
            provider_request_id: TrimmedNonEmptyString::new("request"),
        }),
        payload: TurnStarted::default().into(),
        raw: Some(RuntimeEventRaw {
            source: RawSource::CodexEventmsg,
            method: Some("method".into()),
            message_type: Some("type".into()),
            payload: opaque(),
        }),
    };
    let small = RuntimeEvent {
        thread_id: None,
        turn_id: None,
        item_id: None,
        request_id: None,
        provider_refs: Some(ProviderRefs::default()),
        raw: Some(RuntimeEventRaw {
            source: RawSource::CodexEventmsg,
            method: None,
            message_type: None,
            payload: opaque(),
        }),
        ..full.clone()
    };
    [full, small]
}

/// Payloads whose nullable members are `null`.
pub(crate) fn nulls() -> [EventPayload; 2] {
    [
        TurnCompleted {
            stop_reason: Some(None),
            ..TurnCompleted::new(TurnState::Failed)
        }
        .into(),
        TurnPlanUpdated {
            explanation: Some(None),
            plan: vec![],
        }
        .into(),
    ]
}

pub(crate) fn payloads() -> Vec<Instance> {
    [
        sessions_and_threads(),
        turns_and_items(),
        requests(),
        telemetry::runs(),
        telemetry::accounts(),
        telemetry::notices(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn sessions_and_threads() -> Vec<Instance> {
    vec![
        both(
            SessionStarted {
                message: some_text(),
                resume: Some(opaque()),
            },
            SessionStarted::default(),
        ),
        both(
            SessionConfigured { config: record() },
            SessionConfigured {
                config: BTreeMap::new(),
            },
        ),
        both(
            SessionStateChanged {
                state: SessionState::Ready,
                reason: some_text(),
                detail: some_text(),
            },
            SessionStateChanged {
                state: SessionState::Ready,
                reason: None,
                detail: None,
            },
        ),
        both(
            SessionExited {
                reason: some_text(),
                recoverable: Some(true),
                exit_kind: Some(ExitKind::Graceful),
            },
            SessionExited::default(),
        ),
        both(
            ThreadStarted {
                provider_thread_id: Some("thread".into()),
            },
            ThreadStarted::default(),
        ),
        both(
            ThreadStateChanged {
                state: ThreadState::Idle,
                detail: Some(opaque()),
            },
            ThreadStateChanged::new(ThreadState::Idle),
        ),
        both(
            ThreadMetadataUpdated {
                name: some_text(),
                metadata: Some(record()),
            },
            ThreadMetadataUpdated::default(),
        ),
        only(ThreadTokenUsageUpdated { usage: opaque() }),
        both(
            ThreadRealtimeStarted {
                realtime_session_id: some_text(),
            },
            ThreadRealtimeStarted::default(),
        ),
        only(ThreadRealtimeItemAdded { item: opaque() }),
        only(ThreadRealtimeAudioDelta { audio: opaque() }),
        only(ThreadRealtimeError { message: text() }),
        both(
            ThreadRealtimeClosed {
                reason: some_text(),
            },
            ThreadRealtimeClosed::default(),
        ),
    ]
}

fn turns_and_items() -> Vec<Instance> {
    let step = PlanStep {
        step: text(),
        status: PlanStepStatus::Pending,
    };
    let small = || ItemLifecycle::new(ItemType::Plan);
    vec![
        both(
            TurnStarted {
                model: some_text(),
                effort: some_text(),
            },
            TurnStarted::default(),
        ),
        both(
            TurnCompleted {
                state: TurnState::Completed,
                stop_reason: Some(some_text()),
                usage: Some(opaque()),
                model_usage: Some(record()),
                total_cost_usd: Some(0.5),
                error_message: some_text(),
            },
            TurnCompleted::new(TurnState::Completed),
        ),
        only(TurnAborted { reason: text() }),
        both(
            TurnPlanUpdated {
                explanation: Some(some_text()),
                plan: vec![step.clone()],
            },
            TurnPlanUpdated {
                explanation: None,
                plan: vec![step],
            },
        ),
        only(TurnDiffUpdated {
            unified_diff: text(),
        }),
        both(ItemStarted(item()), ItemStarted(small())),
        both(ItemUpdated(item()), ItemUpdated(small())),
        both(ItemCompleted(item()), ItemCompleted(small())),
        both(
            ContentDelta {
                stream_kind: ContentStreamKind::PlanText,
                delta: text(),
                content_index: Some(0),
                summary_index: Some(0),
            },
            ContentDelta::new(ContentStreamKind::PlanText, "text"),
        ),
    ]
}

fn requests() -> Vec<Instance> {
    let request_type = RequestType::ToolUserInput;
    vec![
        both(
            RequestOpened {
                request_type,
                detail: some_text(),
                args: Some(opaque()),
            },
            RequestOpened {
                request_type,
                detail: None,
                args: None,
            },
        ),
        both(
            RequestResolved {
                request_type,
                decision: Some(Decision::Accept.into()),
                resolution: Some(opaque()),
            },
            RequestResolved {
                request_type,
                decision: None,
                resolution: None,
            },
        ),
        only(UserInputRequested {
            questions: opaque(),
        }),
        only(UserInputResolved { answers: opaque() }),
    ]
}
