//! What the generated skeletons and the hand-written mappings share: the context of one message,
//! the sink of a split row, and rows as data.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{EventPayload, RuntimeWarning};
use crate::json::{Json, OwnedJson, Reader, Unrecognized};
use crate::kit::ledger::{Draft, Refs};
#[doc(hidden)]
pub use crate::kit::set;
pub use crate::kit::universal::UNIVERSAL;

/// The decision of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowVerb {
    /// Exactly the event that has the tag's name.
    Keep(&'static str),
    /// Exactly this event.
    Rename(&'static str),
    /// Any of these events.
    Split(&'static [&'static str]),
    /// Nothing, for this reason.
    Drop(&'static str),
}

/// One row of a surface, as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowInfo {
    /// The tag on the wire.
    pub tag: &'static str,
    /// The decision.
    pub verb: RowVerb,
    /// The vendored versions that have the variant.
    pub seen: &'static str,
    /// The message that tells the same on the live wire, where the row says one.
    pub echo: Option<&'static str>,
    /// The echo holds only for messages that have this member.
    pub condition: Option<&'static str>,
    /// The message of the same surface that tells the same, where the row says one.
    pub twin: Option<&'static str>,
}

impl RowInfo {
    /// A row that keeps the event of its tag's name.
    #[must_use]
    pub const fn keep(tag: &'static str, seen: &'static str, event: &'static str) -> Self {
        Self::new(tag, seen, RowVerb::Keep(event))
    }

    /// A row that gives exactly this event.
    #[must_use]
    pub const fn rename(tag: &'static str, seen: &'static str, event: &'static str) -> Self {
        Self::new(tag, seen, RowVerb::Rename(event))
    }

    /// A row that may give any of these events.
    #[must_use]
    pub const fn split(
        tag: &'static str,
        seen: &'static str,
        events: &'static [&'static str],
    ) -> Self {
        Self::new(tag, seen, RowVerb::Split(events))
    }

    /// A row that drops the message, for a reason.
    #[must_use]
    pub const fn drop(tag: &'static str, seen: &'static str, reason: &'static str) -> Self {
        Self::new(tag, seen, RowVerb::Drop(reason))
    }

    const fn new(tag: &'static str, seen: &'static str, verb: RowVerb) -> Self {
        Self {
            tag,
            verb,
            seen,
            echo: None,
            condition: None,
            twin: None,
        }
    }

    /// The same row, which another message on the live wire tells, too.
    #[must_use]
    pub const fn echo(self, message: &'static str) -> Self {
        Self {
            echo: Some(message),
            ..self
        }
    }

    /// The same row, whose echo holds only for messages that have the member.
    #[must_use]
    pub const fn condition(self, member: &'static str) -> Self {
        Self {
            condition: Some(member),
            ..self
        }
    }

    /// The same row, which another message of the surface tells, too.
    #[must_use]
    pub const fn twin(self, message: &'static str) -> Self {
        Self {
            twin: Some(message),
            ..self
        }
    }

    /// The row of a tag in a table that is sorted by tag.
    #[must_use]
    pub fn find(rows: &'static [Self], tag: &str) -> Option<&'static Self> {
        rows.binary_search_by(|row| row.tag.cmp(tag))
            .ok()
            .and_then(|index| rows.get(index))
    }
}

/// A surface as data: its id, its rows, and what it tells beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The id, as the raw source of its events says it.
    pub id: &'static str,
    /// The rows, sorted by tag.
    pub rows: &'static [RowInfo],
    /// The events beside the rows, each with its rule.
    pub implied: &'static [Implied],
}

impl Surface {
    /// A surface, its rows, and its implied events.
    #[must_use]
    pub const fn of(
        id: &'static str,
        rows: &'static [RowInfo],
        implied: &'static [Implied],
    ) -> Self {
        Self { id, rows, implied }
    }
}

/// The provider's ids that a message names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireRefs<'m> {
    /// The thread.
    pub thread: Option<&'m str>,
    /// The turn.
    pub turn: Option<&'m str>,
    /// The item.
    pub item: Option<&'m str>,
}

/// What became of a message, apart from its events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Fate {
    /// Its row maps it.
    #[default]
    Mapped,
    /// Its row drops it, for this reason.
    Dropped(&'static str),
    /// No vendored version has its tag.
    Unrecognized,
}

/// The context of one message: where its text lies, what it is about, and the events so far.
#[derive(Debug)]
pub struct Cx<'m> {
    line: &'m Arc<str>,
    body: Range<usize>,
    /// The provider's ids of the events that are emitted next.
    pub refs: Refs,
    drafts: &'m mut Vec<Draft>,
    fate: Fate,
    running_on: Vec<Refs>,
}

impl<'m> Cx<'m> {
    /// The context of a message whose payload lies at `body` in `line`.
    pub fn new(line: &'m Arc<str>, body: Range<usize>, drafts: &'m mut Vec<Draft>) -> Self {
        let refs = Refs {
            minted: true,
            ..Refs::default()
        };
        Self {
            line,
            body,
            refs,
            drafts,
            fate: Fate::Mapped,
            running_on: Vec::new(),
        }
    }

    /// Takes over the ids that a message names; ids that are known already stay.
    pub fn lift(&mut self, refs: WireRefs<'_>) {
        let fill = |slot: &mut Option<Arc<str>>, id: Option<&str>| {
            if let Some(id) = id {
                *slot = Some(Arc::from(id));
            }
        };
        fill(&mut self.refs.thread, refs.thread);
        fill(&mut self.refs.turn, refs.turn);
        fill(&mut self.refs.item, refs.item);
    }

    /// Names no turn that is not known already: some messages name a turn that never was one. Where
    /// they name none, other ids are minted as ever.
    pub fn look_up_turn(&mut self) {
        let turn = self.refs.turn.as_deref().unwrap_or_default();
        self.refs.minted = turn.trim().is_empty();
    }

    /// Emits an event about what `refs` names now.
    fn emit(&mut self, payload: impl Into<EventPayload>) {
        self.drafts.push(Draft {
            refs: self.refs.clone(),
            payload: payload.into(),
        });
    }

    /// An item of a thread that was started before runs on in the background: it does not end with
    /// its turn. What the message itself starts is marked by
    /// `refs.runs_on`.
    pub(crate) fn runs_on(&mut self, thread: &Arc<str>, item: &Arc<str>) {
        self.running_on.push(Refs {
            thread: Some(Arc::clone(thread)),
            item: Some(Arc::clone(item)),
            ..Refs::default()
        });
    }

    /// What was said to run on.
    pub(crate) fn take_running_on(&mut self) -> Vec<Refs> {
        std::mem::take(&mut self.running_on)
    }

    /// The row drops the message.
    pub fn dropped(&mut self, reason: &'static str) {
        self.fate = Fate::Dropped(reason);
    }

    /// No vendored version has the tag: a warning that carries the untouched value.
    pub fn unrecognized(&mut self, surface: &str, unrecognized: &Unrecognized<'_>) {
        self.warn(surface, &unrecognized.tag, unrecognized);
    }

    /// No vendored version has the tag below a tag path: a warning that carries the untouched value.
    pub fn unrecognized_below(
        &mut self,
        surface: &str,
        path: &str,
        unrecognized: &Unrecognized<'_>,
    ) {
        let tag = format!("{path}:{}", unrecognized.tag);
        self.warn(surface, &tag, unrecognized);
    }

    fn warn(&mut self, surface: &str, tag: &str, unrecognized: &Unrecognized<'_>) {
        self.fate = Fate::Unrecognized;
        self.refs.minted = false;
        let message = format!("unrecognized `{tag}` on {surface}");
        let detail = Some(self.own(unrecognized.raw));
        self.emit(RuntimeWarning { message, detail });
    }

    /// What became of the message.
    #[must_use]
    pub fn fate(&self) -> &Fate {
        &self.fate
    }

    /// The payload as it was sent; `null` where the message has none.
    #[must_use]
    pub fn body(&self) -> OwnedJson {
        if self.body.is_empty() {
            return Json::NULL.to_owned_json();
        }
        OwnedJson::from_text(Arc::clone(self.line), self.body.clone())
    }

    /// A member of the payload as it was sent, by its path.
    #[must_use]
    pub fn raw(&self, path: &[&str]) -> Option<OwnedJson> {
        let mut range = self.body.clone();
        for name in path {
            range = member(self.line, range, name)?;
        }
        Some(OwnedJson::from_text(Arc::clone(self.line), range))
    }

    /// Opaque JSON of this message as an owned slice: no copy where it lies in the line.
    #[must_use]
    pub fn own(&self, json: Json<'_>) -> OwnedJson {
        let text = json.as_str();
        let start = (text.as_ptr() as usize).checked_sub(self.line.as_ptr() as usize);
        let range = start.map(|start| start..start + text.len());
        match range.filter(|range| self.line.get(range.clone()) == Some(text)) {
            Some(range) => OwnedJson::from_text(Arc::clone(self.line), range),
            None => json.to_owned_json(),
        }
    }
}

/// The range of a member's value in an object; the last one where a key stands twice.
pub(crate) fn member(line: &str, range: Range<usize>, name: &str) -> Option<Range<usize>> {
    let mut reader = Reader::over(line, range);
    let mut object = reader.object().ok()?;
    let mut found = None;
    while let Some(key) = reader.key(&mut object).ok()? {
        let span = reader.span().ok()?;
        if *key == *name {
            found = Some(span);
        }
    }
    found
}

/// The sink of a row, or of a rule by which a surface tells more than its rows: the one door through
/// which a mapping emits, and it takes only the events that the table lists.
///
/// What makes one, the marker of the row, can be made by the generated match alone.
#[derive(Debug)]
pub struct Out<R>(PhantomData<R>);

impl<R> Out<R> {
    /// The sink of the row or rule whose marker it gets.
    #[doc(hidden)]
    #[must_use]
    pub fn of(_: R) -> Self {
        Self(PhantomData)
    }

    /// Emits an event that the row lists, about what `cx.refs` names now.
    pub fn emit<E: EmittedBy<R>>(&self, cx: &mut Cx<'_>, event: E) {
        cx.emit(event);
    }
}

/// A canonical event that the row of `R` lists, or that is implied by the rule of `R`.
#[diagnostic::on_unimplemented(
    message = "row `{R}` does not list the canonical event `{Self}`",
    label = "the row does not list this event",
    note = "add the event to the row in contracts/mapping, or to `implied` where no row gives it, then run `cargo xtask regen`"
)]
pub trait EmittedBy<R>: Into<EventPayload> {}

/// An event that a surface tells beside its rows, and the rule by which it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The canonical event.
    pub event: &'static str,
    /// The rule.
    pub rule: &'static str,
}

impl Implied {
    /// An event, and its rule.
    #[must_use]
    pub const fn of(event: &'static str, rule: &'static str) -> Self {
        Self { event, rule }
    }
}

/// The markers of rows, and the events that each may emit. Generated code calls it.
#[doc(hidden)]
#[macro_export]
macro_rules! row_sinks {
    ($($tag:literal $name:ident: $($event:ident)+;)*) => {$(
        #[doc = ::std::concat!("`", $tag, "`")]
        #[derive(Debug)]
        pub struct $name(pub(super) ());
        $(impl $crate::mapping::EmittedBy<$name> for $crate::canonical::$event {})+
    )*};
}

/// The markers of implied rules, and a function for the sink of each. Generated code calls it.
#[doc(hidden)]
#[macro_export]
macro_rules! implied_sinks {
    ($($rule:literal $name:ident $function:ident: $($event:ident)+;)*) => {$(
        #[doc = ::std::concat!("`", $rule, "`")]
        #[derive(Debug)]
        pub struct $name(());
        $(impl $crate::mapping::EmittedBy<$name> for $crate::canonical::$event {})+
        #[doc = ::std::concat!("The sink of the rule `", $rule, "`.")]
        pub fn $function() -> $crate::mapping::Out<$name> {
            $crate::mapping::Out::of($name(()))
        }
    )*};
}
