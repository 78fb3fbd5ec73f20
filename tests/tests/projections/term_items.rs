//! Terms of items: messages and their pieces, calls and their results.

use serde_json::{Value, json};

use super::events::{Script, types};
use super::terms::{ASSISTANT, USER, assert_agent, assert_daemon, begun, said};

pub fn message(provider: &'static str, item_type: &str, role: &str) {
    let script = Script::of(provider)
        .item("item.started", "i", begun(item_type))
        .item("item.completed", "i", said(item_type, "Is the lamp lit?"));
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.delta",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    let (start, end) = (&whole[1]["data"]["item"], &whole[3]["data"]["item"]);
    assert_agent(&whole[1]);
    assert_agent(&whole[3]);
    assert_eq!(
        (&start["status"], &start["content"]),
        (&json!("in_progress"), &json!([]))
    );
    assert_eq!(
        (&start["kind"], &start["role"]),
        (&json!("message"), &json!(role))
    );
    assert_eq!(
        (&end["status"], &end["role"]),
        (&json!("completed"), &json!(role))
    );
    assert_eq!(
        end["content"],
        json!([{"type": "text", "text": "Is the lamp lit?"}])
    );
    assert_eq!(whole[3]["raw"], json!({"said": [1, 2.50]}));
}

pub fn delta_synthetic(provider: &'static str) {
    let script = Script::of(provider)
        .item("item.started", "i", begun(ASSISTANT))
        .item("item.completed", "i", said(ASSISTANT, "The lamp is lit."));
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.delta",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    assert_daemon(&whole[2]);
    assert_eq!(whole[2]["data"]["delta"], "The lamp is lit.");
    let item = &whole[3]["data"]["item"];
    assert_eq!(whole[2]["data"]["item_id"], item["item_id"]);
    assert_eq!(whole[2]["data"]["native_item_id"], item["native_item_id"]);
    assert_agent(&whole[3]);
}

pub fn delta_forwarded(provider: &'static str) {
    let delta = |text: &str| json!({"streamKind": "assistant_text", "delta": text});
    let script = Script::of(provider)
        .item("item.started", "i", begun(ASSISTANT))
        .item("content.delta", "i", delta("The lamp "))
        .item("content.delta", "i", delta("is lit."))
        .item("item.completed", "i", said(ASSISTANT, "The lamp is lit."));
    let deltas = script.all("item.delta");
    let texts: Vec<&Value> = deltas.iter().map(|event| &event["data"]["delta"]).collect();
    assert_eq!(texts, ["The lamp ", "is lit."]);
    deltas.iter().for_each(assert_agent);
    let end = script.one("item.completed");
    assert_eq!(
        end["data"]["item"]["content"],
        json!([{"type": "text", "text": "The lamp is lit."}])
    );
}

pub fn other_deltas(provider: &'static str) {
    let mut kinds = 0;
    for (stream, kind) in [
        ("reasoning_text", "message"),
        ("reasoning_summary_text", "message"),
        ("plan_text", "message"),
        ("command_output", "tool_call"),
        ("file_change_output", "tool_call"),
        ("unknown", "unknown"),
    ] {
        let delta = json!({"streamKind": stream, "delta": "lit"});
        let script = Script::of(provider).item("content.delta", "i", delta);
        let whole = script.open();
        assert_eq!(
            types(&whole),
            ["session.started", "item.started", "item.delta"]
        );
        assert_eq!(whole[1]["data"]["item"]["kind"], kind, "{stream}");
        assert_daemon(&whole[1]);
        assert_agent(&whole[2]);
        kinds += 1;
    }
    assert_eq!(kinds, 6);
}

pub fn end_of_a_streamed_message(provider: &'static str) {
    // A message of which the agent never tells the end is whole when its turn is.
    let delta = |text: &str| json!({"streamKind": "assistant_text", "delta": text});
    for (state, status) in [
        ("completed", "completed"),
        ("failed", "failed"),
        ("cancelled", "failed"),
    ] {
        let script = Script::of(provider)
            .tell("turn.started", json!({}))
            .tell("content.delta", delta("The lamp "))
            .tell("content.delta", delta("is lit."))
            .tell("turn.completed", json!({"state": state}));
        let end = script.one("item.completed");
        assert_daemon(&end);
        assert_eq!(end["data"]["item"]["status"], status);
        assert_eq!(
            end["data"]["item"]["content"][0]["text"],
            "The lamp is lit."
        );
        assert_eq!(script.all("item.started").len(), 1);
    }
    // What the user says may come in pieces that are no deltas.
    let script = Script::of(provider)
        .message_type("user_message_chunk")
        .tell(
            "item.updated",
            json!({"itemType": USER, "detail": "Is it "}),
        )
        .tell("item.updated", json!({"itemType": USER, "detail": "lit?"}))
        .tell("content.delta", delta("Yes."));
    let deltas = script.all("item.delta");
    assert_eq!(deltas[0]["data"]["delta"], "Is it lit?");
    assert_daemon(&deltas[0]);
}

pub fn delta_before_its_message(provider: &'static str) {
    let delta = json!({"streamKind": "assistant_text", "delta": "The lamp"});
    let script = Script::of(provider)
        .item("content.delta", "i", delta)
        .item("item.started", "i", begun(ASSISTANT))
        .item("item.completed", "i", said(ASSISTANT, "The lamp is lit."));
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.delta",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    assert_daemon(&whole[1]);
    assert_agent(&whole[2]);
    assert_eq!(
        whole[1]["data"]["item"]["item_id"],
        whole[2]["data"]["item_id"]
    );
    // The ledger has put such a stub there already where its events come from a reader.
    let stub = json!({"itemType": ASSISTANT, "status": "inProgress"});
    let whole = Script::of(provider).item("item.started", "i", stub).open();
    assert_daemon(&whole[1]);
}

pub fn lamp_call() -> Value {
    json!({
        "itemType": "mcp_tool_call", "status": "inProgress", "title": "harbour/light",
        "data": {"arguments": {"lamp": 1.50}},
    })
}

pub fn lamp_result() -> Value {
    json!({
        "itemType": "mcp_tool_call", "status": "completed", "title": "harbour/light",
        "data": {"arguments": {"lamp": 1.50}, "result": {"lit": true}},
    })
}

pub fn call(provider: &'static str) {
    let script = Script::of(provider).item("item.started", "i", lamp_call());
    let whole = script.open();
    assert_eq!(types(&whole), ["session.started", "item.started"]);
    let item = &whole[1]["data"]["item"];
    assert_eq!(
        (&item["kind"], &item["parent_id"]),
        (&json!("tool_call"), &Value::Null)
    );
    let part = json!([{
        "type": "tool_call", "name": "harbour/light", "arguments": "{\"lamp\":1.5}",
        "call_id": item["item_id"],
    }]);
    assert_eq!(item["content"], part);
}

pub fn call_progress(provider: &'static str) {
    let progress = json!({"toolUseId": "x", "toolName": "light", "summary": "Looking for matches"});
    let script = Script::of(provider).item("tool.progress", "i", progress.clone());
    let whole = script.open();
    assert_eq!(
        types(&whole),
        ["session.started", "item.started", "item.delta"]
    );
    assert_daemon(&whole[1]);
    assert_eq!(whole[1]["data"]["item"]["kind"], "tool_call");
    assert_eq!(whole[2]["data"]["delta"], "Looking for matches");
    assert_agent(&whole[2]);
    let known = Script::of(provider)
        .item("item.started", "i", lamp_call())
        .item("tool.progress", "i", progress);
    assert_eq!(known.all("item.started").len(), 1);
}

pub fn call_below_its_message(provider: &'static str) {
    let script = Script::of(provider)
        .item("item.started", "m", begun(ASSISTANT))
        .item("item.started", "i", lamp_call())
        .item("item.completed", "i", lamp_result())
        .item("item.completed", "m", said(ASSISTANT, "It is lit."));
    let below: Vec<Value> = script
        .whole()
        .into_iter()
        .filter(|event| event["data"]["item"]["kind"] != "message" && event["type"] != "item.delta")
        .filter(|event| event["data"].get("item").is_some())
        .collect();
    assert_eq!(
        below.len(),
        4,
        "call and result, each with its start and its end"
    );
    let parent = &script.all("item.started")[0]["data"]["item"]["item_id"];
    assert!(
        below
            .iter()
            .all(|event| event["data"]["item"]["parent_id"] == *parent)
    );
}

pub fn result(provider: &'static str) {
    let script = Script::of(provider)
        .item("item.started", "i", lamp_call())
        .item("item.completed", "i", lamp_result());
    let whole = script.open();
    let told = [
        "session.started",
        "item.started",
        "item.completed",
        "item.started",
        "item.completed",
    ];
    assert_eq!(types(&whole), told);
    assert_daemon(&whole[3]);
    assert_agent(&whole[4]);
    let (call, result) = (&whole[2]["data"]["item"], &whole[4]["data"]["item"]);
    assert_eq!(
        (&call["kind"], &call["status"]),
        (&json!("tool_call"), &json!("completed"))
    );
    assert_eq!(
        (&result["kind"], &result["role"]),
        (&json!("tool_result"), &json!("tool"))
    );
    let part =
        json!([{"type": "tool_result", "call_id": call["item_id"], "output": "{\"lit\":true}"}]);
    assert_eq!(result["content"], part);
    for status in ["failed", "declined", "inProgress"] {
        let mut failed = lamp_result();
        failed["status"] = json!(status);
        let script = Script::of(provider).item("item.completed", "i", failed);
        let ended = script.all("item.completed");
        assert_eq!(ended.len(), 2);
        assert!(
            ended
                .iter()
                .all(|event| event["data"]["item"]["status"] == "failed")
        );
    }
    let change = json!({
        "itemType": "file_change", "status": "completed",
        "data": {"changes": [{"path": "lamp.txt", "diff": "+lit", "kind": {"type": "add"}}]},
    });
    let script = Script::of(provider).item("item.completed", "i", change);
    let parts = script.all("item.completed")[1]["data"]["item"]["content"].clone();
    let file = json!({"type": "file_ref", "path": "lamp.txt", "action": "write", "diff": "+lit"});
    assert_eq!(parts[1], file);
}
