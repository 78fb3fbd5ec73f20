//! What a lifecycle table says, and what is wrong with one.

#![allow(clippy::unwrap_used)]

use super::*;

const ENDS: &str = "items = \"fail\"\ncommands = \"keep\"\nbackground = \"keep\"\nrequests = \"cancel\"\n\
questions = \"cancel\"\ntasks = \"stop\"\nbackground-tasks = \"keep\"\nhooks = \"cancel\"\n";

fn sources() -> Sources {
    let text =
        "[provider.acme-v1]\npackage = \"acme\"\nversions = [\"1.0.0\"]\nfaces = [\"stable\"]\n";
    Sources::read(&SourceFile::new("schemas/sources.toml", text)).unwrap()
}

fn table(text: &str) -> Result<LifecycleTable, Vec<String>> {
    let path = "contracts/mapping/acme.lifecycle.toml";
    let lines = |errors: Errors| errors.iter().map(Diagnostic::to_line).collect();
    read(&SourceFile::new(path, text), &sources()).map_err(lines)
}

fn whole() -> String {
    let all = ENDS.replace("keep", "fail");
    format!("[turn-ends]\n{ENDS}[thread-closes]\n{all}[exit]\n{all}")
}

#[test]
fn a_table_says_what_becomes_of_each_thing() {
    let read = table(&format!(
        "{}[turns]\none-at-a-time = true\n[after-the-end]\nitems = [\"declined over failed\", \"completed over closed\"]\n",
        whole()
    ))
    .unwrap();
    assert_eq!(read.provider, "acme");
    assert_eq!(read.turn_ends["commands"], "keep");
    assert_eq!(read.exit["background-tasks"], "fail");
    assert!(read.one_at_a_time);
    let corrections = [("declined", "failed"), ("completed", "closed")];
    assert_eq!(read.corrections, corrections);
    assert!(!table(&whole()).unwrap().one_at_a_time);
}

#[test]
fn what_is_wrong_is_told_at_its_line() {
    let at = "contracts/mapping/acme.lifecycle.toml";
    for (text, problem) in [
        (
            whole().replacen("items = \"fail\"", "items = \"end\"", 1),
            format!("{at}:2:9: bad-row: `items` is one of fail, keep"),
        ),
        (
            whole().replacen("hooks = \"cancel\"\n", "", 1),
            format!("{at}:1:2: bad-row: [turn-ends] does not say what becomes of hooks"),
        ),
        (
            whole().replacen("[exit]\nitems = \"fail\"", "[exit]\nitems = \"keep\"", 1),
            format!("{at}:20:9: bad-row: nothing stays open when the program is gone"),
        ),
        (
            whole().replacen("[turn-ends]", "[turn-end]", 1),
            format!("{at}:1:2: bad-row: `turn-end` is not a key of a lifecycle table here"),
        ),
        (
            format!(
                "{}[after-the-end]\nitems = [\"failed over failed\"]\n",
                whole()
            ),
            format!("{at}:29:10: bad-row: a correction is `\"later over first\"`"),
        ),
    ] {
        assert_eq!(table(&text).unwrap_err()[0], problem);
    }
    let other = SourceFile::new("contracts/mapping/acne.lifecycle.toml", whole());
    let errors = read(&other, &sources()).unwrap_err();
    assert_eq!(errors[0].help, ["the nearest provider is `acme`"]);
}
