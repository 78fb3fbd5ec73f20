//! The one table of what is checked, and what each change means for which direction.

use std::fmt;

/// How bad a change is for those who rely on the old version. The worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// What was right before is wrong now.
    Breaking,
    /// Who isn't defensive breaks: a value that nobody expects, a message that never comes.
    Dangerous,
    /// More is promised, or more is accepted.
    Additive,
    /// Nothing changes on a wire.
    None,
}

/// Which way a value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// The provider sends it.
    Output,
    /// The provider accepts it.
    Input,
}

/// What the table says of a check in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This class.
    Is(Class),
    /// The worst class of what differs inside; none where nothing does.
    AsInside,
}

macro_rules! checks {
    ($($(#[doc = $doc:literal])+ $name:ident = $id:literal, $output:ident / $input:ident: $why:literal;)+) => {
        /// What is checked.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Check {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Check {
            /// Every check, in the order of the documentation.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The name in changes and ids.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// What is found, in a few words.
            pub const fn what(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc),+).trim_ascii_start(),)+ }
            }

            /// What the table says.
            pub const fn verdict(self, direction: Direction) -> Verdict {
                let (output, input) = match self { $(Self::$name => (verdict!($output), verdict!($input)),)+ };
                match direction {
                    Direction::Output => output,
                    Direction::Input => input,
                }
            }

            /// Why, in one sentence or two.
            pub const fn why(self) -> &'static str {
                match self { $(Self::$name => $why,)+ }
            }
        }
    };
}

macro_rules! verdict {
    (inside) => {
        Verdict::AsInside
    };
    (breaking) => {
        Verdict::Is(Class::Breaking)
    };
    (dangerous) => {
        Verdict::Is(Class::Dangerous)
    };
    (additive) => {
        Verdict::Is(Class::Additive)
    };
    (none) => {
        Verdict::Is(Class::None)
    };
}

checks! {
    /// A variant was added to a union.
    VariantAdded = "variant-added", dangerous / additive:
        "A receiver that knows the old variants only meets one that it doesn't know.";
    /// A variant was removed from a union.
    VariantRemoved = "variant-removed", dangerous / breaking:
        "Who waits for the variant waits for ever; who sends it is refused.";
    /// A value was added to an enum.
    EnumValueAdded = "enum-value-added", dangerous / additive:
        "A receiver that knows the old values only meets one that it doesn't know.";
    /// A value was removed from an enum.
    EnumValueRemoved = "enum-value-removed", dangerous / breaking:
        "Who waits for the value waits for ever; who sends it is refused.";
    /// Texts beside the listed ones, or variants beside the listed ones, became possible.
    Opened = "opened", dangerous / additive:
        "A receiver can no longer list all that it may get.";
    /// Only the listed values or variants remained possible.
    Closed = "closed", additive / breaking:
        "A receiver can list all that it may get; who sends anything else is refused.";
    /// A member that may be left out was added.
    FieldAdded = "field-added", additive / additive:
        "Readers pass over members that they don't know; senders may leave it out.";
    /// A member that must be there was added.
    RequiredFieldAdded = "required-field-added", additive / breaking:
        "A reader gets one member more; who sends the old form is refused.";
    /// A member that may be left out was removed.
    FieldRemoved = "field-removed", dangerous / dangerous:
        "A reader that used it finds nothing; what is sent in it has no effect, or is refused.";
    /// A member that was always there was removed.
    RequiredFieldRemoved = "required-field-removed", breaking / dangerous:
        "A reader that relied on it fails; what is sent in it has no effect, or is refused.";
    /// A member may be left out that had to be there.
    BecameOptional = "became-optional", breaking / additive:
        "A reader that relied on it fails where it is left out.";
    /// A member must be there that could be left out.
    BecameRequired = "became-required", additive / breaking:
        "A reader can rely on it; who leaves it out is refused.";
    /// The type is another one.
    TypeChanged = "type-changed", breaking / breaking:
        "Values of the old type and of the new one are not the same.";
    /// The type has more values than before.
    TypeWidened = "type-widened", breaking / additive:
        "A reader gets values of a type that it doesn't read; what was sent before is still accepted.";
    /// The type has fewer values than before.
    TypeNarrowed = "type-narrowed", additive / breaking:
        "A reader still reads all that it gets; some of what was sent before is refused.";
    /// The member refers to another definition.
    Retargeted = "retargeted", inside / inside:
        "Names are not on the wire: what differs between the two definitions decides.";
    /// The format is another one.
    FormatChanged = "format-changed", breaking / breaking:
        "Values of the old format and of the new one are not the same.";
    /// The format has more values than before.
    FormatWidened = "format-widened", dangerous / additive:
        "A reader may get a number or a text that it has no room for.";
    /// The format has fewer values than before.
    FormatNarrowed = "format-narrowed", additive / breaking:
        "A reader still reads all that it gets; some of what was sent before is refused.";
    /// `null` became possible.
    BecameNullable = "became-nullable", breaking / additive:
        "A reader that relied on a value gets `null`.";
    /// `null` is no longer possible.
    BecameNonNull = "became-non-null", additive / breaking:
        "A reader can rely on a value; who sends `null` is refused.";
    /// A constraint was added or became tighter.
    ConstraintTightened = "constraint-tightened", additive / breaking:
        "A reader still reads all that it gets; some of what was sent before is refused.";
    /// A constraint was taken away or became looser.
    ConstraintLoosened = "constraint-loosened", dangerous / additive:
        "A reader that relied on the constraint meets values outside of it.";
    /// A constraint says something else, and neither side is known to hold the other.
    ConstraintChanged = "constraint-changed", dangerous / breaking:
        "Some values are new to readers, and some of what was sent before may be refused.";
    /// What a member means when it is left out changed.
    DefaultChanged = "default-changed", dangerous / dangerous:
        "The same message means something else.";
    /// A union got a member that picks the variant.
    UnionTagged = "union-tagged", additive / breaking:
        "A reader can pick by the tag and need not; who sends the old form is refused.";
    /// No member picks the variant any more.
    UnionUntagged = "union-untagged", breaking / additive:
        "A reader that picked by the tag no longer can.";
    /// Another member picks the variant.
    UnionTagChanged = "union-tag-changed", breaking / breaking:
        "A reader looks for the tag where it no longer is; who sends the old one is refused.";
    /// A union got a member beside its variants that may be left out.
    CommonFieldAdded = "common-field-added", additive / additive:
        "Readers pass over members that they don't know; senders may leave it out.";
    /// A union lost a member beside its variants that could be left out.
    CommonFieldRemoved = "common-field-removed", dangerous / dangerous:
        "A reader that used it finds nothing; what is sent in it has no effect, or is refused.";
    /// A method takes another definition as its parameters.
    MethodParamsChanged = "method-params-changed", inside / inside:
        "Names are not on the wire: what differs between the two definitions decides.";
    /// A method has another definition as its result.
    MethodResultChanged = "method-result-changed", inside / inside:
        "Names are not on the wire: what differs between the two definitions decides.";
    /// What only the experimental face had is in the stable one.
    BecameStable = "became-stable", inside / inside:
        "To those who read the stable face it is what was added: that decides.";
    /// What the stable face had is in the experimental one only.
    BecameExperimental = "became-experimental", inside / inside:
        "To those who read the stable face it is what was removed: that decides.";
    /// A surface was added.
    SurfaceAdded = "surface-added", additive / additive:
        "Nothing that was there changes.";
    /// A surface was removed.
    SurfaceRemoved = "surface-removed", breaking / breaking:
        "None of its messages comes any more, or is accepted.";
    /// A definition stands in another namespace.
    DefinitionMoved = "definition-moved", none / none:
        "Names are not on the wire; what differs inside is told on its own.";
    /// A definition has another name.
    DefinitionRenamed = "definition-renamed", none / none:
        "Names are not on the wire; what differs inside is told on its own.";
    /// A definition was added that no surface reaches.
    DefinitionAdded = "definition-added", none / none:
        "No surface reaches it.";
    /// A definition was removed that no surface reached.
    DefinitionRemoved = "definition-removed", none / none:
        "No surface reached it.";
    /// A marker of the schema changed (`x-…`, `readOnly`, `writeOnly`).
    MarkerChanged = "marker-changed", none / none:
        "Markers limit no value.";
}

impl Check {
    /// Whether something came that was not there.
    pub const fn adds(self) -> bool {
        matches!(
            self,
            Self::VariantAdded
                | Self::EnumValueAdded
                | Self::FieldAdded
                | Self::RequiredFieldAdded
                | Self::CommonFieldAdded
                | Self::SurfaceAdded
                | Self::DefinitionAdded
        )
    }

    /// Whether something went that was there.
    pub const fn removes(self) -> bool {
        matches!(
            self,
            Self::VariantRemoved
                | Self::EnumValueRemoved
                | Self::FieldRemoved
                | Self::RequiredFieldRemoved
                | Self::CommonFieldRemoved
                | Self::SurfaceRemoved
                | Self::DefinitionRemoved
        )
    }
}

impl Class {
    /// Every class, the worst first.
    pub const ALL: &[Self] = &[Self::Breaking, Self::Dangerous, Self::Additive, Self::None];

    /// The name in comparisons.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Dangerous => "dangerous",
            Self::Additive => "additive",
            Self::None => "none",
        }
    }

    /// What it means.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Breaking => "what was right before is wrong now",
            Self::Dangerous => "who isn't defensive breaks",
            Self::Additive => "more is promised, or more is accepted",
            Self::None => "nothing changes on a wire, or no surface reaches it",
        }
    }
}

impl Direction {
    /// The name in comparisons.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Input => "input",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.id())
    }
}
