//! The rows of the universal transcript: one method for each canonical event that it tells.

use super::event::{
    Draft, EndReason, Error, EventSource, QuestionRequested, QuestionResolved, SessionEnded,
    SessionStarted, Synthetic,
};
use super::item::ItemStatus;
use super::lives::Lives;
use super::questions::{Opened, PLAN_TOOL, Questions, Resolved};
use crate::canonical::{self, ExitKind, RuntimeEvent, ThreadState, TurnState};
use crate::generated::projection::universal::{Projection, row};
use crate::json::OwnedJson;
use crate::projection::Out;

use super::content::ended;
use crate::projection::calls::call_name;

/// What is remembered of a session, apart from how its events are numbered.
#[derive(Debug, Default)]
pub(super) struct State {
    pub lives: Lives,
    pub questions: Questions,
    /// Whether the session has started and not ended.
    pub open: bool,
    /// How the last turn ended, while no other runs.
    pub last: Option<End>,
    /// How many turns have started since one ended; a turn may end that was never started.
    pub turns_running: bool,
    /// Whether the running turn has said what failed.
    told: bool,
}

/// How a session would end if it ended now.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct End {
    pub reason: EndReason,
    pub message: Option<String>,
    /// The agent's message is itself the end of its session.
    pub explicit: bool,
}

impl End {
    pub fn told(self, by: EventSource) -> SessionEnded {
        SessionEnded {
            reason: self.reason,
            terminated_by: by,
            message: self.message.filter(|_| self.reason == EndReason::Error),
        }
    }
}

const fn turn_end(state: TurnState) -> (EndReason, ItemStatus) {
    match state {
        TurnState::Completed => (EndReason::Completed, ItemStatus::Completed),
        TurnState::Failed => (EndReason::Error, ItemStatus::Failed),
        TurnState::Interrupted | TurnState::Cancelled => {
            (EndReason::Terminated, ItemStatus::Failed)
        }
    }
}

/// Whether the last message of a turn ends the session too, as these programs have it.
const fn ends_session(provider: canonical::ProviderKind) -> bool {
    match provider {
        canonical::ProviderKind::Claude | canonical::ProviderKind::Amp => true,
        canonical::ProviderKind::Codex
        | canonical::ProviderKind::Cursor
        | canonical::ProviderKind::OpenCode
        | canonical::ProviderKind::Other(_) => false,
    }
}

impl State {
    fn notice<R>(
        &mut self,
        event: &RuntimeEvent,
        label: &str,
        detail: Option<String>,
        mut out: Out<'_, R, Draft>,
    ) where
        super::event::ItemStarted: crate::projection::GivenBy<R>,
        super::event::ItemCompleted: crate::projection::GivenBy<R>,
    {
        let detail = detail.filter(|detail| !detail.is_empty());
        self.lives
            .notice(event, label, detail, ItemStatus::Completed, &mut out);
    }
}

fn error(message: &str, code: Option<&'static str>, details: Option<&OwnedJson>) -> Error {
    Error {
        message: message.to_owned(),
        code,
        details: details.cloned(),
    }
}

fn joined<'t>(texts: impl IntoIterator<Item = Option<&'t str>>) -> Option<String> {
    let texts: Vec<&str> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

impl Projection for State {
    fn auth_status(&mut self, _: &RuntimeEvent, payload: &canonical::AuthStatus) -> Option<Error> {
        let message = payload.error.as_deref()?;
        Some(error(message, Some("auth"), None))
    }

    fn config_warning(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ConfigWarning,
        out: Out<'_, row::ConfigWarning, Draft>,
    ) {
        let detail = joined([Some(&*payload.summary), payload.details.as_deref()]);
        self.notice(event, "config.warning", detail, out);
    }

    fn content_delta(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ContentDelta,
        mut out: Out<'_, row::ContentDelta, Draft>,
    ) {
        self.lives.delta(event, payload, &mut out);
    }

    fn deprecation_notice(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::DeprecationNotice,
        out: Out<'_, row::DeprecationNotice, Draft>,
    ) {
        let detail = joined([Some(&*payload.summary), payload.details.as_deref()]);
        self.notice(event, "deprecation.notice", detail, out);
    }

    fn item_completed(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ItemCompleted,
        mut out: Out<'_, row::ItemCompleted, Draft>,
    ) {
        let item = &payload.0;
        let plan = call_name(item) == PLAN_TOOL;
        let is_new = self.lives.is_new(event);
        self.lives.completed(event, item, &mut out);
        if !plan {
            return;
        }
        let Some(call) = event.item_id.as_ref().map(|id| id.shared()) else {
            return;
        };
        if is_new {
            let question = self.questions.plan_shown(std::sync::Arc::clone(call), item);
            out.give(Synthetic(question));
        }
        let approved = ended(item) == ItemStatus::Completed;
        let resolved = self
            .questions
            .plan_ended(call, approved, item.detail.clone());
        if let Some(resolved) = resolved {
            out.give(Synthetic(resolved));
        }
    }

    fn item_started(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ItemStarted,
        mut out: Out<'_, row::ItemStarted, Draft>,
    ) {
        let is_new = self.lives.is_new(event);
        self.lives.started(event, &payload.0, &mut out);
        if is_new
            && call_name(&payload.0) == PLAN_TOOL
            && let Some(call) = event.item_id.as_ref().map(|id| id.shared())
        {
            let question = self
                .questions
                .plan_shown(std::sync::Arc::clone(call), &payload.0);
            out.give(Synthetic(question));
        }
    }

    fn item_updated(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ItemUpdated,
        mut out: Out<'_, row::ItemUpdated, Draft>,
    ) {
        self.lives.updated(event, &payload.0, &mut out);
    }

    fn mcp_oauth_completed(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::McpOauthCompleted,
    ) -> Option<Error> {
        if payload.success {
            return None;
        }
        let message = joined([payload.name.as_deref(), payload.error.as_deref()]);
        let message = message.unwrap_or_else(|| String::from("the sign-in failed"));
        Some(error(&message, Some("mcp_auth"), None))
    }

    fn model_rerouted(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ModelRerouted,
        out: Out<'_, row::ModelRerouted, Draft>,
    ) {
        let canonical::ModelRerouted {
            from_model,
            to_model,
            reason,
        } = payload;
        let detail = format!("{from_model} → {to_model}: {reason}");
        self.notice(event, "model.rerouted", Some(detail), out);
    }

    fn request_opened(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::RequestOpened,
        mut out: Out<'_, row::RequestOpened, Draft>,
    ) {
        let call = event.item_id.as_ref().map(|id| id.shared().clone());
        match self.questions.opened(event, call, payload) {
            Some(Opened::Leave(requested)) => out.give(requested),
            Some(Opened::Question(requested)) => out.give(requested),
            None => (),
        }
    }

    fn request_resolved(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::RequestResolved,
        mut out: Out<'_, row::RequestResolved, Draft>,
    ) {
        match self.questions.resolved(event, payload) {
            Some(Resolved::Leave(resolved)) => out.give(resolved),
            Some(Resolved::Question(resolved)) => out.give(resolved),
            None => (),
        }
    }

    fn runtime_error(&mut self, _: &RuntimeEvent, payload: &canonical::RuntimeError) -> Error {
        self.told = true;
        let code = payload.class.map(canonical::ErrorClass::as_str);
        error(&payload.message, code, payload.detail.as_ref())
    }

    fn runtime_warning(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::RuntimeWarning,
        out: Out<'_, row::RuntimeWarning, Draft>,
    ) {
        self.notice(event, "runtime.warning", Some(payload.message.clone()), out);
    }

    fn session_exited(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::SessionExited,
        mut out: Out<'_, row::SessionExited, Draft>,
    ) {
        self.lives.end_all(&mut out);
        let reason = match payload.exit_kind {
            Some(ExitKind::Graceful) => EndReason::Completed,
            Some(ExitKind::Error) => EndReason::Error,
            // Only a turn that completed tells that this end is a good one.
            None => match &self.last {
                Some(end) => end.reason,
                None => EndReason::Terminated,
            },
        };
        let end = End {
            reason,
            message: payload.reason.clone(),
            explicit: true,
        };
        let told = end.told(EventSource::Agent);
        // No agent sent what has no message: the host saw the program go.
        match event.raw {
            Some(_) => out.give(told),
            None => out.give(Synthetic(told)),
        }
    }

    fn session_started(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::SessionStarted,
    ) -> Option<SessionStarted> {
        if self.open {
            return None;
        }
        let mut told = serde_json::Map::new();
        if let Some(message) = &payload.message {
            told.insert(String::from("message"), message.clone().into());
        }
        let metadata = match &payload.resume {
            Some(resume) => {
                let message = serde_json::Value::from(payload.message.clone());
                let text = format!("{{\"message\":{message},\"resume\":{resume}}}");
                OwnedJson::parse(&text).ok()
            }
            None if told.is_empty() => None,
            None => Some(OwnedJson::from_value(&told.into())),
        };
        Some(SessionStarted { metadata })
    }

    fn task_completed(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TaskCompleted,
        mut out: Out<'_, row::TaskCompleted, Draft>,
    ) {
        let status = match payload.status {
            canonical::TaskStatus::Completed => ItemStatus::Completed,
            canonical::TaskStatus::Failed | canonical::TaskStatus::Stopped => ItemStatus::Failed,
        };
        let detail = payload.summary.clone();
        self.lives
            .notice(event, "task.completed", detail, status, &mut out);
    }

    fn task_started(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TaskStarted,
        out: Out<'_, row::TaskStarted, Draft>,
    ) {
        self.notice(event, "task.started", payload.description.clone(), out);
    }

    fn thread_realtime_error(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::ThreadRealtimeError,
    ) -> Error {
        error(&payload.message, Some("realtime"), None)
    }

    fn thread_started(
        &mut self,
        _: &RuntimeEvent,
        _: &canonical::ThreadStarted,
    ) -> Option<SessionStarted> {
        (!self.open).then(SessionStarted::default)
    }

    fn thread_state_changed(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ThreadStateChanged,
        mut out: Out<'_, row::ThreadStateChanged, Draft>,
    ) {
        let status = match payload.state {
            ThreadState::Compacted => ItemStatus::Completed,
            ThreadState::Error => ItemStatus::Failed,
            ThreadState::Active
            | ThreadState::Idle
            | ThreadState::Archived
            | ThreadState::Closed => return,
        };
        let label = format!("thread.{}", payload.state);
        self.lives.notice(event, &label, None, status, &mut out);
    }

    fn tool_progress(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ToolProgress,
        mut out: Out<'_, row::ToolProgress, Draft>,
    ) {
        if let Some(said) = payload.summary.as_deref() {
            self.lives
                .progress(event, payload.tool_name.as_deref(), said, &mut out);
        }
    }

    fn tool_summary(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ToolSummary,
        out: Out<'_, row::ToolSummary, Draft>,
    ) {
        self.notice(event, "tool.summary", Some(payload.summary.clone()), out);
    }

    fn turn_aborted(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TurnAborted,
        mut out: Out<'_, row::TurnAborted, Draft>,
    ) {
        self.lives.end_messages(event, ItemStatus::Failed, &mut out);
        self.turns_running = false;
        self.last = Some(End {
            reason: EndReason::Terminated,
            message: Some(payload.reason.clone()),
            explicit: false,
        });
    }

    fn turn_completed(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TurnCompleted,
        mut out: Out<'_, row::TurnCompleted, Draft>,
    ) {
        let (reason, status) = turn_end(payload.state);
        self.lives.end_messages(event, status, &mut out);
        if payload.state == TurnState::Failed && !self.told {
            let message = payload.error_message.as_deref();
            out.give(Error::new(message.unwrap_or("the turn failed")));
        }
        self.told = false;
        self.turns_running = false;
        self.last = Some(End {
            reason,
            message: payload.error_message.clone(),
            explicit: ends_session(event.provider),
        });
    }

    fn turn_plan_updated(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TurnPlanUpdated,
        out: Out<'_, row::TurnPlanUpdated, Draft>,
    ) {
        let steps = payload.plan.iter();
        let lines: Vec<String> = steps
            .map(|step| format!("{}: {}", step.status, step.step))
            .collect();
        self.notice(event, "turn.plan", Some(lines.join("\n")), out);
    }

    fn turn_started(
        &mut self,
        event: &RuntimeEvent,
        _: &canonical::TurnStarted,
        mut out: Out<'_, row::TurnStarted, Draft>,
    ) {
        // What is open belongs to a history that was told again; a turn of its own ends its own.
        self.lives
            .end_messages(event, ItemStatus::Completed, &mut out);
        self.told = false;
        self.turns_running = true;
        self.last = None;
    }

    fn user_input_requested(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::UserInputRequested,
    ) -> QuestionRequested {
        self.questions.asked(event, &payload.questions)
    }

    fn user_input_resolved(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::UserInputResolved,
    ) -> Option<QuestionResolved> {
        self.questions.answered(event, &payload.answers)
    }
}
