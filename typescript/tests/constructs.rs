//! The smallest declarations that show each construct, and what they are lowered to.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{lowered, one, problems};
use serde_json::{Value, json};

#[test]
fn objects_have_sorted_properties_and_what_may_be_left_out_is_not_required() {
    let schema = one(
        "interface Root { b: string; a?: number; c: boolean | undefined; readonly d: unknown; 'e-f': any; g?: never }",
    );
    let expected = json!({
        "properties": {
            "a": {"type": "number"}, "b": {"type": "string"}, "c": {"type": "boolean"}, "d": true, "e-f": true,
        },
        "required": ["b", "d", "e-f"],
        "type": "object",
    });
    assert_eq!(schema, expected);
}

#[test]
fn names_stay_references_and_an_alias_of_a_name_is_one() {
    let all = lowered("type Root = Other; interface Other { self?: Other; list: Other[] }");
    assert_eq!(all["Root"], json!({"$ref": "#/definitions/Other"}));
    assert_eq!(
        all["Other"]["properties"]["list"],
        json!({"items": {"$ref": "#/definitions/Other"}, "type": "array"})
    );
}

#[test]
fn interfaces_extend_and_merge() {
    let schema = one(
        "interface Base { id: string; kind: string } interface Root extends Omit<Base, 'nothing'> { kind: 'a' } interface Root { more: number }",
    );
    assert_eq!(schema["properties"]["kind"], json!({"const": "a"}));
    assert_eq!(schema["required"], json!(["id", "kind", "more"]));
}

#[test]
fn literals_become_constants_and_enums_and_null_joins_them() {
    assert_eq!(one("type Root = 'b' | 'a'"), json!({"enum": ["a", "b"]}));
    assert_eq!(one("type Root = 'a'"), json!({"const": "a"}));
    assert_eq!(one("type Root = 'a' | null"), json!({"enum": ["a", null]}));
    assert_eq!(
        one("type Root = 1 | 2.5 | -3"),
        json!({"enum": [-3, 1, 2.5], "type": "number"})
    );
    assert_eq!(one("type Root = true | false"), json!({"type": "boolean"}));
    assert_eq!(
        one("type Root = string | null"),
        json!({"type": ["string", "null"]})
    );
    assert_eq!(
        one("type Root = Other | null; interface Other { a: 1 }"),
        json!({"anyOf": [{"$ref": "#/definitions/Other"}, {"type": "null"}]})
    );
}

#[test]
fn a_text_swallows_its_literals_unless_it_is_an_open_enum() {
    assert_eq!(one("type Root = 'a' | string"), json!({"type": "string"}));
    let open = json!({"type": "string", "x-known-values": ["a", "b", "c"]});
    assert_eq!(one("type Root = 'b' | 'a' | 'c' | (string & {})"), open);
    assert_eq!(
        one("type Known = 'a' | 'b' | 'c'; type Root = Known | (string & Record<never, never>)"),
        open
    );
}

#[test]
fn unions_that_one_constant_tells_apart_are_exclusive() {
    let all = lowered(
        "type Root = A | B; interface A { type: 'a' } interface B { type: 'b' | 'c'; kind: 'same' }",
    );
    let expected = json!({
        "oneOf": [{"$ref": "#/definitions/A"}, {"$ref": "#/definitions/B"}],
        "x-tag": ["type"],
    });
    assert_eq!(all["Root"], expected);
}

#[test]
fn a_pair_of_constants_tells_apart_too_and_unions_in_unions_are_laid_flat() {
    let all = lowered(
        "type Root = Inner | C; type Inner = A | B;
         interface A { type: 's'; sub: 'a' } interface B { type: 's'; sub: 'b' } interface C { type: 'c' }",
    );
    assert_eq!(all["Root"]["x-tag"], json!(["type", "sub"]));
    assert_eq!(all["Root"]["oneOf"].as_array().unwrap().len(), 3);
    assert!(!all.contains_key("Inner"));
}

#[test]
fn what_constants_tell_apart_in_part_says_so() {
    let schema = one("type Root = { type: 'a'; x: 1 } | { type: 'a'; y: string } | { type: 'b' }");
    assert_eq!(schema["x-tag"], json!(["type"]));
    assert!(
        schema.get("anyOf").is_some() && schema.get("oneOf").is_none(),
        "{schema}"
    );
    let plain = one("type Root = { x: string } | number");
    assert_eq!(plain["anyOf"].as_array().unwrap().len(), 2);
    assert!(plain.get("x-tag").is_none());
}

#[test]
fn intersections_merge_and_distribute() {
    let schema = one("type Root = { a?: string; b: 1 } & { a: 'x' }");
    assert_eq!(schema["properties"]["a"], json!({"const": "x"}));
    assert_eq!(schema["required"], json!(["a", "b"]));
    let schema = one("type Root = { id: string } & ({ type: 'a' } | { type: 'b' })");
    let branches = schema["oneOf"].as_array().unwrap();
    assert!(
        branches
            .iter()
            .all(|branch| branch["required"] == json!(["id", "type"])),
        "{schema}"
    );
    // No value is in both.
    assert_eq!(
        one("type Root = ({ t: 'a' } & { t: 'b' }) | { t: 'c' }"),
        one("type Root = { t: 'c' }")
    );
}

#[test]
fn records_and_index_signatures() {
    let map = json!({"additionalProperties": {"type": "number"}, "type": "object"});
    assert_eq!(one("type Root = Record<string, number>"), map);
    assert_eq!(
        one("type Root = { [key: string]: number | undefined }"),
        map
    );
    let keyed = one("type Root = Partial<Record<'a' | 'b', string>>");
    assert_eq!(
        keyed,
        json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "type": "object"})
    );
}

#[test]
fn utility_types_are_worked_out() {
    let base = "interface Base { a: string; b?: number | null; c: boolean }";
    let required = |text: &str| one(&format!("{base} type Root = {text}"))["required"].clone();
    assert_eq!(required("Pick<Base, 'a' | 'b'>"), json!(["a"]));
    assert_eq!(required("Omit<Base, 'a'>"), json!(["c"]));
    assert_eq!(required("Required<Base>"), json!(["a", "b", "c"]));
    assert_eq!(required("Readonly<Partial<Base>>"), Value::Null);
    let of = |text: &str| {
        one(&format!(
            "{base} declare function f(x: string, y?: 1): Promise<Base['b']>; type Root = {text}"
        ))
    };
    assert_eq!(
        of("Exclude<'a' | 'b' | 'c', 'a'>"),
        json!({"enum": ["b", "c"]})
    );
    assert_eq!(
        of("Extract<'a' | 1 | 'c', string>"),
        json!({"enum": ["a", "c"]})
    );
    assert_eq!(of("NonNullable<Base['b']>"), json!({"type": "number"}));
    assert_eq!(
        of("Awaited<ReturnType<typeof f>>"),
        json!({"type": ["number", "null"]})
    );
    assert_eq!(of("Parameters<typeof f>[0]"), json!({"type": "string"}));
    assert_eq!(of("keyof Base"), json!({"enum": ["a", "b", "c"]}));
    assert_eq!(of("Uppercase<'ab'>"), json!({"const": "AB"}));
}

#[test]
fn mapped_types_keep_what_may_be_left_out_and_rename() {
    let schema = one(
        "interface Base { a: string | null; b?: number | null } type Root = { [K in keyof Base]: NonNullable<Base[K]> }",
    );
    assert_eq!(schema["required"], json!(["a"]));
    assert_eq!(schema["properties"]["b"], json!({"type": "number"}));
    let schema = one("type Root = { [K in 'a' | 'b' as `on_${K}`]?: K }");
    assert_eq!(schema["properties"]["on_a"], json!({"const": "a"}));
    assert!(schema.get("required").is_none());
    let schema = one(
        "interface Base { a?: string | undefined } type Root = { [K in keyof Base]-?: Base[K] }",
    );
    assert_eq!(schema["required"], json!(["a"]));
}

#[test]
fn conditional_types_distribute_and_infer() {
    let schema = one(
        "type Flat<T> = T extends string | number ? T : T extends Array<infer U> ? Flat<U>[] : T extends object ? { [K in keyof T]: Flat<T[K]> } : T;
         type Root = Flat<{ a: string[]; b?: { c: number | null } }>",
    );
    assert_eq!(
        schema["properties"]["a"],
        json!({"items": {"type": "string"}, "type": "array"})
    );
    assert_eq!(
        schema["properties"]["b"]["properties"]["c"],
        json!({"type": ["number", "null"]})
    );
    assert_eq!(schema.get("required"), Some(&json!(["a"])));
    let schema = one(
        "type Result<F> = F extends (...all: any[]) => infer R ? R : never; type Root = Result<(a: string) => 'yes'>",
    );
    assert_eq!(schema, json!({"const": "yes"}));
    // What is no parameter does not distribute.
    let schema = one("type Root = ('a' | 1) extends string ? 'text' : 'other'");
    assert_eq!(schema, json!({"const": "other"}));
}

#[test]
fn a_boolean_is_two_values_to_what_distributes() {
    let schema = one("type If<T> = T extends true ? 'yes' : 'no'; type Root = If<boolean>");
    assert_eq!(schema, json!({"enum": ["no", "yes"]}));
    assert_eq!(
        one("type Root = Exclude<boolean | 'a', true>"),
        one("type Root = 'a' | false")
    );
}

#[test]
fn picking_from_unions_and_open_objects_follows_the_language() {
    let union = "type U = { a: string; b: 1 } | { a?: number; c: 1 };";
    let schema = one(&format!("{union} type Root = Omit<U, 'x'>"));
    assert_eq!(schema["properties"].as_object().unwrap().len(), 1);
    assert!(schema.get("required").is_none(), "{schema}");
    let open = "interface O { [key: string]: unknown; a: string }";
    let schema = one(&format!("{open} type Root = Omit<O, 'a'>"));
    assert_eq!(
        schema,
        json!({"additionalProperties": true, "type": "object"})
    );
    let schema = one(&format!("{open} type Root = Pick<O, 'a'>"));
    assert_eq!(schema["required"], json!(["a"]));
}

#[test]
fn generics_are_inlined_with_their_defaults_and_recursive_ones_get_a_definition() {
    assert_eq!(
        one("type Box<T = string> = { value: T }; type Root = Box"),
        one("type Root = { value: string }")
    );
    let all = lowered(
        "interface Tree<T> { value: T; children: Tree<T>[] } type Root = { tree: Tree<string> }",
    );
    let reference = json!({"$ref": "#/definitions/Tree.1"});
    assert_eq!(all["Root"]["properties"]["tree"], reference);
    assert_eq!(all["Tree.1"]["properties"]["children"]["items"], reference);
}

#[test]
fn tuples_are_lists_with_bounds() {
    assert_eq!(one("type Root = [string, number?]")["minItems"], json!(1));
    assert_eq!(one("type Root = [string, number?]")["maxItems"], json!(2));
    let schema = one("type Root = [string, ...number[]]");
    assert_eq!(
        schema,
        json!({"additionalItems": {"type": "number"}, "items": [{"type": "string"}], "minItems": 1, "type": "array"})
    );
    let list = json!({"items": {"type": "string"}, "maxItems": 3, "minItems": 1, "type": "array"});
    assert_eq!(
        one("type Root = [string] | [string, string] | [a: string, b: string, c: string]"),
        list
    );
}

#[test]
fn template_texts_are_patterns_or_written_out() {
    assert_eq!(
        one("type Root = `a-${'x' | 'y'}`"),
        json!({"enum": ["a-x", "a-y"]})
    );
    assert_eq!(
        one("type Root = `a.${string}`"),
        json!({"pattern": "^a\\.([\\s\\S]*)$", "type": "string"})
    );
}

#[test]
fn enums_and_constants() {
    assert_eq!(
        one("declare enum Root { A = 'a', B = 'b' }"),
        json!({"enum": ["a", "b"]})
    );
    assert_eq!(
        one("declare enum Root { A, B = 5, C }"),
        json!({"enum": [0, 5, 6], "type": "number"})
    );
    let schema =
        one("declare const KINDS: readonly ['a', 'b']; type Root = (typeof KINDS)[number]");
    assert_eq!(schema, json!({"enum": ["a", "b"]}));
    assert_eq!(
        one("declare const NAME = 'x'; type Root = typeof NAME"),
        json!({"const": "x"})
    );
}

#[test]
fn functions_are_left_out() {
    let schema = one(
        "interface Root { a: string; call(x: number): void; then?: () => void; hook: (() => void) | null }",
    );
    assert_eq!(schema, one("interface Root { a: string }"));
}

#[test]
fn namespaces_hold_names_and_export_others() {
    let all = lowered(
        "declare namespace outer { interface In { a: 1 } namespace deep { type X = 'x' } }
         declare namespace core { export { Other as Thing } } interface Other { b: outer.deep.X }
         interface Root { one: outer.In; two: core.Thing }",
    );
    assert_eq!(
        all["Root"]["properties"]["one"],
        json!({"$ref": "#/definitions/outer.In"})
    );
    assert_eq!(
        all["Root"]["properties"]["two"],
        json!({"$ref": "#/definitions/Other"})
    );
    assert_eq!(all["outer.deep.X"], json!({"const": "x"}));
}

#[test]
fn zod_types_say_what_they_let_out() {
    let head = "import { z } from 'zod/v4'; declare const schema: ";
    let zod = |text: &str| one(&format!("{head}{text}; type Root = z.infer<typeof schema>"));
    let object = zod(
        "z.ZodObject<{ a: z.ZodOptional<z.ZodString>; b: z.ZodNullable<z.ZodEnum<{ x: 'x'; y: 'y' }>> }, z.core.$strip>",
    );
    let expected = json!({"properties": {"a": {"type": "string"}, "b": {"enum": ["x", "y", null]}}, "required": ["b"], "type": "object"});
    assert_eq!(object, expected);
    assert_eq!(
        zod("z.ZodObject<{}, z.core.$loose>"),
        json!({"additionalProperties": true, "type": "object"})
    );
    assert_eq!(
        zod("z.ZodObject<{}, z.core.$catchall<z.ZodNumber>>"),
        json!({"additionalProperties": {"type": "number"}, "type": "object"})
    );
    // Anything has room for nothing, and yet only what is optional may be left out.
    assert_eq!(
        zod(
            "z.ZodObject<{ a: z.ZodOptional<z.ZodUnknown>; b: z.ZodUnknown; c: z.ZodReadonly<z.ZodOptional<z.ZodAny>>; d: z.ZodUnion<readonly [z.ZodAny, z.ZodOptional<z.ZodString>]> }, z.core.$strip>"
        ),
        json!({"properties": {"a": true, "b": true, "c": true, "d": true}, "required": ["b"], "type": "object"})
    );
    assert_eq!(zod("z.ZodDefault<z.ZodArray<z.ZodUnion<readonly [z.ZodString, z.ZodNumber]>>>")["items"]["anyOf"].as_array().unwrap().len(), 2);
    // The third version says itself what an object lets out.
    assert_eq!(
        zod("z.ZodObject<{ a: z.ZodString }, 'strip', z.ZodTypeAny, { out: 1 }, { in: 1 }>")["required"],
        json!(["out"])
    );
    assert_eq!(
        zod("z.ZodRecord<z.ZodString, z.ZodUnknown>"),
        json!({"additionalProperties": true, "type": "object"})
    );
}

#[test]
fn nothing_becomes_anything_in_silence() {
    let cases = [
        (
            "interface Root { a: Missing }",
            "a.d.ts:1: in `Root`: `Missing` is declared nowhere",
        ),
        (
            "interface Root { a:\n Lost.Name }",
            "a.d.ts:2: in `Root`: `Name` is declared nowhere",
        ),
        (
            "declare class Thing {} interface Root { a: Thing }",
            "`Thing` has no meaning on a wire (it is a class)",
        ),
        (
            "interface Root { a: Date }",
            "`Date` has no meaning on a wire",
        ),
        (
            "import { X } from 'unread'; interface Root { a: X }",
            "the package of `unread` is not read",
        ),
        (
            "import { X } from './gone'; interface Root { a: X }",
            "`./gone` leads to no file",
        ),
        ("interface Root { a: bigint }", "`bigint` has no meaning"),
        (
            "type Root = Root | Root",
            "`Root` is defined by nothing but itself",
        ),
        (
            "type Root = { a: 1 }['b']",
            "the property `b`, which the type does not have",
        ),
        ("type Root = {", "cannot be read"),
        ("type Other = 1", "the root `Root` is not declared"),
        (
            "type Box<T> = T; type Root = Box",
            "`Box` without an argument",
        ),
        (
            "type Grow<T> = { next: Grow<T[]> }; type Root = Grow<1>",
            "nested this deep",
        ),
        (
            "import * as z from 'zod'; type Root = z.infer<z.ZodSurprise>",
            "the zod type `ZodSurprise`",
        ),
    ];
    for (text, part) in cases {
        let found = problems(text);
        assert!(
            found.contains(part),
            "{text}\n  expected {part}\n  found {found}"
        );
    }
}
