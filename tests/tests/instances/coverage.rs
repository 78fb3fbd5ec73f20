//! Choices: which arm, value, absence or number an instance takes at each place, so that all of
//! them are taken by some instance.

use std::collections::BTreeMap;

/// How large an instance is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Required members only, empty lists.
    Minimal,
    /// Every member, lists of two.
    Full,
    /// What was not taken yet, otherwise by the dice.
    Mixed,
}

/// A small generator of numbers, the same on every run.
pub struct Dice(u64);

/// Choices that lead from a root to a place: there, take this option.
pub type Trail = Vec<(String, usize)>;

/// Which choices were taken.
#[derive(Default)]
pub struct Coverage {
    places: BTreeMap<String, Options>,
    /// The root, by number, that is being filled.
    pub entry: usize,
}

/// The options at one place.
struct Options {
    taken: Vec<bool>,
    /// How the place was reached first.
    entry: usize,
    trail: Trail,
}

/// An option that was not taken, and how to get there.
pub struct Gap {
    /// The root, by number.
    pub entry: usize,
    /// What to choose, the gap itself last.
    pub trail: Trail,
}

impl Dice {
    /// Seeded.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

impl Coverage {
    /// The first option at a place that was not taken yet.
    pub fn untaken(&mut self, place: &str, options: usize, trail: &Trail) -> Option<usize> {
        self.options(place, options, trail)
            .taken
            .iter()
            .position(|taken| !taken)
    }

    /// Notes that an option was taken.
    pub fn take(&mut self, place: &str, options: usize, trail: &Trail, option: usize) -> usize {
        self.options(place, options, trail).taken[option] = true;
        option
    }

    /// How many options there are at how many places.
    pub fn counts(&self) -> (usize, usize) {
        (
            self.places
                .values()
                .map(|options| options.taken.len())
                .sum(),
            self.places.len(),
        )
    }

    /// Every option that was never taken.
    pub fn gaps(&self) -> Vec<Gap> {
        let gaps = self.places.iter().flat_map(|(place, options)| {
            let open = options
                .taken
                .iter()
                .enumerate()
                .filter(|(_, taken)| !**taken);
            open.map(move |(option, _)| {
                let trail = options
                    .trail
                    .iter()
                    .cloned()
                    .chain([(place.clone(), option)]);
                Gap {
                    entry: options.entry,
                    trail: trail.collect(),
                }
            })
        });
        gaps.collect()
    }

    fn options(&mut self, place: &str, options: usize, trail: &Trail) -> &mut Options {
        if !self.places.contains_key(place) {
            let new = Options {
                taken: vec![false; options],
                entry: self.entry,
                trail: trail.clone(),
            };
            self.places.insert(place.to_owned(), new);
        }
        let known = self.places.get_mut(place).unwrap();
        assert_eq!(
            known.taken.len(),
            options,
            "{place} has one number of options"
        );
        known
    }
}

impl Gap {
    /// Whether it is still one.
    pub fn open(&self, coverage: &Coverage) -> bool {
        let (place, option) = self.trail.last().unwrap();
        !coverage.places[place].taken[*option]
    }
}
