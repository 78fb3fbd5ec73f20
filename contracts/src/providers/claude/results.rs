//! Results: how a turn ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::canonical::{
    ErrorClass, ItemLifecycle, ItemStatus, ItemUpdated, RuntimeError, ThreadMetadataUpdated,
    TurnCompleted, TurnState,
};
use crate::json::{OwnedJson, Wire};
use crate::kit::conversation::turns::set_scope;
use crate::kit::conversation::values::{elements, text_in};
use crate::kit::mapping::Cx;
use crate::kit::members::members_of;
use crate::kit::parts::{filled, part, pick};
use crate::providers::claude::wire;
use crate::providers::claude::wire::values;

use super::errors::{of_status, of_word, status_in};
use super::mapping::ClaudeMapping;

/// What a result says about the end of its turn.
pub(super) struct End<'m> {
    /// The turn failed, by the flag or by the subtype.
    fails: bool,
    /// It failed by its subtype: what stopped it may have been the user.
    by_subtype: Option<&'m wire::SdkResultErrorSubtype>,
    terminal: Option<&'m wire::TerminalReason>,
    stop: Option<&'m str>,
    /// What went wrong, for people.
    words: Option<String>,
    status: Option<i64>,
    cost: f64,
}

/// What a result becomes.
pub(super) enum Event {
    /// What went wrong.
    Error(RuntimeError),
    /// The end of the turn.
    Completed(TurnCompleted),
    /// The figures of a turn whose end was told before.
    Late(ThreadMetadataUpdated),
}

impl<'m> End<'m> {
    /// The end of a turn with a result. The flag tells the failure of a request to the model.
    pub fn of_success(result: &'m wire::SdkResultSuccess<'_>) -> Self {
        Self {
            fails: result.is_error,
            by_subtype: None,
            terminal: result.terminal_reason.as_ref(),
            stop: result.stop_reason.as_deref(),
            words: filled(&*result.result).filter(|_| result.is_error),
            status: result.api_error_status,
            cost: result.total_cost_usd,
        }
    }

    /// The end of a turn without one.
    pub fn of_error(result: &'m wire::SdkResultError<'_>) -> Self {
        let words: Vec<&str> = result.errors.iter().map(|error| &**error).collect();
        Self {
            fails: true,
            by_subtype: Some(&result.subtype),
            terminal: result.terminal_reason.as_ref(),
            stop: result.stop_reason.as_deref(),
            words: filled(words.join("\n")),
            status: None,
            cost: result.total_cost_usd,
        }
    }

    /// How the turn ended. What breaks a turn off tells itself as an error of execution; a reason
    /// that can't be read is none for success.
    fn state(&self, stopped: bool) -> TurnState {
        let terminal = self.terminal.map(values::terminal_reason);
        let aborted = terminal == Some(Some(TurnState::Interrupted));
        if self.fails {
            let by_execution = matches!(
                self.by_subtype,
                Some(wire::SdkResultErrorSubtype::ErrorDuringExecution)
            );
            return match aborted || (stopped && by_execution && terminal.is_none()) {
                true => TurnState::Interrupted,
                false => TurnState::Failed,
            };
        }
        match terminal {
            Some(None) => return TurnState::Failed,
            Some(Some(state)) if state != TurnState::Completed => return state,
            Some(Some(_)) | None => {}
        }
        self.stop
            .and_then(stop_state)
            .unwrap_or(TurnState::Completed)
    }

    /// What kind of failure it is: the status of the model's server says most, then what the
    /// agent said before, then the subtype.
    fn class(&self, said: Option<ErrorClass>, word: Option<&str>) -> ErrorClass {
        if let Some(class) = word.and_then(of_word) {
            return class;
        }
        let in_words = || self.words.as_deref().and_then(status_in);
        let status = self.status.and_then(|status| u16::try_from(status).ok());
        if let Some(status) = status.or_else(in_words) {
            return of_status(status);
        }
        let by_subtype = || self.by_subtype.and_then(values::result_error);
        said.or_else(by_subtype).unwrap_or(ErrorClass::Unknown)
    }

    /// What people read.
    fn message(&self) -> String {
        if let Some(words) = &self.words {
            return words.clone();
        }
        let reason = self.by_subtype.map(wire::SdkResultErrorSubtype::as_str);
        let reason = reason.or_else(|| self.terminal.map(wire::TerminalReason::as_str));
        format!(
            "the turn failed: {}",
            reason.or(self.stop).unwrap_or("no reason given")
        )
    }
}

impl ClaudeMapping {
    /// A result ends the turn that is going on, and what is open in it.
    pub(super) fn ends(
        &mut self,
        cx: &mut Cx<'_>,
        end: &End<'_>,
        mut tell: impl FnMut(&mut Cx<'_>, Event),
    ) {
        if crate::kit::members::text(cx, &["uuid"]).is_some_and(|uuid| !self.is_new(&uuid)) {
            return cx.dropped("the same line again");
        }
        let said = self.failure.take();
        // A reader may have missed the beginning of the turn, or the program told no more than its
        // end: what ends has begun.
        self.begin(cx);
        let turn = self.turns.end();
        self.learn_denials(cx);
        if let Some(turn) = &turn {
            self.close_turn(cx, &turn.scope);
            set_scope(&mut cx.refs, &turn.scope);
        }
        if turn.as_ref().is_some_and(|turn| turn.told) {
            let figures = pick(cx, &[&["total_cost_usd"], &["usage"], &["modelUsage"]]);
            let metadata = BTreeMap::from([(String::from("result"), figures)]);
            return tell(
                cx,
                Event::Late(ThreadMetadataUpdated {
                    name: None,
                    metadata: Some(metadata),
                }),
            );
        }
        let state = end.state(turn.is_some_and(|turn| turn.stopped));
        let failed = state == TurnState::Failed;
        if failed {
            let word = crate::kit::members::text(cx, &["api_error"]);
            let error = RuntimeError {
                message: end.message(),
                class: Some(end.class(said, word.as_deref())),
                detail: Some(details(cx)),
            };
            tell(cx, Event::Error(error));
        }
        let models = cx.raw(&["modelUsage"]);
        let completed = TurnCompleted {
            stop_reason: cx
                .raw(&["stop_reason"])
                .map(|_| end.stop.map(str::to_owned)),
            usage: Some(part(cx, &["usage"])),
            model_usage: models.map(|models| members_of(cx, &models)),
            total_cost_usd: Some(end.cost),
            error_message: failed.then(|| end.message()),
            ..TurnCompleted::new(state)
        };
        tell(cx, Event::Completed(completed));
    }
}

impl ClaudeMapping {
    /// Older versions tell only in the result which calls were refused without asking.
    fn learn_denials(&mut self, cx: &mut Cx<'_>) {
        for denial in elements(cx, &["permission_denials"]) {
            let Some(id) = text_in(&denial, &["tool_use_id"]) else {
                continue;
            };
            let Some(call) = self.calls.get(&id).filter(|call| !call.denied) else {
                continue;
            };
            let (over, item_type) = (call.ended, call.item_type);
            self.calls.deny(&id);
            if over {
                let before = cx.refs.clone();
                self.about(cx, &Arc::from(&*id));
                cx.emit_unlisted(ItemUpdated(ItemLifecycle {
                    status: Some(ItemStatus::Declined),
                    data: Some(denial),
                    ..ItemLifecycle::new(item_type)
                }));
                cx.refs = before;
            }
        }
    }
}

/// The state that a reason to stop makes of a turn. Results have any text there, so that one that
/// no version has says nothing.
fn stop_state(reason: &str) -> Option<TurnState> {
    let reason = OwnedJson::from_value(&reason.into());
    let reason = wire::AnthropicBetaStopReason::read(&mut reason.reader()).ok()?;
    values::stop_reason(&reason)
}

/// What a failed result tells of its failure.
fn details(cx: &Cx<'_>) -> OwnedJson {
    pick(
        cx,
        &[
            &["subtype"],
            &["errors"],
            &["api_error_status"],
            &["terminal_reason"],
            &["permission_denials"],
        ],
    )
}
