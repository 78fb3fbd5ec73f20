//! typify's types and ours over the same generated instances: what one accepts and the other
//! rejects is printed, by definition.

use std::collections::{BTreeMap, BTreeSet};

#[path = "../../tests/instances/copies.rs"]
#[allow(dead_code)]
mod copies;
#[path = "../../tests/instances/coverage.rs"]
#[allow(dead_code)]
mod coverage;
#[path = "../../tests/instances/facts.rs"]
#[allow(dead_code)]
mod facts;
#[path = "../../tests/instances/foreign.rs"]
mod foreign;
#[path = "../../tests/instances/form.rs"]
mod form;
#[path = "../../tests/instances/generate.rs"]
mod generate;
#[path = "../../tests/instances/mutate.rs"]
#[allow(dead_code)]
mod mutate;
#[path = "../../tests/instances/roots.rs"]
#[allow(dead_code)]
mod roots;
#[path = "../../tests/instances/scalars.rs"]
mod scalars;
#[path = "../../tests/instances/sites.rs"]
#[allow(dead_code)]
mod sites;

mod made {
    include!(concat!(env!("OUT_DIR"), "/oracle.rs"));
}

use coverage::{Size, Trail};
use mutate::{Budget, Expected};

/// What came of the comparison, by definition.
#[derive(Default)]
struct Tally {
    agree: usize,
    only_theirs: BTreeMap<String, (usize, String)>,
    only_ours: BTreeMap<String, (usize, String)>,
}

impl Tally {
    fn count(
        &mut self,
        name: &str,
        theirs: &Result<(), String>,
        ours: &Result<(), String>,
        text: &str,
    ) {
        let (list, error) = match (theirs, ours) {
            (Ok(()), Err(error)) => (&mut self.only_theirs, error),
            (Err(error), Ok(())) => (&mut self.only_ours, error),
            (Ok(()), Ok(())) | (Err(_), Err(_)) => {
                self.agree += 1;
                return;
            }
        };
        list.entry(name.to_owned())
            .or_insert_with(|| (0, format!("{error}: {text}")))
            .0 += 1;
    }

    fn print(&self, what: &str, examples: bool) {
        let count = |list: &BTreeMap<String, (usize, String)>| {
            list.values().map(|(count, _)| count).sum::<usize>()
        };
        let (theirs, ours) = (count(&self.only_theirs), count(&self.only_ours));
        println!(
            "  {what}: {} agree, {theirs} only typify accepts, {ours} only we accept",
            self.agree
        );
        for (who, list) in [("typify", &self.only_theirs), ("we", &self.only_ours)] {
            for (name, (count, example)) in list.iter().filter(|_| examples) {
                println!(
                    "    {count:5} {name}, only {who}: {}",
                    example.chars().take(200).collect::<String>()
                );
            }
        }
    }
}

fn main() {
    let copies = copies::load("codex");
    let roots = roots::Roots::of(&copies);
    let facts = facts::Facts::of(&copies, &roots);
    let mut refused_by_us = 0;
    for copy in copies.iter().filter(|copy| copy.face == "experimental") {
        let mut generator = generate::Generator::new(copy, &facts);
        let (mut valid, mut malformed, mut tolerated) =
            (Tally::default(), Tally::default(), Tally::default());
        let mut compared = BTreeSet::new();
        let mut refused: &[&str] = &[];
        for name in copy
            .definitions()
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| facts.knows(name))
        {
            let mut budget = Budget::default();
            let sizes = [
                Size::Minimal,
                Size::Full,
                Size::Mixed,
                Size::Mixed,
                Size::Mixed,
                Size::Mixed,
            ];
            for size in sizes {
                for arm in 0..generator.arms(name) {
                    let instance = generator.instance(name, arm, size, &Trail::new());
                    let text = instance.value.to_string();
                    let (theirs, not_made) = made::theirs(&copy.version, name, &text);
                    refused = not_made;
                    let (Some(theirs), Some(ours)) = (theirs, made::ours(name, &text)) else {
                        continue;
                    };
                    compared.insert(name.clone());
                    valid.count(name, &theirs, &ours, &text);
                    for mutation in mutate::mutations(&instance, &mut budget) {
                        let text = mutation.value.to_string();
                        let (theirs, _) = made::theirs(&copy.version, name, &text);
                        let (Some(theirs), Some(ours)) = (theirs, made::ours(name, &text)) else {
                            continue;
                        };
                        let tally = match mutation.expected {
                            Expected::Malformed(_) => &mut malformed,
                            Expected::Same(_) | Expected::Noted(..) | Expected::Loose(_) => {
                                &mut tolerated
                            }
                        };
                        tally.count(name, &theirs, &ours, &text);
                    }
                }
            }
        }
        println!(
            "{}: {} definitions compared; typify refuses {refused:?}",
            copy.label(),
            compared.len()
        );
        valid.print("valid instances", true);
        malformed.print("malformed ones", true);
        // typify refuses every unrecognized tag and value, by design.
        tolerated.print("what we tolerate", false);
        refused_by_us += valid.only_theirs.len() + tolerated.only_theirs.len();
    }
    assert_eq!(
        refused_by_us, 0,
        "definitions of which typify reads a value that we do not"
    );
}
