//! The invented provider: two surfaces, and the versions that are published of it.

use super::support::World;

pub const SOURCES: &str = r#"# Comments stay.
[provider.acme]
package = "acme-agent"   # odd spaces, too
licence = "MIT"
versions = [] # the oldest first
faces = ["stable"]
files = { stable = "schema/main.json" }

[surface."acme.note"]
provider = "acme"
module = "note"
union = "Note"

[value."acme.mood"]
provider = "acme"
type = "Mood"
"#;

pub const NOTES: &str = "contracts/mapping/acme.note.toml";
pub const MOODS: &str = "contracts/mapping/acme.mood.toml";
/// Where the mapping and the evidence of its surface stand.
const PLACES: [&str; 2] = [
    "contracts/src/providers/acme/note.rs",
    "tests/transcripts/acme.note/1.0.0/one.jsonl",
];
pub const SEAL: &str = "contracts/src/generated/seal.rs";

/// A schema with these messages and moods.
fn schema(notes: &[&str], moods: &[&str]) -> String {
    let variants: Vec<String> = notes
        .iter()
        .map(|tag| {
            format!(
                r##"{{"type": "object", "required": ["type"], "properties": {{"type": {{"const": "{tag}"}}, "mood": {{"$ref": "#/$defs/Mood"}}}}}}"##
            )
        })
        .collect();
    format!(
        r##"{{"anyOf": [{{"$ref": "#/$defs/Note"}}], "$defs": {{"Note": {{"oneOf": [{}]}}, "Mood": {{"type": "string", "enum": {moods:?}}}}}}}"##,
        variants.join(", ")
    )
}

pub fn publish(world: &World, version: &str, notes: &[&str], moods: &[&str]) {
    let text = schema(notes, moods);
    world.publish("acme-agent", version, &[("schema/main.json", &text)]);
    let tags = format!(r#"{{"latest": "{version}"}}"#);
    world.says("acme-agent", "dist-tags", &tags);
}

/// A world without any version; 1.0.0 is published.
pub fn empty() -> World {
    let world = World::new(SOURCES);
    publish(
        &world,
        "1.0.0",
        &["turn/ended", "turn/started"],
        &["completed", "failed"],
    );
    for place in PLACES {
        world.write(place, "");
    }
    world
}

/// Decides every row that asks.
pub fn decide(world: &World) {
    let notes = |text: &str| {
        text.replace("todo = \"new in 1.0.0\"", "rename = \"turn.started\"")
            .replace("todo = \"new in 1.1.0\"", "drop = \"nobody needs it\"")
    };
    let text = notes(&world.read(NOTES));
    world.write(NOTES, &text);
    let text = notes(&world.read(MOODS)).replace("\"turn.started\"", "\"completed\"");
    let text = text
        .lines()
        .map(|line| {
            if line.starts_with("# `target") {
                "target = \"turn-state\"\n".to_owned()
            } else {
                format!("{line}\n")
            }
        })
        .collect::<String>();
    world.write(MOODS, &text);
}

/// A world whose window is 1.0.0, all decided; 1.1.0 is published with a message and a mood more, and
/// without one message.
pub fn settled() -> World {
    let world = empty();
    world.run(1, &["upgrade", "acme@1.0.0"]);
    decide(&world);
    world.run(0, &["regen"]);
    world.run(0, &["check"]);
    publish(
        &world,
        "1.1.0",
        &["turn/paused", "turn/started", "zebra"],
        &["completed", "failed", "odd"],
    );
    world.asked();
    world
}
