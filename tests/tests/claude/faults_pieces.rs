//! Pieces, whose lines have ids that name nothing; members that no type has; and answers that come
//! back.

use std::collections::BTreeMap;

use agentwire::session::{Direction, Verdict};

use crate::claude::dialogue::Dialogue;
use crate::claude::faults_tags::given;
use crate::claude::lines::{
    INIT, SUCCESS, TEXT, answers, asks, begins, begins_event, call, closes, line, piece_event,
    result, result_of, streamed_as, system, text, user,
};
use crate::support::replay::{assert_raw, event_types, oddities, only};

#[test]
fn uuid_per_chunk() {
    let mut dialogue = Dialogue::new();
    for line in given("uuid-per-chunk") {
        dialogue.told(&line);
    }
    let pieces = dialogue.of("content.delta");
    let [one, two] = pieces[..] else {
        panic!("{pieces:#?}")
    };
    assert!(one["itemId"].is_string());
    assert_eq!(one["itemId"], two["itemId"]);
    assert_eq!(dialogue.of("item.started").len(), 1);
}

/// Pieces belong to their block whatever the ids of their lines: other ones, none that differ, the
/// same as other lines have; of thinking, of inputs, of agents; with blocks between each other.
#[test]
fn pieces_belong_to_their_block() {
    let thinking = r#"{"type":"thinking","thinking":"","signature":""}"#;
    let thought = |text: &str| format!(r#"{{"type":"thinking_delta","thinking":"{text}"}}"#);
    let input = |text: &str| format!(r#"{{"type":"input_json_delta","partial_json":"{text}"}}"#);
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u0", "null", "m0", &call("agent", "Task", "{}")));
    let mut number = 0;
    let mut say = |dialogue: &mut Dialogue, parent: &str, event: &str| {
        number += 1;
        dialogue.told(&streamed_as(&format!("u{}", number / 2), parent, event));
    };
    for parent in ["null", r#""agent""#] {
        say(&mut dialogue, parent, &begins_event("m"));
    }
    for (index, block) in [thinking, TEXT, &call("c", "Bash", "{}")]
        .into_iter()
        .enumerate()
    {
        for parent in ["null", r#""agent""#] {
            let block = block.replace("\"c\"", if parent == "null" { "\"c\"" } else { "\"d\"" });
            let event = format!(
                r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#
            );
            say(&mut dialogue, parent, &event);
        }
    }
    for _ in 0..3 {
        for parent in ["null", r#""agent""#] {
            for (index, delta) in [thought("o"), text("p"), input("q")].iter().enumerate() {
                let event = piece_event(i64::try_from(index).unwrap(), delta);
                say(&mut dialogue, parent, &event);
            }
        }
    }
    let mut of_item: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for piece in dialogue.of("content.delta") {
        let item = piece["itemId"].as_str().unwrap().to_owned();
        let text = piece["payload"]["delta"].as_str().unwrap().to_owned();
        of_item.entry(item).or_default().push(text);
    }
    let texts: Vec<String> = of_item.values().map(|pieces| pieces.concat()).collect();
    assert_eq!(of_item.len(), 6, "{of_item:?}");
    for wanted in ["ooo", "ppp", "qqq"] {
        assert_eq!(
            texts.iter().filter(|it| **it == wanted).count(),
            2,
            "{of_item:?}"
        );
    }
}

#[test]
fn pieces_without_a_beginning_belong_together() {
    for begins_first in [true, false] {
        let mut dialogue = Dialogue::begun();
        if begins_first {
            dialogue.told(&begins("m"));
        }
        for uuid in ["u1", "u2", "u2"] {
            dialogue.told(&streamed_as(uuid, "null", &piece_event(3, &text("a"))));
        }
        dialogue.told(&closes(3));
        let pieces = dialogue.of("content.delta");
        assert_eq!(pieces.len(), 3);
        assert!(
            pieces
                .iter()
                .all(|piece| piece["itemId"] == pieces[0]["itemId"])
        );
        let done = dialogue.of("item.completed");
        assert_eq!(done.last().unwrap()["payload"]["detail"], "aaa");
        assert_eq!(
            dialogue.of("item.started").last().unwrap()["itemId"],
            pieces[0]["itemId"]
        );
    }
}

/// Members that no type has are no fault, at any depth, and stand in the untouched message.
#[test]
fn members_that_no_type_has() {
    let cases = [
        (INIT.to_owned(), 1_usize),
        (line("u1", "null", "m", r#"{"type":"text","text":"a"}"#), 3),
        (result("r", SUCCESS), 1),
        (user(r#""lamp""#), 2),
        (begins("m"), 0),
        (system("status", r#""status":null"#), 1),
        (
            system(
                "compact_boundary",
                r#""compact_metadata":{"trigger":"auto","pre_tokens":1}"#,
            ),
            1,
        ),
    ];
    for (line, least) in cases {
        // The keys of an empty map are names, and no members.
        let map = r#""modelUsage":{}"#;
        let odd = line
            .replace(map, "~")
            .replace('{', r#"{"zz_odd":{"type":"user","a":[1,{"b":null}]},"#);
        let odd = odd.replace('~', map);
        let mut dialogue = Dialogue::begun();
        let plain = Dialogue::begun().told(&line);
        let outcome = dialogue.told(&odd);
        assert_eq!(outcome.verdict, plain.verdict, "{odd}");
        assert_eq!(oddities(&outcome), Vec::<String>::new(), "{odd}");
        assert_eq!(event_types(&outcome), event_types(&plain), "{odd}");
        assert!(outcome.events.len() >= least);
        if least > 0 {
            assert_raw(&outcome, &odd);
        }
        dialogue.goes_on();
    }
}

/// What the host wrote comes back on the program's output, in versions that send it back.
#[test]
fn answers_of_the_host_come_back() {
    let mut dialogue = Dialogue::begun();
    dialogue.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    dialogue.told(&asks("q", "c", "Bash"));
    let answer = answers("q", r#"{"behavior":"allow","updatedInput":{}}"#);
    let resolved = dialogue.host(&answer);
    assert_eq!(event_types(&resolved), ["request.resolved"]);
    let back = dialogue.told(&answer);
    assert!(
        matches!(back.verdict, Verdict::Told(_)),
        "{:?}",
        back.verdict
    );
    let outcome = dialogue.told(&result_of("c", r#""content":"x""#));
    assert_eq!(event_types(&outcome), ["item.completed"]);
    // A reader that sees the program's output alone learns from it what the host decided.
    let mut alone = Dialogue::new();
    alone.told(INIT);
    alone.told(&line("u1", "null", "m", &call("c", "Bash", "{}")));
    alone.told(&asks("q", "c", "Bash"));
    let back = only(alone.line(Direction::FromAgent, &answer));
    assert_eq!(
        event_types(&back),
        ["request.resolved"],
        "{:?}",
        back.verdict
    );
    assert_eq!(alone.of("request.resolved").len(), 1);
}
