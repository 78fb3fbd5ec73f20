//! Has typify make types of every definition that it can, and writes two functions that decode by
//! the name of a definition: one through typify's types, one through ours.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

#[path = "../tests/instances/copies.rs"]
#[allow(dead_code)]
mod copies;

const VERSIONS: [&str; 3] = ["0.107.0", "0.113.0", "0.171.0"];

fn main() {
    let root = copies::repository();
    println!("cargo::rerun-if-changed={}", root.join("schemas").display());
    println!(
        "cargo::rerun-if-changed={}",
        root.join("contracts/src/generated").display()
    );
    let ours = our_types(&root.join("contracts/src/generated/codex"));
    let mut text = String::new();
    let mut arms = String::new();
    for copy in copies::load("codex") {
        if copy.face != "experimental" || !VERSIONS.contains(&copy.version.as_str()) {
            continue;
        }
        let module = format!("v{}", copy.version.replace('.', "_"));
        let (generated, refused) = typify(&flat(copy.definitions()));
        let named = declared(&generated);
        let names = named.iter().filter(|name| ours.contains_key(*name));
        let cases: String = names
            .map(|name| {
                format!("{name:?} => Some(serde_json::from_str::<{module}::{name}>(text).map(drop).map_err(|error| error.to_string())),\n")
            })
            .collect();
        text.push_str(&format!(
            "#[allow(clippy::all, dead_code)] pub mod {module} {{ {generated} }}\n"
        ));
        text.push_str(&format!(
            "fn by_{module}(name: &str, text: &str) -> Option<Result<(), String>> {{ match name {{ {cases} _ => None }} }}\n"
        ));
        text.push_str(&format!(
            "pub const REFUSED_{}: &[&str] = &{refused:?};\n",
            module.to_uppercase()
        ));
        arms.push_str(&format!(
            "{:?} => (by_{module}(name, text), REFUSED_{}),\n",
            copy.version,
            module.to_uppercase()
        ));
    }
    let cases: String = ours
        .iter()
        .map(|(name, ty)| {
            format!("{name:?} => Some(agentwire::json::decode::<agentwire::codex::wire::{ty}>(text).map(drop).map_err(|error| error.to_string())),\n")
        })
        .collect();
    text.push_str(&format!(
        "/// Through typify's types; and what typify refuses.\n\
         pub fn theirs(version: &str, name: &str, text: &str) -> (Option<Result<(), String>>, &'static [&'static str]) {{\n\
             match version {{ {arms} _ => (None, &[]) }}\n}}\n\
         /// Through our types.\n\
         pub fn ours(name: &str, text: &str) -> Option<Result<(), String>> {{ match name {{ {cases} _ => None }} }}\n"
    ));
    std::fs::write(
        PathBuf::from(std::env::var("OUT_DIR").unwrap()).join("oracle.rs"),
        text,
    )
    .unwrap();
}

/// Our exported types by name, with their lifetime.
fn our_types(folder: &Path) -> BTreeMap<String, String> {
    let exports = std::fs::read_to_string(folder.join("mod.rs")).unwrap();
    let exported: BTreeSet<&str> = exports
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let mut types = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("eventmsg.rs") {
            // Names there may be those of a namespace.
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        for head in text.split("Wire<'a> for ").skip(1) {
            let name: String = head.chars().take_while(|c| c.is_alphanumeric()).collect();
            let ty = if head[name.len()..].starts_with('<') {
                format!("{name}<'_>")
            } else {
                name.clone()
            };
            if exported.contains(name.as_str()) {
                types.insert(name, ty);
            }
        }
    }
    types
}

/// Namespaces become prefixes, since typify knows none.
fn flat(definitions: &Value) -> Map<String, Value> {
    let text = definitions
        .to_string()
        .replace("#/definitions/eventmsg/", "#/definitions/InEventmsg");
    let Value::Object(mut all) = serde_json::from_str(&text).unwrap() else {
        panic!("no definitions")
    };
    if let Some(Value::Object(inner)) = all.remove("eventmsg") {
        all.extend(
            inner
                .into_iter()
                .map(|(name, schema)| (format!("InEventmsg{name}"), schema)),
        );
    }
    all
}

/// The types of everything that typify gets through, and the names of what it does not.
fn typify(definitions: &Map<String, Value>) -> (String, Vec<String>) {
    std::panic::set_hook(Box::new(|_| {}));
    let mut good = BTreeSet::new();
    let mut refused = Vec::new();
    for name in definitions.keys() {
        if attempt(definitions, &closure(definitions, name)).is_some() {
            good.insert(name.clone());
        } else {
            refused.push(name.clone());
        }
    }
    let _ = std::panic::take_hook();
    (
        attempt(definitions, &good).expect("typify takes all of what it takes one by one"),
        refused,
    )
}

fn closure(definitions: &Map<String, Value>, name: &str) -> BTreeSet<String> {
    let mut done = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        if done.insert(name.clone()) {
            let text = definitions[&name].to_string();
            open.extend(
                text.split("\"#/definitions/")
                    .skip(1)
                    .map(|rest| rest.split('"').next().unwrap().to_owned()),
            );
        }
    }
    done
}

fn attempt(definitions: &Map<String, Value>, names: &BTreeSet<String>) -> Option<String> {
    if names.iter().any(|name| twice_named(&definitions[name])) {
        return None;
    }
    let chosen: Map<String, Value> = names
        .iter()
        .map(|name| (name.clone(), definitions[name].clone()))
        .collect();
    let run = || {
        let schema: schemars::schema::RootSchema =
            serde_json::from_value(json!({"definitions": chosen})).ok()?;
        let mut space =
            typify::TypeSpace::new(typify::TypeSpaceSettings::default().with_struct_builder(false));
        space.add_root_schema(schema).ok()?;
        Some(prettyplease::unparse(&syn::parse2(space.to_stream()).ok()?))
    };
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

/// Whether two members of one object would have one name in Rust, which typify lets through.
fn twice_named(schema: &Value) -> bool {
    let plain = |name: &String| name.replace('_', "").to_lowercase();
    let here = schema.get("properties").and_then(Value::as_object);
    let clash = here.is_some_and(|members| {
        members.keys().map(plain).collect::<BTreeSet<_>>().len() < members.len()
    });
    let below = match schema {
        Value::Object(map) => map.values().any(twice_named),
        Value::Array(list) => list.iter().any(twice_named),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    clash || below
}

fn declared(text: &str) -> BTreeSet<String> {
    let heads = ["pub struct ", "pub enum "]
        .into_iter()
        .flat_map(|keyword| text.split(keyword).skip(1));
    heads
        .map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect())
        .collect()
}
