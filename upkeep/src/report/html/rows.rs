//! Every row on the page, and the filter over them.

use agentwire_codegen::listing::{ListedRow, ListedSurface, State};

use super::{anchor, heads};
use crate::report::markup::Markup;
use crate::report::matrix::Shown;
use crate::report::model::{Coverage, CoveredProvider};
use crate::report::words::{count, seen, short, verbs};

/// How many recordings of a row are named.
const NAMED: usize = 3;

/// Every state, in the order in which the filter offers them.
const STATES: &[State] = &[
    State::Keep,
    State::Rename,
    State::Split,
    State::Drop,
    State::Todo,
    State::Missing,
    State::Stale,
    State::Unreadable,
];

pub fn write(coverage: &Coverage, page: &mut Markup) {
    page.with("section", &[("id", "rows"), ("aria-labelledby", "h-rows")], |page| {
        page.leaf("h2", &[("id", "h-rows")], "Rows");
        page.leaf("p", &[], "One row for each variant: what becomes of it, the versions of the window that have it, and the recordings in which it stands. A row without evidence is decided by its schema alone.");
        filter(coverage, page);
        for provider in &coverage.providers {
            if let Some(why) = provider.without_rows() {
                page.with("p", &[("class", "quiet")], |page| {
                    page.leaf("strong", &[], &provider.name);
                    page.text(&format!(" {why}."));
                });
            }
            for surface in &provider.surfaces {
                table(coverage, provider, surface, page);
            }
        }
        page.leaf("p", &[("id", "nothing"), ("hidden", "")], "No row is left: take something out of the filter.");
    });
    page.line();
}

fn filter(coverage: &Coverage, page: &mut Markup) {
    let surfaces: Vec<&str> = coverage.surfaces().map(|it| it.id.as_str()).collect();
    let events: Vec<&str> = coverage.events.iter().map(String::as_str).collect();
    let states: Vec<&str> = STATES.iter().map(|it| it.as_str()).collect();
    let shown: Vec<&str> = [Shown::Recorded, Shown::Invented, Shown::Nowhere]
        .map(Shown::as_str)
        .to_vec();
    // Without a script there is nothing that it could do.
    page.with(
        "form",
        &[
            ("id", "filter"),
            ("class", "bar"),
            ("role", "search"),
            ("aria-label", "Filter the rows"),
            ("hidden", ""),
        ],
        |page| {
            page.with("p", &[("class", "wide")], |page| {
                page.leaf("label", &[("for", "words")], "Filter");
                page.void(
                    "input",
                    &[
                        ("id", "words"),
                        ("type", "search"),
                        ("autocomplete", "off"),
                        ("spellcheck", "false"),
                        ("placeholder", "tag, event, version, note"),
                        ("aria-describedby", "left"),
                    ],
                );
            });
            choice(page, "of-surface", "Surface", &surfaces);
            choice(page, "of-event", "Event", &events);
            choice(page, "of-state", "Decision", &states);
            choice(page, "of-shown", "Evidence", &shown);
            page.with("p", &[("class", "end")], |page| {
                page.leaf("button", &[("type", "reset")], "Show all");
                page.leaf(
                    "output",
                    &[("id", "left"), ("role", "status"), ("aria-live", "polite")],
                    "",
                );
            });
        },
    );
}

fn choice(page: &mut Markup, id: &str, name: &str, values: &[&str]) {
    page.with("p", &[], |page| {
        page.leaf("label", &[("for", id)], name);
        page.with("select", &[("id", id)], |page| {
            page.leaf("option", &[("value", "")], "any");
            for value in values {
                page.leaf("option", &[], value);
            }
        });
    });
}

fn table(
    coverage: &Coverage,
    provider: &CoveredProvider,
    surface: &ListedSurface,
    page: &mut Markup,
) {
    let id = anchor(&surface.id);
    let mut attributes = vec![
        ("class", "surface"),
        ("id", id.as_str()),
        ("data-surface", surface.id.as_str()),
    ];
    if !surface.value {
        attributes.push(("open", ""));
    }
    page.with("details", &attributes, |page| {
        page.with("summary", &[], |page| {
            page.leaf("h3", &[], &surface.id);
            page.text(" ");
            let what = match (&surface.target, surface.value) {
                (Some(target), _) => format!("value surface, gives {target}"),
                (None, true) => "value surface".to_owned(),
                (None, false) => "surface".to_owned(),
            };
            page.leaf(
                "span",
                &[("class", "quiet")],
                &format!("{}, {what}: {}", provider.name, verbs(surface)),
            );
        });
        page.with("table", &[("class", "cards rows")], |page| {
            let caption = format!("{} of {}", count(surface.rows.len(), "row"), surface.path);
            page.leaf("caption", &[], &caption);
            heads(
                page,
                &["Tag", "Decision", "Becomes", "Versions", "Evidence", "Note"],
            );
            page.with("tbody", &[], |page| {
                for row in &surface.rows {
                    line(coverage, provider, surface, row, page);
                }
            });
        });
    });
    page.line();
}

fn line(
    coverage: &Coverage,
    provider: &CoveredProvider,
    surface: &ListedSurface,
    row: &ListedRow,
    page: &mut Markup,
) {
    let shown = coverage.shown(&surface.id, &row.tag);
    page.with("tr", &[("class", shown.as_str())], |page| {
        page.with("th", &[("scope", "row")], |page| {
            page.leaf("code", &[], &row.tag)
        });
        page.with("td", &[], |page| {
            let class = if row.state.is_open() {
                "badge open"
            } else {
                "badge"
            };
            page.leaf("span", &[("class", class)], row.state.as_str());
        });
        page.with("td", &[], |page| {
            if row.events.is_empty() {
                page.leaf("span", &[("class", "quiet")], "nothing");
            }
            for (index, event) in row.events.iter().enumerate() {
                page.text(if index == 0 { "" } else { ", " });
                page.leaf("code", &[], event);
            }
        });
        page.with("td", &[], |page| {
            page.text(&seen(&row.versions, &provider.versions));
            if row.experimental && !row.versions.is_empty() {
                page.text(" ");
                page.leaf("span", &[("class", "badge")], "experimental");
            }
        });
        page.with("td", &[], |page| {
            evidence(coverage, surface, row, shown, page)
        });
        page.with("td", &[], |page| {
            page.prose(row.text.as_deref().unwrap_or_default());
            if let Some(like) = &row.like {
                page.text(" like ");
                page.leaf("code", &[], like);
            }
        });
    });
    page.line();
}

fn evidence(
    coverage: &Coverage,
    surface: &ListedSurface,
    row: &ListedRow,
    shown: Shown,
    page: &mut Markup,
) {
    let streams: Vec<_> = coverage.streams(&surface.id, &row.tag).collect();
    match shown {
        Shown::Nowhere => return page.leaf("span", &[("class", "quiet")], "none"),
        Shown::Invented => page.text("invented only: "),
        Shown::Recorded => {}
    }
    for (index, stream) in streams.iter().take(NAMED).enumerate() {
        page.text(if index == 0 { "" } else { ", " });
        let to = format!("#t-{}", stream.name);
        page.leaf("a", &[("href", &to)], short(&stream.name));
    }
    if streams.len() > NAMED {
        page.text(&format!(" and {} more", streams.len() - NAMED));
    }
}
