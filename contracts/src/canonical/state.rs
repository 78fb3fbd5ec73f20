//! The states, statuses and kinds that payloads carry.

use super::wire_enum::wire_enum;

wire_enum! {
    /// What a session is doing.
    pub enum SessionState {
        /// It is being set up.
        Starting = "starting",
        /// It can take a turn.
        Ready = "ready",
        /// A turn is running.
        Running = "running",
        /// It waits for the user.
        Waiting = "waiting",
        /// It has ended.
        Stopped = "stopped",
        /// It has failed.
        Error = "error",
    }
}

wire_enum! {
    /// What a thread is doing.
    pub enum ThreadState {
        /// A turn is running in it.
        Active = "active",
        /// Nothing is running in it.
        Idle = "idle",
        /// The user has put it away.
        Archived = "archived",
        /// The provider has let go of it.
        Closed = "closed",
        /// Its context has just been compacted.
        Compacted = "compacted",
        /// It has failed.
        Error = "error",
    }
}

wire_enum! {
    /// How a turn ended.
    pub enum TurnState {
        /// It ran to its end.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// The user or the provider interrupted it.
        Interrupted = "interrupted",
        /// It was cancelled before it could end.
        Cancelled = "cancelled",
    }
}

wire_enum! {
    /// What a piece of streamed content belongs to.
    pub enum ContentStreamKind {
        /// The assistant's answer.
        AssistantText = "assistant_text",
        /// The model's reasoning.
        ReasoningText = "reasoning_text",
        /// A summary of the model's reasoning.
        ReasoningSummaryText = "reasoning_summary_text",
        /// A proposed plan.
        PlanText = "plan_text",
        /// What a command prints.
        CommandOutput = "command_output",
        /// What a file change prints.
        FileChangeOutput = "file_change_output",
        /// Nothing that the model names.
        Unknown = "unknown",
    }
}

wire_enum! {
    /// How far an item is.
    pub enum ItemStatus {
        /// It is running.
        InProgress = "inProgress",
        /// It ended well.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// The user declined it.
        Declined = "declined",
    }
}

wire_enum! {
    /// How far a step of a plan is.
    pub enum PlanStepStatus {
        /// It has not begun.
        Pending = "pending",
        /// It is being worked on.
        InProgress = "inProgress",
        /// It is done.
        Completed = "completed",
    }
}

wire_enum! {
    /// What kind of error a `runtime.error` is.
    pub enum ErrorClass {
        /// The provider, or the model behind it, failed.
        ProviderError = "provider_error",
        /// The way to the provider failed.
        TransportError = "transport_error",
        /// Something was not allowed.
        PermissionError = "permission_error",
        /// A message was not valid.
        ValidationError = "validation_error",
        /// Nothing that the model names.
        Unknown = "unknown",
        /// A limit of use has been reached.
        UsageLimit = "usage_limit"
            extension "the user can wait or pay, which no other class of error tells",
    }
}

wire_enum! {
    /// How a background task ended.
    pub enum TaskStatus {
        /// It ended well.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// It was stopped.
        Stopped = "stopped",
    }
}

wire_enum! {
    /// How a hook ended.
    pub enum HookOutcome {
        /// It ended well.
        Success = "success",
        /// It failed.
        Error = "error",
        /// It was cancelled.
        Cancelled = "cancelled",
    }
}

wire_enum! {
    /// How a session ended.
    pub enum ExitKind {
        /// As it was asked to.
        Graceful = "graceful",
        /// By an error.
        Error = "error",
    }
}
