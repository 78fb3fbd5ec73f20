//! Which definitions go which way, counted over the raw schema: references are followed from the
//! unions of messages, whatever the generator knows about them.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_upkeep::diff::Direction;
use serde_json::Value;

/// The directions of every definition that goes over a wire.
pub type Ways = BTreeMap<String, BTreeSet<Direction>>;

/// The directions of every definition of a document.
pub fn ways(provider: &str, root: &Value, sources: &str) -> Ways {
    let definitions = named(root);
    let (sent, accepted): (Vec<String>, Vec<String>) = match provider {
        "codex" => {
            let results = |requests: &str| results(&definitions, requests, sources);
            let mut sent = list(&[
                "ServerNotification",
                "ServerRequest",
                "EventMsg",
                "RawResponseItemCompletedNotification",
                "RawResponseCompletedNotification",
            ]);
            sent.extend(results("ClientRequest"));
            let mut accepted = list(&["ClientRequest", "ClientNotification"]);
            accepted.extend(results("ServerRequest"));
            (sent, accepted)
        }
        "claude" => {
            let mut sent = list(&[
                "StdoutMessage",
                "SDKMessage",
                "HookInput",
                "CanUseTool.arguments",
                "ToolInputSchemas",
                "ToolOutputSchemas",
            ]);
            sent.extend(
                definitions
                    .keys()
                    .filter(|name| name.starts_with("SDKControl") && name.ends_with("Response"))
                    .cloned(),
            );
            let accepted = list(&[
                "SDKUserMessage",
                "SDKControlRequest",
                "SDKControlResponse",
                "SDKControlCancelRequest",
                "PermissionResult",
                "CanUseTool.result",
                "HookJSONOutput",
            ]);
            (sent, accepted)
        }
        _ => of_agents(&definitions),
    };
    let mut ways = Ways::new();
    for (starts, direction) in [(sent, Direction::Output), (accepted, Direction::Input)] {
        let mut open = starts;
        while let Some(name) = open.pop() {
            let Some(schema) = definitions.get(&name) else {
                continue;
            };
            if ways.entry(name).or_default().insert(direction) {
                references(schema, &mut open);
            }
        }
    }
    ways
}

/// The client is the side that answers what an agent asks.
fn of_agents(definitions: &BTreeMap<String, &Value>) -> (Vec<String>, Vec<String>) {
    let mut sent = list(&["AgentRequest", "AgentNotification", "SessionUpdate"]);
    let mut accepted = list(&["ClientRequest", "ClientNotification"]);
    for (name, schema) in definitions {
        let side = schema.get("x-side").and_then(Value::as_str);
        let answer = name.ends_with("Response");
        match (side, answer) {
            (Some("client"), false) | (Some("agent"), true) => sent.push(name.clone()),
            (Some("client"), true) | (Some("agent"), false) => accepted.push(name.clone()),
            (Some("protocol"), _) => {
                sent.push(name.clone());
                accepted.push(name.clone());
            }
            (Some(_) | None, _) => {}
        }
    }
    (sent, accepted)
}

/// `XParams` has the result `XResponse`, unless `sources.toml` lists another one.
fn results(definitions: &BTreeMap<String, &Value>, requests: &str, sources: &str) -> Vec<String> {
    let sources: toml::Table = toml::from_str(sources).unwrap();
    let listed = &sources["surface"]["codex.app-server.response"]["results"];
    let arms = definitions[requests]["oneOf"].as_array().unwrap();
    arms.iter()
        .filter_map(|arm| {
            let method = arm["properties"]["method"]["enum"][0].as_str()?;
            if let Some(name) = listed
                .get(method)
                .and_then(toml::Value::as_str)
                .filter(|name| definitions.contains_key(*name))
            {
                return Some(name.to_owned());
            }
            let mut params = Vec::new();
            references(&arm["properties"]["params"], &mut params);
            Some(format!(
                "{}Response",
                params.first()?.strip_suffix("Params")?
            ))
        })
        .collect()
}

/// Definitions by name; one without a keyword is a namespace.
pub fn named(root: &Value) -> BTreeMap<String, &Value> {
    let mut out = BTreeMap::new();
    for (name, schema) in root["definitions"].as_object().unwrap() {
        if name == "eventmsg" {
            for (inner, schema) in schema.as_object().unwrap() {
                out.insert(format!("{name}/{inner}"), schema);
            }
        } else {
            out.insert(name.clone(), schema);
        }
    }
    out
}

/// The names of all definitions that a schema refers to.
pub fn references(schema: &Value, out: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, inner) in map {
                match inner
                    .as_str()
                    .and_then(|text| text.strip_prefix("#/definitions/"))
                {
                    Some(name) if key == "$ref" => out.push(name.to_owned()),
                    _ => references(inner, out),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| references(inner, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn list(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
