//! What a run counted.

use std::collections::BTreeMap;
use std::fmt::Write;

use agentwire::json::NoteKind;
use agentwire::session::{Outcome, Verdict};
use serde_json::{Value, json};

/// The counts of all streams of a run.
#[derive(Default)]
pub struct Summary {
    /// Lines read.
    pub lines: u64,
    /// Files with lines, none of which is JSON: compressed ones, or those of another program.
    pub no_streams: u64,
    messages: u64,
    events: BTreeMap<String, u64>,
    dropped: BTreeMap<String, u64>,
    told: BTreeMap<String, u64>,
    outside: BTreeMap<String, u64>,
    unrecognized: BTreeMap<String, BTreeMap<String, u64>>,
    unmatched: u64,
    noted: u64,
    malformed: Vec<Value>,
    not_json: Vec<Value>,
    oddities: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Counts one outcome.
    pub fn count(&mut self, file: &str, outcome: &Outcome) {
        self.messages += 1;
        for event in &outcome.events {
            *self
                .events
                .entry(event.event_type().as_str().to_owned())
                .or_default() += 1;
        }
        let tag = outcome.tag.as_deref().unwrap_or_default();
        match &outcome.verdict {
            Verdict::Mapped => {}
            Verdict::Noted => self.noted += 1,
            Verdict::Unmatched => self.unmatched += 1,
            Verdict::Dropped(_) => *self.dropped.entry(tag.to_owned()).or_default() += 1,
            // The row drops it on this wire: another message tells the same.
            Verdict::Told(_) => {
                *self.dropped.entry(tag.to_owned()).or_default() += 1;
                *self.told.entry(tag.to_owned()).or_default() += 1;
            }
            Verdict::Outside => *self.outside.entry(tag.to_owned()).or_default() += 1,
            Verdict::Unrecognized => self.unrecognized(outcome.surface.unwrap_or("message"), tag),
            Verdict::Malformed { path, message } => self.malformed.push(json!({
                "file": file, "line": outcome.line, "tag": tag, "path": path, "message": message,
            })),
            Verdict::NotJson { reason, .. } => {
                self.not_json.push(json!({"file": file, "line": outcome.line, "message": reason}));
            }
            Verdict::TooLong { size } => self.not_json.push(
                json!({"file": file, "line": outcome.line, "message": format!("{size} bytes, past the limit")}),
            ),
        }
        for oddity in &outcome.oddities {
            match &oddity.kind {
                NoteKind::UnrecognizedTag { union, tag } => self.unrecognized(union, tag),
                NoteKind::UnrecognizedValue { of, value } => self.unrecognized(of, value),
                NoteKind::DuplicateKey => *self.oddities.entry("duplicate keys").or_default() += 1,
                NoteKind::LoneSurrogate => {
                    *self.oddities.entry("lone surrogates").or_default() += 1
                }
            }
        }
    }

    fn unrecognized(&mut self, surface: &str, tag: &str) {
        let tags = self.unrecognized.entry(surface.to_owned()).or_default();
        *tags.entry(tag.to_owned()).or_default() += 1;
    }

    /// Whether a known message did not decode.
    pub fn any_malformed(&self) -> bool {
        !self.malformed.is_empty()
    }

    /// Whether anything was there that no vendored version has.
    pub fn any_unrecognized(&self) -> bool {
        !self.unrecognized.is_empty()
    }

    /// One JSON object.
    pub fn json(&self) -> Value {
        json!({
            "lines": self.lines,
            "messages": self.messages,
            "events": self.events,
            "dropped": self.dropped,
            "told": self.told,
            "outside": self.outside,
            "unrecognized": self.unrecognized,
            "unmatched": self.unmatched,
            "noted": self.noted,
            "malformed": self.malformed,
            "not_json": self.not_json.len(),
            "not_json_lines": self.not_json,
            "oddities": self.oddities,
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let total: u64 = self.events.values().sum();
        let _ = writeln!(
            text,
            "{} lines, {} messages, {total} events",
            self.lines, self.messages
        );
        section(&mut text, "events", &self.events);
        section(&mut text, "dropped by their rows", &self.dropped);
        section(&mut text, "records of no surface", &self.outside);
        for (surface, tags) in &self.unrecognized {
            section(&mut text, &format!("unrecognized on {surface}"), tags);
        }
        let oddities = self
            .oddities
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect();
        section(&mut text, "oddities", &oddities);
        if self.unmatched > 0 {
            let _ = writeln!(
                text,
                "replies to requests that were not seen: {}",
                self.unmatched
            );
        }
        for (title, entries) in [("malformed", &self.malformed), ("not JSON", &self.not_json)] {
            for entry in entries.iter() {
                let field = |name: &str| {
                    entry
                        .get(name)
                        .map(|v| v.as_str().map_or_else(|| v.to_string(), str::to_owned))
                };
                let _ = write!(
                    text,
                    "{title}: {}:{}",
                    field("file").unwrap_or_default(),
                    field("line").unwrap_or_default()
                );
                for name in ["tag", "path", "message"] {
                    if let Some(value) = field(name).filter(|value| !value.is_empty()) {
                        let _ = write!(text, ": {value}");
                    }
                }
                text.push('\n');
            }
        }
        text
    }
}

fn section(text: &mut String, title: &str, counts: &BTreeMap<String, u64>) {
    if counts.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}:");
    for (name, count) in counts {
        let _ = writeln!(text, "  {count:>6} {name}");
    }
}
