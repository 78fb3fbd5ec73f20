//! The declarations under the TypeScript compiler, with what a host writes over them.
//!
//! The compiler is the one that `tests/typescript/package-lock.json` pins. A clone has neither it nor,
//! perhaps, Node: these tests are ignored, and a step of `.ci/run` by their name installs it and runs
//! them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentwire_tests::root;
use serde_json::Value;

use crate::canonical_conformance::samples::{golden, invented, some_of_each, tag};
use crate::canonical_conformance::shapes::{Members, Shape};

/// How hosts compile; the first flag is the one that the declarations promise to stand.
const FLAGS: &[&str] = &[
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--noEmit",
    "--target",
    "esnext",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
];

/// What a host writes, by hand and from events.
struct Project {
    folder: PathBuf,
    files: BTreeMap<&'static str, String>,
}

impl Project {
    /// The declarations and both hand-written files, in a folder of its own.
    fn new(name: &str) -> Self {
        let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
        let files = BTreeMap::from([
            ("canonical.d.ts", read("contracts/schema/canonical.d.ts")),
            ("exhaustive.ts", read("tests/typescript/exhaustive.ts")),
            ("refused.ts", read("tests/typescript/refused.ts")),
        ]);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("typed")
            .join(name);
        Self { folder, files }
    }

    /// Changes a file; a change that changes nothing is a mistake of the test.
    fn edit(mut self, file: &str, from: &str, to: &str) -> Self {
        let text = self.files.get_mut(file).unwrap();
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, *text, "{file}: {from}");
        *text = changed;
        self
    }

    /// The errors of the compiler, one a line.
    fn errors(&self) -> Vec<String> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder).unwrap();
        for (name, text) in &self.files {
            fs::write(self.folder.join(name), text).unwrap();
        }
        let output = Command::new("node")
            .arg(compiler())
            .args(FLAGS)
            .args(self.files.keys())
            .current_dir(&self.folder)
            .output()
            .unwrap_or_else(|error| panic!("`node` is needed to check types: {error}"));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors: Vec<String> = said
            .lines()
            .filter(|line| line.contains(": error TS"))
            .map(str::to_owned)
            .collect();
        assert_eq!(
            output.status.success(),
            errors.is_empty(),
            "{said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        errors
    }
}

fn compiler() -> PathBuf {
    let path = root().join("tests/typescript/node_modules/typescript/bin/tsc");
    assert!(
        path.is_file(),
        "the TypeScript compiler is not installed: run `npm ci --prefix tests/typescript`"
    );
    path
}

/// A list of events for each type, written as a host would: ids are branded, the rest is plain.
fn samples(shape: &Shape) -> (String, usize) {
    let mut all = some_of_each(golden());
    assert!(all.len() >= 20, "goldens of {} types", all.len());
    for (tag, invented) in some_of_each(invented()) {
        all.entry(tag).or_default().extend(invented);
    }
    let mut text = "\
import type { CanonicalRuntimeEventType, ProviderRuntimeEventV2 } from \"./canonical\";

declare function id<TId extends string>(text: string): TId;

type Samples = {
    [TType in CanonicalRuntimeEventType]: Array<Extract<ProviderRuntimeEventV2, { type: TType }>>;
};

export const samples: Samples = {
"
    .to_owned();
    let mut count = 0;
    for (tag, events) in &all {
        text.push_str(&format!("    {tag:?}: [\n"));
        for event in events {
            text.push_str(&format!("        {},\n", written(event, shape)));
            count += 1;
        }
        text.push_str("    ],\n");
    }
    text.push_str("};\n");
    (text, count)
}

fn written(event: &Value, shape: &Shape) -> String {
    let mut members = shape.envelope.clone();
    members.insert(
        "payload".to_owned(),
        (true, shape.events[tag(event)].clone()),
    );
    written_object(event, &members, shape)
}

fn written_object(object: &Value, members: &Members, shape: &Shape) -> String {
    let written = object.as_object().unwrap().iter().map(|(name, value)| {
        let type_text = members.get(name).map_or("unknown", |(_, text)| text);
        let value = match shape.objects.get(type_text) {
            Some(members) => written_object(value, members, shape),
            None if shape.brands.contains(type_text) => format!("id({value})"),
            None => value.to_string(),
        };
        format!("{name:?}: {value}")
    });
    format!("{{ {} }}", written.collect::<Vec<_>>().join(", "))
}

fn shape() -> Shape {
    Shape::of_schema(&agentwire_canonical_schema::schema())
}

#[test]
#[ignore = "asks the TypeScript compiler: `npm ci --prefix tests/typescript`, then run with --ignored"]
fn hosts_compile_with_the_declarations() {
    let mut project = Project::new("accepted");
    let (samples, count) = samples(&shape());
    assert!(count > 120, "only {count} samples");
    project.files.insert("samples.ts", samples.clone());
    assert_eq!(project.errors(), [""; 0]);

    // An id that is a plain text, and one event under the type of another, are found.
    let plain = project.edit("samples.ts", "id(", "(");
    let errors = plain.errors();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert!(errors[0].starts_with("samples.ts("), "{errors:#?}");
    let mut swapped = Project::new("accepted");
    swapped.files.insert(
        "samples.ts",
        samples.replacen(
            "\"type\": \"turn.diff.updated\"",
            "\"type\": \"turn.aborted\"",
            1,
        ),
    );
    assert_ne!(swapped.files["samples.ts"], samples);
    assert!(!swapped.errors().is_empty());
}

#[test]
#[ignore = "asks the TypeScript compiler: `npm ci --prefix tests/typescript`, then run with --ignored"]
fn a_case_that_is_missing_does_not_compile() {
    let case = "        case \"turn.aborted\":\n            return event.payload.reason;\n";
    let errors = Project::new("missing")
        .edit("exhaustive.ts", case, "")
        .errors();
    let [error] = errors.as_slice() else {
        panic!("{errors:#?}")
    };
    assert!(
        error.starts_with("exhaustive.ts(")
            && error.contains("not assignable to parameter of type 'never'"),
        "{error}"
    );
    let added = "    \"turn.aborted\": TurnAborted;\n";
    let more = format!("{added}    \"turn.mended\": TurnAborted;\n");
    let errors = Project::new("missing")
        .edit("canonical.d.ts", added, &more)
        .errors();
    assert_eq!(errors.len(), 1, "a new type of event: {errors:#?}");
}

#[test]
#[ignore = "asks the TypeScript compiler: `npm ci --prefix tests/typescript`, then run with --ignored"]
fn what_is_refused_depends_on_the_declarations() {
    for (from, to) in [
        ("Branded<\"TurnId\">", "string"),
        ("    delta: string;", "    delta: string | number;"),
        ("    delta: string;", "    delta?: string;"),
        ("    title?: string;", "    title?: string | null;"),
        ("    | \"plan\"\n", "    | \"plan\"\n    | \"song\"\n"),
        ("    usage?: unknown;", "    usage: { total: number };"),
    ] {
        let errors = Project::new("refused")
            .edit("canonical.d.ts", from, to)
            .errors();
        let unused = errors
            .iter()
            .filter(|error| error.starts_with("refused.ts(") && error.contains("TS2578"));
        assert_eq!(unused.count(), 1, "{from}: {errors:#?}");
    }
}
