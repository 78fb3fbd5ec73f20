//! Integers with a meaning each, and what they are called.

use agentwire_codegen::diagnostics::Code;
use agentwire_tests::small::{Small, object, to};
use expect_test::expect;
use serde_json::{Value, json};

use crate::generation::declares;

/// A protocol with two codes; `names` is what sources.toml says about them.
fn small(names: &str) -> Small {
    let code = |number: i64| json!({"const": number, "type": "integer"});
    let codes: Vec<Value> = [-5, 7].map(code).into_iter().collect();
    let codes = [codes, vec![json!({"type": "integer"})]].concat();
    let rows = "\"-5\" = { rename = \"unknown\" }\n\"7\" = { rename = \"provider_error\" }\n";
    let listed = format!("[value.\"tiny.code\".names]\n{names}");
    Small::around(
        object(&["code"], json!({"code": to("Code")})),
        json!({"Code": {"anyOf": codes}}),
    )
    .value("tiny.code", "Code", "error-class", rows)
    .sources(if names.is_empty() { "" } else { &listed })
}

fn only(names: &str, code: Code) -> String {
    let found = small(names).diagnostics();
    let [only] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(only.code, code, "{only:?}");
    only.message.clone()
}

#[test]
fn a_code_is_called_after_its_digits_or_as_sources_say() {
    declares(
        &small("").code(),
        &["pub enum Code"],
        &expect![[r#"
        pub enum Code {
            Minus5,
            N7,
            Unrecognized(i64),
        }
    "#]],
    );
    let named = small("\"-5\" = \"no_such_thing\"\n").code();
    declares(
        &named,
        &["pub enum Code"],
        &expect![[r#"
        pub enum Code {
            NoSuchThing,
            N7,
            Unrecognized(i64),
        }
    "#]],
    );
    assert!(named.contains("Code::NoSuchThing => Some(canonical::ErrorClass::Unknown)"));
    assert!(named.contains("-5i64 => Self::NoSuchThing"));
}

#[test]
fn a_name_must_be_of_a_code_that_some_version_has() {
    let message = only("\"8\" = \"other\"\n", Code::StaleQuirk);
    assert_eq!(
        message,
        "`names` of `tiny.code` has `8`, which no version has"
    );
}

#[test]
fn two_codes_have_two_names() {
    let message = only(
        "\"-5\" = \"other\"\n\"7\" = \"other\"\n",
        Code::NameCollision,
    );
    assert!(message.starts_with("of the names, "), "{message}");
}

#[test]
fn only_codes_have_names() {
    let texts = Small::around(
        object(&["word"], json!({"word": to("Word")})),
        json!({"Word": {"type": "string", "enum": ["a"]}}),
    )
    .value(
        "tiny.word",
        "Word",
        "error-class",
        "\"a\" = { rename = \"unknown\" }\n",
    )
    .sources("[value.\"tiny.word\".names]\na = \"b\"\n");
    let found = texts.diagnostics();
    assert_eq!(found[0].code, Code::BadSource);
    assert_eq!(
        found[0].message,
        "`names` of `tiny.word` are for integers, which `Word` is not"
    );
}
