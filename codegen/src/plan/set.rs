//! What a row sets, with every path resolved and every value of the type of its member.

/// The event that a row says whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedSet {
    /// The struct that is filled.
    pub payload: String,
    /// The event, where it is a name of its own for that struct.
    pub wrapped: Option<String>,
    /// Every member of the struct by its name in code, in the order of the declaration.
    pub members: Vec<(String, Filling)>,
}

/// What a member gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filling {
    /// Nothing.
    Absent,
    /// What may be absent; so many options lie around the member.
    Optional(Expr, usize),
    /// What is always there; so many options lie around the member.
    Always(Expr, usize),
}

/// An id that a row names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedRef {
    /// The event is about this one.
    Named(&'static str, Filling),
    /// The turn is only looked up.
    LookUpTurn,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A text.
    Text(String, As),
    /// A flag.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A whole number where a number belongs.
    Float(i64),
    /// A member of a canonical enum.
    Member(String, String),
    /// What stands at a path.
    Read(Access, As),
    /// A text, absent where it is empty.
    Filled(Access),
    /// The text that is encoded in base64.
    Base64(Access),
    /// The texts of a list, a line each; absent where that is no text.
    Lines(Access),
    /// What a value surface says: its function, and what it is where that gives nothing.
    Table(String, Access, Option<(String, String)>),
    /// The first that is there; all but the last may be absent.
    First(Vec<(Expr, bool)>),
    /// Texts.
    List(Vec<(Expr, bool)>),
    /// Opaque JSON.
    Json(Opaque),
    /// Opaque JSON by name.
    Map(Opaque),
}

/// Opaque JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// What stands at a path, as sent.
    Raw(Vec<String>),
    /// The whole payload as sent, but these members.
    Body(Vec<String>),
    /// These members as sent.
    Pick(Vec<Vec<String>>),
    /// The page of a list, by this name.
    Page(String),
    /// These members, of which each is opaque.
    Object(Vec<(String, Opaque)>),
    /// A text.
    Text(String),
    /// A flag.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// `null`.
    Null,
}

/// What a text or a number becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum As {
    /// A text of its own.
    Text,
    /// An id of this type.
    Id(String),
    /// The provider's id of what an event is about.
    Shared,
    /// A flag.
    Boolean,
    /// An integer.
    Integer,
    /// A number.
    Float,
    /// A list of texts.
    Texts,
}

/// The way to a value through the payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which of the payloads that the match binds, from outside in.
    pub root: usize,
    /// The members on the way.
    pub steps: Vec<Step>,
    /// The members on the way inside each element, where a list stands at the end of the first way.
    pub each: Option<Vec<Step>>,
    /// What stands there.
    pub leaf: Leaf,
}

/// A member on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name in code; none for the value itself, which may be `null`.
    pub field: Option<String>,
    /// How many options lie around it.
    pub options: usize,
}

/// What stands at the end of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A text.
    Text,
    /// What has a text: a named text, or a value of a text enum.
    Named,
    /// A flag, or a number of the form that is asked for.
    Plain,
    /// An integer of a narrower width.
    Narrow,
    /// A list of texts.
    Texts,
    /// A list of what has a text.
    NamedTexts,
    /// Something else, for a table of values.
    Other,
}

impl Access {
    /// Whether it may be absent.
    pub fn optional(&self) -> bool {
        self.steps.iter().any(|step| step.options > 0)
    }
}
