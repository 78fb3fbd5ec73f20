//! The rows of the agent events: one method for each canonical event that a run tells.

use std::sync::Arc;

use super::Draft;
use super::event::{CostClass, Delta, Done, Error, RunUsage, Status, ToolSlug};
use super::text::Text;
use super::tools::{by_name, line, sentence, status};
use super::usage::{Meter, Models, Tokens, Totals, micros, only_model};
use crate::canonical::{
    self, ContentStreamKind, ErrorClass, ItemType, PlanStepStatus, RequestType, RuntimeEvent,
    ThreadState, TurnState,
};
use crate::generated::projection::agent_event::{Projection, row};
use crate::projection::Out;

/// What is known of a run.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Who pays.
    pub tier: Option<CostClass>,
    /// The host's name for the model.
    pub model: Option<String>,
    /// The host's name for whose model it is.
    pub provider: Option<String>,
    /// The models that threads run with.
    pub models: Models,
    /// What the turn used.
    pub meter: Meter,
    /// What threads had used before.
    pub totals: Totals,
    /// The thread and the turn that the run is.
    pub thread: Option<Arc<str>>,
    pub turn: Option<Arc<str>>,
    /// Whether the first status was given.
    pub opened: bool,
    /// The last failure that was told, for the end to repeat.
    pub failure: Option<String>,
    text: Text,
    web_searches: u64,
}

impl State {
    /// A run like this one of which nothing was told.
    pub fn another(&self) -> Self {
        Self {
            tier: self.tier.clone(),
            model: self.model.clone(),
            provider: self.provider.clone(),
            models: self.models.clone(),
            totals: self.totals.clone(),
            ..Self::default()
        }
    }

    /// The first status of a run.
    pub fn opening(&mut self) -> Status {
        self.opened = true;
        Status {
            tier: self.tier.clone(),
            ..Status::plain("Starting")
        }
    }

    /// How a run fails that does not say why.
    pub fn failed(&mut self, otherwise: &str) -> Error {
        let message = self.failure.take().filter(|text| !text.is_empty());
        Error {
            message: message.unwrap_or_else(|| otherwise.to_owned()),
        }
    }

    fn usage(&self, event: &RuntimeEvent, turn: &canonical::TurnCompleted) -> Option<RunUsage> {
        let own = turn.usage.as_ref();
        let tokens = own
            .and_then(|usage| Tokens::read(usage.as_str()))
            .or_else(|| self.meter.used())
            .or_else(|| self.totals.used(self.thread.as_ref(), turn))?;
        let model = self
            .model
            .as_deref()
            .or_else(|| self.models.of(self.thread.as_ref()))
            .or_else(|| only_model(turn))?;
        let free = self.tier == Some(CostClass::user_subscription());
        let provider = self.provider.clone();
        Some(RunUsage {
            cost_class: self.tier.clone(),
            cost_micros: micros(turn.total_cost_usd).filter(|_| !free),
            model: model.to_owned(),
            provider: Some(provider.unwrap_or_else(|| event.provider.as_str().to_owned())),
            input_tokens: tokens.input,
            output_tokens: tokens.output,
            cache_read_tokens: tokens.cache_read,
            cache_write_tokens: tokens.cache_write,
            web_searches: tokens.web_searches.max(self.web_searches),
        })
    }
}

impl Projection for State {
    fn content_delta(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ContentDelta,
        mut out: Out<'_, row::ContentDelta, Draft>,
    ) {
        if self.text.is_of_helper(event, None) {
            return;
        }
        match payload.stream_kind {
            ContentStreamKind::AssistantText => {
                let earlier = self.text.flush();
                let delta = self.text.streamed(event, &payload.delta);
                for delta in earlier.into_iter().chain(delta) {
                    out.give(delta);
                }
            }
            kind @ (ContentStreamKind::ReasoningText | ContentStreamKind::ReasoningSummaryText) => {
                let index = payload.summary_index.or(payload.content_index);
                if let Some(thinking) = self.text.thought(event, kind, index, &payload.delta) {
                    out.give(thinking);
                }
            }
            // A plan is told as a whole, and what tools print is no answer.
            ContentStreamKind::PlanText
            | ContentStreamKind::CommandOutput
            | ContentStreamKind::FileChangeOutput
            | ContentStreamKind::Unknown => (),
        }
    }

    fn item_completed(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ItemCompleted,
        mut out: Out<'_, row::ItemCompleted, Draft>,
    ) {
        let item = &payload.0;
        match item.item_type {
            ItemType::AssistantMessage | ItemType::Reasoning
                if self.text.is_of_helper(event, Some(item)) => {}
            ItemType::Plan if self.text.is_listed(event) => (),
            ItemType::AssistantMessage | ItemType::Plan => {
                if let Some(delta) = self.text.completed(event, item.detail.as_deref()) {
                    out.give(delta);
                }
            }
            ItemType::Reasoning => {
                let whole = item.detail.as_deref().unwrap_or_default();
                if let Some(thinking) = self.text.thought_whole(event, whole) {
                    out.give(thinking);
                }
            }
            ItemType::WebSearch => self.web_searches += 1,
            ItemType::UserMessage
            | ItemType::CommandExecution
            | ItemType::FileChange
            | ItemType::McpToolCall
            | ItemType::DynamicToolCall
            | ItemType::CollabAgentToolCall
            | ItemType::ImageView
            | ItemType::ReviewEntered
            | ItemType::ReviewExited
            | ItemType::ContextCompaction
            | ItemType::Error
            | ItemType::Unknown => (),
        }
    }

    fn item_started(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ItemStarted,
    ) -> Option<Status> {
        self.text.is_of_helper(event, Some(&payload.0));
        let status = status(&payload.0)?;
        self.text.interrupted();
        Some(status)
    }

    fn item_updated(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::ItemUpdated,
    ) -> Option<Delta> {
        let item = &payload.0;
        let text = item.detail.as_deref()?;
        let of_helper = self.text.is_of_helper(event, Some(item));
        (item.item_type == ItemType::AssistantMessage && !of_helper)
            .then(|| self.text.updated(event, text))
            .flatten()
    }

    fn model_rerouted(&mut self, _: &RuntimeEvent, payload: &canonical::ModelRerouted) -> Status {
        Status::plain(format!(
            "Now with {} instead of {}",
            line(&payload.to_model),
            line(&payload.from_model)
        ))
    }

    fn request_opened(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::RequestOpened,
    ) -> Option<Status> {
        let waits = match payload.request_type {
            RequestType::CommandExecutionApproval
            | RequestType::FileChangeApproval
            | RequestType::ApplyPatchApproval
            | RequestType::ExecCommandApproval
            | RequestType::FileReadApproval
            | RequestType::PermissionsApproval
            | RequestType::Unknown => "Waiting for approval",
            RequestType::McpElicitation => "Waiting for an answer",
            // The question is told by an event of its own, and the rest is the client's work.
            RequestType::ToolUserInput
            | RequestType::DynamicToolCall
            | RequestType::AuthTokensRefresh
            | RequestType::Attestation => return None,
        };
        let detail = payload.detail.as_deref().map(line);
        Some(Status::plain(match detail {
            Some(detail) if !detail.is_empty() => format!("{waits}: {detail}"),
            Some(_) | None => waits.to_owned(),
        }))
    }

    fn runtime_error(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::RuntimeError,
    ) -> Option<Status> {
        match payload.class {
            // Such a text speaks of messages and paths, and the run goes on.
            Some(ErrorClass::ValidationError) => None,
            Some(
                ErrorClass::ProviderError
                | ErrorClass::TransportError
                | ErrorClass::PermissionError
                | ErrorClass::UsageLimit
                | ErrorClass::Unknown,
            )
            | None => Some(Status::plain(line(&payload.message))),
        }
    }

    fn session_exited(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::SessionExited,
    ) -> Option<Error> {
        let reason = payload.reason.as_deref().map(line);
        Some(match reason.filter(|reason| !reason.is_empty()) {
            Some(message) => Error { message },
            None => self.failed("The agent exited before the run ended"),
        })
    }

    fn task_completed(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::TaskCompleted,
    ) -> Option<Status> {
        let summary = payload.summary.as_deref().map(line)?;
        (!summary.is_empty()).then(|| Status::of_tool(ToolSlug::Agent, summary))
    }

    fn task_progress(&mut self, _: &RuntimeEvent, payload: &canonical::TaskProgress) -> Status {
        let about = Some(payload.description.as_str());
        Status::of_tool(ToolSlug::Agent, sentence(ToolSlug::Agent, about))
    }

    fn task_started(&mut self, _: &RuntimeEvent, payload: &canonical::TaskStarted) -> Status {
        let about = payload.description.as_deref();
        Status::of_tool(ToolSlug::Agent, sentence(ToolSlug::Agent, about))
    }

    fn thread_state_changed(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::ThreadStateChanged,
    ) -> Option<Status> {
        match payload.state {
            ThreadState::Compacted => Some(Status::plain("The context was compacted")),
            ThreadState::Active
            | ThreadState::Idle
            | ThreadState::Archived
            | ThreadState::Closed
            | ThreadState::Error => None,
        }
    }

    fn tool_progress(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::ToolProgress,
    ) -> Option<Status> {
        let said = payload.summary.as_deref().map(line)?;
        let tool = payload.tool_name.as_deref().map_or(ToolSlug::Tool, by_name);
        (!said.is_empty()).then(|| Status::of_tool(tool, said))
    }

    fn tool_summary(&mut self, _: &RuntimeEvent, payload: &canonical::ToolSummary) -> Status {
        Status::of_tool(ToolSlug::Tool, line(&payload.summary))
    }

    fn turn_aborted(
        &mut self,
        _: &RuntimeEvent,
        payload: &canonical::TurnAborted,
    ) -> Option<Error> {
        let reason = line(&payload.reason);
        Some(if reason.is_empty() {
            self.failed("The run was stopped")
        } else {
            Error {
                message: format!("The run was stopped: {reason}"),
            }
        })
    }

    fn turn_completed(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TurnCompleted,
        mut out: Out<'_, row::TurnCompleted, Draft>,
    ) {
        if let Some(delta) = self.text.flush() {
            out.give(delta);
        }
        let told = payload.error_message.as_deref().map(line);
        let told = told.filter(|message| !message.is_empty());
        let stopped = |otherwise: &str| Error {
            message: told.clone().unwrap_or_else(|| otherwise.to_owned()),
        };
        match payload.state {
            TurnState::Completed => {
                let usage = self.usage(event, payload);
                out.give(Done { usage });
            }
            TurnState::Failed => {
                let error = match told {
                    Some(message) => Error { message },
                    None => self.failed("The run failed"),
                };
                out.give(error);
            }
            TurnState::Interrupted => out.give(stopped("The run was interrupted")),
            TurnState::Cancelled => out.give(stopped("The run was cancelled")),
        }
    }

    fn turn_plan_updated(
        &mut self,
        event: &RuntimeEvent,
        payload: &canonical::TurnPlanUpdated,
    ) -> Status {
        self.text.lists(event);
        let step = payload
            .plan
            .iter()
            .find(|step| step.status == PlanStepStatus::InProgress);
        let about = step.map(|step| step.step.as_str());
        Status::of_tool(ToolSlug::Todo, sentence(ToolSlug::Todo, about))
    }

    fn turn_started(&mut self, _: &RuntimeEvent, _: &canonical::TurnStarted) -> Option<Status> {
        (!self.opened).then(|| self.opening())
    }

    fn user_input_requested(
        &mut self,
        _: &RuntimeEvent,
        _: &canonical::UserInputRequested,
    ) -> Status {
        Status::plain("Waiting for an answer")
    }
}
