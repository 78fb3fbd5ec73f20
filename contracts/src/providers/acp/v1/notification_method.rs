//! Notifications of an agent that are no `session/update`, version 1.

use crate::canonical::{
    AuthStatus, ItemCompleted, ItemLifecycle, ItemStatus, ItemType, TaskCompleted, TaskStarted,
    TaskStatus, TurnPlanUpdated, UserInputResolved,
};
use crate::kit::mapping::{Cx, EmittedBy, Out};
use crate::kit::parts::filled;
use crate::providers::acp::wire::v1::notification_method::{Mapping, implied, row};
use crate::providers::acp::wire::v1::{
    AuthAccount, AuthState, AuthStatusUpdateNotification, CancelRequestNotification,
    CompleteElicitationNotification, CursorGenerateImageRequest, CursorTaskRequest,
    CursorUpdateTodosRequest, ExtAuthStatusUpdateNotification,
};

use crate::providers::acp::mapping::AcpMapping;
use crate::providers::acp::open_items::Step;
use crate::providers::acp::parts::{One, Parts, labels};
use crate::providers::acp::shared::{auth_status, login};

impl Mapping for AcpMapping {
    fn dollar_cancel_request(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CancelRequestNotification<'_>,
        out: Out<row::DollarCancelRequest>,
    ) {
        let id = params.request_id.as_ref().map(One::id);
        match self.taken_back(cx, id) {
            Ok(resolved) => out.emit(cx, resolved),
            Err(warning) => out.emit(cx, warning),
        }
    }

    fn auth_status_update_underscored(
        &mut self,
        _: &mut Cx<'_>,
        params: &ExtAuthStatusUpdateNotification<'_>,
    ) -> AuthStatus {
        let status = &params.auth_status;
        login([
            Some(status.kind.as_str()),
            status.label.as_deref(),
            status.detail.as_deref(),
        ])
    }

    fn auth_status_update_mixed(
        &mut self,
        _: &mut Cx<'_>,
        params: &AuthStatusUpdateNotification<'_>,
    ) -> AuthStatus {
        status_of(&params.state, params.accounts.as_deref())
    }

    fn cursor_generate_image(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorGenerateImageRequest<'_>,
    ) -> ItemCompleted {
        image(self, cx, params, &implied::next_item())
    }

    fn cursor_task(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorTaskRequest<'_>,
        out: Out<row::CursorTask>,
    ) {
        let (started, completed) = task(params);
        out.emit(cx, started);
        out.emit(cx, completed);
    }

    fn cursor_update_todos(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CursorUpdateTodosRequest<'_>,
    ) -> TurnPlanUpdated {
        self.todos.plan(cx, &params.todos, params.merge == Some(true))
    }

    fn elicitation_complete(
        &mut self,
        cx: &mut Cx<'_>,
        params: &CompleteElicitationNotification<'_>,
    ) -> UserInputResolved {
        self.answered_elsewhere(cx, params.elicitation_id.as_str())
    }
}

/// The state of an agent's login, with its accounts.
pub(super) fn status_of(state: &AuthState, accounts: Option<&[AuthAccount<'_>]>) -> AuthStatus {
    auth_status(
        state.as_str(),
        labels::<One>(accounts),
        matches!(state, AuthState::Unauthenticated),
    )
}

/// A generated image.
pub(super) fn image<R>(
    mapping: &mut AcpMapping,
    cx: &mut Cx<'_>,
    params: &CursorGenerateImageRequest<'_>,
    implied: &Out<R>,
) -> ItemCompleted
where
    ItemCompleted: EmittedBy<R>,
{
    let mut item = ItemLifecycle {
        item_type: ItemType::ImageView,
        status: Some(ItemStatus::Completed),
        title: params.file_path.as_deref().and_then(filled),
        detail: params.description.as_deref().and_then(filled),
        data: Some(cx.body()),
    };
    mapping.watch(cx, &mut item, Step::Ends, implied);
    ItemCompleted(item)
}

/// A subagent that is told of when it is over.
pub(super) fn task(params: &CursorTaskRequest<'_>) -> (TaskStarted, TaskCompleted) {
    let id = params
        .agent_id
        .as_deref()
        .or(params.tool_call_id.as_deref());
    let id = id.unwrap_or("task");
    let kind = params.subagent_type.as_ref();
    let kind = kind.and_then(|kind| crate::json::Reader::new(kind.as_str()).string().ok());
    let started = TaskStarted {
        task_id: id.into(),
        description: params.description.as_deref().and_then(filled),
        task_type: kind.map(|kind| kind.into_owned()),
    };
    let completed = TaskCompleted {
        task_id: id.into(),
        status: TaskStatus::Completed,
        summary: None,
        usage: None,
    };
    (started, completed)
}
