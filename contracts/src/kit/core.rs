//! What the readers of streams share, of whatever provider: one message in, its outcome out.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::canonical::{
    ErrorClass, ProviderKind, RawSource, RuntimeError, RuntimeEvent, RuntimeEventRaw,
    RuntimeSessionId, RuntimeWarning, SessionExited,
};
use crate::json::{Kind, Malformed, Note, NoteKind, OwnedJson, Reader};
use crate::kit::ledger::{Draft, Ledger, Lifecycle, Refs, Told};
use crate::kit::mapping::{Cx, Fate};
use crate::kit::session::{Direction, Oddity, Outcome, Verdict};
use crate::kit::sources::{Clock, IdSource};

type Ids = Box<dyn IdSource + Send>;
type Times = Box<dyn Clock + Send>;

/// What the mapping of a provider says about the provider.
pub(crate) trait Provider: Default {
    /// Which one it is.
    const KIND: ProviderKind;

    /// What its ends close, and what may follow them.
    const LIFECYCLE: Lifecycle = Lifecycle::USUAL;

    /// What a member at the top of a payload names, where it names anything by its id.
    fn slot(member: &str) -> Option<Slot>;

    /// Puts what a message names where it belongs, as far as earlier messages tell.
    fn place(&self, _refs: &mut Refs) {}

    /// What the next program finds remembered, when this one is gone.
    fn after_exit(self) -> Self {
        Self::default()
    }
}

/// What an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// A thread.
    Thread,
    /// A turn.
    Turn,
    /// An item.
    Item,
}

/// The state of one session.
pub(crate) struct Core<M> {
    pub mapping: M,
    ledger: Ledger<Ids, Times>,
}

/// One message where it lies.
pub(crate) struct Place<'l> {
    pub number: u64,
    pub line: &'l Arc<str>,
    /// The whole message.
    pub message: Range<usize>,
    /// Its payload.
    pub body: Range<usize>,
    pub direction: Direction,
}

/// What a message is, before it is decoded.
pub(crate) struct Label<'l> {
    pub source: RawSource,
    pub method: Option<&'l str>,
    pub message_type: Option<&'l str>,
    pub wire_ms: Option<i64>,
}

impl<'l> Place<'l> {
    /// A line that is one message and its payload.
    pub fn whole(number: u64, line: &'l Arc<str>, direction: Direction) -> Self {
        Self {
            number,
            line,
            message: 0..line.len(),
            body: 0..line.len(),
            direction,
        }
    }
}

impl<M: Provider> Core<M> {
    pub fn new(ids: Ids, clock: Times) -> Self {
        Self::of(M::LIFECYCLE, ids, clock)
    }

    /// The same with another table of lifecycles than the provider's live one.
    pub fn of(lifecycle: Lifecycle, ids: Ids, clock: Times) -> Self {
        Self {
            mapping: M::default(),
            ledger: Ledger::new(M::KIND, ids, clock).of(lifecycle),
        }
    }

    pub fn session_id(&self) -> &RuntimeSessionId {
        self.ledger.session_id()
    }

    /// The events of a program that is gone. What it left to be remembered is gone with it.
    pub fn exit(&mut self, exit: SessionExited) -> Vec<RuntimeEvent> {
        let events = self.ledger.exit(exit);
        self.mapping = std::mem::take(&mut self.mapping).after_exit();
        events
    }

    /// Forgets a thread, by the provider's id of it, with the events that end what is open in it.
    #[allow(dead_code, reason = "the trait of all sessions is to call it")]
    pub fn forget_thread(&mut self, thread: &str) -> Vec<RuntimeEvent> {
        self.ledger.forget_thread(thread)
    }

    /// Maps a decoded message. The closure gets the mapping and the context.
    pub fn mapped(
        &mut self,
        place: &Place<'_>,
        label: &Label<'_>,
        notes: Vec<Note>,
        map: impl FnOnce(&mut M, &mut Cx<'_>),
    ) -> Outcome {
        let mut drafts = Vec::new();
        let mut cx = Cx::new(place.line, place.body.clone(), &mut drafts);
        map(&mut self.mapping, &mut cx);
        let fate = cx.fate().clone();
        let running_on = cx.take_running_on();
        let verdict = match fate {
            Fate::Mapped if drafts.is_empty() => Verdict::Dropped("it holds nothing to tell"),
            Fate::Dropped(reason) if drafts.is_empty() => Verdict::Dropped(reason),
            Fate::Mapped | Fate::Dropped(_) => Verdict::Mapped,
            Fate::Unrecognized => Verdict::Unrecognized,
        };
        for refs in running_on {
            if let Some(item) = &refs.item {
                self.ledger.runs_on(refs.thread.as_deref(), item);
            }
        }
        let mut outcome = self.outcome(place, label, verdict, drafts, notes);
        if outcome.verdict == Verdict::Mapped && outcome.events.is_empty() {
            outcome.verdict = Verdict::Told("an earlier message");
        }
        outcome
    }

    /// A message whose tag is known and whose body does not decode: loud, and the stream goes on.
    pub fn malformed(
        &mut self,
        place: &Place<'_>,
        label: &Label<'_>,
        error: &Malformed,
        notes: Vec<Note>,
    ) -> Outcome {
        let path = error.path(place.line);
        let message = error.to_string();
        let tag = label.tag().unwrap_or("message");
        let payload = RuntimeError {
            message: format!("malformed `{tag}`: {path}: {message}"),
            class: Some(ErrorClass::ValidationError),
            detail: Some(OwnedJson::from_value(&serde_json::json!({
                "surface": label.source.as_str(), "method": tag, "path": path, "problem": message,
            }))),
        };
        let drafts = vec![Draft {
            refs: self.seen_refs(place),
            payload: payload.into(),
        }];
        self.outcome(
            place,
            label,
            Verdict::Malformed { path, message },
            drafts,
            notes,
        )
    }

    /// A warning about a message that no surface takes.
    pub fn warned(
        &mut self,
        place: &Place<'_>,
        label: &Label<'_>,
        verdict: Verdict,
        message: String,
    ) -> Outcome {
        let payload = RuntimeWarning {
            message,
            detail: None,
        };
        let drafts = vec![Draft {
            refs: self.seen_refs(place),
            payload: payload.into(),
        }];
        self.outcome(place, label, verdict, drafts, Vec::new())
    }

    /// An outcome without events.
    pub fn silent(&mut self, place: &Place<'_>, label: &Label<'_>, verdict: Verdict) -> Outcome {
        self.outcome(place, label, verdict, Vec::new(), Vec::new())
    }

    /// The provider's ids that the payload names at its top, only to be looked up.
    pub fn seen_refs(&self, place: &Place<'_>) -> Refs {
        let mut refs = peek_refs::<M>(place.line, place.body.clone());
        self.mapping.place(&mut refs);
        refs
    }

    /// Gives the drafts their canonical ids and their raw message.
    pub fn outcome(
        &mut self,
        place: &Place<'_>,
        label: &Label<'_>,
        verdict: Verdict,
        drafts: Vec<Draft>,
        mut notes: Vec<Note>,
    ) -> Outcome {
        let mut told = Told::default();
        if !drafts.is_empty() {
            let raw = RuntimeEventRaw {
                source: label.source,
                method: label.method.map(Arc::from),
                message_type: label.message_type.map(Arc::from),
                payload: OwnedJson::from_text(Arc::clone(place.line), place.message.clone()),
            };
            for draft in drafts {
                self.ledger.admit(draft, &raw, label.wire_ms, &mut told);
            }
        }
        if verdict == Verdict::Unrecognized {
            // The verdict says it already.
            let own = |note: &Note| matches!(&note.kind, NoteKind::UnrecognizedTag { tag, .. } if label.tag().is_some_and(|known| ends_with_tag(known, tag)));
            if let Some(index) = notes.iter().position(own) {
                notes.remove(index);
            }
        }
        Outcome {
            line: place.number,
            direction: place.direction,
            surface: Some(label.source.as_str()),
            tag: label.tag().map(Arc::from),
            verdict,
            events: told.events,
            made: told.made,
            refused: told.refused,
            oddities: notes
                .into_iter()
                .map(|note| Oddity::locate(note, place.line))
                .collect(),
        }
    }
}

/// Whether a tag is the last one of a path of tags, which is the one that no version has.
fn ends_with_tag(path: &str, tag: &str) -> bool {
    let above = path.strip_suffix(tag);
    above.is_some_and(|above| above.is_empty() || above.ends_with(':'))
}

impl Label<'_> {
    /// What picks the variant.
    pub fn tag(&self) -> Option<&str> {
        self.message_type.or(self.method)
    }
}

/// The ids that stand under their usual names at the top of an object.
pub(crate) fn peek_refs<M: Provider>(line: &str, body: Range<usize>) -> Refs {
    let mut refs = Refs::default();
    let mut reader = Reader::over(line, body);
    // What can't be read names nothing.
    let _ = fill::<M>(&mut reader, &mut refs);
    refs
}

fn fill<M: Provider>(reader: &mut Reader<'_>, refs: &mut Refs) -> Result<(), Malformed> {
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        let slot = match M::slot(&key) {
            Some(Slot::Thread) => &mut refs.thread,
            Some(Slot::Turn) => &mut refs.turn,
            Some(Slot::Item) => &mut refs.item,
            None if key == "thread" => {
                nested_id(reader, &mut refs.thread)?;
                continue;
            }
            None if key == "turn" => {
                nested_id(reader, &mut refs.turn)?;
                continue;
            }
            None if key == "item" => {
                nested_id(reader, &mut refs.item)?;
                continue;
            }
            None => {
                reader.skip()?;
                continue;
            }
        };
        if reader.kind()? == Kind::String {
            let id: Cow<'_, str> = reader.string()?;
            *slot = Some(Arc::from(&*id));
        } else {
            reader.skip()?;
        }
    }
    Ok(())
}

/// The `id` of an object that a message holds whole.
fn nested_id(reader: &mut Reader<'_>, slot: &mut Option<Arc<str>>) -> Result<(), Malformed> {
    if reader.kind()? != Kind::Object {
        return reader.skip();
    }
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        if &*key == "id" && reader.kind()? == Kind::String {
            *slot = Some(Arc::from(&*reader.string()?));
        } else {
            reader.skip()?;
        }
    }
    Ok(())
}
