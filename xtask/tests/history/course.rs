//! A course over versions: a copy of the repository that begins with one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::process::{Command, Output};
use std::time::Instant;

use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::raw::tags;
use crate::support::{repository, said, tree, write};

const SOURCES: &str = "schemas/sources.toml";
const LOCK: &str = "schemas/sources.lock";
const GENERATED: &str = "contracts/src/generated";

/// A copy of the repository.
pub struct Course {
    root: TempDir,
    provider: String,
    /// Surfaces with the definition that has their tags.
    unions: BTreeMap<String, String>,
    /// For surfaces whose tags are paths, the member that is the next part of each.
    paths: BTreeMap<String, BTreeMap<String, String>>,
    /// Whether npm may be asked.
    offline: bool,
}

/// What one step showed.
#[derive(Debug)]
pub struct Step {
    pub version: String,
    /// Surfaces that were compared with the raw schemas.
    pub surfaces: usize,
    pub added: usize,
    pub gone: usize,
    /// Rows that the tree asks for.
    pub rows: usize,
    /// Findings besides them.
    pub others: usize,
    pub seconds: f32,
}

impl Step {
    pub const HEADER: &'static str = "| version | surfaces compared | variants added | variants gone | rows to decide | other decisions | seconds |\n|---|--:|--:|--:|--:|--:|--:|";
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            version,
            surfaces,
            added,
            gone,
            rows,
            others,
            seconds,
        } = self;
        write!(
            formatter,
            "| {version} | {surfaces} | {added} | {gone} | {rows} | {others} | {seconds:.1} |"
        )
    }
}

impl Course {
    /// A copy of the repository as it is.
    pub fn new(provider: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let folders = [
            "schemas",
            "contracts/mapping",
            "contracts/src/canonical",
            "contracts/src/projection",
            "contracts/src/providers",
            "tests/transcripts",
            GENERATED,
        ];
        for (path, text) in tree(&repository(), &folders) {
            write(root.path(), &path, &text);
        }
        let mut course = Self {
            root,
            provider: provider.to_owned(),
            unions: BTreeMap::new(),
            paths: BTreeMap::new(),
            offline: true,
        };
        course.unions = course.unions();
        course.paths = course.paths();
        course
    }

    fn unions(&self) -> BTreeMap<String, String> {
        let sources: Value = toml::from_str(&self.read(SOURCES)).unwrap();
        let named = |kind: &str, keys: [&str; 2]| -> BTreeMap<String, String> {
            let all = sources[kind].as_object().unwrap().iter();
            all.filter(|(_, entry)| entry["provider"] == self.provider.as_str())
                // Texts of any kind have no type, and no version.
                .filter(|(_, entry)| entry["texts"].is_null())
                .map(|(id, entry)| {
                    let name = entry[keys[0]].as_str().or(entry[keys[1]].as_str());
                    (id.clone(), name.unwrap().to_owned())
                })
                .collect()
        };
        let mut unions = named("surface", ["results-of", "union"]);
        unions.extend(named("value", ["type", "type"]));
        unions
    }

    fn paths(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let sources: Value = toml::from_str(&self.read(SOURCES)).unwrap();
        let surfaces = sources["surface"].as_object().unwrap().iter();
        let members = |by: &Value| serde_json::from_value(by.clone()).unwrap();
        surfaces
            .filter_map(|(id, entry)| Some((id.clone(), members(entry.get("by")?))))
            .collect()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.path().join(path)).unwrap_or_default()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(arguments).arg("--root").arg(self.root.path());
        if self.offline {
            // No npm is found there, so nothing can be fetched.
            command.env("PATH", self.root.path());
        }
        command.output().unwrap()
    }

    fn window(&self) -> Vec<String> {
        let sources: Value = toml::from_str(&self.read(SOURCES)).unwrap();
        let versions = sources["provider"][&self.provider]["versions"].as_array();
        let versions = versions.unwrap().iter();
        versions.map(|it| it.as_str().unwrap().to_owned()).collect()
    }

    /// The raw tags of a version, in all of its faces, by surface.
    fn raw(&self, version: &str) -> BTreeMap<String, BTreeSet<String>> {
        let folder = format!("schemas/{}/{version}", self.provider);
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let flat = BTreeMap::new();
        for text in tree(self.root.path(), &[&folder]).into_values() {
            let document: Value = serde_json::from_str(&text).unwrap();
            for (surface, definition) in &self.unions {
                let by = self.paths.get(surface).unwrap_or(&flat);
                if let Some(tags) = tags(&document, definition, by) {
                    found.entry(surface.clone()).or_default().extend(tags);
                }
            }
        }
        found
    }

    /// The tags that the table of a surface has a line for.
    fn table(&self, surface: &str) -> BTreeMap<String, String> {
        let text = self.read(&format!("contracts/mapping/{surface}.toml"));
        rows_of(&text)
    }

    /// Retires every version but one, and returns which those were.
    pub fn keep_only(&mut self, kept: &str) -> Vec<String> {
        let dropped: Vec<String> = self.window().into_iter().filter(|it| it != kept).collect();
        let mut arguments = vec!["upgrade", self.provider.as_str()];
        for version in &dropped {
            arguments.extend(["--drop", version]);
        }
        let output = self.run(&arguments);
        assert_ne!(output.status.code(), Some(2), "{}", said(&output));
        assert_eq!(self.window(), [kept]);
        // What is left are the rows of the one version, and no row asks.
        let raw = self.raw(kept);
        assert!(!raw.is_empty());
        for (surface, tags) in &raw {
            let rows: BTreeSet<String> = self.table(surface).into_keys().collect();
            let without: Vec<&String> = tags.iter().filter(|tag| !rows.contains(*tag)).collect();
            assert!(without.is_empty(), "{surface}: {without:?}");
        }
        assert_eq!(self.open(), BTreeSet::new());
        // From here on, what is not placed is fetched.
        self.offline = false;
        dropped
    }

    /// Puts a version there as `vendor` leaves it: its files and what the lock says of them.
    pub fn place(&mut self, version: &str) {
        self.offline = true;
        let folder = format!("schemas/{}/{version}", self.provider);
        for (path, text) in tree(&repository(), &[&folder]) {
            write(self.root.path(), &path, &text);
        }
        let whole = fs::read_to_string(repository().join(LOCK)).unwrap();
        let whole: Value = toml::from_str(&whole).unwrap();
        let mut lock: Value = toml::from_str(&self.read(LOCK)).unwrap();
        lock[&self.provider][version] = whole[&self.provider][version].clone();
        write(self.root.path(), LOCK, &toml::to_string(&lock).unwrap());
    }

    /// Makes the experimental schema of a version a version of its own, with the stable face alone.
    pub fn split_faces(&mut self, version: &str, next: &str) {
        let provider = self.provider.clone();
        let file =
            |version: &str, face: &str| format!("schemas/{provider}/{version}/{face}/schema.json");
        let experimental = self.read(&file(version, "experimental"));
        fs::remove_dir_all(
            self.root
                .path()
                .join(format!("schemas/{provider}/{version}/experimental")),
        )
        .unwrap();
        write(self.root.path(), &file(next, "stable"), &experimental);
        let header = format!("[provider.{provider}]");
        let sources = self.read(SOURCES);
        let (before, after) = sources.split_once(&header).unwrap();
        let after = after.replacen("[\"stable\", \"experimental\"]", "[\"stable\"]", 1);
        write(
            self.root.path(),
            SOURCES,
            &format!("{before}{header}{after}"),
        );

        let mut lock: Value = toml::from_str(&self.read(LOCK)).unwrap();
        for version in [version, next] {
            let mut entry = lock[&provider]["2.4.0"].clone();
            let text = self.read(&file(version, "stable"));
            let hash: String = Sha256::digest(text.as_bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let path = format!("{provider}/{version}/stable/schema.json");
            entry["sha256"] = serde_json::json!({path: hash});
            lock[&provider][version] = entry;
        }
        let next_entry = lock[&provider]
            .as_object_mut()
            .unwrap()
            .remove(next)
            .unwrap();
        write(self.root.path(), LOCK, &toml::to_string(&lock).unwrap());
        // The next version is placed once the first one alone is settled.
        let text = self.read(&file(next, "stable"));
        fs::remove_dir_all(self.root.path().join(format!("schemas/{provider}/{next}"))).unwrap();

        for (path, text) in tree(self.root.path(), &["schemas/overlays"]) {
            let overlay: Value = serde_json::from_str(&text).unwrap();
            let faces = overlay["faces"].as_array();
            if overlay["provider"] == provider.as_str() && faces.is_some() {
                fs::remove_file(self.root.path().join(path)).unwrap();
            }
        }
        self.remove_unbound();
        self.remove_stale_rows();
        let output = self.run(&["regen"]);
        assert!(output.status.success(), "{}", said(&output));

        write(self.root.path(), &file(next, "stable"), &text);
        lock[&provider][next] = next_entry;
        write(self.root.path(), LOCK, &toml::to_string(&lock).unwrap());
    }

    /// Removes value surfaces whose type no version has, and their tables.
    fn remove_unbound(&mut self) {
        for message in self.messages() {
            let Some((_, rest)) = message.split_once("`, which `") else {
                continue;
            };
            let Some((id, _)) = rest.split_once("` is bound to, is no union") else {
                continue;
            };
            let header = format!("[value.\"{id}\"]\n");
            let text = self.read(SOURCES);
            let (before, after) = text.split_once(&header).unwrap();
            let (_, after) = after.split_once("\n\n").unwrap();
            write(self.root.path(), SOURCES, &format!("{before}{after}"));
            let table = format!("contracts/mapping/{id}.toml");
            fs::remove_file(self.root.path().join(table)).unwrap();
            self.unions.remove(id);
        }
    }

    fn remove_stale_rows(&self) {
        for (surface, tag, state) in self.listed() {
            if state == "stale" {
                let path = format!("contracts/mapping/{surface}.toml");
                let line = self.table(&surface)[&tag].clone();
                let text = self.read(&path).replace(&format!("{line}\n"), "");
                write(self.root.path(), &path, &text);
            }
        }
    }

    /// Surface, tag and state of every row that somebody must see to.
    fn listed(&self) -> Vec<(String, String, String)> {
        let output = self.run(&["rows", "--missing", "--format", "json"]);
        let all: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", said(&output)));
        let mut rows = Vec::new();
        for surface in all["surfaces"].as_array().unwrap() {
            for row in surface["rows"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                rows.push((text(&surface["id"]), text(&row["tag"]), text(&row["state"])));
            }
        }
        rows
    }

    fn open(&self) -> BTreeSet<(String, String)> {
        let listed = self.listed().into_iter();
        listed
            .map(|(surface, tag, state)| {
                assert_eq!(state, "todo", "{surface} {tag}");
                (surface, tag)
            })
            .collect()
    }

    /// One upgrade. The rows that the tree asks for afterwards are those, and only those, that the raw
    /// schema says.
    pub fn step(&mut self, version: &str) -> Step {
        let window = self.window();
        let from = window.last().unwrap().clone();
        let before = self.raw(&from);
        let tables: BTreeMap<String, BTreeSet<String>> = self
            .unions
            .keys()
            .map(|surface| (surface.clone(), self.table(surface).into_keys().collect()))
            .collect();
        let started = Instant::now();
        let target = format!("{}@{version}", self.provider);
        let output = self.run(&["upgrade", &target]);
        let seconds = started.elapsed().as_secs_f32();
        let text = said(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        let mut expected_window = window.clone();
        expected_window.push(version.to_owned());
        assert_eq!(self.window(), expected_window);

        let now = self.raw(version);
        let (mut expected, mut added, mut gone) = (BTreeSet::new(), 0, 0);
        let nothing = BTreeSet::new();
        let compared: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        for surface in &compared {
            let old = before.get(*surface).unwrap_or(&nothing);
            let new = now.get(*surface).unwrap_or(&nothing);
            let plus = new.difference(old).count();
            let minus = old.difference(new).count();
            assert_eq!(told(&text, surface, '+'), plus, "{surface}: {text}");
            assert_eq!(told(&text, surface, '-'), minus, "{surface}: {text}");
            added += plus;
            gone += minus;
            let without = new.iter().filter(|tag| !tables[*surface].contains(*tag));
            expected.extend(without.map(|tag| ((*surface).clone(), tag.clone())));
        }
        let open = self.open();
        // Rows for one value of a member, and surfaces that the raw count can't read, are not compared.
        let comparable: BTreeSet<(String, String)> = open
            .iter()
            .filter(|(surface, tag)| {
                let whole = tag.split_once(':').map(|(whole, _)| whole);
                let counted = now.get(surface).unwrap_or(&nothing);
                compared.contains(surface) && whole.is_none_or(|whole| !counted.contains(whole))
            })
            .cloned()
            .collect();
        let missing: Vec<_> = expected.difference(&comparable).collect();
        let extra: Vec<_> = comparable.difference(&expected).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{missing:?} {extra:?}"
        );
        assert!(!open.is_empty());
        Step {
            version: version.to_owned(),
            surfaces: compared.len(),
            added,
            gone,
            rows: open.len(),
            others: self.others(),
            seconds,
        }
    }

    /// Decides everything as the repository does. What only a version has that the repository does not
    /// have is dropped.
    pub fn decide(&self) {
        self.decide_overlays();
        self.decide_results();
        // What an overlay brings needs rows, too.
        self.run(&["regen", "--propose"]);
        for (surface, tag) in self.open() {
            let path = format!("contracts/mapping/{surface}.toml");
            let decided = fs::read_to_string(repository().join(&path)).unwrap_or_default();
            let line = rows_of(&decided).remove(&tag);
            let own = self.table(&surface)[&tag].clone();
            let quoted = Value::String(tag).to_string();
            let line = line.unwrap_or(format!(
                "{quoted} = {{ drop = \"of no version that is kept\" }}"
            ));
            let mut text = self.read(&path).replace(&own, &line);
            if let Some(target) = decided.lines().find(|line| line.starts_with("target")) {
                let asked = text.lines().find(|line| line.starts_with("# `target"));
                if let Some(asked) = asked.map(str::to_owned) {
                    text = text.replace(&asked, target);
                }
            }
            write(self.root.path(), &path, &text);
        }
        let output = self.run(&["regen"]);
        assert_ne!(output.status.code(), Some(2), "{}", said(&output));
    }

    /// Overlays hold for the versions that the repository says, and for those in between that the
    /// upgrade found them to fit.
    fn decide_overlays(&self) {
        let window = self.window();
        let kept: Value = {
            let sources = fs::read_to_string(repository().join(SOURCES)).unwrap();
            toml::from_str(&sources).unwrap()
        };
        let kept = kept["provider"][&self.provider]["versions"].clone();
        let kept: Vec<&str> = kept
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for (path, text) in tree(&repository(), &["schemas/overlays"]) {
            let mut overlay: Value = serde_json::from_str(&text).unwrap();
            if overlay["provider"] != self.provider.as_str() || self.offline && kept.len() == 1 {
                continue;
            }
            let strings = |value: &Value| -> BTreeSet<String> {
                let list = value["versions"].as_array().into_iter().flatten();
                list.map(|it| it.as_str().unwrap().to_owned()).collect()
            };
            let committed = strings(&overlay);
            let own: Value = serde_json::from_str(&self.read(&path)).unwrap_or_default();
            let carried = strings(&own);
            let versions: Vec<&String> = window
                .iter()
                .filter(|version| {
                    if kept.contains(&version.as_str()) {
                        committed.contains(*version)
                    } else {
                        carried.contains(*version)
                    }
                })
                .collect();
            if versions.is_empty() {
                drop(fs::remove_file(self.root.path().join(&path)));
                continue;
            }
            overlay["versions"] = serde_json::json!(versions);
            write(self.root.path(), &path, &overlay.to_string());
        }
    }

    /// Takes over the results that the repository names for methods that no rule finds one for.
    fn decide_results(&self) {
        let committed = fs::read_to_string(repository().join(SOURCES)).unwrap();
        for message in self.messages() {
            let Some(method) = message
                .strip_prefix("no naming rule finds the result type of `")
                .and_then(|rest| rest.strip_suffix('`'))
            else {
                continue;
            };
            let start = format!("\"{method}\" = ");
            let mut section = "[surface.\"codex.app-server.response\".results]";
            let mut line = format!("{start}\"LogoutAccountResponse\"");
            let mut at = section;
            for one in committed.lines() {
                if one.starts_with('[') {
                    at = one;
                } else if one.starts_with(&start) {
                    (section, line) = (at, one.to_owned());
                }
            }
            let text = self.read(SOURCES);
            assert!(text.contains(section), "{text}");
            let text = text.replace(section, &format!("{section}\n{line}"));
            write(self.root.path(), SOURCES, &text);
        }
    }

    fn check(&self) -> Vec<Value> {
        let output = self.run(&["check", "--format", "json"]);
        let all: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", said(&output)));
        all["findings"].as_array().unwrap().clone()
    }

    /// The kinds of everything that `check` finds.
    pub fn findings(&self) -> BTreeSet<String> {
        let findings = self.check().into_iter();
        findings
            .map(|it| it["code"].as_str().unwrap().to_owned())
            .collect()
    }

    /// What `check` finds besides quirks of versions that are not there.
    pub fn messages(&self) -> Vec<String> {
        let findings = self.check().into_iter();
        findings
            .filter(|it| it["code"] != "stale-quirk")
            .map(|it| it["message"].as_str().unwrap().to_owned())
            .collect()
    }

    fn others(&self) -> usize {
        let findings = self.check();
        findings
            .iter()
            .filter(|it| it["code"] != "todo-row" && it["code"] != "stale-quirk")
            .count()
    }

    /// Every generated file of the provider has the bytes that it has in the repository.
    pub fn assert_generated_as_in_the_repository(&self) {
        let folder = format!("{GENERATED}/{}", self.provider.replace('-', "_"));
        let (expected, found) = (
            tree(&repository(), &[&folder]),
            tree(self.root.path(), &[&folder]),
        );
        assert!(expected.len() > 5, "{:?}", expected.keys());
        crate::support::assert_same(&expected, &found);
    }
}

/// The rows of a table: each line by its tag.
fn rows_of(text: &str) -> BTreeMap<String, String> {
    let rows = text.lines().filter(|line| line.starts_with('"'));
    rows.filter_map(|line| {
        let mut stream = serde_json::Deserializer::from_str(line).into_iter::<String>();
        Some((stream.next()?.ok()?, line.to_owned()))
    })
    .collect()
}

/// How many variants of a surface the summary counts as new, or as gone.
fn told(text: &str, surface: &str, sign: char) -> usize {
    let start = format!("    {surface} {sign}");
    let line = text.lines().find(|line| {
        line.strip_prefix(&start)
            .is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()))
    });
    line.map_or(0, |line| line[start.len()..].parse().unwrap())
}
