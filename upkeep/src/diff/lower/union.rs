//! Unions: `null` apart, nested ones flattened, unions of values become one list of values.

use serde_json::{Map, Value};

use super::Lowering;
use super::object::shows;
use crate::diff::schema::{Listed, Node, Shape, Union};

impl<'a> Lowering<'_, 'a> {
    /// `oneOf` or `anyOf`, with the members that stand beside it.
    pub(super) fn union(&mut self, map: &'a Map<String, Value>, at: &str) -> Node {
        if map.contains_key("oneOf") && map.contains_key("anyOf") {
            self.fail(at, "`oneOf` beside `anyOf` has no rule");
        }
        let key = if map.contains_key("oneOf") {
            "oneOf"
        } else {
            "anyOf"
        };
        let Some(members) = map.get(key).and_then(Value::as_array) else {
            self.fail(at, format!("`{key}` is a list of schemas"));
            return Node::new(at, Shape::Any);
        };
        let common = (shows(map) || map.contains_key("allOf")).then(|| self.object(map, at));
        let mut nullable = false;
        let mut arms = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let mut arm = self.node(member, &format!("{at}/{key}/{index}"));
            if !matches!(arm.shape, Shape::Ref(_)) {
                nullable |= std::mem::take(&mut arm.nullable);
            }
            match arm.shape {
                Shape::Never => {}
                Shape::Union(Union {
                    arms: inner,
                    common: None,
                    ..
                }) => arms.extend(inner),
                Shape::Any
                | Shape::Scalar(_)
                | Shape::Enum(_)
                | Shape::List(_)
                | Shape::Tuple(_)
                | Shape::Object(_)
                | Shape::Union(_)
                | Shape::Ref(_) => arms.push(arm),
            }
        }
        let mut node = match (arms.len(), &common) {
            (0, _) => Node::new(at, Shape::Never),
            // An object that is the only variant so far is still a variant.
            (1, None)
                if nullable
                    || !matches!(
                        arms.first(),
                        Some(Node {
                            shape: Shape::Object(_),
                            ..
                        })
                    ) =>
            {
                arms.remove(0)
            }
            (_, None) if arms.iter().all(is_values) => values_of(arms, at),
            _ => Node::new(
                at,
                Shape::Union(Union {
                    arms,
                    common,
                    tags: named_tags(map),
                }),
            ),
        };
        node.nullable |= nullable;
        node
    }

    /// Several JSON types with an object or a list among them: one arm a type.
    pub(super) fn kinds_apart(
        &mut self,
        kinds: &[&str],
        map: &'a Map<String, Value>,
        at: &str,
    ) -> Node {
        let arms = kinds.iter().map(|kind| match *kind {
            "object" => Node::new(at, Shape::Object(self.object(map, at))),
            "array" => self.list(map, at),
            scalar => Node::new(at, Shape::Scalar([scalar.to_owned()].into())),
        });
        let arms = arms.collect();
        Node::new(
            at,
            Shape::Union(Union {
                arms,
                common: None,
                tags: Vec::new(),
            }),
        )
    }
}

/// Listed values, or plain text beside them.
fn is_values(node: &Node) -> bool {
    match &node.shape {
        Shape::Enum(_) => true,
        Shape::Scalar(types) => types.len() == 1 && types.contains("string"),
        Shape::Any
        | Shape::Never
        | Shape::List(_)
        | Shape::Tuple(_)
        | Shape::Object(_)
        | Shape::Union(_)
        | Shape::Ref(_) => false,
    }
}

/// One list of all values; a plain text among the arms opens it.
fn values_of(arms: Vec<Node>, at: &str) -> Node {
    let mut all = Listed::default();
    for arm in arms {
        match arm.shape {
            Shape::Enum(listed) => {
                all.open |= listed.open;
                all.values.extend(listed.values);
            }
            Shape::Any
            | Shape::Never
            | Shape::Scalar(_)
            | Shape::List(_)
            | Shape::Tuple(_)
            | Shape::Object(_)
            | Shape::Union(_)
            | Shape::Ref(_) => all.open = true,
        }
    }
    if all.values.is_empty() {
        return Node::new(at, Shape::Scalar(["string".to_owned()].into()));
    }
    Node::new(at, Shape::Enum(all))
}

/// The members that `x-tag` or `discriminator` names.
fn named_tags(map: &Map<String, Value>) -> Vec<String> {
    if let Some(tags) = map.get("x-tag").and_then(Value::as_array) {
        return tags
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect();
    }
    let named = map
        .get("discriminator")
        .and_then(|it| it.get("propertyName"))
        .and_then(Value::as_str);
    named.map(str::to_owned).into_iter().collect()
}
