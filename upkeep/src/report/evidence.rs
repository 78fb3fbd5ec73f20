//! Evidence: which rows the recorded streams show.
//!
//! A recorded message is followed along the types of its wire, so a row is shown where a message holds
//! its variant at a place that has that type; names that merely look alike show nothing.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::stem::TRANSCRIPTS;
use agentwire_codegen::wires::{Rows, Wires, Writer};
use serde_json::Value;

use super::halves::without_halves;

/// The folder, among those of the agents, of what no agent wrote.
const INVENTED: &str = "invented";

/// One recorded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// Surface folder, version and name: `codex.app-server/0.171.0/text`.
    pub name: String,
    /// Written by hand: it shows what readers do, and nothing of what agents do.
    pub invented: bool,
    /// Its lines.
    pub lines: usize,
    /// What the index says that it shows.
    pub shows: Option<String>,
    /// How many rows it shows.
    pub rows: usize,
}

/// What the streams show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// By name.
    pub transcripts: Vec<Transcript>,
    /// The transcripts, by their index, that show a row: by surface and tag.
    pub rows: BTreeMap<(String, String), BTreeSet<usize>>,
}

/// Reads the streams: the texts of the files below [`TRANSCRIPTS`], by path from the root.
pub(crate) fn evidence(wires: &[Wires], files: &BTreeMap<String, String>) -> Evidence {
    let index = files
        .get(&format!("{TRANSCRIPTS}/INDEX.tsv"))
        .map_or("", String::as_str);
    let mut evidence = Evidence::default();
    for (path, text) in files {
        let name = path
            .strip_prefix(TRANSCRIPTS)
            .and_then(|path| path.strip_prefix('/'))
            .and_then(|path| path.strip_suffix(".jsonl"));
        let Some(name) = name else {
            continue;
        };
        let shown = stream(wires, name, text);
        let number = evidence.transcripts.len();
        evidence.transcripts.push(Transcript {
            name: name.to_owned(),
            invented: name.split('/').nth(1) == Some(INVENTED),
            lines: text.lines().count(),
            shows: indexed(index, name),
            rows: shown.len(),
        });
        for row in shown {
            evidence.rows.entry(row).or_default().insert(number);
        }
    }
    evidence
}

/// What the index says of a stream: scenario, version, face, lines, and what it shows.
fn indexed(index: &str, name: &str) -> Option<String> {
    let mut parts = name.split('/');
    let (carrier, version, scenario) = (parts.next()?, parts.next()?, parts.next()?);
    index.lines().find_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [of, at, face, _, shows] = fields.as_slice() else {
            return None;
        };
        let own = *of == scenario && *at == version && kept_apart(face) == kept_apart(carrier);
        own.then(|| (*shows).to_owned())
    })
}

/// The forms of streams whose files have the names of others: by the face in the index, and by the
/// folder of the carrier.
fn kept_apart(form: &str) -> Option<&'static str> {
    match form {
        "rollout" | "codex.eventmsg" => Some("rollout"),
        "exec" | "codex.sdk.thread-event" => Some("exec"),
        _ => None,
    }
}

/// The rows that a stream shows.
fn stream(wires: &[Wires], name: &str, text: &str) -> Rows {
    let mut lines: Vec<Line> = text.lines().flat_map(read).collect();
    if name.starts_with("opencode.") {
        for line in &mut lines {
            line.message = event_of(line.message.take());
        }
    }
    let mut rows = Rows::new();
    let Some(wires) = wires_of(wires, name, &lines) else {
        return rows;
    };
    // The methods of requests that wait for their results, by the text of their ids.
    let mut asked: BTreeMap<(bool, String), String> = BTreeMap::new();
    for Line { by, message } in &lines {
        let method = message.get("method").and_then(Value::as_str);
        let id = message.get("id").map(Value::to_string);
        if let (Some(method), Some(id)) = (method, &id) {
            asked.insert((*by == Writer::Agent, id.clone()), method.to_owned());
        }
        match (method, message.get("result"), id) {
            (None, Some(result), Some(id)) => {
                if let Some(method) = asked.remove(&(*by == Writer::Host, id)) {
                    wires.result(&method, result, *by, &mut rows);
                }
            }
            _ if *by == Writer::Agent => {
                wires.message(message, &mut rows);
                // The older protocol of Codex goes over the newer one's wire in an envelope.
                let older = method.is_some_and(|method| method.starts_with("codex/event/"));
                if let Some(event) = message.pointer("/params/msg").filter(|_| older) {
                    wires.message(event, &mut rows);
                }
            }
            _ => {}
        }
    }
    rows
}

/// One message of a stream.
struct Line {
    by: Writer,
    message: Value,
}

/// The messages of a line; a line that is no JSON has none. A line of a transcript says which way it
/// went, and one of a stored session is a record.
fn read(line: &str) -> Vec<Line> {
    let Some(line) = parsed(line) else {
        return Vec::new();
    };
    let direction = line.get("dir").and_then(Value::as_str);
    let (by, message) = match (direction, line.get("line").and_then(Value::as_str)) {
        (Some(direction), Some(text)) => {
            let Some(message) = parsed(text) else {
                return Vec::new();
            };
            let by = if direction == "out" {
                Writer::Agent
            } else {
                Writer::Host
            };
            (by, message)
        }
        _ => match (
            line.get("type").and_then(Value::as_str),
            line.get("payload"),
        ) {
            (Some("event_msg"), Some(payload)) => (Writer::Agent, payload.clone()),
            (Some(_), Some(_)) => return Vec::new(),
            _ => (Writer::Agent, line),
        },
    };
    let messages = if let Value::Array(messages) = message {
        messages
    } else {
        vec![message]
    };
    messages
        .into_iter()
        .map(|message| Line { by, message })
        .collect()
}

/// An event of OpenCode, which has the folder that it is about around it on one of the streams, and
/// another name for its payload on another.
fn event_of(mut message: Value) -> Value {
    let wrapped = message.get("type").is_none();
    if let Some(payload) = message.get_mut("payload").filter(|_| wrapped) {
        message = payload.take();
    }
    if let Some(event) = message.as_object_mut()
        && !event.contains_key("properties")
        && let Some(data) = event.remove("data")
    {
        event.insert("properties".to_owned(), data);
    }
    message
}

fn parsed(text: &str) -> Option<Value> {
    let whole = serde_json::from_str(text);
    whole
        .or_else(|_| serde_json::from_str(&without_halves(text)))
        .ok()
}

/// The wires that a stream is read along: those of the provider whose surfaces its folder names. Where
/// there are generations of a protocol, the one that the agent agreed to.
fn wires_of<'w>(wires: &'w [Wires], name: &str, lines: &[Line]) -> Option<&'w Wires> {
    let folder = name.split('/').next()?;
    let inside = format!("{folder}.");
    let named = |it: &&Wires| {
        it.surfaces()
            .any(|surface| surface == folder || surface.starts_with(&inside))
    };
    let candidates: Vec<&Wires> = wires.iter().filter(named).collect();
    let agreed = lines.iter().find_map(|line| {
        let version = line.message.pointer("/result/protocolVersion")?;
        (line.by == Writer::Agent).then(|| format!("-v{version}"))
    });
    let agreed = agreed.unwrap_or_else(|| "-v1".to_owned());
    let of_generation = candidates.iter().find(|it| it.provider.ends_with(&agreed));
    of_generation.or(candidates.first()).copied()
}
