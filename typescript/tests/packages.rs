//! Names that are followed through files and packages, and decisions.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::BTreeMap;

use agentwire_typescript::dump;
use agentwire_typescript::request::{Package, Request};
use common::{definitions, files, request};
use serde_json::{Value, json};

/// The request, with the package `parts` read as `p`.
fn with_parts() -> Request {
    let parts = Package {
        name: "@acme/parts".to_owned(),
        alias: "p".to_owned(),
        ..Package::default()
    };
    Request {
        externals: vec![parts],
        ..request()
    }
}

fn of_parts(all: [(&str, &str); 4], import: &str) -> BTreeMap<String, Value> {
    let mut texts = files(all);
    let text =
        format!("import type {{ Part }} from '{import}'; export interface Root {{ part: Part }}");
    texts.insert("acme/a.d.ts".to_owned(), text);
    definitions(&dump(&with_parts(), &texts).unwrap())
}

#[test]
fn imports_lead_through_exports_of_packages_and_files() {
    let manifest = r#"{"exports": {".": {"types": "./index.d.mts"}, "./*": {"types": "./gone/*.d.ts", "import": "./dist/*"}}}"#;
    let all = [
        ("@acme/parts/package.json", manifest),
        (
            "@acme/parts/index.d.mts",
            "export * from './dist/types.mjs';",
        ),
        (
            "@acme/parts/dist/types.d.mts",
            "export { type Inner as Part } from './inner.mjs';",
        ),
        (
            "@acme/parts/dist/inner.d.mts",
            "export interface Inner { a: 1 }",
        ),
    ];
    // The condition `types` of the second key leads to no file, so the next one counts.
    for import in ["@acme/parts", "@acme/parts/types.mjs"] {
        let definitions = of_parts(all, import);
        assert_eq!(
            definitions["Root"]["properties"]["part"],
            json!({"$ref": "#/definitions/p.Inner"})
        );
        assert_eq!(definitions["p.Inner"]["required"], json!(["a"]));
    }
}

#[test]
fn a_package_without_exports_states_its_types() {
    let all = [
        (
            "@acme/parts/package.json",
            r#"{"types": "types/main.d.ts"}"#,
        ),
        (
            "@acme/parts/types/main.d.ts",
            "import * as deep from './deep'; export type Part = deep.ns.Part;",
        ),
        (
            "@acme/parts/types/deep/index.d.ts",
            "export declare namespace ns { export { type Real as Part } } interface Real { b: 2 }",
        ),
        (
            "@acme/parts/other.d.ts",
            "export default Part; interface Part { c: 3 }",
        ),
    ];
    let definitions = of_parts(all, "@acme/parts");
    assert_eq!(
        definitions["p.Part"],
        json!({"$ref": "#/definitions/p.Real"})
    );
    let definitions = of_parts(all, "@acme/parts/types/main.js");
    assert_eq!(definitions["p.Real"]["required"], json!(["b"]));
}

#[test]
fn decisions_are_applied_and_named() {
    let mut request = request();
    request.decisions.undeclared.insert(
        "Lost".to_owned(),
        BTreeMap::from([("type".to_owned(), "lost".to_owned())]),
    );
    request
        .decisions
        .undeclared
        .insert("Unused".to_owned(), BTreeMap::new());
    request.decisions.opaque.insert("Signal".to_owned());
    let text = "declare class Signal {} interface Known { type: 'known'; signal?: Signal } type Root = Lost | Known;";
    let made = dump(&request, &files([("acme/a.d.ts", text)])).unwrap();
    let decisions: Vec<&str> = made.decisions.iter().map(String::as_str).collect();
    assert_eq!(decisions, ["opaque Signal", "undeclared Lost"]);
    let definitions = definitions(&made);
    assert_eq!(definitions["Root"]["x-tag"], json!(["type"]));
    let lost =
        json!({"properties": {"type": {"const": "lost"}}, "required": ["type"], "type": "object"});
    assert_eq!(definitions["Lost"], lost);
    assert_eq!(definitions["Signal"], json!(true));

    // Without constants no value is told by it.
    request
        .decisions
        .undeclared
        .insert("Lost".to_owned(), BTreeMap::new());
    let made = dump(&request, &files([("acme/a.d.ts", text)])).unwrap();
    assert_eq!(common::definitions(&made)["Lost"], json!(false));
}

#[test]
fn functions_are_roots_by_what_they_take_and_give() {
    let mut request = request();
    request.roots[0].types = vec!["Ask()".to_owned(), "Ask*Result".to_owned()];
    let text = "type Ask = (tool: string, more: { id: AskId }) => Promise<AskOneResult | null>; type AskId = 'x'; type AskOneResult = 'yes'; type AskTwoResult = 'no';";
    let definitions = definitions(&dump(&request, &files([("acme/a.d.ts", text)])).unwrap());
    let names: Vec<&str> = definitions.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "Ask.arguments",
            "Ask.result",
            "AskId",
            "AskOneResult",
            "AskTwoResult"
        ]
    );
    assert_eq!(definitions["Ask.arguments"]["minItems"], json!(2));
}

#[test]
fn two_declarations_of_one_name_are_an_error() {
    let mut request = request();
    request.roots[0].types = vec!["Root".to_owned()];
    let text = "import { Same as Other } from './b'; interface Same { a: 1 } interface Root { one: Same; two: Other }";
    let texts = files([
        ("acme/a.d.ts", text),
        ("acme/b.d.ts", "export interface Same { b: 2 }"),
    ]);
    let problems = dump(&request, &texts).unwrap_err();
    let said = problems[0].to_string();
    assert!(
        said.contains("`Same` is declared here and in acme/"),
        "{said}"
    );
}

#[test]
fn the_dump_is_the_same_whatever_the_order_and_fits_its_width() {
    let one = "export type Root = B | A; interface A { type: 'a'; long: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa' | 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb' | 'cccccccccccccccccc' } interface B { type: 'b' }";
    let two = "export type Root = A | B; /** Prose. */ interface B { type: 'b' } interface A { /** More. */ long: 'cccccccccccccccccc' | 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa' | 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'; type: 'a' }";
    let dumped = |text| {
        dump(&request(), &files([("acme/a.d.ts", text)]))
            .unwrap()
            .text
    };
    assert_eq!(dumped(one), dumped(two));
    assert!(
        dumped(one).lines().all(|line| line.len() <= 100),
        "{}",
        dumped(one)
    );
    assert!(
        dumped(one).contains("\n  \"B\": {\"properties\": {\"type\": {\"const\": \"b\"}}"),
        "{}",
        dumped(one)
    );
}
