//! Mistakes that must fail loudly, made for real in a copy of the library: each build fails with the
//! words that say what to do, and with no other error.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use agentwire_codegen::diagnostics::{Code, render};
use agentwire_codegen::{FOLDER, FOLDERS, Inputs, generate};
use agentwire_tests::{repository_files, root};
use serde_json::json;

const NOTIFICATIONS: &str = "contracts/mapping/codex.app-server.notification.toml";
const EVENTMSG: &str = "contracts/mapping/codex.eventmsg.toml";
const TURN_STATUS: &str = "contracts/mapping/codex.turn-status.toml";

/// Builds share one folder, so that dependencies are compiled once: one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A workspace with a copy of the library alone.
struct Copy {
    root: PathBuf,
}

impl Copy {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build_fails/repository");
        let _ = fs::remove_dir_all(&root);
        let copy = Self { root };
        for (path, text) in repository_files(&["contracts"]) {
            copy.write(&path, &text);
        }
        for file in ["Cargo.lock", "README.md"] {
            copy.write(file, &fs::read_to_string(self::root().join(file)).unwrap());
        }
        copy.members(&["contracts"]);
        copy
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Changes a file; a change that changes nothing is a mistake of the test.
    fn edit(&self, path: &str, change: impl FnOnce(&str) -> String) {
        let text = fs::read_to_string(self.root.join(path)).unwrap();
        let changed = change(&text);
        assert_ne!(changed, text, "{path}");
        self.write(path, &changed);
    }

    /// The workspace's own manifest, with these members only.
    fn members(&self, members: &[&str]) {
        let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
        let lines = manifest
            .lines()
            .map(|line| match line.strip_prefix("members = ") {
                Some(_) => format!("members = {members:?}\n"),
                None => format!("{line}\n"),
            });
        self.write("Cargo.toml", &lines.collect::<String>());
    }

    /// A crate that depends on the library, with the lints of the workspace.
    fn dependent(&self, name: &str, code: &str) {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lints]\nworkspace = true\n\n\
             [dependencies]\nagentwire.workspace = true\n"
        );
        self.write(&format!("{name}/Cargo.toml"), &manifest);
        self.write(
            &format!("{name}/src/lib.rs"),
            &format!("//! A dependent.\n\n{code}"),
        );
    }

    /// Runs cargo, which must fail, and gives its errors: the first line of each, and the whole text.
    #[track_caller]
    fn fails(&self, arguments: &[&str]) -> (Vec<String>, String) {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("build_fails/target");
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--offline", "--quiet", "--color", "never"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", target)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{text}");
        let closing = |line: &&str| {
            line.starts_with("error: could not compile") || line.starts_with("error: aborting")
        };
        let errors = text
            .lines()
            .filter(|line| line.starts_with("error"))
            .filter(|line| !closing(line));
        (errors.map(str::to_owned).collect(), text)
    }
}

/// Takes a method out of an implementation.
fn without_method(text: &str, method: &str) -> String {
    let start = text.find(&format!("    fn {method}(")).unwrap();
    let end = start + text[start..].find("\n    }\n").unwrap() + "\n    }\n".len();
    format!("{}{}", &text[..start], &text[end..])
}

/// Puts a statement at the start of a method's body.
fn with_statement(text: &str, method: &str, statement: &str) -> String {
    let start = text.find(&format!("    fn {method}(")).unwrap();
    let body = start + text[start..].find("{\n").unwrap() + "{\n".len();
    format!("{}        {statement}\n{}", &text[..body], &text[body..])
}

/// The text without the row of a tag.
fn without_row(text: &str, tag: &str) -> String {
    let begins = format!("\"{tag}\" = ");
    text.lines()
        .filter(|line| !line.starts_with(&begins))
        .map(|line| format!("{line}\n"))
        .collect()
}

/// The inputs with one more variant in the newest schema.
fn with_a_new_variant() -> BTreeMap<String, String> {
    let mut files = repository_files(FOLDERS);
    let path = "schemas/codex/0.171.0/stable/schema.json";
    let mut schema: serde_json::Value = serde_json::from_str(&files[path]).unwrap();
    let variant = json!({
        "type": "object", "required": ["method", "params"],
        "properties": {"method": {"enum": ["nebula/drifted"], "type": "string"}, "params": {"$ref": "#/definitions/ThreadClosedNotification"}},
    });
    schema["definitions"]["ServerNotification"]["oneOf"]
        .as_array_mut()
        .unwrap()
        .push(variant);
    files.insert(
        path.to_owned(),
        serde_json::to_string_pretty(&schema).unwrap(),
    );
    files
}

/// Gives the new variant its row, at the place that the error names.
fn with_its_row(mut files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let found = generate(&Inputs::from_files(&files).unwrap()).unwrap_err();
    let [only] = found.as_slice() else {
        panic!("{}", render(&found, false))
    };
    assert_eq!(only.code, Code::MissingRow);
    assert!(
        only.message
            .contains("`nebula/drifted` of codex.app-server.notification"),
        "{}",
        only.message
    );
    let (span, line) = &only.fix.as_ref().unwrap().edits[0];
    assert!(line.starts_with("\"nebula/drifted\" = {"), "{line}");
    let table = files.get_mut(NOTIFICATIONS).unwrap();
    table.insert_str(
        span.range.start,
        "\"nebula/drifted\" = { rename = \"runtime.warning\" }\n",
    );
    files
}

#[test]
fn a_deleted_row_is_reported_with_the_line_to_add() {
    let mut files = repository_files(FOLDERS);
    let table = files.get_mut(NOTIFICATIONS).unwrap();
    *table = without_row(table, "turn/started");
    let found = generate(&Inputs::from_files(&files).unwrap()).unwrap_err();
    let [only] = found.as_slice() else {
        panic!("{}", render(&found, false))
    };
    assert_eq!(only.code, Code::MissingRow);
    let text = render(&found, false);
    assert!(text.contains("+ \"turn/started\" = { "), "{text}");
}

#[test]
fn mistakes_in_schemas_rows_and_mappings_fail_the_build() {
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let copy = Copy::new();
    // A new variant with its row, and the code that it gives: only the mapping is missing.
    let files = with_its_row(with_a_new_variant());
    copy.write(NOTIFICATIONS, &files[NOTIFICATIONS]);
    for (path, text) in generate(&Inputs::from_files(&files).unwrap())
        .unwrap()
        .files
    {
        copy.write(&path, &text);
    }
    // A row that was deleted and one that was edited after the code was made.
    copy.edit(TURN_STATUS, |text| without_row(text, "failed"));
    copy.edit(EVENTMSG, |text| {
        text.replacen("[rows]", "# An edit.\n\n[rows]", 1)
    });
    // A mapping without the method of a row, one with a method for no row, and one that emits what
    // its row does not list.
    copy.edit("contracts/src/providers/codex/eventmsg.rs", |text| {
        without_method(text, "collab_agent_spawn_end")
    });
    copy.edit(
        "contracts/src/providers/codex/app_server_request.rs",
        |text| {
            let gone = "impl Mapping for CodexMapping {\n    fn aurora_faded(&mut self) {}\n";
            let text = text.replacen("impl Mapping for CodexMapping {\n", gone, 1);
            let unlisted =
                "out.emit(cx, crate::canonical::TurnDiffUpdated { unified_diff: String::new() });";
            with_statement(&text, "mcp_server_elicitation_request", unlisted)
        },
    );
    let (errors, text) = copy.fails(&["check", "-p", "agentwire-contracts"]);
    for sentence in [
        "error[E0046]: not all trait items implemented, missing: `nebula_drifted`",
        "error[E0046]: not all trait items implemented, missing: `collab_agent_spawn_end`",
        "error[E0407]: method `aurora_faded` is not a member of trait `Mapping`",
        "error[E0277]: row `McpServerElicitationRequest` does not list the canonical event `payload::TurnDiffUpdated`",
        "add the event to the row in contracts/mapping, or to `implied` where no row gives it, then run `cargo xtask regen`",
        "contracts/mapping/codex.turn-status.toml changed after the last `cargo xtask regen`: run it, and commit what it writes",
        "contracts/mapping/codex.eventmsg.toml changed after the last `cargo xtask regen`: run it, and commit what it writes",
    ] {
        assert!(text.contains(sentence), "{sentence}\n{text}");
    }
    assert_eq!(errors.len(), 6, "{errors:#?}");
}

/// What goes wrong in the tables of one provider.
struct Mistakes {
    /// Its folder below `contracts/src/providers`.
    folder: &'static str,
    /// The rows of a surface.
    table: &'static str,
    /// A row of several events, one of them, and their names in code.
    split: [&'static str; 4],
    /// The table that implies an event, the event with its rule, and their names in code.
    implied: [&'static str; 4],
    /// A table whose row of this tag is deleted after the code was made.
    stale: [&'static str; 2],
}

/// One row of every provider, and one event beside its rows.
const EVERY_PROVIDER: &[Mistakes] = &[
    Mistakes {
        folder: "acp",
        table: "cursor.acp.notification",
        split: [
            "compaction_update",
            "thread.state.changed",
            "CompactionUpdate",
            "ThreadStateChanged",
        ],
        implied: [
            "cursor.acp.response",
            "turn.completed: unreadable-end",
            "UnreadableEnd",
            "TurnCompleted",
        ],
        stale: ["cursor.acp.tool-call-status", "failed"],
    },
    Mistakes {
        folder: "amp",
        table: "amp.stream-json",
        split: [
            "assistant",
            "turn.plan.updated",
            "Assistant",
            "TurnPlanUpdated",
        ],
        implied: [
            "amp.stream-json",
            "turn.completed: next-message",
            "NextMessage",
            "TurnCompleted",
        ],
        stale: ["amp.stop-reason", "end_turn"],
    },
    Mistakes {
        folder: "claude",
        table: "claude.sdk.message",
        split: [
            "assistant",
            "thread.token-usage.updated",
            "Assistant",
            "ThreadTokenUsageUpdated",
        ],
        implied: [
            "claude.sdk.message",
            "request.opened: unreadable-request",
            "UnreadableRequest",
            "RequestOpened",
        ],
        stale: ["claude.stop-reason", "end_turn"],
    },
    Mistakes {
        folder: "codex",
        table: "codex.app-server.request",
        split: [
            "mcpServer/elicitation/request",
            "user-input.requested",
            "McpServerElicitationRequest",
            "UserInputRequested",
        ],
        implied: [
            "codex.app-server.request",
            "request.opened: unread-request",
            "UnreadRequest",
            "RequestOpened",
        ],
        stale: ["codex.turn-status", "failed"],
    },
    Mistakes {
        folder: "codex_sdk",
        table: "codex.sdk.thread-event",
        split: ["turn.failed", "runtime.error", "TurnFailed", "RuntimeError"],
        implied: [
            "codex.sdk.thread-event",
            "turn.completed: unreadable-end",
            "UnreadableEnd",
            "TurnCompleted",
        ],
        stale: ["codex.sdk.command-execution-status", "failed"],
    },
    Mistakes {
        folder: "opencode",
        table: "opencode.event",
        split: [
            "session.status",
            "turn.started",
            "SessionStatus",
            "TurnStarted",
        ],
        implied: [
            "opencode.event",
            "turn.completed: unreadable-end",
            "UnreadableEnd",
            "TurnCompleted",
        ],
        stale: ["opencode.finish", "stop"],
    },
];

/// An event that no mapping emits where it stands in for another one.
const STAND_IN: &str = "session.exited";

fn table(stem: &str) -> String {
    format!("contracts/mapping/{stem}.toml")
}

/// The text with another event in the place of one: in its row, or beside the rows.
fn replaced(text: &str, begins: &str, event: &str) -> String {
    let mut found = 0;
    let lines = text.lines().map(|line| {
        let is_there = line.trim_start().starts_with(begins) && line.contains(event);
        found += usize::from(is_there);
        match is_there {
            true => format!("{}\n", line.replacen(event, STAND_IN, 1)),
            false => format!("{line}\n"),
        }
    });
    let changed: String = lines.collect();
    assert_eq!(found, 1, "{begins} {event}");
    changed
}

#[test]
fn a_row_that_is_missing_is_named_whosever_it_is() {
    let mut files = repository_files(FOLDERS);
    for mistakes in EVERY_PROVIDER {
        let table = files.get_mut(&table(mistakes.table)).unwrap();
        *table = without_row(table, mistakes.split[0]);
    }
    let found = generate(&Inputs::from_files(&files).unwrap()).unwrap_err();
    let missing: Vec<String> = found
        .iter()
        .filter(|it| it.code == Code::MissingRow)
        .map(|it| it.message.clone())
        .collect();
    assert_eq!(missing.len(), found.len(), "{}", render(&found, false));
    for mistakes in EVERY_PROVIDER {
        let (tag, surface) = (mistakes.split[0], mistakes.table);
        let named = |message: &String| message.contains(&format!("`{tag}` of {surface}"));
        assert!(
            missing.iter().any(named),
            "{tag} of {surface}: {missing:#?}"
        );
    }
    assert!(missing.len() >= EVERY_PROVIDER.len());
}

/// What the compiler says of an event that a table does not list: the marker of the row or rule, the
/// event, and the file.
fn unlisted(text: &str) -> Vec<(String, String, String)> {
    let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    let blocks = text.split("error[E0277]: row `").skip(1);
    blocks
        .map(|block| {
            let said = block.lines().next().unwrap();
            let (row, event) = said
                .split_once("` does not list the canonical event `")
                .unwrap();
            let place = block
                .split("--> ")
                .nth(1)
                .unwrap()
                .split(':')
                .next()
                .unwrap();
            (
                last(row),
                last(event.trim_end_matches('`')),
                place.to_owned(),
            )
        })
        .collect()
}

#[test]
fn mistakes_in_the_tables_of_every_provider_fail_the_build() {
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let copy = Copy::new();
    let mut files = repository_files(FOLDERS);
    for mistakes in EVERY_PROVIDER {
        let [tag, event, ..] = mistakes.split;
        let row = files.get_mut(&table(mistakes.table)).unwrap();
        *row = replaced(row, &format!("\"{tag}\" = "), event);
        let [of, implied, ..] = mistakes.implied;
        let (event, rule) = implied.split_once(": ").unwrap();
        let beside = files.get_mut(&table(of)).unwrap();
        *beside = beside.replacen(
            &format!("\"{event}: {rule}\""),
            &format!("\"{STAND_IN}: {rule}\""),
            1,
        );
        assert!(
            beside.contains(&format!("\"{STAND_IN}: {rule}\"")),
            "{of}: {implied}"
        );
    }
    let made = generate(&Inputs::from_files(&files).unwrap());
    let made = made.unwrap_or_else(|found| panic!("{}", render(&found, false)));
    for (path, text) in made.files {
        copy.write(&path, &text);
    }
    for mistakes in EVERY_PROVIDER {
        for stem in [mistakes.table, mistakes.implied[0]] {
            copy.write(&table(stem), &files[&table(stem)]);
        }
        let [stem, tag] = mistakes.stale;
        copy.edit(&table(stem), |text| without_row(text, tag));
    }
    let (errors, text) = copy.fails(&["check", "-p", "agentwire-contracts"]);
    let unlisted = unlisted(&text);
    let mut expected = Vec::new();
    for mistakes in EVERY_PROVIDER {
        let folder = format!("contracts/src/providers/{}/", mistakes.folder);
        for [_, _, marker, event] in [mistakes.split, mistakes.implied] {
            expected.push((marker, event, folder.clone()));
        }
        let stale = format!(
            "{} changed after the last `cargo xtask regen`",
            table(mistakes.stale[0])
        );
        assert!(text.contains(&stale), "{stale}\n{text}");
    }
    let is = |(marker, event, folder): &(&str, &str, String), found: &(String, String, String)| {
        found.0 == *marker && found.1 == *event && found.2.starts_with(folder.as_str())
    };
    for expected in &expected {
        let found = unlisted.iter().any(|found| is(expected, found));
        assert!(found, "{expected:?} is in none of {unlisted:#?}");
    }
    for found in &unlisted {
        let known = expected.iter().any(|expected| is(expected, found));
        assert!(known, "nobody made this mistake: {found:?}");
    }
    // The tables that are stale are one error each, and there is no other.
    assert_eq!(
        errors.len(),
        unlisted.len() + EVERY_PROVIDER.len(),
        "{errors:#?}"
    );
    let sentence = "or to `implied` where no row gives it, then run `cargo xtask regen`";
    assert!(text.contains(sentence), "{text}");
}

#[test]
fn a_vendored_schema_breaks_the_seal() {
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let copy = Copy::new();
    let sentence = "schemas/codex/0.171.0 was vendored after the last `cargo xtask regen`: run it";
    copy.write(
        &format!("{FOLDER}/seal.rs"),
        &format!("//! Broken.\n\ncompile_error!(\"{sentence}\");\n"),
    );
    let (errors, _) = copy.fails(&["check", "-p", "agentwire-contracts"]);
    assert_eq!(errors, [format!("error: {sentence}")]);
}

#[test]
fn no_dependent_passes_over_a_variant() {
    let _guard = ONE_AT_A_TIME
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let copy = Copy::new();
    copy.members(&["contracts", "wildcard", "gap"]);
    let function = |arms: &str| {
        format!(
            "use agentwire::codex::wire::TurnStatus;\n\n/// A word.\npub fn word(status: &TurnStatus) -> &'static str {{\n    \
             match status {{\n        TurnStatus::Completed | TurnStatus::Failed => \"over\",\n{arms}    }}\n}}\n"
        )
    };
    copy.dependent("wildcard", &function("        _ => \"open\",\n"));
    copy.dependent(
        "gap",
        &function("        TurnStatus::InProgress | TurnStatus::Unrecognized(_) => \"open\",\n"),
    );
    let (mut errors, text) = copy.fails(&["clippy", "--keep-going", "-p", "wildcard", "-p", "gap"]);
    assert!(text.contains("clippy::wildcard-enum-match-arm"), "{text}");
    errors.sort();
    assert_eq!(
        errors,
        [
            "error: wildcard match will also match any future added variants",
            "error[E0004]: non-exhaustive patterns: `&agentwire::codex::wire::TurnStatus::Interrupted` not covered",
        ],
        "{text}"
    );
}
