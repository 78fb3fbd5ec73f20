//! Instances of the payloads about the provider itself.

use agentwire::canonical::*;

use super::instances::{Instance, both, only, opaque, some_text, text};

pub(crate) fn runs() -> Vec<Instance> {
    let task = || RuntimeTaskId::from("task");
    vec![
        both(
            TaskStarted {
                task_id: task(),
                description: some_text(),
                task_type: some_text(),
            },
            TaskStarted {
                task_id: task(),
                description: None,
                task_type: None,
            },
        ),
        both(
            TaskProgress {
                task_id: task(),
                description: text(),
                usage: Some(opaque()),
                last_tool_name: some_text(),
            },
            TaskProgress {
                task_id: task(),
                description: text(),
                usage: None,
                last_tool_name: None,
            },
        ),
        both(
            TaskCompleted {
                task_id: task(),
                status: TaskStatus::Completed,
                summary: some_text(),
                usage: Some(opaque()),
            },
            TaskCompleted {
                task_id: task(),
                status: TaskStatus::Completed,
                summary: None,
                usage: None,
            },
        ),
        only(HookStarted {
            hook_id: text(),
            hook_name: text(),
            hook_event: text(),
        }),
        both(
            HookProgress {
                hook_id: text(),
                output: some_text(),
                stdout: some_text(),
                stderr: some_text(),
            },
            HookProgress {
                hook_id: text(),
                output: None,
                stdout: None,
                stderr: None,
            },
        ),
        both(
            HookCompleted {
                hook_id: text(),
                outcome: HookOutcome::Success,
                output: some_text(),
                stdout: some_text(),
                stderr: some_text(),
                exit_code: Some(1),
            },
            HookCompleted {
                hook_id: text(),
                outcome: HookOutcome::Success,
                output: None,
                stdout: None,
                stderr: None,
                exit_code: None,
            },
        ),
        both(
            ToolProgress {
                tool_use_id: some_text(),
                tool_name: some_text(),
                summary: some_text(),
                elapsed_seconds: Some(1.0),
            },
            ToolProgress::default(),
        ),
        both(
            ToolSummary {
                summary: text(),
                preceding_tool_use_ids: Some(vec![text()]),
            },
            ToolSummary {
                summary: text(),
                preceding_tool_use_ids: None,
            },
        ),
    ]
}

pub(crate) fn accounts() -> Vec<Instance> {
    vec![
        both(
            AuthStatus {
                is_authenticating: Some(false),
                output: Some(vec![text()]),
                error: some_text(),
            },
            AuthStatus::default(),
        ),
        only(AccountUpdated { account: opaque() }),
        only(AccountRateLimitsUpdated {
            rate_limits: opaque(),
        }),
        only(McpStatusUpdated { status: opaque() }),
        both(
            McpOauthCompleted {
                success: true,
                name: some_text(),
                error: some_text(),
            },
            McpOauthCompleted {
                success: true,
                name: None,
                error: None,
            },
        ),
    ]
}

pub(crate) fn notices() -> Vec<Instance> {
    let stored = PersistedFile {
        filename: text(),
        file_id: text(),
    };
    let failed = PersistFailure {
        filename: text(),
        error: text(),
    };
    vec![
        only(ModelRerouted {
            from_model: text(),
            to_model: text(),
            reason: text(),
        }),
        both(
            ConfigWarning {
                summary: text(),
                details: some_text(),
                path: some_text(),
                range: Some(opaque()),
            },
            ConfigWarning {
                summary: text(),
                details: None,
                path: None,
                range: None,
            },
        ),
        both(
            DeprecationNotice {
                summary: text(),
                details: some_text(),
            },
            DeprecationNotice {
                summary: text(),
                details: None,
            },
        ),
        both(
            FilesPersisted {
                files: vec![stored.clone()],
                failed: Some(vec![failed]),
            },
            FilesPersisted {
                files: vec![stored],
                failed: None,
            },
        ),
        both(
            RuntimeWarning {
                message: text(),
                detail: Some(opaque()),
            },
            RuntimeWarning::new("text"),
        ),
        both(
            RuntimeError {
                message: text(),
                class: Some(ErrorClass::ProviderError),
                detail: Some(opaque()),
            },
            RuntimeError {
                message: text(),
                class: None,
                detail: None,
            },
        ),
    ]
}
