//! What a schema says, in the form in which two versions are compared: nothing that a value can
//! show is left out, and two ways to write the same thing have one form.

use std::collections::{BTreeMap, BTreeSet};

use agentwire_codegen::source::SourceFile;
use serde_json::Value;

/// One vendored document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The text, for lines.
    pub file: SourceFile,
    /// Every definition by its name, namespaces as prefixes.
    pub definitions: BTreeMap<String, Node>,
    /// The definition that a method's result has, by the definition of its parameters: what markers bind.
    pub bound_results: BTreeMap<String, String>,
}

/// One schema.
#[derive(Clone, Debug)]
pub struct Node {
    /// JSON pointer to it.
    pub at: String,
    /// Whether `null` is one of its values.
    pub nullable: bool,
    /// What its other values are.
    pub shape: Shape,
    /// The `format`.
    pub format: Option<String>,
    /// Keywords that limit values further, with what they say.
    pub limits: BTreeMap<String, Value>,
    /// The declared default.
    pub default: Option<Value>,
    /// Keywords that limit no value: `x-…`, `readOnly`, `writeOnly`.
    pub markers: BTreeMap<String, Value>,
}

/// The values of a schema, `null` apart.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Any value.
    Any,
    /// No value but `null`, where the node allows it.
    Never,
    /// Values of some of the JSON types `boolean`, `integer`, `number` and `string`.
    Scalar(BTreeSet<String>),
    /// Listed values.
    Enum(Listed),
    /// A list of alike elements.
    List(Box<Node>),
    /// A list with a schema for each place.
    Tuple(Vec<Node>),
    /// An object.
    Object(Object),
    /// One of several.
    Union(Union),
    /// What a definition says.
    Ref(String),
}

impl Shape {
    /// The definition that this is a reference to.
    pub fn reference(&self) -> Option<&str> {
        match self {
            Self::Ref(name) => Some(name),
            Self::Any
            | Self::Never
            | Self::Scalar(_)
            | Self::Enum(_)
            | Self::List(_)
            | Self::Tuple(_)
            | Self::Object(_)
            | Self::Union(_) => None,
        }
    }
}

/// Listed values.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    /// Each as JSON text, with the pointer to it.
    pub values: BTreeMap<String, String>,
    /// Other texts are values, too.
    pub open: bool,
}

/// An object.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// Members by name.
    pub fields: BTreeMap<String, Field>,
    /// Objects whose members it has, too.
    pub bases: Vec<Node>,
    /// What other members may be.
    pub rest: Rest,
}

/// One member.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its value.
    pub node: Node,
    /// Whether it must be there.
    pub required: bool,
}

/// What members without a name of their own may be.
#[derive(Clone, Debug, Default)]
pub enum Rest {
    /// Anything.
    #[default]
    Open,
    /// There are none.
    Closed,
    /// Values of this schema.
    Of(Box<Node>),
}

/// One of several.
#[derive(Clone, Debug)]
pub struct Union {
    /// Each possibility.
    pub arms: Vec<Node>,
    /// Members beside the union.
    pub common: Option<Object>,
    /// The members that the schema itself names as those that pick.
    pub tags: Vec<String>,
}

impl Document {
    /// The node that says something itself, references followed, and whether `null` is allowed on the way.
    pub fn follow<'a>(&'a self, node: &'a Node) -> (&'a Node, bool) {
        let mut current = node;
        let mut nullable = node.nullable;
        // A chain longer than the number of definitions can only be a circle.
        for _ in 0..=self.definitions.len() {
            let Shape::Ref(name) = &current.shape else {
                break;
            };
            match self.definitions.get(name) {
                Some(next) => current = next,
                None => break,
            }
            nullable |= current.nullable;
        }
        (current, nullable)
    }
}

impl Node {
    /// A node that says nothing but its shape.
    pub fn new(at: &str, shape: Shape) -> Self {
        Self {
            at: at.to_owned(),
            nullable: false,
            shape,
            format: None,
            limits: BTreeMap::new(),
            default: None,
            markers: BTreeMap::new(),
        }
    }

    /// Every definition that it names, at any depth.
    pub fn references<'a>(&'a self, out: &mut BTreeSet<&'a str>) {
        match &self.shape {
            Shape::Any | Shape::Never | Shape::Scalar(_) | Shape::Enum(_) => {}
            Shape::List(element) => element.references(out),
            Shape::Tuple(places) => places.iter().for_each(|place| place.references(out)),
            Shape::Object(object) => object.references(out),
            Shape::Union(union) => {
                union.arms.iter().for_each(|arm| arm.references(out));
                if let Some(common) = &union.common {
                    common.references(out);
                }
            }
            Shape::Ref(name) => {
                out.insert(name);
            }
        }
    }

    /// The type in a word or two, for messages.
    pub fn describe(&self) -> String {
        let mut text = match &self.shape {
            Shape::Any => "anything".to_owned(),
            Shape::Never => return "null".to_owned(),
            Shape::Scalar(types) => types.iter().cloned().collect::<Vec<_>>().join(" or "),
            Shape::Enum(listed) => describe_values(listed),
            Shape::List(element) => format!("list of {}", element.describe()),
            Shape::Tuple(places) => format!("list of {} places", places.len()),
            Shape::Object(object) => describe_object(object),
            Shape::Union(union) => format!("one of {} forms", union.arms.len()),
            Shape::Ref(name) => name.clone(),
        };
        if let Some(format) = &self.format {
            text = format!("{text} ({format})");
        }
        if self.nullable {
            text + " or null"
        } else {
            text
        }
    }
}

fn describe_values(listed: &Listed) -> String {
    let known: Vec<&str> = listed.values.keys().map(String::as_str).collect();
    match (known.as_slice(), listed.open) {
        ([one], false) => (*one).to_owned(),
        (_, false) => format!("one of {} values", known.len()),
        (_, true) => format!("text, {} known values", known.len()),
    }
}

fn describe_object(object: &Object) -> String {
    match &object.rest {
        Rest::Of(value) if object.fields.is_empty() && object.bases.is_empty() => {
            format!("map of {}", value.describe())
        }
        Rest::Open | Rest::Closed | Rest::Of(_) => "object".to_owned(),
    }
}

impl Object {
    fn references<'a>(&'a self, out: &mut BTreeSet<&'a str>) {
        self.fields
            .values()
            .for_each(|field| field.node.references(out));
        self.bases.iter().for_each(|base| base.references(out));
        if let Rest::Of(node) = &self.rest {
            node.references(out);
        }
    }
}
