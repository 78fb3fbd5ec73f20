//! Merging: several versions and faces become one set of types.

use agentwire_codegen::diagnostics::Code;
use agentwire_tests::small::{Small, declaration, nothing, object, to};
use expect_test::expect;
use serde_json::{Value, json};

use crate::generation::declares;

const DROPPED: &str = "\"only\" = { drop = \"a test\" }\n";

/// The type `Value` in two versions.
fn versions(old: Value, new: Value) -> Small {
    Small::new()
        .around_in("1.0.0", old, nothing())
        .around_in("2.0.0", new, nothing())
        .rows("tiny.event", DROPPED)
}

/// A generated declaration with its doc comments.
fn documented(code: &str, head: &str) -> String {
    let name = head.rsplit(' ').next().unwrap_or(head);
    let begins = |line: &&str| {
        let table = line
            .strip_prefix("wire_")
            .and_then(|it| it.split_once("! { "));
        let rest = table.and_then(|(_, rest)| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with([' ', '<']))
    };
    let mut lines = code.lines().skip_while(|line| !begins(line));
    let mut text = format!("{}\n", lines.next().unwrap());
    for line in lines {
        text.push_str(&format!("{line}\n"));
        if line.starts_with("}}") {
            break;
        }
    }
    text
}

#[test]
fn members_by_union_and_required_by_intersection() {
    let small = versions(
        object(
            &["a", "b"],
            json!({"a": {"type": "string"}, "b": {"type": "string"}}),
        ),
        object(
            &["a", "c"],
            json!({"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}),
        ),
    );
    expect![[r#"
        wire_struct! { Value<'a> {
            field "a" a: Cow<'a, str>,
            optional "b" b: Option<Cow<'a, str>>,
            optional "c" c: Option<Cow<'a, str>> ["since 2.0.0"],
        }}
    "#]]
    .assert_eq(&documented(&small.code(), "pub struct Value"));
}

#[test]
fn every_member_says_where_it_was_seen_and_on_which_face() {
    let members = |names: &[&str]| {
        let properties: serde_json::Map<String, Value> = names
            .iter()
            .map(|name| ((*name).to_owned(), json!({"type": "string"})))
            .collect();
        let event = json!({"oneOf": [object(&["type", "value"], json!({"type": {"const": "only"}, "value": to("Value")}))]});
        json!({"Event": event, "Value": object(&[], Value::Object(properties))})
    };
    let small = Small::new()
        .vendored("1.0.0", "stable", members(&["always", "old"]))
        .vendored(
            "1.0.0",
            "experimental",
            members(&["always", "old", "trial", "promoted"]),
        )
        .vendored("2.0.0", "stable", members(&["always", "promoted"]))
        .vendored(
            "2.0.0",
            "experimental",
            members(&["always", "promoted", "trial"]),
        )
        .vendored("3.0.0", "stable", members(&["always", "old", "promoted"]))
        .vendored(
            "3.0.0",
            "experimental",
            members(&["always", "old", "promoted", "newest"]),
        )
        .rows("tiny.event", DROPPED);
    expect![[r#"
        wire_struct! { Value<'a> {
            optional "always" always: Option<Cow<'a, str>>,
            optional "newest" newest: Option<Cow<'a, str>> ["since 3.0.0, experimental"],
            optional "old" old: Option<Cow<'a, str>> ["in 1.0.0, 3.0.0"],
            optional "promoted" promoted: Option<Cow<'a, str>> ["in every version"],
            optional "trial" trial: Option<Cow<'a, str>> ["until 2.0.0, experimental"],
        }}
    "#]]
    .assert_eq(&documented(&small.code(), "pub struct Value"));
}

#[test]
fn values_and_variants_by_union() {
    let small = versions(json!({"enum": ["a", "b"]}), json!({"enum": ["b", "c"]}));
    expect![[r#"
        wire_text! { Value {
            A "a" ["until 1.0.0"],
            B "b",
            C "c" ["since 2.0.0"],
        }}
    "#]]
    .assert_eq(&documented(&small.code(), "pub enum Value"));
    let variant = |tag: &str| {
        object(
            &["type", "x"],
            json!({"type": {"const": tag}, "x": {"type": "string"}}),
        )
    };
    let small = versions(
        json!({"oneOf": [variant("a"), variant("b")]}),
        json!({"oneOf": [variant("b"), variant("c")]}),
    );
    expect![[r#"
        wire_union! { Value<'a> by "type" {
            beside "a" A: ValueA<'a> ["until 1.0.0"],
            beside "b" B: ValueB<'a>,
            beside "c" C: ValueC<'a> ["since 2.0.0"],
        }}
    "#]]
    .assert_eq(&documented(&small.code(), "pub enum Value"));
}

#[test]
fn a_variant_that_one_version_has_needs_its_row() {
    let event = |tags: &[&str]| {
        let variants: Vec<Value> = tags
            .iter()
            .map(|tag| object(&["type"], json!({"type": {"const": tag}})))
            .collect();
        json!({"Event": {"oneOf": variants}})
    };
    let errors = Small::new()
        .vendored("1.0.0", "stable", event(&["only", "retired"]))
        .vendored("2.0.0", "stable", event(&["only"]))
        .rows("tiny.event", DROPPED)
        .errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(
        errors[0].contains("missing-row: the variant `retired` of tiny.event has no row"),
        "{errors:?}"
    );
}

#[test]
fn a_type_that_changed_is_widened_where_one_holds_the_other() {
    let pairs = [
        (
            json!({"type": "integer", "format": "uint32"}),
            json!({"type": "integer", "format": "int64"}),
            "Option<i64>",
        ),
        (
            json!({"type": "integer"}),
            json!({"type": "number"}),
            "Option<f64>",
        ),
        (
            json!({"type": "string"}),
            json!({"type": ["string", "null"]}),
            "Option<Cow<'a, str>>",
        ),
        (json!({"type": "string"}), json!(true), "Option<Json<'a>>"),
        (
            json!({"type": "string"}),
            json!({"enum": ["a"]}),
            "Option<ValueA>",
        ),
    ];
    for (old, new, expected) in pairs {
        for (first, second) in [(&old, &new), (&new, &old)] {
            let members = |schema: &Value| object(&[], json!({"a": schema}));
            let code = versions(members(first), members(second)).code();
            let text = declaration(&code, "pub struct Value");
            let line = format!(" a: {expected}");
            let ends = [",", " ["].map(|end| text.contains(&format!("{line}{end}")));
            assert!(ends.contains(&true), "{text}");
        }
    }
}

#[test]
fn a_type_that_changed_past_widening_is_a_conflict_said_once() {
    let member = |schema: Value| object(&[], json!({"a": schema}));
    let event = json!({"oneOf": [object(&["type", "value"], json!({"type": {"const": "only"}, "value": to("Value")}))]});
    let both = |schema: Value| json!({"Event": event, "Value": member(schema)});
    let found = Small::new()
        .vendored("1.0.0", "stable", both(json!({"type": "boolean"})))
        .vendored("1.0.0", "experimental", both(json!({"type": "boolean"})))
        .vendored("2.0.0", "stable", both(json!({"type": "string"})))
        .vendored("2.0.0", "experimental", both(json!({"type": "string"})))
        .rows("tiny.event", DROPPED)
        .diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        (only.code, only.message.as_str()),
        (
            Code::MergeConflict,
            "`Value.a` was a boolean and became a text"
        )
    );
    assert!(
        only.primary
            .as_ref()
            .unwrap()
            .0
            .file
            .path()
            .contains("/2.0.0/stable/")
    );
    assert!(only.secondary[0].0.file.path().contains("/1.0.0/"));
}

#[test]
fn a_shape_that_changed_is_a_conflict_said_once() {
    let event = json!({"oneOf": [object(&["type", "value"], json!({"type": {"const": "only"}, "value": to("Value")}))]});
    let both = |value: Value| json!({"Event": event, "Value": value});
    let (old, new) = (
        object(&["x"], json!({"x": {"type": "string"}})),
        json!({"enum": ["x"]}),
    );
    let found = Small::new()
        .vendored("1.0.0", "stable", both(old.clone()))
        .vendored("1.0.0", "experimental", both(old))
        .vendored("2.0.0", "stable", both(new.clone()))
        .vendored("2.0.0", "experimental", both(new))
        .rows("tiny.event", DROPPED)
        .diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(
        only.message,
        "`Value` was an object and became a set of texts"
    );
}

#[test]
fn an_arm_that_asks_for_more_is_tried_first_also_when_it_is_newer() {
    let text = json!({"type": "string"});
    let path = object(&["path"], json!({"path": {"type": "string"}}));
    let line = object(
        &["path", "line"],
        json!({"path": {"type": "string"}, "line": {"type": "integer"}}),
    );
    let code = versions(
        json!({"anyOf": [text, path]}),
        json!({"anyOf": [text, path, line]}),
    )
    .code();
    let of = |arm: &str| {
        code.find(&format!("Self::{arm}(Wire::read(reader)?)"))
            .unwrap()
    };
    assert!(of("Line") < of("Path"), "{code}");
}

#[test]
fn arms_of_two_versions_that_nothing_tells_apart_are_a_conflict() {
    let arm = |name: &str| {
        json!({"Event": {"oneOf": [object(&["type", "value"], json!({"type": {"const": "only"}, "value": to("Value")}))]},
        name: {"type": "string"}, "Value": {"anyOf": [to(name), {"type": "boolean"}]}})
    };
    let found = Small::new()
        .vendored("1.0.0", "stable", arm("Old"))
        .vendored("2.0.0", "stable", arm("New"))
        .rows("tiny.event", DROPPED)
        .diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, Code::MergeConflict);
    assert!(only.message.contains("`Old` and `New`"), "{}", only.message);
}

#[test]
fn a_text_that_gained_a_payload_is_still_written_as_a_text() {
    let old = json!({"enum": ["approved", "denied"]});
    let new = json!({"oneOf": [{"enum": ["approved"]}, object(&["denied"], json!({"denied": {"type": "string"}}))]});
    let code = versions(old, new).code();
    declares(
        &code,
        &["pub enum Value"],
        &expect![[r#"
            wire_external! { Value<'a> {
                text "approved" Approved,
                either "denied" Denied: Option<Cow<'a, str>>,
            }}
        "#]],
    );
}

#[test]
fn null_that_a_payload_may_be_is_written_as_sent() {
    let value = json!({"oneOf": [{"enum": ["running"]}, object(&["completed"], json!({"completed": {"type": ["string", "null"]}}))]});
    let code = Small::around(value, nothing()).code();
    let line = "    nullable \"completed\" Completed: Option<Cow<'a, str>>,\n";
    assert!(code.contains(line), "{code}");
}

#[test]
fn null_and_absence_stay_apart_where_versions_mean_either() {
    let nullable = json!({"a": {"type": ["string", "null"]}});
    let small = versions(object(&["a"], nullable.clone()), object(&[], nullable));
    expect![[r#"
        wire_struct! { Value<'a> {
            patch "a" a: Option<Option<Cow<'a, str>>>,
        }}
    "#]]
    .assert_eq(&documented(&small.code(), "pub struct Value"));
}
