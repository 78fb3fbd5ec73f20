//! Sentences about what a run cost.

use agentwire::projection::agent_event::{AgentEvents, CostClass, RunUsage};
use serde_json::json;

use super::events::Script;
use super::sentences::{started, subscribed, usage};

pub fn usage_members() {
    let full = RunUsage {
        cost_class: Some(CostClass::new("metered")),
        cost_micros: Some(5),
        model: String::from("sonnet"),
        provider: Some(String::from("lamps")),
        input_tokens: 1,
        output_tokens: 2,
        cache_read_tokens: 3,
        cache_write_tokens: 4,
        web_searches: 5,
    };
    let tree = json!({
        "costClass": "metered", "costMicros": 5, "model": "sonnet", "provider": "lamps",
        "inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3, "cacheWriteTokens": 4, "webSearches": 5,
    });
    assert_eq!(serde_json::to_value(&full).unwrap(), tree);
    let small = json!({
        "model": "sonnet", "inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 3,
        "cacheWriteTokens": 4, "webSearches": 5,
    });
    let read: RunUsage = serde_json::from_value(small.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), small);
    for required in [
        "model",
        "inputTokens",
        "outputTokens",
        "cacheReadTokens",
        "cacheWriteTokens",
        "webSearches",
    ] {
        let mut without = small.clone();
        without.as_object_mut().unwrap().remove(required);
        assert!(
            serde_json::from_value::<RunUsage>(without).is_err(),
            "{required}"
        );
    }
    // A usage says who paid, what for, and whose model it was.
    let run = started()
        .item(
            "item.completed",
            "w",
            json!({"itemType": "web_search", "status": "completed"}),
        )
        .tell(
            "turn.completed",
            json!({"state": "completed", "usage": usage(), "totalCostUsd": 0.0125}),
        )
        .run_with(AgentEvents::new().tier(CostClass::new("metered")));
    let told = json!({
        "costClass": "metered", "costMicros": 12_500, "model": "lamp-1", "provider": "codex",
        "inputTokens": 1840, "outputTokens": 210, "cacheReadTokens": 0, "cacheWriteTokens": 0,
        "webSearches": 1,
    });
    assert_eq!(run.last().unwrap()["usage"], told);
}

pub fn usage_needs_a_model() {
    let ended = json!({"state": "completed", "usage": usage()});
    let unnamed = Script::of("codex")
        .tell("turn.started", json!({}))
        .tell("turn.completed", ended.clone());
    assert_eq!(unnamed.run().last(), Some(&json!({"type": "done"})));
    let model = |script: &Script| script.run().last().unwrap()["usage"]["model"].clone();
    let configured = Script::of("codex")
        .about(json!({"threadId": "thread-1"}))
        .tell("session.configured", json!({"config": {"model": "lamp-2"}}))
        .about(json!({"threadId": "thread-1", "turnId": "turn-1"}))
        .tell("turn.started", json!({}))
        .tell("turn.completed", ended.clone());
    assert_eq!(model(&configured), "lamp-2");
    let elsewhere = Script::of("codex")
        .about(json!({"threadId": "thread-9"}))
        .tell("session.configured", json!({"config": {"model": "lamp-9"}}))
        .about(json!({"threadId": "thread-1", "turnId": "turn-1"}))
        .tell("turn.started", json!({}))
        .tell("turn.completed", ended.clone());
    assert_eq!(elsewhere.run().last(), Some(&json!({"type": "done"})));
    let mut by_model = ended;
    by_model["modelUsage"] = json!({"lamp-3": {}});
    let by_model = Script::of("claude")
        .tell("turn.started", json!({}))
        .tell("turn.completed", by_model);
    assert_eq!(model(&by_model), "lamp-3");
    let alias = by_model.run_with(AgentEvents::new().model("lamp", None));
    assert_eq!(alias.last().unwrap()["usage"]["model"], "lamp");
}

pub fn usage_unknown() {
    for usage in [
        json!(null),
        json!({}),
        json!({"used": 5}),
        json!({"input_tokens": 5}),
    ] {
        let run = started()
            .tell(
                "turn.completed",
                json!({"state": "completed", "usage": usage}),
            )
            .run();
        assert_eq!(run.last(), Some(&json!({"type": "done"})));
    }
    // A thread that counts over all its turns: this turn's part.
    let counted = |total: u64, last: u64| {
        let tokens =
            |count: u64| json!({"inputTokens": count, "cachedInputTokens": 0, "outputTokens": 1});
        json!({"usage": {"total": tokens(total), "last": tokens(last)}})
    };
    let run = started()
        .tell("thread.token-usage.updated", counted(110, 10))
        .tell("thread.token-usage.updated", counted(130, 20))
        .tell("turn.completed", json!({"state": "completed"}))
        .run();
    assert_eq!(run.last().unwrap()["usage"]["inputTokens"], 30);
}

pub fn nothing_spent() {
    let ended = |cost: f64| json!({"state": "completed", "usage": usage(), "totalCostUsd": cost});
    let cost = |cost: f64, run: AgentEvents| {
        let run = started().tell("turn.completed", ended(cost)).run_with(run);
        run.last().unwrap()["usage"].get("costMicros").cloned()
    };
    let metered = || AgentEvents::new().tier(CostClass::new("metered"));
    assert_eq!(cost(0.5, metered()), Some(json!(500_000)));
    assert_eq!(cost(0.0, metered()), None);
    // What an agent thinks a run would have cost is not spent under a subscription.
    assert_eq!(cost(0.5, subscribed()), None);
}
