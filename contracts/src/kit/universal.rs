//! What any surface may tell beside its rows: the rules that are the same for all providers.

use super::mapping::Implied;

/// An event and the rules by which it comes.
macro_rules! universal {
    ($($event:literal: $($rule:literal)+;)+) => {
        &[$($(Implied { event: $event, rule: $rule },)+)+]
    };
}

/// The events that no row and no `implied` of a surface has to list, each with its rule.
///
/// `unrecognized` and `malformed` tell of a message that no mapping gets. The others are the
/// ledger's ([`Rule`](crate::ledger::Rule)): it makes one event of another one, opens what was not
/// opened, and closes what is open where something ends.
pub const UNIVERSAL: &[Implied] = universal! {
    "hook.completed": "turn-ends" "thread-closes" "exit" "next-turn" "forgotten";
    "hook.started": "stub";
    "item.completed": "turn-ends" "thread-closes" "exit" "next-turn" "forgotten";
    "item.started": "stub";
    "item.updated": "twice" "after-the-end" "correction" "not-an-end";
    "request.resolved": "turn-ends" "thread-closes" "exit" "next-turn" "forgotten" "asked-anew" "as-asked";
    "runtime.error": "malformed";
    "runtime.warning": "unrecognized";
    "task.completed": "turn-ends" "thread-closes" "exit" "next-turn" "forgotten";
    "task.started": "stub";
    "thread.started": "stub";
    "turn.completed": "thread-closes" "exit" "next-turn" "forgotten";
    "turn.started": "stub";
    "user-input.resolved": "turn-ends" "thread-closes" "exit" "next-turn" "forgotten" "asked-anew" "as-asked";
};
