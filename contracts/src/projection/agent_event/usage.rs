//! What a run used: the providers' own figures as one count of tokens.

use std::sync::Arc;

use crate::canonical::{EventPayload, RuntimeEvent, TurnCompleted};
use crate::json::OwnedJson;
use crate::projection::opaque::{count, first, member, member_text};
use crate::remembered::Remembered;

/// How many threads are remembered with their model.
const THREADS: usize = 256;

/// Tokens, with those from a cache counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tokens {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
    pub web_searches: u64,
}

impl Tokens {
    /// Reads the figures of any provider; nothing where the tokens that went in and out are not
    /// both told.
    pub fn read(json: &str) -> Option<Self> {
        let one_of = |names: &[&str]| names.iter().find_map(|name| count(json, name));
        let input = one_of(&["inputTokens", "input_tokens", "input"])?;
        let output = one_of(&["outputTokens", "output_tokens", "output"])?;
        let cache = member(json, "cache").unwrap_or("null");
        // Codex counts what came from the cache among the input, the others do not.
        let included = one_of(&["cachedInputTokens", "cached_input_tokens"]);
        let apart = one_of(&[
            "cacheReadTokens",
            "cachedReadTokens",
            "cacheReadInputTokens",
            "cache_read_input_tokens",
        ]);
        let searches = member(json, "server_tool_use").unwrap_or("null");
        Some(Self {
            input: input.saturating_sub(included.unwrap_or_default()),
            output,
            cache_read: included
                .or(apart)
                .or_else(|| count(cache, "read"))
                .unwrap_or_default(),
            cache_write: one_of(&[
                "cacheWriteTokens",
                "cachedWriteTokens",
                "cacheCreationInputTokens",
                "cache_creation_input_tokens",
            ])
            .or_else(|| count(cache, "write"))
            .unwrap_or_default(),
            web_searches: one_of(&["webSearchRequests"])
                .or_else(|| count(searches, "web_search_requests"))
                .unwrap_or_default(),
        })
    }

    fn minus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_sub(other.input),
            output: self.output.saturating_sub(other.output),
            cache_read: self.cache_read.saturating_sub(other.cache_read),
            cache_write: self.cache_write.saturating_sub(other.cache_write),
            web_searches: self.web_searches.saturating_sub(other.web_searches),
        }
    }
}

/// The figures of a thread that counts over all its turns, seen from one turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meter {
    before: Option<Tokens>,
    total: Option<Tokens>,
}

impl Meter {
    /// Takes over the newest figures. What the first of a turn adds to the total tells what was
    /// used before the turn.
    pub fn update(&mut self, usage: &OwnedJson) {
        let part = |names| first(usage, names).and_then(Tokens::read);
        let (Some(total), Some(last)) = (
            part(&["total", "total_token_usage", "totalTokenUsage"]),
            part(&["last", "last_token_usage", "lastTokenUsage"]),
        ) else {
            return;
        };
        self.before.get_or_insert_with(|| total.minus(last));
        self.total = Some(total);
    }

    /// What the turn used, where that is known.
    pub fn used(&self) -> Option<Tokens> {
        Some(self.total?.minus(self.before?))
    }
}

/// The models that threads are known to run with.
#[derive(Clone, Debug)]
pub(super) struct Models {
    by_thread: Remembered<Option<Arc<str>>, String>,
}

impl Default for Models {
    fn default() -> Self {
        Self {
            by_thread: Remembered::new(THREADS),
        }
    }
}

impl Models {
    /// Takes over what an event tells about the model.
    pub fn learn(&mut self, event: &RuntimeEvent) {
        if let Some(model) = told(&event.payload) {
            let thread = event.thread_id.as_ref().map(|id| Arc::clone(id.shared()));
            self.by_thread.insert(thread, model);
        }
    }

    /// The model of a thread.
    pub fn of(&self, thread: Option<&Arc<str>>) -> Option<&str> {
        let own = self.by_thread.get(&thread.cloned());
        own.or_else(|| self.by_thread.get(&None))
            .map(String::as_str)
    }
}

/// The model that an event tells of.
fn told(payload: &EventPayload) -> Option<String> {
    let config = |value: &OwnedJson| crate::projection::opaque::text(value.as_str());
    if let EventPayload::TurnStarted(turn) = payload {
        return turn.model.clone();
    }
    if let EventPayload::ModelRerouted(rerouted) = payload {
        return Some(rerouted.to_model.clone());
    }
    if let EventPayload::SessionConfigured(configured) = payload {
        return configured.config.get("model").and_then(config);
    }
    if let EventPayload::ThreadMetadataUpdated(updated) = payload {
        let settings = updated.metadata.as_ref()?.get("settings")?;
        return member_text(settings.as_str(), "model");
    }
    None
}

/// The only model that the figures by model name.
pub(super) fn only_model(turn: &TurnCompleted) -> Option<&str> {
    let mut models = turn.model_usage.as_ref()?.keys();
    match (models.next(), models.next()) {
        (Some(model), None) => Some(model),
        (Some(_) | None, _) => None,
    }
}

/// Dollars as millionths; nothing where nothing was spent.
pub(super) fn micros(dollars: Option<f64>) -> Option<u64> {
    let micros = (dollars? * 1e6).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and far below 2^64 where it is a sum of money"
    )]
    (micros.is_finite() && micros >= 1.0).then_some(micros as u64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    #[test]
    fn figures_of_each_provider() {
        let shapes = [
            r#"{"inputTokens":120,"cachedInputTokens":40,"outputTokens":30,"totalTokens":150}"#,
            r#"{"input_tokens":120,"cached_input_tokens":40,"output_tokens":30}"#,
            r#"{"input_tokens":80,"cache_read_input_tokens":40,"cache_creation_input_tokens":0,"output_tokens":30,"server_tool_use":{"web_search_requests":0}}"#,
            r#"{"inputTokens":80,"cachedReadTokens":40,"outputTokens":30}"#,
            r#"{"input":80,"output":30,"reasoning":1,"cache":{"read":40,"write":0}}"#,
        ];
        for shape in shapes {
            let tokens = Tokens::read(shape).unwrap();
            assert_eq!(
                (
                    tokens.input,
                    tokens.output,
                    tokens.cache_read,
                    tokens.cache_write
                ),
                (80, 30, 40, 0),
                "{shape}"
            );
        }
        for unknown in [
            "null",
            "{}",
            r#"{"used":5,"size":9}"#,
            r#"{"input_tokens":1}"#,
            "[1]",
            "{",
        ] {
            assert_eq!(Tokens::read(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_meter_counts_the_turn_only() {
        let mut meter = Meter::default();
        assert_eq!(meter.used(), None);
        let usage = |total: u64, last: u64| {
            let one = |n: u64| format!("{{\"inputTokens\":{n},\"outputTokens\":{n}}}");
            let text = format!("{{\"total\":{},\"last\":{}}}", one(total), one(last));
            OwnedJson::parse(&text).unwrap()
        };
        meter.update(&usage(110, 10));
        meter.update(&usage(130, 20));
        let used = meter.used().unwrap();
        assert_eq!((used.input, used.output), (30, 30));
        meter.update(&OwnedJson::parse("{}").unwrap());
        assert_eq!(meter.used(), Some(used));
    }

    #[test]
    fn money() {
        assert_eq!(micros(Some(0.0123456)), Some(12_346));
        for nothing in [
            None,
            Some(0.0),
            Some(-1.0),
            Some(f64::NAN),
            Some(f64::INFINITY),
        ] {
            assert_eq!(micros(nothing), None);
        }
    }
}
