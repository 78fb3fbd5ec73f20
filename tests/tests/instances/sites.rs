//! Places in an instance where something can be changed, and the paths to them.

use serde_json::Value;

/// A tag, text or value that no vendored version has.
pub const UNRECOGNIZED: &str = "zz-unrecognized";

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Into an object.
    Key(String),
    /// Into a list.
    Index(usize),
}

/// A value in an instance with what the schema says of it.
pub struct Site {
    /// Where it stands in the instance.
    pub path: Vec<Step>,
    /// Where its schema stands.
    pub place: String,
    /// What it is.
    pub kind: Kind,
}

/// What stands at a site.
pub enum Kind {
    /// An object with known members: those that the instance has.
    Object(Vec<Member>),
    /// Any text.
    Text,
    /// A text of an enum; `guard` where an untagged union looks at it.
    Value { guard: bool },
    /// An object of a union that this member picks; the payload lies in `content` or beside it.
    Tag {
        member: String,
        content: Option<String>,
    },
    /// A text of a union of texts and objects.
    ExternalText,
    /// An object of such a union, with the member that picks.
    ExternalKey(String),
    /// A union that the form picks, and a value of a form that it does not have.
    Form(Value),
    /// A list of things that are told apart, and an element that none of them is.
    List(Value),
}

/// A member that an instance has.
pub struct Member {
    /// Its name.
    pub name: String,
    /// Required by the instance's own schema.
    pub declared: bool,
    /// Required by all schemas, and so by the decoder.
    pub required: bool,
    /// Whether a value without it may still be read as something.
    pub loose: bool,
}

/// The value at a path.
pub fn at<'v>(value: &'v mut Value, path: &[Step]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Key(key) => &mut value[key.as_str()],
        Step::Index(index) => &mut value[*index],
    })
}

/// A path in the decoder's spelling: `params.item.content[3].text`.
pub fn spelled(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        let simple = |byte: u8| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte);
        match step {
            Step::Index(index) => text.push_str(&format!("[{index}]")),
            Step::Key(key) if key.is_empty() || !key.bytes().all(simple) => {
                text.push_str(&format!("[\"{key}\"]"))
            }
            Step::Key(key) if text.is_empty() => text.push_str(key),
            Step::Key(key) => text.push_str(&format!(".{key}")),
        }
    }
    text
}

/// A path with one more member.
pub fn below(path: &[Step], key: &str) -> Vec<Step> {
    [path, &[Step::Key(key.to_owned())]].concat()
}

/// Equality as JSON: numbers by value, members in any order.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let whole = |number: &serde_json::Number| number.as_i128();
            match (whole(a), whole(b)) {
                (Some(a), Some(b)) => a == b,
                _ => a.as_f64() == b.as_f64(),
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
