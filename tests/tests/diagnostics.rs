//! What a person sees of each kind of error: one golden a code, under `tests/ui`.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use agentwire_codegen::broken as broken_output;
use agentwire_codegen::diagnostics::{Code, Diagnostic, render};
use agentwire_codegen::source::SourceFile;
use agentwire_codegen::sources::Sources;
use agentwire_tests::small::{Small, nothing, object, to};
use agentwire_tests::{root, sha256};
use agentwire_upkeep::vendor::unlocked::unlocked;
use agentwire_upkeep::{broken, drift};
use expect_test::expect_file;
use serde_json::{Value, json};

const STARTED: &str = "\"turn/started\" = { keep = \"turn.started\" }\n";

/// A surface with variants of these tags.
fn surface(tags: &[&str], rows: &str) -> Small {
    let variants: Vec<Value> = tags
        .iter()
        .map(|tag| {
            object(
                &["method", "params"],
                json!({"method": {"const": tag}, "params": {"type": "object"}}),
            )
        })
        .collect();
    Small::new()
        .vendored("1.0.0", "stable", json!({"Event": {"oneOf": variants}}))
        .rows("tiny.event", rows)
}

fn around(members: Value, more: Value) -> Small {
    Small::around(object(&[], members), more)
}

/// The errors of a repository with a mistake that has this code.
fn mistake(code: Code) -> Vec<Diagnostic> {
    match code {
        Code::MissingRow => {
            let rows = format!("\"thread/started\" = {{ keep = \"thread.started\" }}\n{STARTED}");
            surface(&["thread/started", "turn/begun", "turn/started"], &rows).diagnostics()
        }
        Code::StaleRow => {
            let rows = format!("\"turn/compelted\" = {{ rename = \"turn.completed\" }}\n{STARTED}");
            surface(&["turn/completed", "turn/started"], &rows).diagnostics()
        }
        Code::TodoRow => surface(
            &["turn/begun", "turn/started"],
            &format!("\"turn/begun\" = {{ todo = \"new in 1.0.0\" }}\n{STARTED}"),
        )
        .diagnostics(),
        Code::UnknownEvent => {
            let rows = "\"item/said\" = { rename = \"content.detla\" }\n\"turn/started\" = { split = [\"turn.started\", \"nebula.drifted\"] }\n";
            surface(&["item/said", "turn/started"], rows).diagnostics()
        }
        Code::BadRow => {
            let rows = "\"a\" = { keep = \"turn.started\" }\n\"b\" = { drop = \"\" }\n\"c\" = { rename = \"turn.started\", drop = \"noise\" }\n\"d\" = { split = [\"turn.started\"] }\n";
            surface(&["a", "b", "c", "d"], rows).diagnostics()
        }
        Code::BadSet => mistaken_sets(),
        Code::UnsortedRows => {
            let rows = format!(
                "{STARTED}\"thread/started\" = {{ keep = \"thread.started\" }}\n\"turn/completed\" = {{ keep = \"turn.completed\" }}\n"
            );
            surface(&["thread/started", "turn/completed", "turn/started"], &rows).diagnostics()
        }
        Code::NameCollision => {
            let more =
                json!({"file_path": {"type": "string"}, "FilePath": {"enum": ["a-b_c", "a_b-c"]}});
            around(json!({"a": to("file_path"), "b": to("FilePath")}), more).diagnostics()
        }
        Code::UnloweredSchema => {
            let members = json!({
                "a": {"type": "string", "pattern": "^x", "contentMediaType": "text/css"},
                "b": {"anyOf": [{"type": "string"}, {"type": "string", "format": "uri"}]},
                "c": to("Missing"),
                "d": {"enum": []},
            });
            around(members, nothing()).diagnostics()
        }
        Code::MergeConflict => {
            let member = |schema: Value| object(&[], json!({"network": schema}));
            let rows = "\"only\" = { drop = \"a test\" }\n";
            let old =
                Small::new().around_in("1.0.0", member(json!({"type": "boolean"})), nothing());
            old.around_in(
                "2.0.0",
                member(json!({"type": "object", "properties": {"on": {"type": "boolean"}}})),
                nothing(),
            )
            .rows("tiny.event", rows)
            .diagnostics()
        }
        Code::StaleQuirk => {
            let overlay = json!({
                "definitions": {"Value": {"type": "string"}},
                "patches": [
                    {"at": "/definitions/Value/required", "append": ["a"]},
                    {"at": "/definitions/Gone/properties", "extend": {"b": {"type": "string"}}},
                ],
            });
            let value = object(&["a"], json!({"a": {"type": "string"}}));
            Small::around(value, nothing())
                .overlay(&["1.0.0", "1.1.0"], overlay)
                .diagnostics()
        }
        Code::UnlockedSource => unlocked(&edited_by_hand(), &sha256),
        Code::BrokenOutput => broken_output(&BTreeMap::from([(
            String::from("contracts/src/generated/tiny/event.rs"),
            String::from("wire_struct! { Lamp {\n    field \"on\" on: bool,\n}\n"),
        )])),
        Code::StaleOutput => {
            let files = |entries: &[(&str, &str)]| -> BTreeMap<String, String> {
                entries
                    .iter()
                    .map(|(name, text)| {
                        (
                            format!("contracts/src/generated/{name}"),
                            (*text).to_owned(),
                        )
                    })
                    .collect()
            };
            let expected = files(&[
                ("seal.rs", "one\ntwo\n"),
                ("tiny/event.rs", "pub enum A {}\n"),
            ]);
            drift(
                &expected,
                &files(&[("seal.rs", "one\n2\n"), ("tiny/old.rs", "")]),
            )
        }
        Code::BrokenStem => {
            let text = "[provider.tiny]\nversions = []\nfaces = []\n\n[surface.\"tiny.event\"]\nprovider = \"tiny\"\nmodule = \"event\"\nunion = \"Event\"\n";
            let file = SourceFile::new("schemas/sources.toml", text);
            let paths = BTreeSet::from([
                "contracts/mapping/tiny.event.toml",
                "contracts/src/generated/tiny/event.rs",
                "contracts/src/providers/tiny/events.rs",
                "tests/transcripts/tiny.events/1.0.0/one.jsonl",
            ]);
            broken(&file, &Sources::read(&file).unwrap(), &paths)
        }
        Code::BadSource => {
            let sources = "[provider.tiny]\nversions = [\"1.0.0\"]\nfaces = [\"stable\"]\n\n[surface.\"tiny.event\"]\nprovider = \"tiny\"\nmodul = \"event\"\nunion = \"Event\"\n";
            surface(&["turn/started"], STARTED)
                .file("schemas/sources.toml", sources)
                .diagnostics()
        }
    }
}

/// Rows of which each says something else wrong about its event.
fn mistaken_sets() -> Vec<Diagnostic> {
    let rows = r#""a" = { rename = "content.delta", set = { streamKnd = "assistant_text", streamKind = "assistant_text", delta = "delta" } }
"b" = { rename = "content.delta", set = { streamKind = "assistant_text" } }
"c" = { rename = "content.delta", set = { streamKind = "assistant_text", delta = "inner.detla" } }
"d" = { rename = "content.delta", set = { streamKind = "assistant_text", delta = "count" } }
"e" = { rename = "content.delta", set = { streamKind = "assistant_text", delta = "note" } }
"f" = { rename = "content.delta", set = { streamKind = "assistant_txt", delta = "delta" } }
"g" = { rename = "turn.completed", set = { state = { table = "tiny.tone", path = "tone", or = "failed" } } }
"h" = { rename = "turn.completed", set = { state = { table = "tiny.end", path = "delta", or = "failed" } } }
"i" = { rename = "turn.completed", set = { state = { table = "tiny.end", path = "tone" } } }
"j" = { rename = "content.delta", set = { streamKind = "assistant_text", delta = { fild = "delta" } } }
"k" = { rename = "session.configured", set = { config = { pick = ["delta"] } } }
"l" = { rename = "turn.plan.updated", set = { plan = "delta" } }
"m" = { rename = "content.delta", set = { streamKind = "assistant_text", delta = { first = ["delta", "note"] } } }
"n" = { split = ["turn.started", "runtime.warning"], set = { message = "delta" } }
"o" = { rename = "runtime.warning", set = { message = "note.text" }, refs = { itm = "delta" } }
"#;
    let tags = rows.lines().filter_map(|row| row.get(1..2));
    let variants: Vec<Value> = tags
        .map(|tag| {
            object(
                &["method", "params"],
                json!({"method": {"const": tag}, "params": to("Said")}),
            )
        })
        .collect();
    let said = json!({
        "delta": {"type": "string"},
        "count": {"type": "integer"},
        "note": {"type": "string"},
        "tone": to("Tone"),
        "inner": object(&["delta"], json!({"delta": {"type": "string"}})),
    });
    let definitions = json!({
        "Event": {"oneOf": variants},
        "Said": object(&["count", "delta", "inner", "tone"], said),
        "Tone": {"enum": ["loud", "low"]},
    });
    let ends = "\"loud\" = { rename = \"completed\" }\n\"low\" = { rename = \"failed\" }\n";
    let tones = "\"loud\" = { rename = \"error\" }\n\"low\" = { rename = \"unknown\" }\n";
    Small::new()
        .vendored("1.0.0", "stable", definitions)
        .value("tiny.end", "Tone", "turn-state", ends)
        .value("tiny.tone", "Tone", "item-type", tones)
        .rows("tiny.event", rows)
        .diagnostics()
}

/// A lock that describes two files, of which one was edited and one was removed; a third one was
/// put there; and the window has a version that nobody vendored.
fn edited_by_hand() -> BTreeMap<String, String> {
    let locked = sha256(b"{}\n");
    let lock = format!(
        "[tiny.\"1.0.0\"]\npackage = \"tiny\"\nlicence = \"MIT\"\norigin = \"folder\"\ncommands = []\ndecisions = []\n\n\
         [tiny.\"1.0.0\".sha256]\n\"tiny/1.0.0/experimental/schema.json\" = \"{locked}\"\n\"tiny/1.0.0/stable/schema.json\" = \"{locked}\"\n"
    );
    let sources = "[provider.tiny]\npackage = \"tiny\"\nlicence = \"MIT\"\nversions = [\"1.0.0\", \"2.0.0\"]\nfaces = [\"stable\"]\nbundles = []\n";
    [
        ("schemas/sources.lock", lock.as_str()),
        ("schemas/sources.toml", sources),
        ("schemas/tiny/1.0.0/stable/schema.json", "{ }\n"),
        ("schemas/tiny/1.5.0/stable/schema.json", "{}\n"),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_owned(), text.to_owned()))
    .collect()
}

#[test]
fn every_code_has_its_golden() {
    for code in Code::ALL {
        let found = mistake(code);
        assert!(
            found.iter().any(|diagnostic| diagnostic.code == code),
            "{code}: {found:?}"
        );
        let golden = root().join(format!("tests/ui/{code}.txt"));
        expect_file![golden].assert_eq(&render(&found, false));
    }
}

#[test]
fn no_golden_is_left_over() {
    let codes: BTreeSet<String> = Code::ALL.iter().map(|code| format!("{code}.txt")).collect();
    let entries = fs::read_dir(root().join("tests/ui")).unwrap();
    let goldens: BTreeSet<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(goldens, codes);
}

#[test]
fn colours_change_nothing_but_the_look() {
    for code in Code::ALL {
        let found = mistake(code);
        let mut plain = String::new();
        let coloured = render(&found, true);
        let mut escaped = false;
        for character in coloured.chars() {
            match (escaped, character) {
                (false, '\u{1b}') => escaped = true,
                (true, 'm') => escaped = false,
                (true, _) => {}
                (false, character) => plain.push(character),
            }
        }
        assert_eq!(plain, render(&found, false), "{code}");
    }
}
