//! Which file a module is: relative paths, and the `exports` of a package read as the compiler of
//! TypeScript reads them.

use serde_json::Value;

/// Conditions that hold for a declaration file that is imported.
const CONDITIONS: [&str; 3] = ["types", "import", "default"];

/// The package and the path in it that a module name begins with.
pub fn split(specifier: &str) -> (&str, &str) {
    let names = if specifier.starts_with('@') { 2 } else { 1 };
    match specifier.match_indices('/').nth(names - 1) {
        Some((at, _)) => (&specifier[..at], &specifier[at + 1..]),
        None => (specifier, ""),
    }
}

/// The file that a relative module name means, seen from a file.
pub fn relative(from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in specifier.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    declarations(&parts.join("/"), exists)
}

/// The file of declarations for a module name inside a package; `manifest` is its `package.json`.
pub fn inside(
    package: &str,
    manifest: &Value,
    subpath: &str,
    exists: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let place = |path: &str| format!("{package}/{}", path.trim_start_matches("./"));
    if let Some(exports) = manifest.get("exports") {
        let key = if subpath.is_empty() {
            String::from(".")
        } else {
            format!("./{subpath}")
        };
        return exported(exports, &key, &|path| declarations(&place(path), exists));
    }
    if !subpath.is_empty() {
        return declarations(&place(subpath), exists);
    }
    let stated = ["types", "typings"]
        .iter()
        .find_map(|name| manifest.get(name).and_then(Value::as_str));
    declarations(&place(stated.unwrap_or("index")), exists)
}

/// The target of a key of `exports`. A target whose file is not there falls through to the next one.
fn exported(exports: &Value, key: &str, found: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let Some(map) = exports
        .as_object()
        .filter(|map| map.keys().any(|key| key.starts_with('.')))
    else {
        return (key == ".").then(|| target(exports, "", found)).flatten();
    };
    if let Some(value) = map.get(key) {
        return target(value, "", found);
    }
    let patterns = map.iter().filter_map(|(pattern, value)| {
        let (before, after) = pattern.split_once('*')?;
        let star = key.strip_prefix(before)?.strip_suffix(after)?;
        Some((before.len(), after.len(), star, value))
    });
    let (_, _, star, value) = patterns.max_by_key(|(before, after, _, _)| (*before, *after))?;
    target(value, star, found)
}

fn target(value: &Value, star: &str, found: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    match value {
        Value::String(path) => found(&path.replace('*', star)),
        Value::Array(all) => all.iter().find_map(|one| target(one, star, found)),
        Value::Object(conditions) => conditions
            .iter()
            .filter(|(condition, _)| CONDITIONS.contains(&condition.as_str()))
            .find_map(|(_, value)| target(value, star, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

/// The file that holds the declarations of a path, which may name the code beside it.
fn declarations(path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let beside = [(".mjs", ".d.mts"), (".cjs", ".d.cts"), (".js", ".d.ts")];
    let exact = [".d.ts", ".d.mts", ".d.cts"]
        .iter()
        .any(|ending| path.ends_with(ending))
        .then(|| path.to_owned());
    let beside = beside
        .iter()
        .find_map(|(code, types)| Some(format!("{}{types}", path.strip_suffix(code)?)));
    let added = [".d.ts", ".d.mts", "/index.d.ts", "/index.d.mts"]
        .iter()
        .map(|ending| format!("{path}{ending}"));
    exact
        .into_iter()
        .chain(beside)
        .chain(added)
        .find(|path| exists(path))
}
