// What no host may write: each line below the mark is an error, and a line that is none is one.
import type {
    CanonicalItemType,
    ContentDelta,
    EventId,
    ItemLifecyclePayload,
    ProviderRuntimeEventV2,
    RuntimeEventPayloadByType,
    ThreadId,
    TurnCompleted,
    TurnId,
} from "./canonical";

declare const event: ProviderRuntimeEventV2;
declare const thread: ThreadId;

// @ts-expect-error An id of another kind.
export const turn: TurnId = thread;
// @ts-expect-error A text that nobody has branded.
export const id: EventId = "event-1";
// An id is a text.
export const text: string = thread;

// @ts-expect-error A payload is read before its type is known.
export const delta: string = event.payload.delta;
if (event.type === "turn.completed") {
    // @ts-expect-error A member of another payload.
    event.payload.delta;
    // @ts-expect-error What may be absent or null is no text.
    event.payload.stopReason.length;
    // @ts-expect-error What nobody knows has no members.
    event.payload.usage.total;
}
// @ts-expect-error There is no such event.
export const never = event.type === "turn.finished";

// @ts-expect-error A required member is missing.
export const cut: ContentDelta = { streamKind: "assistant_text" };
// @ts-expect-error A member of the wrong type.
export const numbered: ContentDelta = { streamKind: "assistant_text", delta: 1 };
// @ts-expect-error A member that the type does not have.
export const more: ContentDelta = { streamKind: "assistant_text", delta: "", index: 0 };
// @ts-expect-error Null where only absence is allowed.
export const untitled: ItemLifecyclePayload = { itemType: "plan", title: null };
// @ts-expect-error There is no such value.
export const kind: CanonicalItemType = "song";
// @ts-expect-error There is no such state.
export const state: TurnCompleted = { state: "inProgress" };
// Null where it is allowed.
export const stopped: TurnCompleted = { state: "completed", stopReason: null };

// @ts-expect-error The payload of another event.
export const payload: RuntimeEventPayloadByType["turn.aborted"] = { message: "" };
// @ts-expect-error An event without an envelope.
export const bare: ProviderRuntimeEventV2 = { type: "turn.started", payload: {} };
