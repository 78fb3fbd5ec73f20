//! `check`, `rows`, `regen --propose` and `outdated` on a small invented provider.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::fs;

use serde_json::Value;
use support::World;

const SOURCES: &str = r#"
[provider.acme]
package = "acme-agent"
licence = "MIT"
versions = []
faces = ["stable"]
files = { stable = "schema/main.json" }

[surface."acme.note"]
provider = "acme"
module = "note"
union = "Note"
"#;
const NOTES: &str = "contracts/mapping/acme.note.toml";
const SCHEMA: &str = "schemas/acme/1.0.0/stable/schema.json";
const MAPPING: &str = "contracts/src/providers/acme/note.rs";
const TRANSCRIPT: &str = "tests/transcripts/acme.note/1.0.0/one.jsonl";
const GENERATED: &str = "contracts/src/generated";

/// One version with three messages, all decided and generated.
fn settled() -> World {
    let world = World::new(SOURCES);
    let note = |tag: &str| {
        format!(
            r#"{{"type": "object", "required": ["type"], "properties": {{"type": {{"const": "{tag}"}}}}}}"#
        )
    };
    let schema = format!(
        r##"{{"anyOf": [{{"$ref": "#/$defs/Note"}}], "$defs": {{"Note": {{"oneOf": [{}, {}, {}]}}}}}}"##,
        note("turn/started"),
        note("turn/ended"),
        note("zebra"),
    );
    world.publish("acme-agent", "1.0.0", &[("schema/main.json", &schema)]);
    world.says("acme-agent", "dist-tags", r#"{"latest": "1.0.0"}"#);
    world.run(1, &["upgrade", "acme"]);
    let rows = "surface = \"acme.note\"\n\n[rows]\n\
                \"turn/ended\" = { drop = \"a test\" }\n\
                \"turn/started\" = { keep = \"turn.started\" } # a remark\n\
                \"zebra\" = { split = [\"turn.started\", \"runtime.warning\"], note = \"either\" }\n";
    world.write(NOTES, rows);
    world.write(MAPPING, "");
    world.write(TRANSCRIPT, "");
    world.run(0, &["regen"]);
    world
}

fn json(text: &str) -> Value {
    let end = text.rfind("\n}").map_or(text.len(), |at| at + 2);
    serde_json::from_str(&text[..end]).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The counts of the sections, in their order; none where nothing was compared.
fn sections(world: &World, code: i32) -> Vec<(String, Option<u64>)> {
    let found = json(&world.run_in_vain(code, &["check", "--format", "json"]));
    assert_eq!(found["clean"], Value::Bool(code == 0));
    let names = [
        "provenance",
        "schemas",
        "rows",
        "decisions",
        "generated",
        "seal",
        "docs",
        "stems",
    ];
    names
        .into_iter()
        .map(|name| (name.to_owned(), found["sections"][name].as_u64()))
        .collect()
}

fn found(world: &World) -> Vec<(String, Option<u64>)> {
    let mut found = sections(world, 1);
    found.retain(|(_, count)| *count != Some(0));
    found
}

fn one(name: &str) -> Vec<(String, Option<u64>)> {
    vec![(name.to_owned(), Some(1))]
}

#[test]
fn a_clean_tree_is_told_section_by_section() {
    let world = settled();
    let text = world.run_in_vain(0, &["check"]);
    let expected = "\
provenance  ok, 1 vendored file as in the lock
schemas     ok, 1 type of 1 provider
rows        ok, 3 rows of 1 surface
decisions   ok, every quirk and overlay is needed
generated   ok, ";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        sections(&world, 0)
            .iter()
            .all(|(_, count)| *count == Some(0))
    );
    assert_eq!(world.run_in_vain(0, &["check", "--format", "github"]), "");
    assert_eq!(world.asked().matches("pack").count(), 1);
}

#[test]
fn every_kind_of_drift_is_found_in_its_section() {
    let world = settled();
    let file = format!("{GENERATED}/acme/note.rs");
    let seal = format!("{GENERATED}/seal.rs");
    for (path, section) in [
        (file.as_str(), "generated"),
        (seal.as_str(), "seal"),
        ("docs/surfaces.md", "docs"),
    ] {
        let whole = world.read(path);
        world.edit(path, |text| format!("{text}\n"));
        assert_eq!(found(&world), one(section));
        fs::remove_file(world.path(path)).unwrap();
        assert_eq!(found(&world), one(section));
        world.write(path, &whole);
    }
    let odd = format!("{GENERATED}/acme/a,b:100%.rs");
    world.write(&odd, "");
    let text = world.run_in_vain(1, &["check", "--format", "github"]);
    let place = format!("::error file={GENERATED}/acme/a%2Cb%3A100%25.rs,line=1,");
    assert!(text.contains(&place), "{text}");
    fs::remove_file(world.path(&odd)).unwrap();
    let extra = format!("{GENERATED}/acme/extra.rs");
    world.write(&extra, "");
    assert_eq!(found(&world), one("generated"));
    let text = world.run_in_vain(1, &["check", "--format", "github"]);
    let place = format!("::error file={extra},line=1,col=1,title=stale-output::");
    assert!(text.contains(&place), "{text}");
    assert!(
        text.contains("is no longer generated%0Arun `cargo xtask regen`"),
        "{text}"
    );
    world.run(0, &["regen"]);
    assert!(!world.path(&extra).exists());
    world.run_in_vain(0, &["check"]);
}

#[test]
fn a_surface_has_all_of_its_places() {
    let world = settled();
    for (path, renamed, said) in [
        (
            MAPPING,
            "contracts/src/providers/acme/notes.rs",
            "`acme.note` has no hand-written mapping: contracts/src/providers/acme/note.rs is missing",
        ),
        (
            TRANSCRIPT,
            "tests/transcripts/acme.note/1.0.0/one.json",
            "`acme.note` has no transcript: tests/transcripts/acme.note/…/*.jsonl is missing",
        ),
    ] {
        fs::rename(world.path(path), world.path(renamed)).unwrap();
        let text = world.run_in_vain(1, &["check"]);
        assert!(
            text.contains(&format!("error[broken-stem]: {said}")),
            "{text}"
        );
        assert!(text.contains("schemas/sources.toml:9:"), "{text}");
        fs::rename(world.path(renamed), world.path(path)).unwrap();
    }
    let other = "tests/transcripts/acme.notes/1.0.0/one.jsonl";
    world.write(other, "");
    assert_eq!(found(&world), one("stems"));
    fs::remove_dir_all(world.path("tests/transcripts/acme.notes")).unwrap();
    let text = world.run_in_vain(0, &["check"]);
    assert!(
        text.contains("stems       ok, all places of 1 surface\n"),
        "{text}"
    );
}

#[test]
fn wrong_inputs_are_found_and_hide_no_other_kind() {
    let world = settled();
    world.edit(SCHEMA, |text| format!("{text}\n"));
    world.edit(NOTES, |text| text.replace("\"zebra\"", "\"zebru\""));
    world.write(
        "schemas/overlays/acme.none.json",
        r#"{"provider": "acme", "reason": "r", "source": "s", "versions": ["1.0.0"], "patches": [{"at": "/definitions/None", "set": true}]}"#,
    );
    let nothing = |name: &str| (name.to_owned(), None);
    let mut expected = one("provenance");
    // An overlay that fits nothing stops the provider before its rows are looked at.
    expected.extend(one("decisions"));
    expected.extend(["generated", "seal", "docs", "stems"].map(nothing));
    assert_eq!(found(&world), expected);
    fs::remove_file(world.path("schemas/overlays/acme.none.json")).unwrap();
    world.edit(SCHEMA, |text| text.trim_end().to_owned() + "\n");
    let text = world.run_in_vain(1, &["check"]);
    for part in [
        "error[missing-row]: the variant `zebra`",
        "error[stale-row]: the row `zebru`",
        "rows        2 findings\n",
        "generated   not compared, since nothing can be made\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = world.run_in_vain(1, &["check", "--format", "github"]);
    let line =
        format!("::error file={NOTES},line=6,col=1,title=stale-row::the row `zebru` belongs to");
    assert!(text.contains(&line), "{text}");
    let all = json(&world.run_in_vain(1, &["check", "--format", "json"]));
    let findings = all["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2);
    let stale = findings
        .iter()
        .find(|it| it["code"] == "stale-row")
        .unwrap();
    assert_eq!(stale["section"], "rows");
    assert_eq!(stale["place"]["path"], NOTES);
    assert_eq!(stale["place"]["line"], 6);
}

#[test]
fn what_can_not_be_checked_is_not_clean() {
    let world = settled();
    world.write(NOTES, "surface =");
    let text = world.run_in_vain(1, &["check"]);
    assert!(text.contains("is not TOML"), "{text}");
    fs::write(world.path(NOTES), [0xff, 0xfe]).unwrap();
    let output = world.command(&["check"]).output().unwrap();
    let text = support::said(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains(&format!("{NOTES} is not UTF-8 text")),
        "{text}"
    );
}

#[test]
fn what_systems_and_editors_leave_is_passed_over() {
    let world = settled();
    for path in ["schemas/.DS_Store", "contracts/mapping/.acme.note.toml.swp"] {
        fs::write(world.path(path), b"\xff\0").unwrap();
    }
    world.run(0, &["check"]);
}

#[test]
fn rows_are_listed_with_what_they_say() {
    let world = settled();
    let text = world.run_in_vain(0, &["rows"]);
    for line in [
        "acme.note (contracts/mapping/acme.note.toml)\n",
        "    4  drop       turn/ended    1.0.0  a test\n",
        "    5  keep       turn/started  1.0.0  turn.started\n",
        "    6  split      zebra         1.0.0  turn.started, runtime.warning\n",
        "3 rows of 1 surface, 0 of them to decide\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    world.run_in_vain(0, &["rows", "--surface", "acme"]);
    let text = world.run_in_vain(0, &["rows", "--missing"]);
    assert!(text.contains("No row is left to decide.\n"), "{text}");
    let text = world.run_in_vain(2, &["rows", "--surface", "other"]);
    assert!(
        text.contains("no surface is called `other`; there are acme.note"),
        "{text}"
    );

    world.edit(NOTES, |text| text.replace("\"zebra\"", "\"zebru\""));
    world.edit(NOTES, |text| text.replace("drop = \"a test\"", "nope = 1"));
    let all = json(&world.run_in_vain(1, &["rows", "--missing", "--format", "json"]));
    let rows: Vec<(&str, &str)> = all["surfaces"][0]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["tag"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    assert_eq!(
        rows,
        [
            ("turn/ended", "unreadable"),
            ("zebra", "missing"),
            ("zebru", "stale")
        ]
    );
    let missing = &all["surfaces"][0]["rows"][1];
    assert_eq!(missing["face"], "stable");
    assert_eq!(missing["declared"]["path"], SCHEMA);
    let line = missing["declared"]["line"].as_u64().unwrap() as usize;
    let schema = world.read(SCHEMA);
    let below: Vec<&str> = schema.lines().skip(line - 1).take(12).collect();
    assert!(below.join("\n").contains("\"zebra\""), "{below:?}");
}

#[test]
fn a_table_that_can_not_be_read_misses_no_rows() {
    let world = settled();
    let table = world.read(NOTES);
    for (broken, said) in [
        (
            table.replace("[rows]\n", "[rows]\n<<<<<<< ours\n"),
            "holds both sides of a merge",
        ),
        (table.replace("= { keep", "= keep }"), "is not TOML"),
    ] {
        assert_ne!(broken, table);
        world.write(NOTES, &broken);
        for arguments in [&["rows", "--missing"][..], &["rows"]] {
            let text = world.run_in_vain(1, arguments);
            assert!(text.contains("unreadable the whole table"), "{text}");
            assert!(text.contains(said), "{text}");
            assert!(!text.contains("missing "), "{text}");
        }
        let text = world.run_in_vain(1, &["regen", "--propose"]);
        assert!(text.contains(said), "{text}");
        let page = world.outside.path().join("page.md");
        let text = world.run_in_vain(1, &["report", "--markdown", page.to_str().unwrap()]);
        assert!(text.contains("the report is incomplete"), "{text}");
    }
}

#[test]
fn proposals_are_written_in_place_and_fail_until_decided() {
    let world = settled();
    let table = world.read(NOTES);
    world.edit(NOTES, |text| {
        text.replace(
            "\"turn/started\" = { keep = \"turn.started\" } # a remark\n",
            "",
        )
    });
    let text = world.run(1, &["regen", "--propose"]);
    let row = "\"turn/started\" = { todo = \"new in 1.0.0\" } # like \"turn/ended\"";
    assert!(text.contains(&format!("{NOTES}:5: {row}\n")), "{text}");
    let written = world.read(NOTES);
    assert_eq!(
        written,
        table.replace(
            "\"turn/started\" = { keep = \"turn.started\" } # a remark",
            row
        )
    );
    let text = world.run_in_vain(1, &["regen", "--propose"]);
    assert!(text.contains("error[todo-row]"), "{text}");
    world.write(NOTES, &table);
    world.run(0, &["regen", "--propose"]);
    world.run_in_vain(0, &["check"]);
}

#[test]
fn what_is_outdated_is_told() {
    let world = settled();
    let text = world.run_in_vain(0, &["outdated"]);
    assert!(
        text.contains("acme-agent") && text.contains("the newest"),
        "{text}"
    );
    world.says("acme-agent", "dist-tags", r#"{"latest": "1.0.10"}"#);
    let text = world.run_in_vain(1, &["outdated"]);
    assert!(
        text.contains("1.0.10 is out: cargo xtask upgrade acme@1.0.10"),
        "{text}"
    );
    let all = json(&world.run_in_vain(1, &["outdated", "--format", "json"]));
    assert_eq!(all["outdated"], true);
    assert_eq!(all["packages"][0]["current"], "1.0.0");
    assert_eq!(all["packages"][0]["newest"], "1.0.10");
    // A version that was withdrawn does not make what is vendored outdated.
    world.says("acme-agent", "dist-tags", r#"{"latest": "0.9.0"}"#);
    world.run_in_vain(0, &["outdated"]);
    world.says("acme-agent", "dist-tags", "not JSON");
    world.run_in_vain(2, &["outdated"]);
}
