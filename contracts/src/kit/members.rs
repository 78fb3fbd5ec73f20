//! The members of a raw object, one by one, for what no type names.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::{Json, OwnedJson};
use crate::kit::mapping::Cx;

/// Visits the members in their order; nothing where the value is no object.
pub(crate) fn each_member<'a>(
    object: &'a OwnedJson,
    mut visit: impl FnMut(Cow<'a, str>, Json<'a>),
) {
    let mut reader = object.reader();
    let Ok(mut open) = reader.object() else {
        return;
    };
    while let Ok(Some(name)) = reader.key(&mut open) {
        let Ok(value) = reader.raw() else {
            return;
        };
        visit(name, value);
    }
}

/// The members of an object of the message; their values are slices of the line.
pub(crate) fn members_of(cx: &Cx<'_>, object: &OwnedJson) -> BTreeMap<String, OwnedJson> {
    let mut members = BTreeMap::new();
    each_member(object, |name, value| {
        members.insert(name.into_owned(), cx.own(value));
    });
    members
}

/// A member of the payload that is a string, by its path.
pub(crate) fn text(cx: &Cx<'_>, path: &[&str]) -> Option<String> {
    let json = cx.raw(path)?;
    json.reader().string().ok().map(Cow::into_owned)
}

#[cfg(test)]
#[path = "members_tests.rs"]
mod tests;
