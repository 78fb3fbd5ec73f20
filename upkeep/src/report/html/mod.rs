//! The report as one page: no file beside it, readable without a script and without colours.

mod history;
mod matrix;
mod rows;
mod transcripts;
mod versions;

use super::markup::Markup;
use super::matrix::Shown;
use super::model::Coverage;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The parts of the page: where each stands, and what it is called.
const PARTS: &[(&str, &str)] = &[
    ("#matrix", "Coverage matrix"),
    ("#rows", "Rows"),
    ("#history", "Drift history"),
    ("#versions", "Between versions"),
    ("#transcripts", "Transcripts"),
];

/// The whole page.
pub fn html(coverage: &Coverage) -> String {
    let mut page = Markup::default();
    page.own("<!DOCTYPE html>\n<html lang=\"en\">");
    head(&mut page);
    page.with("body", &[], |page| {
        page.leaf(
            "a",
            &[("class", "skip"), ("href", "#main")],
            "Skip to the report",
        );
        top(coverage, page);
        page.with("main", &[("id", "main"), ("tabindex", "-1")], |page| {
            problems(coverage, page);
            matrix::write(coverage, page);
            rows::write(coverage, page);
            history::write(coverage, page);
            versions::write(coverage, page);
            transcripts::write(coverage, page);
        });
        page.with("script", &[], |page| page.own(SCRIPT));
    });
    page.own("</html>\n");
    page.finish()
}

fn head(page: &mut Markup) {
    page.with("head", &[], |page| {
        page.own(concat!(
            "\n<meta charset=\"utf-8\">",
            "\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "\n<meta name=\"color-scheme\" content=\"light dark\">",
            "\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">",
            "\n<link rel=\"icon\" href=\"data:,\">",
            "\n<title>agentwire: coverage and drift</title>\n",
        ));
        page.with("style", &[], |page| page.own(STYLE));
    });
}

fn top(coverage: &Coverage, page: &mut Markup) {
    page.with("header", &[("class", "top")], |page| {
        page.leaf("h1", &[], "Coverage and drift");
        page.with("p", &[("class", "lead")], |page| {
            page.text("What every message of every agent becomes, in which versions it was seen, and which recording shows it.");
        });
        page.with("dl", &[("class", "facts")], |page| {
            for (name, number) in facts(coverage) {
                page.with("div", &[], |page| {
                    page.leaf("dt", &[], name);
                    page.leaf("dd", &[], &number);
                });
            }
        });
        page.with("nav", &[("aria-label", "Parts of the report")], |page| {
            page.with("ul", &[], |page| {
                for (place, name) in PARTS {
                    page.with("li", &[], |page| page.leaf("a", &[("href", place)], name));
                }
            });
        });
    });
    page.line();
}

/// The figures at the top, with what they count.
pub fn facts(coverage: &Coverage) -> Vec<(&'static str, String)> {
    let rows = || {
        let surfaces = coverage.surfaces();
        surfaces.flat_map(|surface| surface.rows.iter().map(move |row| (surface, row)))
    };
    let all = rows().count();
    let shown = |wanted: Shown| {
        let of = rows().filter(|(surface, row)| coverage.shown(&surface.id, &row.tag) == wanted);
        of.count()
    };
    vec![
        ("Providers", coverage.providers.len().to_string()),
        (
            "Surfaces",
            coverage
                .surfaces()
                .filter(|it| !it.value)
                .count()
                .to_string(),
        ),
        (
            "Value surfaces",
            coverage
                .surfaces()
                .filter(|it| it.value)
                .count()
                .to_string(),
        ),
        ("Rows", all.to_string()),
        ("Rows recorded", shown(Shown::Recorded).to_string()),
        ("Rows invented only", shown(Shown::Invented).to_string()),
        ("Rows without evidence", shown(Shown::Nowhere).to_string()),
        (
            "Rows to decide",
            rows()
                .filter(|(_, row)| row.state.is_open())
                .count()
                .to_string(),
        ),
    ]
}

fn problems(coverage: &Coverage, page: &mut Markup) {
    if coverage.problems.is_empty() && coverage.stale_results.is_empty() {
        return;
    }
    page.with(
        "section",
        &[("class", "problems"), ("aria-labelledby", "h-problems")],
        |page| {
            page.leaf("h2", &[("id", "h-problems")], "What could not be read");
            page.leaf("p", &[], "Rows and changes may be missing below.");
            page.with("ul", &[], |page| {
                for problem in &coverage.problems {
                    page.with("li", &[], |page| {
                        page.leaf("strong", &[], problem.code.as_str());
                        page.text(" ");
                        page.prose(&problem.message);
                    });
                }
                for stale in &coverage.stale_results {
                    page.with("li", &[], |page| {
                        let text = format!(
                            "`{}` of the results of the {} `{}` is requested by no version",
                            stale.method, stale.kind, stale.id
                        );
                        page.prose(&text);
                    });
                }
            });
        },
    );
}

/// A table that scrolls in itself where the screen is too narrow, by keyboard, too.
fn scrolling(page: &mut Markup, class: &str, label: &str, inside: impl FnOnce(&mut Markup)) {
    let class = format!("scroll {class}");
    page.with(
        "div",
        &[
            ("class", class.trim_end()),
            ("role", "region"),
            ("aria-label", label),
            ("tabindex", "0"),
        ],
        inside,
    );
}

/// Column heads.
fn heads(page: &mut Markup, names: &[&str]) {
    page.with("thead", &[], |page| {
        page.with("tr", &[], |page| {
            for name in names {
                page.leaf("th", &[("scope", "col")], name);
            }
        });
    });
    page.line();
}

/// The place of a surface on the page.
fn anchor(surface: &str) -> String {
    format!("s-{surface}")
}
