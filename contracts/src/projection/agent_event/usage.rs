//! What a run used: the providers' own figures as one count of tokens.

use std::sync::Arc;

use crate::canonical::{EventPayload, RuntimeEvent, TurnCompleted};
use crate::json::OwnedJson;
use crate::kit::remembered::Remembered;
use crate::projection::opaque::{count, first, member, member_text};

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

    /// What came after an earlier count; nothing where that is not the smaller one.
    fn since(self, earlier: Self) -> Option<Self> {
        let later = self.minus(earlier);
        (later.plus(earlier) == self).then_some(later)
    }

    fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write: self.cache_write.saturating_add(other.cache_write),
            web_searches: self.web_searches.saturating_add(other.web_searches),
        }
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
            part(TOTAL),
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

/// The member of figures that is the total of a thread.
const TOTAL: &[&str] = &["total", "total_token_usage", "totalTokenUsage"];

/// What threads had used when their last turn ended, where ends of turns tell the totals of their
/// threads.
#[derive(Clone, Debug)]
pub(super) struct Totals {
    /// Nothing where a turn told no total: what it used is in that of the next.
    by_thread: Remembered<Arc<str>, Option<Tokens>>,
    /// The threads begin in what is read.
    pub begin_here: bool,
}

impl Default for Totals {
    fn default() -> Self {
        Self {
            by_thread: Remembered::new(THREADS),
            begin_here: false,
        }
    }
}

impl Totals {
    /// Takes over what an event tells, once its run was told of it.
    pub fn learn(&mut self, event: &RuntimeEvent) {
        let Some(thread) = &event.thread_id else {
            return;
        };
        let unknown = matches!(
            event.payload,
            EventPayload::TurnStarted(_) | EventPayload::TurnAborted(_)
        );
        let total = if let EventPayload::TurnCompleted(turn) = &event.payload {
            total(turn)
        } else if unknown {
            None
        } else {
            return;
        };
        self.by_thread.insert(Arc::clone(thread.shared()), total);
    }

    /// What a turn used, by the total of its thread that its end tells. What the thread had used
    /// before must be known.
    pub fn used(&self, thread: Option<&Arc<str>>, turn: &TurnCompleted) -> Option<Tokens> {
        let before = match self.by_thread.get(thread?) {
            Some(before) => (*before)?,
            None if self.begin_here => Tokens::default(),
            None => return None,
        };
        total(turn)?.since(before)
    }
}

fn total(turn: &TurnCompleted) -> Option<Tokens> {
    first(turn.usage.as_ref()?, TOTAL).and_then(Tokens::read)
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

    /// An event of a thread.
    fn event(payload: &str) -> RuntimeEvent {
        let text = format!(
            r#"{{"eventId":"e","provider":"codex","sessionId":"s","createdAt":"1970-01-01T00:00:00.000Z","threadId":"t",{payload}}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn ended(total: Option<u64>) -> RuntimeEvent {
        let usage = total.map(|total| {
            format!(r#","usage":{{"total":{{"input_tokens":{total},"output_tokens":{total}}}}}"#)
        });
        let usage = usage.unwrap_or_default();
        event(&format!(
            r#""type":"turn.completed","payload":{{"state":"completed"{usage}}}"#
        ))
    }

    /// What each of these turns used; each ends with the total of the thread, or without one.
    fn used(totals: &[Option<u64>], begin_here: bool) -> Vec<Option<u64>> {
        let mut known = Totals {
            begin_here,
            ..Totals::default()
        };
        let mut used = Vec::new();
        for total in totals {
            let of_run = known.clone();
            known.learn(&event(r#""type":"turn.started","payload":{}"#));
            let end = ended(*total);
            let EventPayload::TurnCompleted(turn) = &end.payload else {
                panic!("{end:?}")
            };
            let thread = end.thread_id.as_ref().map(|id| Arc::clone(id.shared()));
            let tokens = of_run.used(thread.as_ref(), turn);
            used.push(tokens.map(|tokens| tokens.input));
            assert_eq!(of_run.used(None, turn), None);
            known.learn(&end);
        }
        used
    }

    #[test]
    fn a_turn_used_what_the_total_grew_by() {
        let totals = [Some(5), Some(12), Some(12)];
        assert_eq!(used(&totals, false), [None, Some(7), Some(0)]);
        assert_eq!(used(&totals, true), [Some(5), Some(7), Some(0)]);
        // What a turn used that tells no total is in the next one's, and so is nobody's.
        let totals = [Some(5), None, Some(20), Some(21)];
        assert_eq!(used(&totals, true), [Some(5), None, None, Some(1)]);
        // A total that shrinks is no total.
        assert_eq!(used(&[Some(5), Some(3)], true), [Some(5), None]);
    }

    #[test]
    fn a_turn_without_an_end_leaves_nothing_known() {
        let mut known = Totals::default();
        known.learn(&ended(Some(5)));
        known.learn(&event(r#""type":"turn.started","payload":{}"#));
        let end = ended(Some(9));
        let EventPayload::TurnCompleted(turn) = &end.payload else {
            panic!("{end:?}")
        };
        let thread = end.thread_id.as_ref().map(|id| Arc::clone(id.shared()));
        assert_eq!(known.used(thread.as_ref(), turn), None);
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
