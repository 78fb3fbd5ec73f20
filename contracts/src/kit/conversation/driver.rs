//! Reads what both sides of a conversation write: finds what a line is and where it belongs,
//! decodes it, and has its row map it.

use std::borrow::Cow;
use std::sync::Arc;

use crate::canonical::{
    ItemCompleted, ItemStarted, ItemStatus, RawSource, SessionStarted, ThreadStarted,
    TurnCompleted, TurnStarted, TurnState,
};
use crate::json::{Note, Reader, Wire};
use crate::kit::core::{Core, Label, Place, Provider};
use crate::kit::mapping::Cx;
use crate::kit::session::{Direction, Outcome, Verdict};
use crate::kit::streams::Streams;

use super::head::Head;
use super::host;
use super::results::noted_in_results;
use super::talk::Talk;
use super::turns::{Turn, set_scope};

/// What the driver tells beside the rows, through the sinks of the rules that the provider's table
/// declares. [`conversation_rules!`] writes it.
pub(crate) trait Rules {
    /// `first-message`: a session begins.
    fn session_begins(cx: &mut Cx<'_>, event: SessionStarted);
    /// `first-message`: a thread begins.
    fn thread_begins(cx: &mut Cx<'_>, event: ThreadStarted);
    /// `first-sign-of-work`: a turn begins by itself.
    fn turn_begins(cx: &mut Cx<'_>, event: TurnStarted);
    /// `host-message`: what the user says begins, and is over.
    fn user_said(cx: &mut Cx<'_>, started: ItemStarted, completed: ItemCompleted);
    /// `turn-ends`: what was open in a turn ends with it.
    fn left_by_turn(cx: &mut Cx<'_>, event: ItemCompleted);
    /// `helper-ends`: what an agent left open ends with it.
    fn left_by_agent(cx: &mut Cx<'_>, event: ItemCompleted);
    /// `unreadable-end`: a turn ends whose result does not decode.
    fn turn_ends_unread(cx: &mut Cx<'_>, event: TurnCompleted);
}

/// Ties the rules of a table to a mapping: give the mapping and the generated module `implied`.
macro_rules! conversation_rules {
    ($mapping:ty, $implied:ident) => {
        impl $crate::kit::conversation::driver::Rules for $mapping {
            fn session_begins(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                event: $crate::canonical::SessionStarted,
            ) {
                $implied::first_message().emit(cx, event);
            }
            fn thread_begins(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                event: $crate::canonical::ThreadStarted,
            ) {
                $implied::first_message().emit(cx, event);
            }
            fn turn_begins(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                event: $crate::canonical::TurnStarted,
            ) {
                $implied::first_sign_of_work().emit(cx, event);
            }
            fn user_said(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                started: $crate::canonical::ItemStarted,
                completed: $crate::canonical::ItemCompleted,
            ) {
                $implied::host_message().emit(cx, started);
                $implied::host_message().emit(cx, completed);
            }
            fn left_by_turn(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                event: $crate::canonical::ItemCompleted,
            ) {
                $implied::turn_ends().emit(cx, event);
            }
            fn left_by_agent(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                event: $crate::canonical::ItemCompleted,
            ) {
                $implied::helper_ends().emit(cx, event);
            }
            fn turn_ends_unread(
                cx: &mut $crate::kit::mapping::Cx<'_>,
                event: $crate::canonical::TurnCompleted,
            ) {
                $implied::unreadable_end().emit(cx, event);
            }
        }
    };
}
pub(crate) use conversation_rules;

/// A provider whose wire is a conversation, as its mapping describes it.
pub(crate) trait Conversation: Provider + Rules {
    /// The surface of its lines.
    const SOURCE: RawSource;

    /// The type of the line that ends a turn.
    const END: &'static str = "result";

    /// How the items end that an agent leaves open; nothing where the wire never tells more.
    const LEFT_BY_AGENTS: Option<ItemStatus> = Some(ItemStatus::Failed);

    /// The agent sends back what the user said under the id of the host's line.
    const SENDS_IDS_BACK: bool = false;

    /// A line of the agent.
    type Message<'m>: Wire<'m>;

    /// What is remembered.
    fn talk(&mut self) -> &mut Talk;

    /// The path of tags of a line, by the generated match.
    fn tag_path<'m>(message: &'m Self::Message<'_>) -> Cow<'m, str>;

    /// Maps a line, by the generated match.
    fn map(&mut self, cx: &mut Cx<'_>, message: &Self::Message<'_>);

    /// Whether a line shows that the agent works on what the user said, so that a turn begins.
    fn shows_work(head: &Head<'_>, place: &Place<'_>) -> bool;

    /// What is known of a turn that begins.
    fn turn(&self) -> TurnStarted {
        TurnStarted::default()
    }

    /// A line names another session than those before. Whether another thread begins with that.
    fn changes_thread(&mut self) -> bool {
        self.talk().turns.next_thread();
        true
    }

    /// The user speaks, and a turn begins unless one is going on.
    fn user_speaks(&mut self, cx: &mut Cx<'_>) {
        self.begin(cx);
    }

    /// What comes after the events of a line.
    fn after(&mut self, _cx: &mut Cx<'_>, _head: &Head<'_>) {}

    /// What is forgotten when a turn is over.
    fn turn_is_over(&mut self) {}

    /// A line that more belongs to than its row, if this is one.
    fn apart(
        _core: &mut Core<Self>,
        _place: &Place<'_>,
        _head: &Head<'_>,
        _message: &Self::Message<'_>,
        _notes: &mut Vec<Note>,
    ) -> Option<Outcome> {
        None
    }

    /// What is to be seen of a line that does not decode, beside its error.
    fn unread(_core: &mut Core<Self>, _place: &Place<'_>, _head: &Head<'_>, _told: &mut Outcome) {}

    /// What is to be told before a line of the agent, whatever it is.
    fn before(_core: &mut Core<Self>, _place: &Place<'_>, _head: &Head<'_>) -> Option<Outcome> {
        None
    }

    /// A line of the host, if there is anything to tell of it.
    fn from_host(core: &mut Core<Self>, place: &Place<'_>, head: &Head<'_>) -> Option<Outcome> {
        host::speaks(core, place, head)
    }

    /// Whether a result that does not decode says all the same that its turn went well.
    fn went_well(_place: &Place<'_>) -> bool {
        false
    }

    /// Begins a turn, unless one is going on.
    fn begin(&mut self, cx: &mut Cx<'_>) {
        if let Some(scope) = self.talk().turns.start() {
            set_scope(&mut cx.refs, &scope);
            Self::turn_begins(cx, self.turn());
        }
    }

    /// The first line of a session begins it, and the thread with it.
    fn meet(&mut self, cx: &mut Cx<'_>, head: &Head<'_>) {
        let Some(session) = head.session.as_deref() else {
            return;
        };
        let known = &mut self.talk().session;
        if known.as_deref() == Some(session) {
            return;
        }
        let is_first = known.replace(Arc::from(session)).is_none();
        let talk = self.talk();
        // An earlier program may have told of the thread.
        let is_known = is_first && talk.turns.resume(session);
        if is_first && !is_known && talk.turns.is_resumed() {
            talk.turns.next_thread();
        }
        if !is_first && !self.changes_thread() {
            return self.talk().turns.name_thread(session);
        }
        let talk = self.talk();
        talk.turns.name_thread(session);
        cx.refs.session.clone_from(&talk.session);
        cx.refs.thread = Some(talk.turns.thread());
        if is_first {
            Self::session_begins(cx, SessionStarted::default());
        }
        if is_known {
            return;
        }
        let provider_thread_id = Some(session.into());
        Self::thread_begins(cx, ThreadStarted { provider_thread_id });
    }

    /// The turn that is going on is over, and what is open in it has no other end. The context
    /// speaks of the turn then.
    fn ends_turn(&mut self, cx: &mut Cx<'_>) -> Option<Turn> {
        let talk = self.talk();
        let turn = talk.turns.end()?;
        talk.ended += 1;
        talk.running = None;
        talk.close_turn(cx, &turn.scope, Self::left_by_turn);
        self.turn_is_over();
        set_scope(&mut cx.refs, &turn.scope);
        Some(turn)
    }

    /// An agent that a call started is over, and what it left open with it.
    fn ends_agent(&mut self, cx: &mut Cx<'_>, call: &str) {
        let (status, tell) = (Self::LEFT_BY_AGENTS, Self::left_by_agent);
        self.talk().close_agent(cx, call, status, tell);
    }

    /// What is known about a line before it is decoded.
    fn label<'l>(tag: Option<&'l str>, head: &Head<'_>) -> Label<'l> {
        Label {
            source: Self::SOURCE,
            method: None,
            message_type: tag,
            wire_ms: head.time,
        }
    }
}

/// Reads the lines of a direction that are complete.
pub(crate) fn drain<M: Conversation>(
    core: &mut Core<M>,
    streams: &mut Streams,
    direction: Direction,
) {
    while let Some((number, line)) = streams.next_line(direction) {
        for message in streams.messages(number, &line, direction) {
            let place = Place {
                number,
                line: &line,
                message: message.start..message.end,
                body: message.start..message.end,
                direction,
            };
            let head = Head::read(&line, place.message.clone());
            let outcome = match direction {
                Direction::FromAgent => {
                    let before = M::before(core, &place, &head);
                    let mut outcome = of_agent(core, &place, &head);
                    if let Some(before) = before {
                        outcome.prepend(before);
                    }
                    outcome
                }
                Direction::ToAgent => of_host(core, &place, &head),
            };
            streams.add(outcome);
        }
    }
}

/// A line of the agent.
fn of_agent<'l, M: Conversation>(
    core: &mut Core<M>,
    place: &Place<'l>,
    head: &Head<'l>,
) -> Outcome {
    let mut reader = Reader::over(place.line, place.message.clone());
    let decoded = <M::Message<'l> as Wire<'l>>::read(&mut reader);
    let mut notes = reader.take_notes();
    if head.is("user") {
        notes.extend(noted_in_results(place));
    }
    let message = match decoded {
        Ok(message) => message,
        Err(error) => {
            let tag = head.tag();
            let label = M::label(tag.as_deref(), head);
            let mut outcome = core.malformed(place, &label, &error, notes);
            M::unread(core, place, head, &mut outcome);
            return ends_unread(core, place, head, &label, outcome);
        }
    };
    if let Some(outcome) = M::apart(core, place, head, &message, &mut notes) {
        return outcome;
    }
    let tag = M::tag_path(&message);
    let label = M::label(Some(&tag), head);
    let works = M::shows_work(head, place);
    let outcome = core.mapped(place, &label, notes, |mapping, cx| {
        mapping.meet(cx, head);
        mapping.talk().speak(cx, head.parent.as_deref());
        if works {
            mapping.begin(cx);
        }
        mapping.map(cx, &message);
        mapping.after(cx, head);
    });
    match outcome.verdict {
        Verdict::Unrecognized => ends_unread(core, place, head, &label, outcome),
        Verdict::Mapped
        | Verdict::Dropped(_)
        | Verdict::Told(_)
        | Verdict::Malformed { .. }
        | Verdict::Unmatched
        | Verdict::Noted
        | Verdict::Outside
        | Verdict::NotJson { .. }
        | Verdict::TooLong { .. } => outcome,
    }
}

/// A result that can't be read ends its turn all the same: as a success only where all that says
/// how it ended can be read, and what can't be is something else.
fn ends_unread<M: Conversation>(
    core: &mut Core<M>,
    place: &Place<'_>,
    head: &Head<'_>,
    label: &Label<'_>,
    mut outcome: Outcome,
) -> Outcome {
    if !head.is(M::END) {
        return outcome;
    }
    let ended = core.mapped(place, label, Vec::new(), |mapping, cx| {
        mapping.talk().speak(cx, None);
        let Some(turn) = mapping.ends_turn(cx) else {
            return;
        };
        if turn.told {
            return;
        }
        let completed = match M::went_well(place) {
            true => TurnCompleted {
                usage: cx.raw(&["usage"]),
                ..TurnCompleted::new(TurnState::Completed)
            },
            false => TurnCompleted {
                error_message: Some(String::from("the result of the turn cannot be read")),
                ..TurnCompleted::new(TurnState::Failed)
            },
        };
        M::turn_ends_unread(cx, completed);
    });
    outcome.append(ended);
    outcome
}

/// A line of the host. What it writes is its own affair: what can't be read is no fault of the
/// agent, and the agent refuses it.
fn of_host<M: Conversation>(core: &mut Core<M>, place: &Place<'_>, head: &Head<'_>) -> Outcome {
    M::from_host(core, place, head).unwrap_or_else(|| {
        let label = M::label(head.kind.as_deref(), &Head::default());
        core.silent(place, &label, Verdict::Noted)
    })
}
