//! The independent count: the tags of a union or enum, read off a raw schema by a few lines that know
//! nothing of the generator.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The tags of a definition of a document; none where the document does not have it. `by` names the
/// member that a tag's variants are told apart by, in turn.
pub fn tags(
    document: &Value,
    definition: &str,
    by: &BTreeMap<String, String>,
) -> Option<BTreeSet<String>> {
    let schema = document.pointer(&format!("/definitions/{definition}"))?;
    let tags = match marked(document, definition) {
        marked if !marked.is_empty() => marked,
        _ => refined(document, schema, "", by),
    };
    (!tags.is_empty()).then_some(tags)
}

/// What the variants of a schema are told by, each after the tags that led to it.
fn refined(
    document: &Value,
    schema: &Value,
    before: &str,
    by: &BTreeMap<String, String>,
) -> BTreeSet<String> {
    // A variant may hold a union beside its tag.
    let union = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    if let Some(list) = union.filter(|_| own(schema).is_none()) {
        let members = list.as_array().into_iter().flatten();
        return members
            .flat_map(|member| refined(document, member, before, by))
            .collect();
    }
    if let Some(target) = target(document, schema) {
        return refined(document, target, before, by);
    }
    let tags = collect(document, schema).into_iter();
    tags.map(|tag| format!("{before}{tag}"))
        .flat_map(|tag| match by.get(&tag) {
            // A member that may be missing tells nothing apart.
            Some(member) if requires(schema, member) => {
                let schema = &schema["properties"][member];
                refined(document, schema, &format!("{tag}:"), by)
            }
            Some(_) | None => BTreeSet::from([tag]),
        })
        .collect()
}

fn target<'d>(document: &'d Value, schema: &Value) -> Option<&'d Value> {
    let reference = schema["$ref"].as_str()?;
    document.pointer(reference.trim_start_matches('#'))
}

fn requires(schema: &Value, member: &str) -> bool {
    let required = schema["required"].as_array();
    required.is_some_and(|names| names.iter().any(|name| name == member))
}

/// What one schema, or each member of a union, is told by.
fn collect(document: &Value, schema: &Value) -> BTreeSet<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    if let Some(tag) = own(schema) {
        return BTreeSet::from([tag]);
    }
    if let Some(list) = schema.get("oneOf").or_else(|| schema.get("anyOf")) {
        let members = list.as_array().into_iter().flatten();
        return members
            .flat_map(|member| collect(document, member))
            .collect();
    }
    if let Some(properties) = properties {
        // An object of one member is picked by the name of the member.
        let single = properties.keys().next().filter(|_| properties.len() == 1);
        return single.cloned().into_iter().collect();
    }
    let values = schema.get("enum").and_then(Value::as_array);
    let constants = values.into_iter().flatten().chain(schema.get("const"));
    let texts: BTreeSet<String> = constants
        .filter(|value| !value.is_null())
        .map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
        .collect();
    let reference = schema
        .get("$ref")
        .or_else(|| schema.pointer("/allOf/0/$ref"));
    match reference.and_then(Value::as_str) {
        Some(reference) if texts.is_empty() => {
            let target = document.pointer(reference.trim_start_matches('#'));
            target
                .map(|target| collect(document, target))
                .unwrap_or_default()
        }
        Some(_) | None => texts,
    }
}

/// The one value of a member by which a schema is told.
fn own(schema: &Value) -> Option<String> {
    let properties = schema.get("properties")?.as_object()?;
    let constant = |name: &str| only(properties.get(name)?);
    let any = properties.keys().map(String::as_str);
    let usual = ["method", "type", "sessionUpdate", "subtype"].into_iter();
    usual.chain(any).find_map(constant)
}

fn only(schema: &Value) -> Option<String> {
    let one = match schema.get("enum").and_then(Value::as_array) {
        Some(list) if list.len() == 1 => list.first(),
        Some(_) => None,
        None => schema.get("const"),
    };
    one.and_then(Value::as_str).map(str::to_owned)
}

/// The methods of messages that only markers tell: a side's requests have results, its notifications
/// have none.
fn marked(document: &Value, definition: &str) -> BTreeSet<String> {
    let (side, kind) = match definition {
        "AgentRequest" => ("client", "Request"),
        "AgentNotification" => ("client", "Notification"),
        "ClientRequest" => ("agent", "Request"),
        _ => return BTreeSet::new(),
    };
    let all = document["definitions"].as_object().into_iter().flatten();
    all.filter(|(name, schema)| {
        let marked = schema["x-side"].as_str();
        let both = marked == Some("protocol") && kind == "Notification";
        name.ends_with(kind) && (marked == Some(side) || both)
    })
    .filter_map(|(_, schema)| schema["x-method"].as_str().map(str::to_owned))
    .collect()
}
