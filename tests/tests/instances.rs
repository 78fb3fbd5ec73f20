//! Generated instances of every definition that the generated code decodes: valid ones come back
//! as they went in, and changed ones are tolerated or reported as the house promises.

#![allow(clippy::unwrap_used, clippy::panic)]

mod copies;
mod coverage;
mod decode;
mod facts;
mod foreign;
mod form;
mod gate;
mod generate;
mod mutate;
mod roots;
mod scalars;
mod sites;

use std::thread;

use gate::Report;

/// How many changes of each kind every copy must give, at the least.
const FLOORS: &[(&str, usize)] = &[
    ("another form", 3),
    ("another order", 1_000),
    ("required member removed", 1_500),
    ("text becomes number", 1_500),
    ("unknown fields", 1_000),
    ("unrecognized element", 40),
    ("unrecognized tag", 400),
    ("unrecognized value", 80),
];

/// Decoders in a dev build use much stack for what nests deep, and so does comparing.
const STACK: usize = 16 << 20;

#[test]
fn every_instance_comes_back_and_every_change_is_told() {
    let copies = copies::load("codex");
    let roots = roots::Roots::of(&copies);
    let facts = facts::Facts::of(&copies, &roots);
    let reports: Vec<Report> = thread::scope(|scope| {
        let (facts, roots) = (&facts, &roots);
        let runs: Vec<_> = copies
            .iter()
            .map(|copy| {
                let builder = thread::Builder::new().stack_size(STACK);
                builder
                    .spawn_scoped(scope, move || gate::run(copy, facts, roots))
                    .unwrap()
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    reports.iter().for_each(print);
    assert_eq!(reports.len(), 6, "three versions with two faces each");
    for report in &reports {
        let label = &report.label;
        assert!(
            report.failures.is_empty(),
            "{label}: {} failures, see above",
            report.failures.len()
        );
        assert!(
            report.gaps.is_empty(),
            "{label}: {} choices were never taken",
            report.gaps.len()
        );
        assert!(
            report.choices > 2_500,
            "{label}: {} choices",
            report.choices
        );
        assert!(
            report.instances > 1_000,
            "{label}: {} instances",
            report.instances
        );
        assert!(
            report.serde > 5_000,
            "{label}: {} comparisons with serde",
            report.serde
        );
        for (what, floor) in FLOORS {
            let count = report.mutations.get(what).copied().unwrap_or_default();
            assert!(count > *floor, "{label}: {count} times {what}");
        }
    }
    // Only some versions have these.
    for what in ["unrecognized guard", "optional member removed"] {
        assert!(
            reports
                .iter()
                .any(|report| report.mutations.contains_key(what)),
            "{what}"
        );
    }
}

/// A recursive type ends in an error before the stack of an ordinary thread does, in a dev build
/// too.
#[test]
fn a_message_inside_itself_over_and_over_is_an_error() {
    let open = r#"{"type":"session_configured","session_id":"s","model":"m","model_provider_id":"p","approval_policy":"never","sandbox_policy":{"type":"danger-full-access"},"cwd":"/","history_log_id":0,"history_entry_count":0,"initial_messages":["#;
    let nested = |levels: usize| {
        let inner = r#"{"type":"shutdown_complete"}"#;
        [&open.repeat(levels), inner, &"]}".repeat(levels)].concat()
    };
    let check = move || {
        let root = roots::Root::Union("EventMsg");
        let text = nested(20);
        let (encoded, notes) = decode::round_trip(&root, &text).unwrap();
        assert_eq!((notes.len(), encoded.len()), (0, text.len()));
        let error = decode::round_trip(&root, &nested(10_000)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "out of range for typed data (128 levels)"
        );
    };
    thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(check)
        .unwrap()
        .join()
        .unwrap();
}

fn print(report: &Report) {
    println!(
        "{}: {} roots and arms, {} choices of which {} never taken, {} instances, {} comparisons with serde, {} changes, {} failures",
        report.label,
        report.entries,
        report.choices,
        report.gaps.len(),
        report.instances,
        report.serde,
        report.mutations.values().sum::<usize>(),
        report.failures.len(),
    );
    for (what, count) in &report.mutations {
        println!("    {count:6} {what}");
    }
    for gap in report.gaps.iter().take(20) {
        println!("    never taken: {gap}");
    }
    for failure in report.failures.iter().take(25) {
        println!("  {failure}");
    }
}
