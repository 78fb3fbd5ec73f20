//! Drift history on the page: a table for each provider, and a chart for each surface that changed.

use agentwire_codegen::listing::ListedSurface;

use super::{anchor, scrolling};
use crate::report::history::{Step, history};
use crate::report::markup::Markup;
use crate::report::model::{Coverage, CoveredProvider};
use crate::report::words::{count, moved};

/// The height of the part of a chart that bars take, and where it begins.
const HEIGHT: usize = 90;
const TOP: usize = 34;
/// From one bar to the next.
const STEP: usize = 86;
const BAR: usize = 46;

pub fn write(coverage: &Coverage, page: &mut Markup) {
    page.with("section", &[("id", "history"), ("aria-labelledby", "h-history")], |page| {
        page.leaf("h2", &[("id", "h-history")], "Drift history");
        page.leaf("p", &[], "How many variants each vendored version has, and what came (+) and went (\u{2212}) since the version before. In a chart the coloured part of a bar came, and the dashed frame above it went; charts say nothing that the tables do not.");
        for provider in coverage.providers.iter().filter(|it| !it.surfaces.is_empty()) {
            of(provider, page);
        }
    });
    page.line();
}

fn of(provider: &CoveredProvider, page: &mut Markup) {
    let steps: Vec<(&ListedSurface, Vec<Step>)> = provider
        .surfaces
        .iter()
        .map(|surface| (surface, history(surface, &provider.versions)))
        .collect();
    page.leaf("h3", &[], &provider.name);
    let caption = format!("Variants of {} by version", provider.name);
    scrolling(page, "", &caption, |page| {
        page.with("table", &[], |page| {
            page.leaf("caption", &[], &caption);
            page.with("thead", &[], |page| {
                page.with("tr", &[], |page| {
                    page.leaf("th", &[("scope", "col")], "Surface");
                    for version in &provider.versions {
                        page.leaf("th", &[("scope", "col"), ("class", "number")], version);
                    }
                });
            });
            page.with("tbody", &[], |page| {
                for (surface, steps) in &steps {
                    page.with("tr", &[], |page| {
                        page.with("th", &[("scope", "row")], |page| {
                            let to = format!("#{}", anchor(&surface.id));
                            page.leaf("a", &[("href", &to)], &surface.id);
                        });
                        for step in steps {
                            page.with("td", &[("class", "number")], |page| {
                                page.text(&step.variants.to_string());
                                let moved = moved(step.added.len(), step.removed.len());
                                if !moved.is_empty() {
                                    page.text(" ");
                                    page.leaf("span", &[("class", "moved")], &format!("({moved})"));
                                }
                            });
                        }
                    });
                    page.line();
                }
            });
        });
    });
    let changed = |(_, steps): &&(&ListedSurface, Vec<Step>)| {
        steps
            .iter()
            .any(|step| !step.added.is_empty() || !step.removed.is_empty())
    };
    if provider.versions.len() > 1 {
        page.with("div", &[("class", "charts")], |page| {
            let shown = steps.iter().filter(|it| !it.0.value || changed(it));
            for (surface, steps) in shown {
                chart(surface, steps, page);
            }
        });
    }
}

fn chart(surface: &ListedSurface, steps: &[Step], page: &mut Markup) {
    let told: Vec<String> = steps
        .iter()
        .map(|step| {
            let moved = moved(step.added.len(), step.removed.len());
            let moved = if moved.is_empty() {
                moved
            } else {
                format!(" ({moved})")
            };
            format!(
                "{} in {}{moved}",
                count(step.variants, "variant"),
                step.version
            )
        })
        .collect();
    let label = format!("{}: {}", surface.id, told.join(", "));
    page.with("figure", &[], |page| {
        page.leaf("figcaption", &[], &surface.id);
        let width = STEP * steps.len().max(1);
        let frame = format!("0 0 {width} {}", TOP + HEIGHT + 22);
        page.with(
            "svg",
            &[("viewBox", &frame), ("role", "img"), ("aria-label", &label)],
            |page| {
                let highest = steps.iter().map(|it| it.variants + it.removed.len()).max();
                let highest = highest.unwrap_or_default().max(1);
                for (index, step) in steps.iter().enumerate() {
                    bar(step, index, highest, page);
                }
                let (left, right, bottom) = (
                    "0".to_owned(),
                    width.to_string(),
                    (TOP + HEIGHT).to_string(),
                );
                page.with(
                    "line",
                    &[
                        ("x1", &left),
                        ("x2", &right),
                        ("y1", &bottom),
                        ("y2", &bottom),
                        ("class", "axis"),
                    ],
                    |_| {},
                );
            },
        );
        names(steps, page);
    });
    page.line();
}

/// A bar: what stayed, on it what came, and above it in dashes what went.
fn bar(step: &Step, index: usize, highest: usize, page: &mut Markup) {
    let tall = |count: usize| count * HEIGHT / highest;
    let left = index * STEP + (STEP - BAR) / 2;
    let middle = (index * STEP + STEP / 2).to_string();
    let whole = tall(step.variants);
    let came = tall(step.added.len())
        .max(usize::from(!step.added.is_empty()) * 2)
        .min(whole);
    let went = tall(step.removed.len()).max(usize::from(!step.removed.is_empty()) * 3);
    let bottom = TOP + HEIGHT;
    let mut rect = |class: &'static str, from: usize, height: usize| {
        if height == 0 {
            return;
        }
        let (x, y) = (left.to_string(), (bottom - from - height).to_string());
        let (width, height) = (BAR.to_string(), height.to_string());
        page.with(
            "rect",
            &[
                ("class", class),
                ("x", &x),
                ("y", &y),
                ("width", &width),
                ("height", &height),
            ],
            |_| {},
        );
    };
    rect("stayed", 0, whole - came);
    rect("came", whole - came, came);
    rect("went", whole, went);
    let top = bottom - whole - went;
    let moved = moved(step.added.len(), step.removed.len());
    let number = (top.saturating_sub(if moved.is_empty() { 5 } else { 18 })).to_string();
    page.leaf(
        "text",
        &[("x", &middle), ("y", &number)],
        &step.variants.to_string(),
    );
    if !moved.is_empty() {
        let y = top.saturating_sub(5).to_string();
        page.leaf(
            "text",
            &[("x", &middle), ("y", &y), ("class", "moved")],
            &moved,
        );
    }
    let y = (bottom + 16).to_string();
    page.leaf(
        "text",
        &[("x", &middle), ("y", &y), ("class", "version")],
        &step.version,
    );
}

/// The tags that came and went.
fn names(steps: &[Step], page: &mut Markup) {
    let moved = |step: &&Step| !step.added.is_empty() || !step.removed.is_empty();
    if !steps.iter().any(|step| moved(&step)) {
        return page.leaf("p", &[("class", "quiet")], "Nothing came or went.");
    }
    page.with("details", &[], |page| {
        page.leaf("summary", &[], "What came and went");
        for step in steps.iter().filter(moved) {
            for (what, tags) in [("came", &step.added), ("went", &step.removed)] {
                if tags.is_empty() {
                    continue;
                }
                page.with("p", &[], |page| {
                    page.leaf("strong", &[], &format!("{}, {what}:", step.version));
                    for (index, tag) in tags.iter().enumerate() {
                        page.text(if index == 0 { " " } else { ", " });
                        page.leaf("code", &[], tag);
                    }
                });
            }
        }
    });
}
