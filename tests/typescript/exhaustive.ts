// What a host writes: one case for each type of event, and a check that none is missing.
import type {
    CanonicalRuntimeEventType,
    ProviderRuntimeEventV2,
    RuntimeEventBase,
    RuntimeEventPayloadByType,
    ThreadId,
} from "./canonical";

function never(event: never): never {
    throw new Error(`no such event: ${JSON.stringify(event)}`);
}

export function line(event: ProviderRuntimeEventV2): string {
    const thread: ThreadId | undefined = event.threadId;
    return `${event.createdAt} ${thread ?? "-"} ${told(event)}`;
}

function told(event: ProviderRuntimeEventV2): string {
    switch (event.type) {
        case "session.started":
            return event.payload.message ?? "a session";
        case "session.configured":
            return Object.keys(event.payload.config).join();
        case "session.state.changed":
            return event.payload.state;
        case "session.exited":
            return event.payload.exitKind ?? "ended";
        case "thread.started":
            return event.payload.providerThreadId ?? "a thread";
        case "thread.state.changed":
            return event.payload.state;
        case "thread.metadata.updated":
            return event.payload.name ?? "no name";
        case "thread.token-usage.updated":
            return JSON.stringify(event.payload.usage);
        case "thread.realtime.started":
            return event.payload.realtimeSessionId ?? "realtime";
        case "thread.realtime.item-added":
            return JSON.stringify(event.payload.item);
        case "thread.realtime.audio.delta":
            return typeof event.payload.audio;
        case "thread.realtime.error":
            return event.payload.message;
        case "thread.realtime.closed":
            return event.payload.reason ?? "closed";
        case "turn.started":
            return event.payload.model ?? "a turn";
        case "turn.completed":
            return `${event.payload.state} ${event.payload.stopReason ?? ""} ${event.payload.totalCostUsd?.toFixed(2)}`;
        case "turn.aborted":
            return event.payload.reason;
        case "turn.plan.updated":
            return event.payload.plan.map((step) => `${step.status} ${step.step}`).join();
        case "turn.diff.updated":
            return event.payload.unifiedDiff;
        case "item.started":
        case "item.updated":
        case "item.completed":
            return `${event.payload.itemType} ${event.payload.status ?? ""} ${event.payload.title ?? ""}`;
        case "content.delta":
            return event.payload.streamKind + event.payload.delta;
        case "request.opened":
            return event.payload.requestType;
        case "request.resolved":
            return event.payload.decision ?? "resolved";
        case "user-input.requested":
            return JSON.stringify(event.payload.questions);
        case "user-input.resolved":
            return JSON.stringify(event.payload.answers);
        case "task.started":
            return event.payload.taskId;
        case "task.progress":
            return event.payload.description;
        case "task.completed":
            return event.payload.status;
        case "hook.started":
            return event.payload.hookName;
        case "hook.progress":
            return event.payload.output ?? "";
        case "hook.completed":
            return `${event.payload.outcome} ${event.payload.exitCode ?? ""}`;
        case "tool.progress":
            return event.payload.toolName ?? "a tool";
        case "tool.summary":
            return event.payload.summary + (event.payload.precedingToolUseIds ?? []).join();
        case "auth.status":
            return (event.payload.output ?? []).join();
        case "account.updated":
            return JSON.stringify(event.payload.account);
        case "account.rate-limits.updated":
            return JSON.stringify(event.payload.rateLimits);
        case "mcp.status.updated":
            return JSON.stringify(event.payload.status);
        case "mcp.oauth.completed":
            return `${event.payload.success} ${event.payload.name ?? ""}`;
        case "model.rerouted":
            return event.payload.fromModel + event.payload.toModel;
        case "config.warning":
            return event.payload.summary;
        case "deprecation.notice":
            return event.payload.summary;
        case "files.persisted":
            return event.payload.files.map((file) => file.fileId).join();
        case "runtime.warning":
            return event.payload.message;
        case "runtime.error":
            return `${event.payload.class ?? ""} ${event.payload.message}`;
        default:
            return never(event);
    }
}

/** One handler for each type of event, each of which gets the payload of its type. */
export type Handlers = {
    [TType in CanonicalRuntimeEventType]?: (
        payload: RuntimeEventPayloadByType[TType],
        event: RuntimeEventBase<TType, RuntimeEventPayloadByType[TType]>,
    ) => void;
};

export const handlers: Handlers = {
    "content.delta": (payload, event) => {
        const text: string = payload.delta;
        const tag: "content.delta" = event.type;
        console.log(tag, text);
    },
};
