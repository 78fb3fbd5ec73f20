//! Streams of the Claude Agent SDK in every form that the program takes.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const INIT: &str = r#"{"type":"system","subtype":"init","agents":[],"apiKeySource":"none","claude_code_version":"1.0.0","cwd":"/p","tools":["Bash"],"mcp_servers":[],"model":"lamp-1","permissionMode":"default","slash_commands":[],"output_style":"default","skills":[],"plugins":[],"uuid":"u-init","session_id":"s"}"#;
const LINE: &str = r#"{"type":"assistant","message":{"id":"m","type":"message","role":"assistant","model":"lamp-1","content":[{"type":"text","text":"a b"}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":2,"output_tokens":3}},"parent_tool_use_id":null,"uuid":"u1","session_id":"s"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"done","duration_ms":1,"duration_api_ms":1,"num_turns":1,"stop_reason":null,"total_cost_usd":0.5,"usage":{"input_tokens":4,"output_tokens":5,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":0},"inference_geo":"","iterations":[],"speed":"standard"},"modelUsage":{},"permission_denials":[],"uuid":"r","session_id":"s"}"#;

/// What the program makes of its standard input: its output, and its summary.
fn replay(input: &str) -> (Output, Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agentwire-replay"))
        .args(["claude", "--summary", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    let summary = serde_json::from_slice(&output.stderr)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (output, summary)
}

/// The types of the events, with the states of turns.
fn types(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let event = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        let state = event["payload"]["state"].as_str().unwrap_or_default();
        let kind = event["type"].as_str().unwrap();
        format!("{kind} {state}").trim().to_owned()
    };
    text.lines().map(event).collect()
}

const EVENTS: [&str; 8] = [
    "session.started",
    "thread.started",
    "session.configured",
    "turn.started",
    "item.started",
    "item.completed",
    "thread.token-usage.updated",
    "turn.completed completed",
];

fn over_several_lines(values: &[&str]) -> String {
    let values: Vec<Value> = values
        .iter()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    match &values[..] {
        [one] => serde_json::to_string_pretty(one).unwrap(),
        many => serde_json::to_string_pretty(many).unwrap(),
    }
}

#[test]
fn every_form_gives_the_same_events() {
    let recorded = |line: &&str| serde_json::json!({"dir": "out", "line": line}).to_string();
    let all = [INIT, LINE, RESULT];
    let singly: Vec<String> = all.iter().map(|it| over_several_lines(&[it])).collect();
    let forms = [
        (
            "a transcript",
            all.iter().map(recorded).collect::<Vec<_>>().join("\n"),
        ),
        ("lines", all.join("\n")),
        (
            "lines after a banner",
            format!("Now using node v99\n{}\n", all.join("\r\n")),
        ),
        ("one list in a line", format!("[{}]\n", all.join(","))),
        ("one list over several lines", over_several_lines(&all)),
        ("values over several lines", singly.join("\n")),
    ];
    for (form, input) in forms {
        let (output, summary) = replay(&input);
        assert!(output.status.success(), "{form}: {summary}");
        assert_eq!(types(&output), EVENTS, "{form}");
        assert_eq!(
            summary["messages"],
            if form.contains("banner") { 4 } else { 3 },
            "{form}"
        );
        assert_eq!(summary["malformed"], serde_json::json!([]), "{form}");
    }
}

#[test]
fn what_the_host_said_is_in_a_transcript() {
    let said = r#"{"type":"user","message":{"role":"user","content":"go"},"session_id":""}"#;
    let lines = [("in", said), ("out", INIT), ("out", LINE), ("out", RESULT)];
    let lines = lines.map(|(dir, line)| serde_json::json!({"dir": dir, "line": line}).to_string());
    let (output, _) = replay(&lines.join("\n"));
    assert_eq!(
        types(&output)[..3],
        ["turn.started", "item.started", "item.completed"]
    );
    assert_eq!(
        types(&output)
            .iter()
            .filter(|it| it.starts_with("turn.completed"))
            .count(),
        1
    );
}

/// A list that was cut off is told as what it is, with its place, and takes nothing with it.
#[test]
fn a_list_that_was_cut() {
    let list = over_several_lines(&[INIT, LINE, RESULT]);
    let cut: Vec<&str> = list.lines().take(9).collect();
    let (output, summary) = replay(&cut.join("\n"));
    assert!(types(&output).is_empty());
    assert_eq!(summary["lines"], 9);
    assert_eq!(summary["not_json"], 9, "{summary}");
    let (output, summary) = replay(&format!("[{INIT},\n{LINE}\n{RESULT}"));
    assert_eq!(
        types(&output).last().map(String::as_str),
        Some("turn.completed completed")
    );
    assert_eq!(summary["not_json_lines"][0]["line"], 1, "{summary}");
}
