//! Dumps of TypeScript declarations: unions told apart by one member after the other, objects that
//! nothing tells apart, constants, numbers, and rows below variants.

use agentwire_codegen::diagnostics::Code;
use agentwire_tests::small::{Small, declaration, object, to};
use expect_test::expect;
use serde_json::{Value, json};

use super::{declares, declares_alike};

fn text() -> Value {
    json!({"type": "string"})
}

/// A message with constants and members of its own.
fn message(constants: &[(&str, &str)], required: &[&str], members: Value) -> Value {
    let mut properties = members;
    let mut names: Vec<&str> = required.to_vec();
    for (name, value) in constants {
        properties[*name] = json!({"const": value});
        names.push(name);
    }
    object(&names, properties)
}

/// `said`, and `note` with two subtypes.
fn messages() -> Value {
    json!({
        "Event": {"anyOf": [to("Said"), to("NoteOpen"), to("NoteShut")], "x-tag": ["type", "subtype"]},
        "Said": message(&[("type", "said")], &["text"], json!({"text": text()})),
        "NoteOpen": message(&[("type", "note"), ("subtype", "open")], &["by"], json!({"by": text()})),
        "NoteShut": message(&[("type", "note"), ("subtype", "shut")], &[], json!({})),
    })
}

const BY_SUBTYPE: &str = "[surface.\"tiny.event\".by]\nnote = \"subtype\"\n";

const ROWS: &str = "\"note:open\" = { rename = \"turn.started\" }\n\"note:shut\" = { drop = \"a test\" }\n\"said\" = { drop = \"a test\" }\n";

fn told_apart() -> Small {
    Small::new()
        .declared("1.0.0", messages())
        .sources(BY_SUBTYPE)
        .rows("tiny.event", ROWS)
}

/// The one error, with its code.
#[track_caller]
fn refused(small: &Small, code: Code) -> String {
    let found = small.diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, code, "{only:?}");
    only.message.clone()
}

#[test]
fn each_member_that_picks_is_a_union_of_its_own() {
    declares(
        &told_apart().code(),
        &[
            "pub enum Event",
            "pub enum EventNote",
            "pub struct NoteOpen",
        ],
        &expect![[r#"
            wire_union! { Event<'a> by "type" {
                inside "note" Note: EventNote<'a>,
                inside "said" Said: Said<'a>,
            }}
            wire_union! { EventNote<'a> by "subtype" {
                inside "open" Open: NoteOpen<'a>,
                inside "shut" Shut: NoteShut,
            }}
            wire_struct! { NoteOpen<'a> {
                "subtype" = "open";
                "type" = "note";
                field "by" by: Cow<'a, str>,
            }}
        "#]],
    );
}

#[test]
fn a_constant_is_written_and_not_kept() {
    let code = told_apart().code();
    let table = r#"    "subtype" = "open";
    "type" = "note";
    field "by" by: "#;
    assert!(code.contains(table), "{code}");
    // One that need not be there is a value like any other.
    let mut definitions = messages();
    definitions["Said"]["properties"]["mark"] = json!({"const": "loud"});
    let code = Small::new()
        .declared("1.0.0", definitions)
        .sources(BY_SUBTYPE)
        .rows("tiny.event", ROWS)
        .code();
    assert!(
        declaration(&code, "pub struct Said").contains("optional \"mark\" mark: Option<SaidMark")
    );
}

#[test]
fn an_unknown_tag_is_unrecognized_at_its_own_level() {
    let code = told_apart().code();
    let (_, map) = code.split_once("pub fn map(").unwrap();
    let (map, rest) = map.split_once("\n}\n").unwrap();
    assert!(map.contains("cx.unrecognized(SURFACE, unrecognized)"));
    assert!(map.contains("cx.unrecognized_below(SURFACE, \"note\", unrecognized)"));
    assert!(map.contains("mapping.note_open(cx, params)"));
    let (_, path) = rest.split_once("pub fn tag_path").unwrap();
    assert!(path.contains("Cow::Borrowed(\"note:open\")"));
    assert!(path.contains("format!(\"note:{}\", unrecognized.tag)"));
}

#[test]
fn a_variant_with_rows_below_needs_none_itself_and_each_below_needs_one() {
    let without = told_apart().rows(
        "tiny.event",
        &ROWS.replace("\"note:open\" = { rename = \"turn.started\" }\n", ""),
    );
    assert_eq!(
        refused(&without, Code::MissingRow),
        "the variant `note:open` of tiny.event has no row"
    );
    let with = told_apart().rows(
        "tiny.event",
        &format!("\"note\" = {{ drop = \"a test\" }}\n{ROWS}"),
    );
    assert_eq!(
        refused(&with, Code::StaleRow),
        "the row `note` belongs to no variant of tiny.event"
    );
}

/// The four ways in which one variant is told apart inside, with what their methods get.
#[test]
fn rows_follow_unions_enums_and_flags_inside_a_payload() {
    let definitions = json!({
        "Event": {"oneOf": [to("Stream")], "x-tag": ["type"]},
        "Stream": message(&[("type", "stream")], &["event"], json!({"event": to("Part")})),
        "Part": {"oneOf": [to("Delta"), to("End")], "x-tag": ["kind"]},
        "Delta": message(&[("kind", "delta")], &["at"], json!({"at": {"type": "number"}, "mode": {"enum": ["a", "b"]}})),
        "End": message(&[("kind", "end")], &[], json!({"last": {"type": "boolean"}})),
    });
    let rows: String = [
        "stream:delta",
        "stream:delta:a",
        "stream:delta:b",
        "stream:end",
        "stream:end+last",
    ]
    .iter()
    .map(|tag| format!("\"{tag}\" = {{ rename = \"turn.started\" }}\n"))
    .collect();
    let code = Small::new()
        .declared("1.0.0", definitions)
        .sources("[surface.\"tiny.event\".by]\nstream = \"event\"\n\"stream:delta\" = \"mode\"\n\"stream:end\" = \"last\"\n")
        .rows("tiny.event", &rows)
        .code();
    let (_, map) = code.split_once("pub fn map(").unwrap();
    let (map, _) = map.split_once("\n}\n").unwrap();
    expect![[r#"
        mapping: &mut impl Mapping, cx: &mut Cx<'_>, message: &Event<'_>) { match message { Event::Stream(params) =>
        { match &params.event { Part::Delta(event) =>
        { match &event.mode { Some(DeltaMode::A) =>
        { let payload = mapping.stream_delta_a(cx, params, event);
        Out::of(row::StreamDeltaA(())).emit(cx, payload);
        } Some(DeltaMode::B) =>
        { let payload = mapping.stream_delta_b(cx, params, event);
        Out::of(row::StreamDeltaB(())).emit(cx, payload);
        } None | Some(DeltaMode::Unrecognized(_)) =>
        { let payload = mapping.stream_delta(cx, params, event);
        Out::of(row::StreamDelta(())).emit(cx, payload);
        } } } Part::End(event) =>
        { match &event.last { Some(true) =>
        { let payload = mapping .stream_end_plus_last(cx, params, event);
        Out::of(row::StreamEndPlusLast(())).emit(cx, payload);
        } None | Some(false) =>
        { let payload = mapping.stream_end(cx, params, event);
        Out::of(row::StreamEnd(())).emit(cx, payload);
        } } } Part::Unrecognized(unrecognized) =>
        { cx.unrecognized_below(SURFACE, "stream", unrecognized) } } } Event::Unrecognized(unrecognized) => cx.unrecognized(SURFACE, unrecognized), }
    "#]].assert_eq(&flat(map));
}

/// The text without line breaks and runs of spaces.
fn flat(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!(
        "{}\n",
        words
            .join(" ")
            .replace("; ", ";\n")
            .replace("=> {", "=>\n{")
    )
}

#[test]
fn objects_that_nothing_tells_apart_are_one() {
    let definitions = json!({
        "Event": {"anyOf": [to("Said"), to("SaidAgain")], "x-tag": ["type"]},
        "Said": message(&[("type", "said")], &["text"], json!({"text": text(), "by": {"enum": ["me"]}, "from": {"type": ["string", "null"]}})),
        "SaidAgain": message(&[("type", "said")], &["again", "text", "from"], json!({"text": text(), "by": {"enum": ["me"]}, "from": {"type": ["string", "null"]}, "again": {"const": true, "type": "boolean"}})),
    });
    let small = Small::new()
        .declared("1.0.0", definitions.clone())
        .rows("tiny.event", "\"said\" = { drop = \"a test\" }\n");
    declares(
        &small.code(),
        &["pub struct EventSaid"],
        &expect![[r#"
            wire_struct! { EventSaid<'a> {
                "type" = "said";
                optional "again" again: Option<bool>,
                optional "by" by: Option<EventSaidBy>,
                patch "from" from: Option<Option<Cow<'a, str>>>,
                field "text" text: Cow<'a, str>,
            }}
        "#]],
    );
    let mut clash = definitions;
    clash["SaidAgain"]["properties"]["text"] = json!({"type": "boolean"});
    let small = Small::new()
        .declared("1.0.0", clash)
        .rows("tiny.event", "\"said\" = { drop = \"a test\" }\n");
    assert_eq!(
        refused(&small, Code::UnloweredSchema),
        "member `text` has two types in objects that nothing tells apart (at /definitions/Event)"
    );
}

#[test]
fn one_object_for_several_values_of_the_tag_keeps_it() {
    let mut definitions = messages();
    definitions["NoteShut"]["properties"]["subtype"] = json!({"enum": ["lost", "shut"]});
    let rows = ROWS.replace(
        "\"note:open\"",
        "\"note:lost\" = { drop = \"a test\" }\n\"note:open\"",
    );
    let code = Small::new()
        .declared("1.0.0", definitions)
        .sources(BY_SUBTYPE)
        .rows("tiny.event", &rows)
        .code();
    declares(
        &code,
        &["pub enum EventNote", "pub struct NoteShut"],
        &expect![[r#"
            wire_union! { EventNote<'a> by "subtype" {
                inside "lost" Lost: NoteShut,
                inside "open" Open: NoteOpen<'a>,
                inside "shut" Shut: NoteShut,
            }}
            wire_struct! { NoteShut {
                "type" = "note";
                field "subtype" subtype: NoteShutSubtype,
            }}
        "#]],
    );
}

#[test]
fn a_member_of_a_marked_union_without_the_tag_is_an_error() {
    let mut definitions = messages();
    definitions["Said"]["required"] = json!(["text"]);
    let small = Small::new()
        .declared("1.0.0", definitions)
        .sources(BY_SUBTYPE)
        .rows("tiny.event", ROWS);
    assert_eq!(
        refused(&small, Code::UnloweredSchema),
        "`type` picks among the others, and this one says no value for it (at /definitions/Event/anyOf/0)"
    );
}

/// `unknown` may be absent; known values do not close a text; an object of which nothing is known
/// is kept as it is; of the numbers, those that count are integers.
#[test]
fn what_types_mean_on_the_wire() {
    let definitions = json!({
        "Event": {"oneOf": [to("Said")], "x-tag": ["type"]},
        "Said": message(&[("type", "said")], &["any", "model", "open", "tokens", "share", "kept"], json!({
            "any": true,
            "model": {"type": "string", "x-known-values": ["small"]},
            "open": {"type": "object", "additionalProperties": true},
            "tokens": {"type": "number"},
            "input_tokens": {"type": ["number", "null"]},
            "share": {"type": "number"},
            "kept": {"type": ["string", "null"]},
        })),
    });
    let small = Small::new()
        .declared("1.0.0", definitions)
        .rows("tiny.event", "\"said\" = { drop = \"a test\" }\n");
    let deciding = |text: &str| small.clone().provider(text);
    let code = deciding("whole-numbers = [\"*tokens\"]\n").code();
    declares(
        &code,
        &["pub struct Said"],
        &expect![[r#"
            wire_struct! { Said<'a> {
                "type" = "said";
                optional "any" any: Option<Json<'a>>,
                optional "input_tokens" input_tokens: Option<i64>,
                field "kept" kept: Option<Cow<'a, str>>,
                field "model" model: Cow<'a, str>,
                field "open" open: Json<'a>,
                field "share" share: f64,
                field "tokens" tokens: i64,
            }}
        "#]],
    );
    let passed_on = deciding("passed-on = [\"Sai\"]\n").code();
    let line = "    optional \"kept\" kept: Option<Cow<'a, str>>,\n";
    assert!(
        declaration(&passed_on, "pub struct Said").contains(line),
        "{passed_on}"
    );
    for stale in [
        "whole-numbers = [\"seconds\"]\n",
        "passed-on = [\"Other\"]\n",
    ] {
        let message = refused(&deciding(stale), Code::StaleQuirk);
        assert!(
            message.ends_with("decides nothing in any version"),
            "{message}"
        );
    }
}

/// A version that declares less leaves a text where the other has a constant.
#[test]
fn a_constant_of_one_version_only_is_a_text() {
    let older = json!({
        "Event": {"oneOf": [to("Said")], "x-tag": ["type"]},
        "Said": message(&[("type", "said")], &[], json!({})),
    });
    let mut newer = older.clone();
    newer["Said"]["properties"]["role"] = json!({"const": "user"});
    newer["Said"]["required"] = json!(["role", "type"]);
    let codes: Vec<String> = [(&older, &newer), (&newer, &older)]
        .iter()
        .map(|(first, second)| {
            Small::new()
                .declared("1.0.0", (*first).clone())
                .declared("2.0.0", (*second).clone())
                .rows("tiny.event", "\"said\" = { drop = \"a test\" }\n")
                .code()
        })
        .collect();
    declares_alike(
        &codes,
        &["pub struct Said"],
        &expect![[r#"
            wire_struct! { Said<'a> {
                "type" = "said";
                optional "role" role: Option<Cow<'a, str>>,
            }}
        "#]],
    );
}

#[test]
fn texts_that_no_schema_lists_have_rows_by_what_begins_them() {
    let rows = "\"*\" = { rename = \"dynamic_tool_call\" }\n\"Bash\" = { rename = \"command_execution\" }\n\"mcp__*\" = { rename = \"mcp_tool_call\" }\n\"mcp__own__*\" = { drop = \"ours\" }\n";
    let small = |rows: &str| {
        let table = format!("surface = \"tiny.tool\"\ntarget = \"item-type\"\n\n[rows]\n{rows}");
        told_apart()
            .sources("[value.\"tiny.tool\"]\nprovider = \"tiny\"\ntexts = \"the names of tools\"\n")
            .file("contracts/mapping/tiny.tool.toml", &table)
    };
    let code = small(rows).code();
    let (_, function) = code.split_once("pub fn tool(").unwrap();
    let (function, _) = function.split_once("\n}\n").unwrap();
    expect![[r#"
        text: &str) -> Option<canonical::ItemType> {
            match text {
                "Bash" => Some(canonical::ItemType::CommandExecution),
                _ if text.starts_with("mcp__own__") => None,
                _ if text.starts_with("mcp__") => Some(canonical::ItemType::McpToolCall),
                _ => Some(canonical::ItemType::DynamicToolCall),
            }
    "#]]
    .assert_eq(&format!("{function}\n"));
    let without = rows.split_once('\n').unwrap().1;
    assert_eq!(
        refused(&small(without), Code::MissingRow),
        "no row of tiny.tool takes the texts that the others leave"
    );
    let inner = rows.replace("mcp__own__*", "mcp__*__own");
    assert_eq!(
        refused(&small(&inner), Code::BadRow),
        "`mcp__*__own` has a `*` that does not end it"
    );
}

#[test]
fn a_value_surface_speaks_of_a_type_or_of_texts() {
    for keys in ["", "type = \"Said\"\ntexts = \"tools\"\n"] {
        let small = told_apart()
            .sources(&format!("[value.\"tiny.tool\"]\nprovider = \"tiny\"\n{keys}"))
            .file("contracts/mapping/tiny.tool.toml", "surface = \"tiny.tool\"\ntarget = \"item-type\"\n\n[rows]\n\"*\" = { rename = \"plan\" }\n");
        assert_eq!(
            refused(&small, Code::BadSource),
            "`tiny.tool` must have either a `type` or `texts`"
        );
    }
}
