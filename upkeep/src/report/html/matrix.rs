//! The matrix on the page: events down, surfaces across, each number a way to its rows.

use super::{anchor, scrolling};
use crate::report::markup::Markup;
use crate::report::matrix::{Cell, Matrix};
use crate::report::model::Coverage;

pub fn write(coverage: &Coverage, page: &mut Markup) {
    let matrix = coverage.matrix();
    page.with("section", &[("id", "matrix"), ("aria-labelledby", "h-matrix")], |page| {
        page.leaf("h2", &[("id", "h-matrix")], "Coverage matrix");
        page.with("p", &[], |page| {
            page.text("How many rows of a surface give an event. A row that may give several events counts for each. ");
            for (cell, what) in [
                (Cell { rows: 1, recorded: 1 }, "all of them recorded"),
                (Cell { rows: 2, recorded: 1 }, "some recorded"),
                (Cell { rows: 1, recorded: 0 }, "none recorded"),
            ] {
                page.with("span", &[("class", "key")], |page| {
                    page.leaf("span", &[("class", class(cell)), ("aria-hidden", "true")], mark(cell));
                    page.text(" ");
                    page.text(what);
                });
                page.text(" ");
            }
        });
        scrolling(page, "matrix", "Coverage matrix", |page| table(&matrix, page));
        let unheard = coverage.unheard();
        page.with("p", &[], |page| {
            if unheard.is_empty() {
                page.text("Every canonical event is given by some row.");
            } else {
                page.text("No row gives ");
                for (index, event) in unheard.iter().enumerate() {
                    page.text(if index == 0 { "" } else { ", " });
                    page.leaf("code", &[], event);
                }
                page.text(".");
            }
        });
    });
    page.line();
}

fn table(matrix: &Matrix<'_>, page: &mut Markup) {
    page.with("table", &[], |page| {
        page.leaf("caption", &[], "Rows by canonical event and surface");
        page.with("thead", &[], |page| {
            page.with("tr", &[], |page| {
                page.leaf("th", &[("scope", "col")], "Event");
                for surface in &matrix.surfaces {
                    page.with("th", &[("scope", "col")], |page| {
                        let to = format!("#{}", anchor(&surface.id));
                        page.leaf("a", &[("href", &to), ("class", "up")], &surface.id);
                    });
                }
                page.leaf("th", &[("scope", "col")], "All");
            });
        });
        page.line();
        page.with("tbody", &[], |page| {
            for (event, cells) in &matrix.events {
                line(page, matrix, event, cells, Some(("event", event)));
            }
        });
        page.with("tbody", &[("class", "sums")], |page| {
            line(
                page,
                matrix,
                "dropped",
                &matrix.dropped,
                Some(("state", "drop")),
            );
            line(page, matrix, "to decide", &matrix.open, None);
            line(page, matrix, "all rows", &matrix.all, Some(("all", "")));
        });
    });
}

/// One line; `only` is what its cells' links leave of the rows.
fn line(
    page: &mut Markup,
    matrix: &Matrix<'_>,
    name: &str,
    cells: &[Cell],
    only: Option<(&'static str, &str)>,
) {
    page.with("tr", &[], |page| {
        page.leaf("th", &[("scope", "row")], name);
        for (surface, cell) in matrix.surfaces.iter().zip(cells) {
            if cell.rows == 0 {
                page.leaf("td", &[("class", "zero")], "0");
                continue;
            }
            page.with("td", &[], |page| {
                let to = format!("#{}", anchor(&surface.id));
                let label = format!(
                    "{}, {}: {} {}, {} recorded",
                    surface.id,
                    name,
                    cell.rows,
                    if cell.rows == 1 { "row" } else { "rows" },
                    cell.recorded
                );
                let number = cell.rows.to_string();
                let (key, value) = match only {
                    Some(("event", event)) => ("data-event", event),
                    Some(("state", state)) => ("data-state", state),
                    Some(_) | None => ("data-all", ""),
                };
                page.with(
                    "a",
                    &[("href", &to), ("aria-label", &label), (key, value)],
                    |page| {
                        page.text(&number);
                        page.leaf("span", &[("class", class(*cell))], mark(*cell));
                    },
                );
            });
        }
        let sum: usize = cells.iter().map(|cell| cell.rows).sum();
        page.leaf("td", &[("class", "sum")], &sum.to_string());
    });
    page.line();
}

const fn mark(cell: Cell) -> &'static str {
    if cell.recorded == 0 {
        "○"
    } else if cell.recorded == cell.rows {
        "●"
    } else {
        "◐"
    }
}

const fn class(cell: Cell) -> &'static str {
    if cell.recorded == 0 {
        "none"
    } else if cell.recorded == cell.rows {
        "full"
    } else {
        "some"
    }
}
