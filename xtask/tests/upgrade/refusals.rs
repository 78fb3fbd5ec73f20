//! What an upgrade must not do to the tree: write over edits, take a package that is another one, write
//! after a mistake, or leave half of its work.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use super::acme::{NOTES, publish, settled};
use super::support::{World, assert_same};

/// A client that takes its time, in which somebody edits a file.
fn slow(world: &World, edit: &str) {
    let pack = r#"name=$(echo "$last" | tr '/@' '--'); cp "$STORE/$name.tgz" . && cat "$STORE/$name.json""#;
    world.program(
        "npm",
        &format!(
            "#!/bin/sh\nfor last in \"$@\"; do :; done\n(cd '{}' && {edit})\n{pack}\n",
            world.root.path().display()
        ),
    );
}

#[test]
fn what_is_edited_while_a_package_comes_stays() {
    let world = settled();
    slow(
        &world,
        &format!("sed -i 's/^\"turn.started/# Mine.\\n&/' {NOTES}"),
    );
    let text = world.run(1, &["upgrade", "acme@1.1.0"]);
    assert!(text.contains("To decide: 3 rows"), "{text}");
    let notes = world.read(NOTES);
    assert!(notes.contains("# Mine.\n\"turn/started\""), "{notes}");
    assert!(notes.contains("\"zebra\" = { todo"), "{notes}");

    // What the package was asked for by is another thing.
    let world = settled();
    let before = world.tree();
    slow(&world, "echo '# Mine.' >> schemas/sources.toml");
    let text = world.run(2, &["upgrade", "acme@1.1.0"]);
    assert!(
        text.contains("schemas/sources.toml was changed while this command was at work"),
        "{text}"
    );
    world.edit("schemas/sources.toml", |text| text.replace("# Mine.\n", ""));
    assert_same(&world.tree(), &before);
}

#[test]
fn a_package_that_is_not_the_locked_one_is_refused() {
    let world = settled();
    world.run(1, &["upgrade", "acme"]);
    fs::remove_dir_all(world.path("schemas/acme/1.1.0")).unwrap();
    // The same version with other bytes: the registry states their integrity truly.
    publish(
        &world,
        "1.1.0",
        &["turn/started", "unheard"],
        &["completed"],
    );
    let text = world.run_in_vain(2, &["upgrade", "acme@1.1.0"]);
    for part in [
        "acme-agent@1.1.0 is not the package that was vendored before, so it was not used",
        "locked sha512-",
        "A published version never changes",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!world.path(".xtask").exists());
}

#[test]
fn mistakes_are_told_and_write_nothing() {
    let world = settled();
    for (arguments, part) in [
        (
            &["upgrade", "other"][..],
            "unknown provider `other`: schemas/sources.toml has acme",
        ),
        (&["upgrade", "acme@1.x"], "no exact version in `acme@1.x`"),
        (
            &["upgrade", "acme@9.9.9"],
            "npm pack acme-agent@9.9.9 failed",
        ),
        (
            &["upgrade", "acme@1.1.0", "--drop", "1.1.0"],
            "can't come and leave at once",
        ),
    ] {
        let text = world.run_in_vain(2, arguments);
        assert!(text.contains(part), "{part}: {text}");
    }
    // An edited schema is no base to build on.
    world.edit("schemas/acme/1.0.0/stable/schema.json", |text| {
        format!("{text}\n")
    });
    let text = world.run_in_vain(2, &["upgrade", "acme"]);
    assert!(text.contains("is not the file that was vendored"), "{text}");
    assert!(text.contains("nothing was written"), "{text}");
    world.program(
        "npm",
        "#!/bin/sh\necho 'npm ERR! code ENOTFOUND' >&2\nexit 1\n",
    );
    for arguments in [&["upgrade", "acme"][..], &["outdated"]] {
        let text = world.run_in_vain(2, arguments);
        assert!(
            text.contains("npm has no connection to its registry (ENOTFOUND)"),
            "{text}"
        );
    }
}

/// Ends the command at many moments. Whatever the moment, the next command finds the tree of before or
/// the tree of afterwards, and none between.
#[test]
fn a_run_that_is_killed_leaves_the_tree_as_it_was() {
    let world = settled();
    let before = world.tree();
    let reference = settled();
    reference.run(1, &["upgrade", "acme"]);
    let after = reference.tree();
    let (mut undone, mut done) = (0, 0);
    let mut delay = 0;
    while delay < 1500 && done < 3 {
        let mut child = world
            .command(&["upgrade", "acme"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        // What the run left in its scratch folder is no part of the tree; a command clears it.
        world.command(&["rows"]).output().unwrap();
        let now = world.tree();
        if now == before {
            undone += 1;
        } else {
            assert_same(&now, &after);
            done += 1;
            world.run(1, &["upgrade", "acme@1.1.0"]);
            assert!(!world.path(".xtask").exists());
            for (path, text) in &before {
                world.write(path, text);
            }
            for path in after.keys().filter(|path| !before.contains_key(*path)) {
                fs::remove_file(world.path(path)).unwrap();
            }
        }
        delay += 7;
    }
    assert!(undone > 3 && done > 0, "{undone} undone, {done} done");
}
