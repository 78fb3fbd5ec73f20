//! `cargo xtask upgrade` on a small invented provider: what it writes, what it leaves to decide, and
//! that it writes nothing when it fails, is asked twice, or is ended half way.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "upgrade/acme.rs"]
mod acme;
#[path = "upgrade/refusals.rs"]
mod refusals;
mod support;

use std::collections::BTreeSet;
use std::fs;

use acme::{MOODS, NOTES, SEAL, SOURCES, decide, empty, publish, settled};
use support::World;

#[test]
fn the_first_version_makes_tables_that_ask() {
    let world = empty();
    let text = world.run(1, &["upgrade", "acme"]);
    let notes = "surface = \"acme.note\"\n\n[rows]\n\
                 \"turn/ended\" = { todo = \"new in 1.0.0\" }\n\
                 \"turn/started\" = { todo = \"new in 1.0.0\" }\n";
    assert_eq!(world.read(NOTES), notes);
    let moods = world.read(MOODS);
    assert!(
        moods.contains("# `target = \"…\"` belongs here: "),
        "{moods}"
    );
    assert!(
        moods.ends_with("\"failed\" = { todo = \"new in 1.0.0\" }\n"),
        "{moods}"
    );
    assert!(
        text.contains(&format!("{NOTES}:4: \"turn/ended\" = {{ todo")),
        "{text}"
    );
    assert!(
        text.contains("To decide: 4 rows and 1 error: 1 bad-row, then run"),
        "{text}"
    );
    assert!(text.contains(&format!("{MOODS}:1:1: bad-row: ")), "{text}");
    assert_eq!(
        world.read("schemas/sources.toml"),
        SOURCES.replace("[]", "[\"1.0.0\"]")
    );
    // A question is no decision.
    let text = world.run_in_vain(1, &["regen"]);
    assert!(text.contains("5 errors: 4 todo-row, 1 bad-row"), "{text}");
    decide(&world);
    world.run(0, &["regen"]);
    let text = world.run_in_vain(0, &["check"]);
    assert!(
        text.contains("rows        ok, 4 rows of 2 surfaces"),
        "{text}"
    );
}

#[test]
fn a_new_version_is_one_command_and_the_rows_to_decide() {
    let world = settled();
    let comment = "# Nobody knows why.\n\"turn/started\"";
    world.edit(NOTES, |text| text.replace("\"turn/started\"", comment));
    world.run(0, &["regen"]);
    let (before, table) = (world.tree(), world.read(NOTES));

    let text = world.run(1, &["upgrade", "acme@latest"]);
    for part in [
        "acme 1.0.0 → 1.1.0\n",
        "window     1.0.0, 1.1.0\n",
        "new        3 variants in 2 surfaces\n",
        "acme.note +2\n      + turn/paused\n      + zebra\n",
        "acme.mood +1\n      + odd\n",
        "gone       1 variant in 1 surface\n    acme.note -1\n      - turn/ended\n",
        "rows       3 proposed\n",
        "To decide: 3 rows, then run `cargo xtask regen`.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Nothing in the tables moves but the new lines.
    let paused = "\"turn/paused\" = { todo = \"new in 1.1.0\" } # like \"turn/ended\"\n";
    let zebra = "\"zebra\" = { todo = \"new in 1.1.0\" }\n";
    let expected = table.replace(comment, &format!("{paused}{comment}")) + zebra;
    assert_eq!(world.read(NOTES), expected);
    // What asks is told with the line that it has.
    let line = 1 + expected
        .lines()
        .position(|it| it.starts_with("\"zebra\""))
        .unwrap();
    assert!(
        text.contains(&format!("{NOTES}:{line}: {}", zebra.trim_end())),
        "{text}"
    );
    let sources = world.read("schemas/sources.toml");
    assert_eq!(sources, SOURCES.replace("[]", "[\"1.0.0\", \"1.1.0\"]"));
    // The code of before can't be built meanwhile.
    assert!(
        world
            .read(SEAL)
            .contains("compile_error!(\"schemas/acme/1.1.0 was vendored")
    );
    let changed: BTreeSet<String> = world
        .tree()
        .into_iter()
        .filter(|(path, text)| before.get(path) != Some(text))
        .map(|(path, _)| path)
        .collect();
    let expected = [
        MOODS,
        NOTES,
        SEAL,
        "schemas/acme/1.1.0/stable/schema.json",
        "schemas/sources.lock",
        "schemas/sources.toml",
    ];
    assert_eq!(
        changed.iter().map(String::as_str).collect::<Vec<_>>(),
        expected
    );
    assert!(world.asked().contains("view --json acme-agent dist-tags"));

    // The same again changes nothing and fetches nothing.
    let text = world.run_in_vain(1, &["upgrade", "acme@1.1.0"]);
    assert!(text.contains("acme 1.1.0 is in the window"), "{text}");
    assert!(text.contains("To decide: 3 rows"), "{text}");
    assert!(text.contains("No file differs."), "{text}");
    assert_eq!(world.asked(), "");

    let text = world.run(1, &["rows", "--missing"]);
    assert!(
        text.contains("3 rows of 2 surfaces, 3 of them to decide"),
        "{text}"
    );
    decide(&world);
    world.run(0, &["regen"]);
    world.run(0, &["check"]);
    let text = world.run_in_vain(0, &["upgrade", "acme@1.1.0"]);
    assert!(text.contains("Nothing is left to decide"), "{text}");
}

#[test]
fn nothing_new_needs_no_decision() {
    let world = settled();
    publish(
        &world,
        "1.2.0",
        &["turn/ended", "turn/started"],
        &["completed", "failed"],
    );
    let text = world.run(0, &["upgrade", "acme"]);
    assert!(
        text.contains("Nothing is left to decide: code was made."),
        "{text}"
    );
    world.run_in_vain(0, &["check"]);
    assert!(
        world
            .read("docs/surfaces.md")
            .contains("`acme-agent` 1.0.0, 1.2.0")
    );
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    let world = settled();
    let dry = world.run_in_vain(1, &["upgrade", "acme", "--dry-run"]);
    assert!(!world.path(".xtask").exists());
    let wet = world.run(1, &["upgrade", "acme"]);
    assert!(
        dry.contains("To decide: 3 rows; nothing was written."),
        "{dry}"
    );
    assert!(dry.contains("Files that would be written: "), "{dry}");
    let same = |text: &str| {
        let lines = text
            .lines()
            .filter(|it| !it.starts_with("To decide") && !it.starts_with("Files "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(same(&dry), same(&wet));
}

#[test]
fn a_version_that_leaves_takes_what_only_it_needs() {
    let world = settled();
    world.write(
        "schemas/overlays/acme.zeal.json",
        r#"{"provider": "acme", "reason": "r", "source": "s", "versions": ["1.0.0"], "patches": [{"at": "/definitions/Mood/enum", "append": ["zeal"]}]}"#,
    );
    world.run(1, &["regen", "--propose"]);
    decide(&world);
    world.run(0, &["regen"]);
    world.run(1, &["upgrade", "acme"]);
    decide(&world);
    world.run(0, &["regen"]);
    world.write(
        "contracts/src/acme.rs",
        "use crate::generated::acme::note::*;\n\nimpl Mapping for Acme {\n    fn turn_ended(&mut self) {}\n}\n",
    );
    let dry = world.run_in_vain(0, &["upgrade", "acme", "--drop", "1.0.0", "--dry-run"]);
    let text = world.run(0, &["upgrade", "acme", "--drop", "1.0.0"]);
    for part in [
        "acme without 1.0.0\n",
        "window     1.1.0\n",
        "only there 1 variant in 1 surface\n    acme.note -1\n      - turn/ended\n",
        "1 lose their variant and go\n    contracts/mapping/acme.note.toml:4 turn/ended\n",
        "contracts/src/acme.rs:4: turn_ended (turn/ended)\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
        assert!(dry.contains(part), "{part}: {dry}");
    }
    assert!(!world.path("schemas/acme/1.0.0").exists());
    assert!(!world.read(NOTES).contains("\n\"turn/ended\""));
    assert!(!world.read("schemas/sources.lock").contains("1.0.0"));
    world.run_in_vain(0, &["check"]);

    // The overlay fitted 1.1.0 as well, so it was carried there and loses one version only.
    let overlay = world.read("schemas/overlays/acme.zeal.json");
    assert!(overlay.contains(r#""versions": ["1.1.0"]"#), "{overlay}");

    // To ask twice is no mistake, and the last version stays.
    let text = world.run_in_vain(0, &["upgrade", "acme", "--drop", "1.0.0"]);
    for part in [
        "note: 1.0.0 is not in the window of acme",
        "acme stays as it is\n\nNothing is left to decide.\nNo file differs.\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = world.run_in_vain(2, &["upgrade", "acme", "--drop", "1.1.0"]);
    assert!(
        text.contains("nothing would be left in the window of acme"),
        "{text}"
    );
}

/// Without the binding, nobody would be asked again when the type comes back: it is told, with its line.
#[test]
fn a_value_surface_whose_type_leaves_is_told_with_its_line() {
    let world = settled();
    let text = r##"{"anyOf": [{"$ref": "#/$defs/Note"}], "$defs": {"Note": {"oneOf": [{"type": "object", "required": ["type"], "properties": {"type": {"const": "turn/started"}}}]}}}"##;
    world.publish("acme-agent", "2.0.0", &[("schema/main.json", text)]);
    world.run(0, &["upgrade", "acme@2.0.0"]);
    let text = world.run(1, &["upgrade", "acme", "--drop", "1.0.0"]);
    let sources = world.read("schemas/sources.toml");
    let line = sources
        .lines()
        .position(|line| line.starts_with("[value."))
        .unwrap()
        + 1;
    for part in [
        format!("schemas/sources.toml:{line}:8: bad-source: `Mood`, which `acme.mood` is bound to"),
        "remove the binding, and contracts/mapping/acme.mood.toml".to_owned(),
    ] {
        assert!(text.contains(&part), "{part}: {text}");
    }
    world.edit("schemas/sources.toml", |text| {
        text.replace(
            "[value.\"acme.mood\"]\nprovider = \"acme\"\ntype = \"Mood\"\n",
            "",
        )
    });
    fs::remove_file(world.path(MOODS)).unwrap();
    world.run(0, &["regen"]);
    world.run_in_vain(0, &["check"]);
}

#[test]
fn providers_of_one_family_come_together() {
    let one = SOURCES.replace("[provider.acme]", "[provider.twin-a]");
    let one = one
        .replace("\"acme\"", "\"twin-a\"")
        .replace("acme.", "twin.a.");
    let two = one
        .replace("twin-a", "twin-b")
        .replace("twin.a.", "twin.b.");
    let world = World::new(&format!("{one}\n{two}"));
    publish(&world, "1.0.0", &["turn/started"], &["failed"]);
    let text = world.run(1, &["upgrade", "twin@1.0.0"]);
    assert!(
        text.contains("twin-a 1.0.0\n") && text.contains("twin-b 1.0.0\n"),
        "{text}"
    );
    assert!(text.contains("To decide: 4 rows"), "{text}");
    assert!(
        world
            .path("schemas/twin-b/1.0.0/stable/schema.json")
            .exists()
    );
    // The table of one value surface shows what another of its name is about.
    world.edit("contracts/mapping/twin.a.mood.toml", |text| {
        let line = text
            .lines()
            .find(|line| line.starts_with("# `target"))
            .unwrap();
        text.replace(line, "target = \"turn-state\"")
    });
    fs::remove_file(world.path("contracts/mapping/twin.b.mood.toml")).unwrap();
    world.run(1, &["regen", "--propose"]);
    let text = world.read("contracts/mapping/twin.b.mood.toml");
    assert!(
        text.contains("target = \"turn-state\" # like twin.a.mood\n"),
        "{text}"
    );
}

#[test]
fn types_of_other_packages_are_pinned_as_of_the_day_of_the_version() {
    const TYPES: &str = r#"
[provider.acme]
package = "acme-agent"
licence = "MIT"
versions = []
faces = ["stable"]
[provider.acme.types]
roots."index.d.ts" = ["Message"]
[provider.acme.types.external."@invented/parts"]
alias = "parts"
licences = ["MIT"]
"#;
    let world = World::new(&format!("{TYPES}versions = {{}}\n"));
    for version in ["2.0.0", "2.1.0", "2.2.0"] {
        world.publish("@invented/parts", version, &[("index.d.ts", "the parts")]);
    }
    world.publish("acme-agent", "1.0.0", &[("index.d.ts", "the types")]);
    world.says(
        "acme-agent",
        "time",
        r#"{"1.0.0": "2026-03-01T00:00:00.000Z"}"#,
    );
    world.says(
        "@invented/parts",
        "time",
        r#"{"created": "2025-01-01T00:00:00.000Z", "2.0.0": "2026-01-01T00:00:00.000Z", "2.1.0": "2026-02-01T00:00:00.000Z", "2.2.0": "2026-04-01T00:00:00.000Z"}"#,
    );
    world.program(
        "reader",
        "#!/bin/sh\nfor argument in \"$@\"; do request=$out; out=$argument; done\necho '{}' > \"$out/types.json\"\n: > \"$out/decisions\"\n",
    );
    let output = world
        .command(&["upgrade", "acme@1.0.0"])
        .env("CARGO", world.outside.path().join("reader"))
        .output()
        .unwrap();
    let text = support::said(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.contains("pinned     @invented/parts 2.1.0\n"),
        "{text}"
    );
    let sources = world.read("schemas/sources.toml");
    assert!(sources.contains("versions = [\"1.0.0\"]"), "{sources}");
    assert!(sources.contains("\"1.0.0\" = \"2.1.0\""), "{sources}");
    let lock = world.read("schemas/sources.lock");
    assert!(
        lock.contains("[acme.\"1.0.0\".external.\"@invented/parts\"]\nversion = \"2.1.0\""),
        "{lock}"
    );
}

#[test]
fn the_summary_is_written_as_markdown_too() {
    let world = settled();
    let page = world.outside.path().join("page.md");
    world.run(
        1,
        &["upgrade", "acme", "--markdown", page.to_str().unwrap()],
    );
    let text = fs::read_to_string(page).unwrap();
    for part in [
        "## acme 1.0.0 → 1.1.0\n",
        "**New variants**: 3 variants in 2 surfaces\n",
        "- `acme.note`: `turn/paused`, `zebra`\n",
        "### To decide\n",
        // What is told has names in backticks itself.
        "- [ ] ``contracts/mapping/acme.mood.toml:",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // In less room, less is listed; no letter is cut.
    let mut last = text.len();
    for bytes in [text.len() - 1, 900, 500, 120] {
        let world = settled();
        let page = world.outside.path().join("page.md");
        let (name, bytes_text) = (page.to_str().unwrap(), bytes.to_string());
        world.run(
            1,
            &[
                "upgrade",
                "acme",
                "--markdown",
                name,
                "--max-bytes",
                &bytes_text,
            ],
        );
        let short = fs::read_to_string(page).unwrap();
        assert!(short.starts_with("## acme 1.0.0 → 1.1.0\n"), "{short}");
        assert!(
            short.len() <= bytes && short.len() < last,
            "{bytes}: {short}"
        );
        last = short.len();
    }
    // Where it can't be written, nothing is.
    let world = settled();
    let nowhere = world.outside.path().join("none/page.md");
    let nowhere = nowhere.to_str().unwrap();
    let text = world.run_in_vain(2, &["upgrade", "acme", "--markdown", nowhere]);
    assert!(text.contains("cannot write"), "{text}");
}
