//! The independent count: the tags of a union or enum, read off a raw schema by a few lines that know
//! nothing of the generator.

use std::collections::BTreeSet;

use serde_json::Value;

/// The tags of a definition of a document; none where the document does not have it.
pub fn tags(document: &Value, definition: &str) -> Option<BTreeSet<String>> {
    let schema = document.pointer(&format!("/definitions/{definition}"))?;
    let tags = match marked(document, definition) {
        marked if !marked.is_empty() => marked,
        _ => collect(document, schema),
    };
    (!tags.is_empty()).then_some(tags)
}

/// What one schema, or each member of a union, is told by.
fn collect(document: &Value, schema: &Value) -> BTreeSet<String> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let constant = |name: &str| only(properties?.get(name)?);
    let any = properties.into_iter().flat_map(|it| it.keys());
    let usual = ["method", "type", "sessionUpdate"].into_iter();
    if let Some(tag) = usual.chain(any.map(String::as_str)).find_map(constant) {
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
