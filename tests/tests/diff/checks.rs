//! Each check, sent and accepted, on the smallest schema that shows it.

use std::fs;

use agentwire_tests::root;
use agentwire_upkeep::diff::{Check, Class, Diff, Direction, Verdict, compare, text};
use expect_test::expect_file;
use serde_json::{Value, json};

use crate::diff::small::{ACCEPTED, SENT, diff, faces, object, to};

/// A message with one member.
fn with(thing: Value) -> Value {
    json!({"Message": object(&["thing"], json!({"thing": thing}))})
}

fn tagged(tags: &[&str]) -> Value {
    let variants: Vec<Value> = tags
        .iter()
        .map(|tag| {
            object(
                &["type", "moon"],
                json!({"type": {"const": tag}, "moon": {"type": "string"}}),
            )
        })
        .collect();
    json!({"oneOf": variants})
}

fn requests(params: &str, result: &str) -> Value {
    let request = object(
        &["method", "params"],
        json!({"method": {"const": "moon/rise"}, "params": to(params)}),
    );
    let mut all = json!({
        "Message": {"oneOf": [request]},
        "MoonParams": object(&["phase"], json!({"phase": {"type": "string"}})),
        "TideParams": object(&["phase", "depth"], json!({"phase": {"type": "string"}, "depth": {"type": "integer"}})),
    });
    let results = all.as_object_mut().unwrap();
    results.insert(
        result.to_owned(),
        object(&["height"], json!({"height": {"type": "integer"}})),
    );
    all
}

/// The definitions before and after, and what says which way they go: nothing for the usual.
type Case = (Value, Value, Option<[&'static str; 2]>);

fn usual(old: Value, new: Value) -> Case {
    (with(old), with(new), None)
}

const RESULTS: [&str; 2] = [
    "[provider.tiny]\nversions = []\nfaces = []\n[surface.\"tiny.result\"]\nprovider = \"tiny\"\nmodule = \"m\"\nunion = \"Result\"\nresults-of = \"Message\"\n[surface.\"tiny.result\".results]\n\"moon/rise\" = \"RiseResult\"\n",
    "[provider.tiny]\nversions = []\nfaces = []\n[wire.tiny]\nsends = [\"Message\"]\n[union.\"tiny.Answer\"]\nprovider = \"tiny\"\nmodule = \"m\"\nresults-of = \"Message\"\n[union.\"tiny.Answer\".results]\n\"moon/rise\" = \"RiseResult\"\n",
];

/// The smallest schemas between which a check finds something.
#[allow(clippy::too_many_lines)]
fn case(check: Check) -> Case {
    let string = || json!({"type": "string"});
    let integer = |format: &str| json!({"type": "integer", "format": format});
    let values = |values: &[&str]| json!({"type": "string", "enum": values});
    let two = |required: &[&str]| object(required, json!({"near": string(), "far": string()}));
    let one = object(&["near"], json!({"near": string()}));
    let beside = |more: Value| {
        let mut union = tagged(&["new", "full"]);
        if !more.is_null() {
            union["properties"] = more;
        }
        union
    };
    match check {
        Check::VariantAdded => usual(tagged(&["new", "full"]), tagged(&["new", "full", "dark"])),
        Check::VariantRemoved => usual(tagged(&["new", "full", "dark"]), tagged(&["new", "full"])),
        Check::EnumValueAdded => usual(values(&["new"]), values(&["new", "full"])),
        Check::EnumValueRemoved => usual(values(&["new", "full"]), values(&["new"])),
        Check::Opened => usual(
            values(&["new"]),
            json!({"anyOf": [values(&["new"]), string()]}),
        ),
        Check::Closed => usual(
            json!({"anyOf": [values(&["new"]), string()]}),
            values(&["new"]),
        ),
        Check::FieldAdded => usual(one, two(&["near"])),
        Check::RequiredFieldAdded => usual(one, two(&["near", "far"])),
        Check::FieldRemoved => usual(two(&["near"]), one),
        Check::RequiredFieldRemoved => usual(two(&["near", "far"]), one),
        Check::BecameOptional => usual(two(&["near", "far"]), two(&["near"])),
        Check::BecameRequired => usual(two(&["near"]), two(&["near", "far"])),
        Check::TypeChanged => usual(string(), json!({"type": "boolean"})),
        Check::TypeWidened => usual(json!({"type": "integer"}), json!({"type": "number"})),
        Check::TypeNarrowed => usual(json!({"type": ["integer", "string"]}), string()),
        Check::Retargeted => {
            let definitions = |name: &str| {
                json!({
                    "Message": object(&[], json!({"thing": to(name), "moon": to("Moon"), "tide": to("Tide")})),
                    "Moon": object(&[], json!({"phase": string()})),
                    "Tide": object(&["phase"], json!({"phase": string()})),
                })
            };
            (definitions("Moon"), definitions("Tide"), None)
        }
        Check::FormatChanged => usual(integer("uint32"), integer("int32")),
        Check::FormatWidened => usual(integer("int32"), integer("int64")),
        Check::FormatNarrowed => usual(integer("int64"), integer("uint8")),
        Check::BecameNullable => usual(string(), json!({"type": ["string", "null"]})),
        Check::BecameNonNull => usual(json!({"anyOf": [string(), {"type": "null"}]}), string()),
        Check::ConstraintTightened => usual(
            json!({"type": "integer", "minimum": 0}),
            json!({"type": "integer", "minimum": 1}),
        ),
        Check::ConstraintLoosened => usual(
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "properties": {}}),
        ),
        Check::ConstraintChanged => usual(
            json!({"type": "string", "pattern": "^a"}),
            json!({"type": "string", "pattern": "^b"}),
        ),
        Check::DefaultChanged => usual(
            json!({"type": "integer", "default": 1}),
            json!({"type": "integer", "default": 2}),
        ),
        Check::UnionTagged | Check::UnionUntagged => {
            let mut loose = tagged(&["new", "full"]);
            loose["oneOf"][1]["required"] = json!(["moon"]);
            if check == Check::UnionTagged {
                usual(loose, tagged(&["new", "full"]))
            } else {
                usual(tagged(&["new", "full"]), loose)
            }
        }
        Check::UnionTagChanged => {
            let union = |tag: &str| {
                let variant = |name: &str| {
                    object(&[tag, name], json!({tag: {"const": name}, name: string()}))
                };
                json!({"oneOf": [variant("new"), variant("full")]})
            };
            usual(union("type"), union("kind"))
        }
        Check::CommonFieldAdded => {
            usual(beside(Value::Null), beside(json!({"at": integer("int64")})))
        }
        Check::CommonFieldRemoved => {
            usual(beside(json!({"at": integer("int64")})), beside(Value::Null))
        }
        Check::MethodParamsChanged => (
            requests("MoonParams", "MoonResponse"),
            requests("TideParams", "MoonResponse"),
            None,
        ),
        Check::MethodResultChanged => {
            let mut old = requests("MoonParams", "MoonResponse");
            old["RiseResult"] = object(
                &["height", "at"],
                json!({"height": string(), "at": string()}),
            );
            let mut new = requests("MoonParams", "MoonResponse");
            new.as_object_mut().unwrap().remove("RiseResult");
            (old, new, Some(RESULTS))
        }
        Check::SurfaceAdded | Check::SurfaceRemoved => {
            let other = json!({"Other": string()});
            let mut both = with(string());
            both["Other"] = string();
            if check == Check::SurfaceAdded {
                (other, both, None)
            } else {
                (both, other, None)
            }
        }
        Check::DefinitionMoved => {
            let moon = object(&[], json!({"phase": string()}));
            (
                json!({"Message": object(&[], json!({"moon": to("Moon"), "moons": to("Moon")})), "Moon": moon}),
                json!({"Message": object(&[], json!({"moon": to("sky/Moon"), "moons": to("sky/Moon")})), "sky": {"Moon": moon}}),
                None,
            )
        }
        Check::DefinitionRenamed => {
            let moon = object(&[], json!({"phase": string()}));
            (
                json!({"Message": object(&[], json!({"moon": to("Moon")})), "Moon": moon}),
                json!({"Message": object(&[], json!({"moon": to("Luna")})), "Luna": moon}),
                None,
            )
        }
        Check::DefinitionAdded => {
            let mut new = with(string());
            new["Alone"] = string();
            (with(string()), new, None)
        }
        Check::DefinitionRemoved => {
            let mut old = with(string());
            old["Alone"] = string();
            (old, with(string()), None)
        }
        Check::MarkerChanged => usual(json!({"type": "string", "readOnly": true}), string()),
        // Both faces of both versions: see below.
        Check::BecameStable | Check::BecameExperimental => (Value::Null, Value::Null, None),
    }
}

fn both_ways(check: Check) -> [Diff; 2] {
    if matches!(check, Check::BecameStable | Check::BecameExperimental) {
        let (few, many) = (
            with(tagged(&["new", "full"])),
            with(tagged(&["new", "full", "dark"])),
        );
        return [SENT, ACCEPTED].map(|sources| {
            let narrow = faces(
                sources,
                "1.0.0",
                &[("stable", &few), ("experimental", &many)],
            );
            let wide = faces(
                sources,
                "2.0.0",
                &[("stable", &many), ("experimental", &many)],
            );
            let found = if check == Check::BecameStable {
                compare(&narrow, &wide)
            } else {
                compare(&wide, &narrow)
            };
            found.unwrap()
        });
    }
    let (old, new, sources) = case(check);
    sources
        .unwrap_or([SENT, ACCEPTED])
        .map(|sources| diff(sources, &old, &new))
}

#[test]
fn each_check_finds_one_change_and_judges_it_by_direction() {
    let mut checked = 0;
    for check in Check::ALL {
        let diffs = both_ways(*check);
        for (diff, direction) in diffs.iter().zip([Direction::Output, Direction::Input]) {
            let [change] = diff.changes.as_slice() else {
                panic!("{check} {direction}: {}", text(diff, false));
            };
            assert_eq!(change.check, *check, "{direction}: {}", text(diff, false));
            match check.verdict(direction) {
                Verdict::Is(class) => assert_eq!(change.class, class, "{check} {direction}"),
                Verdict::AsInside => assert!(!change.details.is_empty(), "{check} {direction}"),
            }
            let free = matches!(check, Check::DefinitionAdded | Check::DefinitionRemoved);
            let directions: Vec<Direction> = change.reached.iter().map(|it| it.direction).collect();
            assert_eq!(
                directions,
                if free { vec![] } else { vec![direction] },
                "{check}"
            );
            checked += 1;
        }
        let [sent, accepted] = &diffs;
        let shown = format!(
            "# sent\n\n{}\n# accepted\n\n{}",
            text(sent, false),
            text(accepted, false)
        );
        expect_file![root().join(format!("tests/goldens/diff/{check}.txt"))].assert_eq(&shown);
    }
    assert_eq!(checked, 2 * Check::ALL.len());
}

#[test]
fn no_golden_is_left_over() {
    let mut names: Vec<String> = fs::read_dir(root().join("tests/goldens/diff"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let mut expected: Vec<String> = Check::ALL
        .iter()
        .map(|check| format!("{check}.txt"))
        .collect();
    expected.extend([
        "forms.github.txt".to_owned(),
        "forms.json".to_owned(),
        "forms.md".to_owned(),
        "forms.txt".to_owned(),
    ]);
    expected.sort();
    assert_eq!(names, expected);
}

#[test]
fn what_goes_both_ways_is_judged_both_ways() {
    let both = "[provider.tiny]\nversions = []\nfaces = []\n[wire.tiny]\nsends = [\"Message\"]\naccepts = [\"Message\"]\n";
    let (old, new, _) = case(Check::EnumValueRemoved);
    let diff = diff(both, &old, &new);
    let [change] = diff.changes.as_slice() else {
        panic!("{}", text(&diff, false))
    };
    assert_eq!(change.class, Class::Breaking);
    let classes: Vec<Class> = change.reached.iter().map(|reached| reached.class).collect();
    assert_eq!(classes, [Class::Dangerous, Class::Breaking]);
}

#[test]
fn a_change_in_a_shared_definition_is_told_once_with_the_shortest_way() {
    let definitions = |phase: Value| {
        json!({
            "Message": {"oneOf": [
                object(&["method", "params"], json!({"method": {"const": "rise"}, "params": to("RiseParams")})),
                object(&["method", "params"], json!({"method": {"const": "set"}, "params": to("SetParams")})),
            ]},
            "RiseParams": object(&[], json!({"moons": {"type": "array", "items": to("Moon")}})),
            "SetParams": object(&[], json!({"last": {"type": "object", "additionalProperties": to("Moon")}, "moon": to("Moon")})),
            "Moon": object(&[], json!({"phase": phase})),
        })
    };
    let diff = diff(
        SENT,
        &definitions(json!({"type": "string"})),
        &definitions(json!({"type": "integer"})),
    );
    let [change] = diff.changes.as_slice() else {
        panic!("{}", text(&diff, false))
    };
    assert_eq!(change.id, "type-changed:Moon.phase");
    assert_eq!(change.reached.len(), 1);
    assert_eq!(change.reached[0].path, "params.moons[].phase");
}

#[test]
fn the_same_change_of_every_variant_is_one_change() {
    let union = |more: bool| {
        let variant = |name: &str| {
            let mut properties = json!({"type": {"const": name}, name: {"type": "string"}});
            if more {
                properties["trace"] = json!({"type": "string"});
            }
            object(&["type"], properties)
        };
        with(json!({"oneOf": [variant("new"), variant("half"), variant("full")]}))
    };
    let diff = diff(SENT, &union(false), &union(true));
    let ids: Vec<&str> = diff
        .changes
        .iter()
        .map(|change| change.id.as_str())
        .collect();
    assert_eq!(ids, ["field-added:Message.thing<*>.trace"]);
}

#[test]
fn a_rename_is_suggested_and_never_assumed() {
    let moon = |name: &str, ty: &str| {
        with(object(
            &[],
            json!({name: {"type": ty}, "sun": {"type": "string"}}),
        ))
    };
    let found = diff(
        SENT,
        &moon("moonPhase", "integer"),
        &moon("moonPhases", "integer"),
    );
    assert_eq!(found.changes.len(), 2);
    for (change, other) in found.changes.iter().zip(found.changes.iter().rev()) {
        assert_eq!(change.renamed.as_deref(), Some(other.id.as_str()));
    }
    // Another shape, or another name, is no rename.
    for new in [moon("moonPhases", "boolean"), moon("tide", "integer")] {
        let other = diff(SENT, &moon("moonPhase", "integer"), &new);
        assert_eq!(other.changes.len(), 2);
        assert!(other.changes.iter().all(|change| change.renamed.is_none()));
    }
}
