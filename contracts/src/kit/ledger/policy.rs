//! The table of a provider: what an end closes, and what may follow it.

use crate::canonical::ItemStatus;

/// What a provider's ends mean for what is open, as its table says (`contracts/mapping`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifecycle {
    /// What is open when its turn ends.
    pub turn_ends: Ends,
    /// What is open when its thread closes.
    pub thread_closes: Ends,
    /// What is open when the program is gone.
    pub exit: Ends,
    /// Whether a thread has one turn at a time: the next one ends the one before it.
    pub one_turn_at_a_time: bool,
    /// Whether a turn that is open when its thread closes goes on to its own end.
    pub turns_outlive_their_thread: bool,
    /// Which statuses a later word of the wire may put in the place of which: `later over first`.
    pub corrections: &'static [Correction],
}

/// What becomes of each kind of thing that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Items, but for those that the next members name.
    pub items: Close,
    /// Commands, in a turn that completed. In any other they are items like others.
    pub commands: Close,
    /// Items that were marked to run on in the background.
    pub background: Close,
    /// Requests: a closed one is cancelled.
    pub requests: Close,
    /// Questions: a closed one is answered with `null`.
    pub questions: Close,
    /// Tasks that were not marked to run on.
    pub tasks: Close,
    /// Tasks that were marked to run on.
    pub background_tasks: Close,
    /// Hooks: a closed one is cancelled.
    pub hooks: Close,
}

/// What becomes of one that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// It has failed; requests, questions and hooks are cancelled.
    Fail,
    /// It was stopped where what it belongs to was stopped or ended well, and has failed otherwise.
    Stop,
    /// It goes on.
    Keep,
}

/// One status that the wire may put in the place of another one after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The later word.
    pub later: ItemStatus,
    /// What the end said.
    pub first: First,
}

/// What an end said that is corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// This, whoever told it.
    Told(ItemStatus),
    /// That it failed, since what it belongs to ended: the wire had told no end.
    Closed,
}

impl Ends {
    /// Nothing stays open.
    pub const ALL: Self = Self {
        items: Close::Fail,
        commands: Close::Fail,
        background: Close::Fail,
        requests: Close::Fail,
        questions: Close::Fail,
        tasks: Close::Stop,
        background_tasks: Close::Stop,
        hooks: Close::Fail,
    };

    /// What runs in the background stays open.
    pub const FOREGROUND: Self = Self {
        background: Close::Keep,
        background_tasks: Close::Keep,
        ..Self::ALL
    };
}

impl Lifecycle {
    /// The table of a provider that has none of its own.
    pub const USUAL: Self = Self {
        turn_ends: Ends::FOREGROUND,
        thread_closes: Ends::ALL,
        exit: Ends::ALL,
        one_turn_at_a_time: false,
        turns_outlive_their_thread: false,
        corrections: &[],
    };
}

/// Why the ledger made an event, changed one, or took none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A start that the wire does not tell, before what needs one.
    Stub,
    /// The turn of the thing ended.
    TurnEnds,
    /// The thread of the thing closed.
    ThreadCloses,
    /// The program is gone.
    Exit,
    /// The next turn of the thread began.
    NextTurn,
    /// The id of the thing names another one now.
    AskedAnew,
    /// More is open than is remembered.
    Forgotten,
    /// It was told before.
    Twice,
    /// The thing ended before.
    AfterTheEnd,
    /// The wire says something else about an end.
    Correction,
    /// It ends what was never opened.
    NeverOpened,
    /// An end that says that it is none.
    NotAnEnd,
    /// It answers a request as if it was a question, or the other way round.
    AsAsked,
}

impl Rule {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::Stub,
        Self::TurnEnds,
        Self::ThreadCloses,
        Self::Exit,
        Self::NextTurn,
        Self::AskedAnew,
        Self::Forgotten,
        Self::Twice,
        Self::AfterTheEnd,
        Self::Correction,
        Self::NeverOpened,
        Self::NotAnEnd,
        Self::AsAsked,
    ];

    /// The name of the rule, as tables have it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stub => "stub",
            Self::TurnEnds => "turn-ends",
            Self::ThreadCloses => "thread-closes",
            Self::Exit => "exit",
            Self::NextTurn => "next-turn",
            Self::AskedAnew => "asked-anew",
            Self::Forgotten => "forgotten",
            Self::Twice => "twice",
            Self::AfterTheEnd => "after-the-end",
            Self::Correction => "correction",
            Self::NeverOpened => "never-opened",
            Self::NotAnEnd => "not-an-end",
            Self::AsAsked => "as-asked",
        }
    }

    /// What people read about it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Stub => "its start was not told",
            Self::TurnEnds => "its turn ended",
            Self::ThreadCloses => "its thread closed",
            Self::Exit => "the program is gone",
            Self::NextTurn => "the next turn of its thread began",
            Self::AskedAnew => "its id names another request now",
            Self::Forgotten => "more is open than is remembered",
            Self::Twice => "it was told before",
            Self::AfterTheEnd => "what it is about ended before",
            Self::Correction => "the agent told another end later",
            Self::NeverOpened => "what it ends was never opened",
            Self::NotAnEnd => "it says that it goes on",
            Self::AsAsked => "it was asked as the other kind of request",
        }
    }
}
