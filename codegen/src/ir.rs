//! The intermediate representation: what every front end lowers to and every back end reads.
//!
//! A [`Module`] is the set of definitions of one provider, keyed by definition name. Inline
//! shapes have been given names, so that merging two versions is merging two maps.

use std::collections::{BTreeMap, BTreeSet};

/// Which copy of the schema declares something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Face {
    /// The schema that clients get without asking for more.
    Stable,
    /// Only the schema of the experimental face.
    Experimental,
}

/// The vendored versions in which something was seen, with its face in each.
///
/// The key is the version's position in the window, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen(pub BTreeMap<usize, Face>);

impl Seen {
    /// Seen in one version, on one face.
    pub fn once(version: usize, face: Face) -> Self {
        Self(BTreeMap::from([(version, face)]))
    }

    /// Adds what another copy knows; the stable face wins within a version.
    pub fn join(&mut self, other: &Self) {
        for (version, face) in &other.0 {
            let known = self.0.entry(*version).or_insert(*face);
            *known = (*known).min(*face);
        }
    }

    /// Whether only experimental schemas have it.
    pub fn experimental(&self) -> bool {
        self.0.values().all(|face| *face == Face::Experimental)
    }

    /// The versions in words: `0.107.0 to 0.171.0`, `0.171.0 (experimental)`.
    pub fn describe(&self, window: &[String]) -> String {
        let name = |index: &usize| window.get(*index).cloned().unwrap_or_default();
        let indices: Vec<usize> = self.0.keys().copied().collect();
        let contiguous = indices.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let versions = match indices.as_slice() {
            [] => String::from("no vendored version"),
            [first, .., last] if contiguous => format!("{} to {}", name(first), name(last)),
            several => several.iter().map(name).collect::<Vec<_>>().join(", "),
        };
        if !self.0.is_empty() && self.experimental() {
            format!("{versions} (experimental)")
        } else {
            versions
        }
    }
}

/// A type at a use site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `true` or `false`.
    Boolean,
    /// An integer of a known width.
    Integer(Integer),
    /// A floating point number.
    Float,
    /// Text.
    String,
    /// Anything: kept as the untouched slice of the line.
    Json,
    /// A list.
    List(Box<Type>),
    /// An object used as a map from text.
    Map(Box<Type>),
    /// The value or `null`.
    Nullable(Box<Type>),
    /// A definition by its name.
    Ref(String),
}

impl Type {
    /// The type without its outermost `null`.
    pub fn non_null(&self) -> &Self {
        match self {
            Self::Nullable(inner) => inner,
            Self::Boolean
            | Self::Integer(_)
            | Self::Float
            | Self::String
            | Self::Json
            | Self::List(_)
            | Self::Map(_)
            | Self::Ref(_) => self,
        }
    }

    /// Whether `null` is one of its values by declaration.
    pub fn nullable(&self) -> bool {
        matches!(self, Self::Nullable(_))
    }

    /// The type with `null` among its values.
    pub fn or_null(self) -> Self {
        if self.nullable() {
            self
        } else {
            Self::Nullable(Box::new(self))
        }
    }

    /// Every definition that the type names.
    pub fn references(&self, out: &mut BTreeSet<String>) {
        match self {
            Self::List(inner) | Self::Map(inner) | Self::Nullable(inner) => inner.references(out),
            Self::Ref(name) => {
                out.insert(name.clone());
            }
            Self::Boolean | Self::Integer(_) | Self::Float | Self::String | Self::Json => {}
        }
    }
}

/// Integer widths that schemas name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Integer {
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
}

impl Integer {
    /// The narrowest width that holds the values of both; `i64` where none does.
    pub fn widen(self, other: Self) -> Self {
        use Integer::{I16, I32, I64, U8, U16};
        let signed = |width: Self| matches!(width, I16 | I32 | I64);
        match (self, other) {
            (a, b) if signed(a) == signed(b) => a.max(b),
            (U8, I16) | (I16, U8) => I16,
            (U8 | U16, I32) | (I32, U8 | U16) | (I16, U16) | (U16, I16) => I32,
            _ => I64,
        }
    }
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The type, `null` included where it is declared.
    pub ty: Type,
    /// Present in every message of every version that has the object.
    pub required: bool,
    /// Absent, `null` and a value mean three different things here.
    pub patch: bool,
    /// The declared default, as JSON text.
    pub default: Option<String>,
    /// The one text that it always has, where its schema says so and its object needs it as a mark:
    /// it is written and not kept.
    pub constant: Option<String>,
    /// Where it was seen.
    pub seen: Seen,
}

/// The members of an object by wire name.
pub type Fields = BTreeMap<String, Field>;

/// One member of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What it carries; nothing for a bare tag.
    pub payload: Option<Type>,
    /// The payload declares and writes the tag itself.
    pub tag_inside: bool,
    /// The tag alone is a value, whatever else it carries beside other members of the union.
    pub bare: bool,
    /// Where it was seen.
    pub seen: Seen,
    /// Where it stands, for messages: file index and JSON path.
    pub at: Place,
}

/// A place in a vendored or hand-written file; by default it is nowhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index into the list of schema files.
    pub file: usize,
    /// JSON path from the root, one step an entry.
    pub path: Vec<String>,
}

impl Place {
    /// A place below this one.
    pub fn below(&self, steps: &[&str]) -> Self {
        let path = self
            .path
            .iter()
            .cloned()
            .chain(steps.iter().map(|step| (*step).to_owned()));
        Self {
            file: self.file,
            path: path.collect(),
        }
    }
}

impl Default for Place {
    fn default() -> Self {
        Self {
            file: usize::MAX,
            path: Vec::new(),
        }
    }
}

/// How a value shows that it belongs to one arm of an untagged union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// By the kind of JSON value.
    Kind(JsonKind),
    /// An object that has these members, and whose named members have one of the given texts.
    Object {
        required: BTreeSet<String>,
        constants: BTreeMap<String, BTreeSet<String>>,
        /// Members that it does not have: they would make it another arm's, or no one's.
        absent: BTreeSet<String>,
    },
}

/// The kinds of JSON value that a guard tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JsonKind {
    /// `true`, `false`
    Boolean,
    /// A number.
    Number,
    /// Text.
    String,
    /// A list.
    Array,
    /// An object.
    Object,
}

/// One arm of an untagged union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// The name of the variant in code.
    pub name: String,
    /// Any of these lets a value in.
    pub guards: Vec<Guard>,
    /// What it carries.
    pub ty: Type,
    /// Constant members that what it carries does not declare.
    pub tags: BTreeMap<String, String>,
    /// Where it was seen.
    pub seen: Seen,
}

impl Arm {
    /// Orders arms so that one that asks for more is tried first, and the general one can't hide it.
    pub fn order(arms: &mut [Self]) {
        let asks = |guard: &Guard| match guard {
            Guard::Kind(_) => 0,
            Guard::Object {
                required,
                constants,
                ..
            } => required.len() + constants.len(),
        };
        arms.sort_by_key(|arm| std::cmp::Reverse(arm.guards.iter().map(asks).max().unwrap_or(0)));
    }

    /// The first arm, with the one before it, that would never see some of its own values.
    pub fn hidden(arms: &[Self]) -> Option<(&Self, &Self)> {
        let hides = |first: &Self, later: &Self| {
            first
                .guards
                .iter()
                .any(|guard| later.guards.iter().any(|own| guard.admits(own)))
        };
        let pairs = arms
            .iter()
            .enumerate()
            .flat_map(|(index, later)| arms[..index].iter().map(move |first| (first, later)));
        pairs.into_iter().find(|(first, later)| hides(first, later))
    }
}

impl Guard {
    /// Whether it lets in every value that the other lets in.
    fn admits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Kind(JsonKind::Object), Self::Object { .. }) => true,
            (
                Self::Object {
                    required,
                    constants,
                    absent,
                },
                Self::Object {
                    required: theirs,
                    constants: texts,
                    absent: without,
                },
            ) => {
                required.is_subset(theirs)
                    && absent.is_subset(without)
                    && constants.iter().all(|(name, own)| {
                        texts.get(name).is_some_and(|texts| texts.is_subset(own))
                    })
            }
            (Self::Kind(_) | Self::Object { .. }, Self::Kind(_) | Self::Object { .. }) => {
                self == other
            }
        }
    }
}

/// What a definition is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An object with known members.
    Struct(Fields),
    /// A union picked by a member of the object.
    Tagged {
        /// The member that picks.
        tag: String,
        /// The member that holds the payload, where it doesn't lie beside the tag.
        content: Option<String>,
        /// Members beside the union.
        common: Fields,
        /// Variants by tag value.
        variants: BTreeMap<String, Variant>,
    },
    /// A union of texts and objects with a single member, which picks.
    External(BTreeMap<String, Variant>),
    /// Texts.
    Enum(BTreeMap<String, Seen>),
    /// Integers.
    Codes(BTreeMap<i64, Seen>),
    /// A union that only the form of the value picks; the first guard that holds wins.
    Untagged(Vec<Arm>),
    /// A name of its own for another type.
    Alias(Type),
}

/// A named type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What it is.
    pub shape: Shape,
    /// Where it was seen.
    pub seen: Seen,
    /// Where it stands.
    pub at: Place,
}

/// All definitions of one provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// By definition name; a namespace is a prefix with a slash.
    pub definitions: BTreeMap<String, Definition>,
}

impl Shape {
    /// Every definition that the shape names.
    pub fn references(&self) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        let fields = |fields: &Fields, out: &mut BTreeSet<String>| {
            fields.values().for_each(|field| field.ty.references(out));
        };
        let variants = |variants: &BTreeMap<String, Variant>, out: &mut BTreeSet<String>| {
            variants
                .values()
                .filter_map(|v| v.payload.as_ref())
                .for_each(|ty| ty.references(out));
        };
        match self {
            Self::Struct(members) => fields(members, &mut out),
            Self::Tagged {
                common,
                variants: members,
                ..
            } => {
                fields(common, &mut out);
                variants(members, &mut out);
            }
            Self::External(members) => variants(members, &mut out),
            Self::Enum(_) | Self::Codes(_) => {}
            Self::Untagged(arms) => arms.iter().for_each(|arm| arm.ty.references(&mut out)),
            Self::Alias(ty) => ty.references(&mut out),
        }
        out
    }
}
