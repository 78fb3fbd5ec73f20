//! Seeded random edits of the vendored schemas: the comparison finds each edit, as one change, with
//! what it means for those ways that the place goes.

use std::collections::BTreeMap;

use agentwire_upkeep::diff::{Class, Direction, compare, text};

use crate::diff::documents::{documents, files};
use crate::diff::edits::EDITS;
use crate::diff::roots::ways;
use crate::diff::sites::{Site, sites, tags};

/// How often each edit is made.
const ROUNDS: usize = 8;

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // The constants of splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % sides as u64).unwrap()
    }
}

#[test]
fn an_edit_is_found_as_what_it_is() {
    let files = files();
    let documents = documents(&files);
    let places: Vec<_> = documents
        .iter()
        .map(|document| {
            let ways = ways(
                &document.provider,
                &document.root,
                &files["schemas/sources.toml"],
            );
            (sites(&document.root, &ways), tags(&document.root))
        })
        .collect();
    let mut dice = Dice(7);
    let mut made: BTreeMap<&str, usize> = BTreeMap::new();
    let mut providers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for edit in EDITS {
        // The documents that have a place for it, so that a large one is not edited more often.
        let fitting: Vec<(usize, Vec<&Site>)> = places
            .iter()
            .enumerate()
            .map(|(index, (sites, tags))| {
                let schema = |site: &Site| documents[index].root.pointer(&site.pointer).unwrap();
                (
                    index,
                    sites
                        .iter()
                        .filter(|site| (edit.fits)(schema(site), site, tags))
                        .collect(),
                )
            })
            .filter(|(_, sites): &(usize, Vec<&Site>)| !sites.is_empty())
            .collect();
        assert!(!fitting.is_empty(), "{} fits nowhere", edit.check);
        for round in 0..ROUNDS {
            let (index, sites) = &fitting[dice.roll(fitting.len())];
            let (index, site) = (*index, sites[dice.roll(sites.len())]);
            let document = &documents[index];
            let mut root = document.root.clone();
            (edit.make)(&mut root, site, &places[index].1, dice.roll(1 << 20));
            let new = document.side.edited(&document.face, &root);
            let diff = new.and_then(|new| compare(&document.side, &new));
            let told = format!(
                "round {round}: {} at {} of {}",
                edit.check, site.pointer, document.name
            );
            let diff = match diff {
                Ok(diff) => diff,
                Err(found) => {
                    failures.push(format!("{told}: {found:?}"));
                    continue;
                }
            };
            let expected = site.ways.iter().map(|way| match way {
                Direction::Output => edit.classes[0],
                Direction::Input => edit.classes[1],
            });
            let expected: Class = expected.min().unwrap();
            let found: Vec<_> = diff
                .changes
                .iter()
                .map(|change| (change.check, change.class))
                .collect();
            let shown = || text(&diff, false);
            if found != [(edit.check, expected)] {
                failures.push(format!("{told}: expected {expected}\n{}", shown()));
                continue;
            }
            let change = &diff.changes[0];
            let mut ways: Vec<Direction> = change
                .reached
                .iter()
                .map(|reached| reached.direction)
                .collect();
            ways.sort();
            ways.dedup();
            let wanted: Vec<Direction> = site.ways.iter().copied().collect();
            if ways != wanted || !change.definition.starts_with(&site.definition) {
                failures.push(format!("{told}: {wanted:?}\n{}", shown()));
                continue;
            }
            *made.entry(edit.check.id()).or_default() += 1;
            *providers.entry(&document.provider).or_default() += 1;
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        ROUNDS * EDITS.len(),
        failures.join("\n")
    );
    println!("{made:?}\n{providers:?}");
    assert_eq!(made.values().sum::<usize>(), ROUNDS * EDITS.len());
    assert!(ROUNDS * EDITS.len() >= 200);
    assert!(made.len() >= 20, "{made:?}");
    assert_eq!(providers.len(), 4, "{providers:?}");
}
