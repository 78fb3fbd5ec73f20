//! What was measured, and how it is printed.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use crate::interoperability::constructed::{CASES, Official};
use crate::interoperability::corpus::{Payload, Role};
use crate::interoperability::decoders::{ours, theirs};
use crate::interoperability::differing::differences;
use crate::interoperability::rules::{RULES, Reason};

/// The figures of a corpus.
#[derive(Debug, Default)]
pub struct Figures {
    /// Payloads.
    pub all: usize,
    /// Both decode.
    pub both: usize,
    /// Only ours decodes, by cause.
    pub only_ours: BTreeMap<&'static str, usize>,
    /// Only theirs does.
    pub only_theirs: Vec<String>,
    /// Neither does: what hosts sent to see how agents take it.
    pub neither: usize,
    /// What an agent sent and we did not decode.
    pub refused_of_agents: Vec<String>,
    /// How often each rule explained a difference.
    pub explained: BTreeMap<usize, usize>,
    /// Differences without a rule.
    pub unexplained: Vec<String>,
    /// What was sent and is gone from their second form, and not from ours, by place.
    pub lost: BTreeMap<String, usize>,
}

impl Figures {
    /// Counts one payload.
    pub fn add(&mut self, payload: &Payload) {
        self.all += 1;
        let head = format!(
            "{:?} {:?} {}",
            payload.version, payload.role, payload.method
        );
        match (ours(payload), theirs(payload)) {
            (Ok(ours), Ok(theirs)) => {
                self.both += 1;
                let ours: Value = serde_json::from_str(&ours).unwrap();
                self.compare(payload, &head, &ours, &theirs);
            }
            (Ok(_), Err(error)) => *self.only_ours.entry(cause(&error)).or_default() += 1,
            (Err(error), Ok(_)) => self.only_theirs.push(format!("{head}: {error}")),
            (Err(error), Err(_)) => {
                self.neither += 1;
                if !matches!(
                    payload.role,
                    Role::ClientNotification | Role::ClientRequest | Role::ClientResult
                ) {
                    self.refused_of_agents.push(format!("{head}: {error}"));
                }
            }
        }
    }

    fn compare(&mut self, payload: &Payload, head: &str, ours: &Value, theirs: &Value) {
        for difference in differences(ours, theirs) {
            let rule = RULES
                .iter()
                .position(|rule| rule.explains(payload, &difference));
            match rule {
                Some(rule) => *self.explained.entry(rule).or_default() += 1,
                None => self.unexplained.push(format!("{head}: {difference:?}")),
            }
        }
        let sent: Value = serde_json::from_str(&payload.text).unwrap();
        let kept = differences(&sent, ours);
        for difference in differences(&sent, theirs) {
            let told = difference.first.as_ref().is_some_and(|it| !it.is_null());
            let default = RULES.iter().any(|rule| {
                rule.reason == Reason::DefaultLeftOut
                    && difference.second.is_none()
                    && rule.explains(payload, &difference)
            });
            if told && !default && !kept.contains(&difference) {
                let place = format!("`{}` `{}`", payload.method, difference.path);
                *self.lost.entry(place).or_default() += 1;
            }
        }
    }

    /// The rules that explained nothing.
    pub fn idle_rules(&self) -> Vec<&'static str> {
        let rules = RULES.iter().enumerate();
        rules
            .filter(|(index, _)| !self.explained.contains_key(index))
            .map(|(_, rule)| rule.path)
            .collect()
    }

    /// As a document.
    pub fn printed(&self) -> String {
        let mut text = String::from(HEAD);
        let only_ours: usize = self.only_ours.values().sum();
        let _ = write!(
            text,
            "\n| payloads | |\n|---|---|\n| in the corpus | {} |\n| both decode | {} |\n| only ours decodes | {only_ours} |\n| only theirs decodes | {} |\n| neither decodes: what a host sent to see how an agent takes it | {} |\n",
            self.all,
            self.both,
            self.only_theirs.len(),
            self.neither
        );
        text.push_str("\n## What only ours decodes\n\n| cause | payloads |\n|---|---|\n");
        for (cause, count) in &self.only_ours {
            let _ = writeln!(text, "| {cause} | {count} |");
        }
        text.push_str("\n## Where the second forms differ\n\nEverything else is equal, up to the spelling of numbers.\n\n| place | reason | times |\n|---|---|---|\n");
        for (index, rule) in RULES.iter().enumerate() {
            let count = self.explained.get(&index).copied().unwrap_or(0);
            let _ = writeln!(
                text,
                "| {} | {} | {count} |",
                rule.place(),
                rule.reason.words()
            );
        }
        text.push_str(
            "\n## What was sent, theirs loses and ours keeps\n\n| place | times |\n|---|---|\n",
        );
        for (place, count) in &self.lost {
            let _ = writeln!(text, "| {place} | {count} |");
        }
        text.push_str(VALUES);
        for case in CASES {
            let fate = match case.official {
                Official::Loses => "loses it",
                Official::Refuses => "refuses the message",
                Official::Keeps => "keeps it",
            };
            let _ = writeln!(text, "| v{} | {} | {fate} |", case.generation(), case.what);
        }
        text
    }
}

const HEAD: &str = "# Interoperability of the agent client protocol\n\n\
Made by `tests/tests/interoperability.rs`; `UPDATE_EXPECT=1` writes it anew. The other decoder is \
the crate `agent-client-protocol-schema` 1.20.0 of the protocol's authors, with what is unstable and \
with version 2. The corpus is every payload of the recorded connections with nine agents, in both \
directions: parameters, results and errors. Each decoder reads a payload and writes it again; the \
two second forms are compared.\n";

const VALUES: &str = "\n## Values that no version has\n\n\
Each stands in a payload that is else as any other. Ours keeps each, as `Unrecognized`, and its \
second form is the payload.\n\n| | what no version has | the official decoder |\n|---|---|---|\n";

/// Why the official decoder refuses a payload.
fn cause(error: &str) -> &'static str {
    if error.contains("surrogate") || error.contains("hex escape") {
        "half of a surrogate pair"
    } else if error.starts_with("unknown method") {
        "a method that the schema does not have"
    } else if error.contains("unknown variant") {
        "a kind of block that the schema does not have"
    } else {
        "another"
    }
}
