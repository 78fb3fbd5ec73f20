//! `sources.toml`: what binds schemas, surfaces and rows, and what happens where it does not fit.

use agentwire_codegen::diagnostics::Code;
use agentwire_tests::small::{Small, nothing, object, one_of, to};
use serde_json::{Value, json};

use crate::generation::objects::table;

fn base() -> Small {
    Small::around(object(&["a"], json!({"a": {"type": "string"}})), nothing())
}

/// The one diagnostic, which must have this code.
#[track_caller]
fn only(small: &Small, code: Code) -> String {
    let found = small.diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, code, "{only:?}");
    only.message.clone()
}

/// Requests with parameters by method.
fn requests(methods: &[&str]) -> Value {
    let mut definitions = json!({"Ask": {"oneOf": []}, "OpenResponse": object(&["ok"], json!({"ok": {"type": "boolean"}}))});
    for method in methods {
        let stem = method[..1].to_uppercase() + &method[1..];
        let params = format!("{stem}Params");
        let request = object(
            &["method", "params"],
            json!({"method": {"const": method}, "params": to(&params)}),
        );
        definitions["Ask"]["oneOf"]
            .as_array_mut()
            .unwrap()
            .push(request);
        definitions[params] = object(&[], json!({"x": {"type": "string"}}));
    }
    definitions
}

const ANSWERS: &str = "[surface.\"tiny.answer\"]\nprovider = \"tiny\"\nmodule = \"answer\"\nunion = \"Answer\"\nresults-of = \"Ask\"\n";

fn answers(methods: &[&str], listed: &str) -> Small {
    let mut definitions = requests(methods);
    definitions["Event"] =
        json!({"oneOf": [object(&["type"], json!({"type": {"const": "only"}}))]});
    let rows: String = methods
        .iter()
        .map(|method| format!("\"{method}\" = {{ drop = \"a test\" }}\n"))
        .collect();
    Small::new()
        .vendored("1.0.0", "stable", definitions)
        .sources(ANSWERS)
        .sources(listed)
        .rows("tiny.event", "\"only\" = { drop = \"a test\" }\n")
        .rows("tiny.answer", &rows)
}

#[test]
fn a_result_is_found_by_the_name_of_the_parameters() {
    let code = answers(&["open"], "").code();
    let line = "    content \"open\" Open: OpenResponse,\n";
    assert!(
        table(&code, "wire_message! { Answer").contains(line),
        "{code}"
    );
}

/// `unlisted-response`
#[test]
fn a_result_that_no_rule_finds_must_be_listed() {
    let message = only(&answers(&["close", "open"], ""), Code::BadSource);
    assert_eq!(message, "no naming rule finds the result type of `close`");
    let listed = "[surface.\"tiny.answer\".results]\nclose = \"OpenResponse\"\n";
    let code = answers(&["close", "open"], listed).code();
    let line = "    content \"close\" Close: OpenResponse,\n";
    assert!(
        table(&code, "wire_message! { Answer").contains(line),
        "{code}"
    );
}

/// `unlisted-response`
#[test]
fn a_listed_result_must_exist_and_be_asked_for() {
    let listed = "[surface.\"tiny.answer\".results]\nclose = \"CloseAnswer\"\n";
    let message = only(&answers(&["close", "open"], listed), Code::BadSource);
    assert_eq!(
        message,
        "the result of `close` is listed as `CloseAnswer`, which no schema defines"
    );
    let listed = "[surface.\"tiny.answer\".results]\nclose = \"OpenResponse\"\n";
    let message = only(&answers(&["open"], listed), Code::StaleQuirk);
    assert_eq!(
        message,
        "`results` of `Answer` lists `close`, which no version requests"
    );
}

#[test]
fn a_surface_of_no_known_provider_is_an_error() {
    let surface =
        "[surface.\"tinny.event\"]\nprovider = \"tinny\"\nmodule = \"event\"\nunion = \"Event\"\n";
    let small = base()
        .sources(surface)
        .rows("tinny.event", "\"only\" = { drop = \"a test\" }\n");
    assert!(only(&small, Code::BadSource).contains("`tinny`"));
}

#[test]
fn a_surface_over_something_else_than_a_union_is_an_error() {
    let small = base().value("tiny.value", "Value", "item-type", "");
    assert!(
        only(&small, Code::BadSource)
            .contains("`Value`, which `tiny.value` is bound to, is no union or text enum")
    );
    let small = base().value("tiny.value", "Missing", "item-type", "");
    assert!(only(&small, Code::BadSource).contains("`Missing`"));
}

#[test]
fn a_lift_that_names_no_known_place_is_an_error() {
    let small = base().sources("[surface.\"tiny.event\".lift]\nsession = [\"sessionId\"]\n");
    assert!(only(&small, Code::BadSource).contains("session"));
}

#[test]
fn a_lift_follows_members_whatever_their_names_in_code() {
    let payload = object(
        &[],
        json!({"threadId": {"type": "string"}, "thread_id": {"type": "string"}}),
    );
    let event = json!({"oneOf": [object(&["method", "params"], json!({"method": {"const": "only"}, "params": payload}))]});
    let code = Small::new()
        .vendored("1.0.0", "stable", json!({"Event": event}))
        .sources("[surface.\"tiny.event\".lift]\nthread = [\"threadId\"]\n")
        .rows("tiny.event", "\"only\" = { drop = \"a test\" }\n")
        .code();
    let dense: String = code.split_whitespace().collect();
    assert!(
        dense.contains("refs.thread=params.thread_id_camel.as_ref()"),
        "{code}"
    );
}

#[test]
fn a_table_without_a_surface_and_a_surface_without_a_table_are_errors() {
    let small = base().rows("tiny.other", "");
    assert!(
        only(&small, Code::BadSource)
            .contains("no surface or value surface is called `tiny.other`")
    );
    let small = base().sources(
        "[surface.\"tiny.other\"]\nprovider = \"tiny\"\nmodule = \"other\"\nunion = \"Event\"\n",
    );
    assert!(only(&small, Code::BadSource).contains("contracts/mapping/tiny.other.toml"));
}

#[test]
fn a_version_or_a_face_that_is_missing_is_an_error() {
    let sources = |versions: &str, faces: &str| {
        let text = format!(
            "[provider.tiny]\nversions = {versions}\nfaces = {faces}\n[surface.\"tiny.event\"]\nprovider = \"tiny\"\nmodule = \"event\"\nunion = \"Event\"\n"
        );
        base().file("schemas/sources.toml", &text)
    };
    let message = only(
        &sources("[\"1.0.0\", \"2.0.0\"]", "[\"stable\"]"),
        Code::BadSource,
    );
    assert_eq!(message, "tiny 2.0.0 is in the window but not vendored");
    let message = only(&sources("[]", "[\"stable\"]"), Code::BadSource);
    assert_eq!(message, "1.0.0 is vendored but not in the window of tiny");
    let message = only(
        &sources("[\"1.0.0\"]", "[\"stable\", \"experimental\"]"),
        Code::BadSource,
    );
    assert_eq!(
        message,
        "tiny 1.0.0 is vendored without its experimental face"
    );
    let message = only(
        &sources("[\"1.0.0\"]", "[\"experimental\"]"),
        Code::BadSource,
    );
    assert!(message.contains("stable"), "{message}");
}

#[test]
fn a_schema_that_is_no_json_is_named() {
    let found = base()
        .file("schemas/tiny/1.0.0/stable/schema.json", "{")
        .diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, Code::BadSource);
    assert!(
        only.to_line()
            .contains("schemas/tiny/1.0.0/stable/schema.json"),
        "{}",
        only.to_line()
    );
}

#[test]
fn the_table_of_a_surface_has_no_target_and_that_of_a_value_surface_has_no_split() {
    let table = "surface = \"tiny.event\"\ntarget = \"turn-state\"\n\n[rows]\n\"only\" = { rename = \"completed\" }\n";
    let small = base().file("contracts/mapping/tiny.event.toml", table);
    assert!(only(&small, Code::BadRow).contains("target"));
    let states = object(&["a"], json!({"a": {"enum": ["done", "left"]}}));
    let rows = "\"done\" = { rename = \"completed\" }\n\"left\" = { split = [\"cancelled\", \"failed\"] }\n";
    let small = Small::around(states, nothing()).value("tiny.state", "ValueA", "turn-state", rows);
    assert!(only(&small, Code::BadRow).contains("split"));
}

#[test]
fn a_value_surface_gives_one_function() {
    let states = object(&["a"], json!({"a": {"enum": ["done", "left"]}}));
    let rows = "\"done\" = { rename = \"completed\" }\n\"left\" = { drop = \"says nothing\" }\n";
    let code = Small::around(states, nothing())
        .value("tiny.state", "ValueA", "turn-state", rows)
        .code();
    assert!(
        code.contains("pub fn state(value: &super::ValueA) -> Option<canonical::TurnState> {"),
        "{code}"
    );
    assert!(
        code.contains("super::ValueA::Done => Some(canonical::TurnState::Completed),"),
        "{code}"
    );
    assert!(code.contains("super::ValueA::Left => None,"), "{code}");
}

#[test]
fn two_value_surfaces_whose_functions_would_have_one_name_are_a_collision() {
    let states = object(
        &["a", "b"],
        json!({"a": {"enum": ["done"]}, "b": {"enum": ["done"]}}),
    );
    let rows = "\"done\" = { rename = \"completed\" }\n";
    let small = Small::around(states, nothing())
        .value("tiny.a-b", "ValueA", "turn-state", rows)
        .value("tiny.a.b", "ValueB", "turn-state", rows);
    assert!(only(&small, Code::NameCollision).contains("`tiny.a-b`"));
}

#[test]
fn a_union_of_unions_is_bound_to_the_union_it_names() {
    let more = json!({"A": object(&["type"], json!({"type": {"const": "a"}}))});
    let small = Small::around(one_of(&["A"]), more).value(
        "tiny.value",
        "Value",
        "item-type",
        "\"a\" = { rename = \"plan\" }\n",
    );
    assert!(
        small
            .code()
            .contains("super::Value::A(_) => Some(canonical::ItemType::Plan),"),
        "{}",
        small.code()
    );
}

#[test]
fn what_tells_the_same_must_be_a_message() {
    let told = |remark: &str| {
        base().rows(
            "tiny.event",
            &format!("\"only\" = {{ rename = \"turn.started\", {remark} }}\n"),
        )
    };
    for remark in [
        "echo = \"only\"",
        "echo = \"only + only\"",
        "twin = \"only:inner\"",
    ] {
        assert!(told(remark).generate().is_ok(), "{remark}");
    }
    for (remark, wrong) in [
        ("echo = \"onyl\"", "`echo` of `only` names `onyl`"),
        ("echo = \"only | other\"", "`echo` of `only` names `other`"),
        ("twin = \"none:only\"", "`twin` of `only` names `none`"),
    ] {
        let message = only(&told(remark), Code::BadRow);
        assert!(message.contains(wrong), "{message}");
    }
}
