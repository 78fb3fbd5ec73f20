//! What differs between any two versions, on the page. Without a script the newest two are shown.

use super::{heads, scrolling};
use crate::diff::{Check, Class};
use crate::report::changes::shared;
use crate::report::markup::Markup;
use crate::report::model::{Coverage, CoveredProvider, Pair};
use crate::report::words::count;

pub fn write(coverage: &Coverage, page: &mut Markup) {
    page.with("section", &[("id", "versions"), ("aria-labelledby", "h-versions")], |page| {
        page.leaf("h2", &[("id", "h-versions")], "Between versions");
        page.leaf("p", &[], "What differs between two versions, and how bad that is for those who rely on the older one. What a provider sends and what it accepts are opposite contracts: \u{201c}output\u{201d} is sent, \u{201c}input\u{201d} is accepted.");
        page.with("dl", &[("class", "classes")], |page| {
            for class in Class::ALL {
                page.with("div", &[], |page| {
                    page.with("dt", &[], |page| badge(*class, page));
                    page.leaf("dd", &[], class.meaning());
                });
            }
        });
        for (number, provider) in coverage.providers.iter().enumerate() {
            of(provider, number, page);
        }
    });
    page.line();
}

fn of(provider: &CoveredProvider, number: usize, page: &mut Markup) {
    page.leaf("h3", &[], &provider.name);
    let Some(newest) = provider.compared.newest() else {
        page.with("p", &[("class", "quiet")], |page| {
            page.leaf("code", &[], &provider.package);
            let why = provider.without_pairs().unwrap_or_default();
            page.text(&format!(" {}: {why}.", provider.versions.join(", ")));
        });
        return;
    };
    page.with("div", &[("class", "compare")], |page| {
        form(provider, newest, number, page);
        let shown = provider.compared.pairs.len() - 1;
        for (place, pair) in provider.compared.pairs.iter().enumerate() {
            summary(provider, pair, place, place == shown, page);
        }
        let label = format!("Changes of {}", provider.name);
        scrolling(page, "tall", &label, |page| table(provider, shown, page));
    });
}

fn form(provider: &CoveredProvider, newest: &Pair, number: usize, page: &mut Markup) {
    let label = format!("Choose two versions of {}", provider.name);
    page.with(
        "form",
        &[("class", "bar"), ("aria-label", &label), ("hidden", "")],
        |page| {
            for (name, what, chosen) in [("old", "Older", newest.old), ("new", "Newer", newest.new)]
            {
                let id = format!("{name}-{number}");
                page.with("p", &[], |page| {
                    page.leaf("label", &[("for", &id)], what);
                    page.with("select", &[("id", &id), ("name", name)], |page| {
                        for (place, side) in provider.compared.sides.iter().enumerate() {
                            let value = place.to_string();
                            let mut attributes = vec![("value", value.as_str())];
                            if place == chosen {
                                attributes.push(("selected", ""));
                            }
                            page.leaf("option", &attributes, side);
                        }
                    });
                });
            }
            let id = format!("class-{number}");
            page.with("p", &[], |page| {
                page.leaf("label", &[("for", &id)], "Class");
                page.with("select", &[("id", &id), ("name", "class")], |page| {
                    page.leaf("option", &[("value", "")], "any");
                    for class in Class::ALL {
                        page.leaf("option", &[], class.as_str());
                    }
                });
            });
            let id = format!("words-{number}");
            page.with("p", &[("class", "wide")], |page| {
                page.leaf("label", &[("for", &id)], "Filter");
                page.void(
                    "input",
                    &[
                        ("id", &id),
                        ("name", "words"),
                        ("type", "search"),
                        ("autocomplete", "off"),
                        ("spellcheck", "false"),
                        ("placeholder", "definition, surface, check"),
                    ],
                );
            });
            page.with("p", &[("class", "end")], |page| {
                page.leaf("output", &[("role", "status"), ("aria-live", "polite")], "");
            });
        },
    );
}

/// What a pair comes to, with its notes.
fn summary(provider: &CoveredProvider, pair: &Pair, place: usize, shown: bool, page: &mut Markup) {
    let name = |place: usize| provider.compared.side(place);
    let key = format!("{}-{}", pair.old, pair.new);
    let number = place.to_string();
    let mut attributes = vec![
        ("class", "pair"),
        ("data-pair", number.as_str()),
        ("data-sides", key.as_str()),
    ];
    if !shown {
        attributes.push(("hidden", ""));
    }
    page.with("div", &attributes, |page| {
        page.with("p", &[], |page| {
            let title = format!("{} \u{2192} {}", name(pair.old), name(pair.new));
            page.leaf("strong", &[], &title);
            let Some(diff) = &pair.diff else {
                return page.text(": could not be compared, see the top of the page.");
            };
            if diff.is_empty() {
                return page.text(": no changes.");
            }
            page.text(": ");
            for class in Class::ALL.iter().filter(|class| diff.count(**class) > 0) {
                page.with("span", &[("class", "key")], |page| {
                    page.text(&diff.count(*class).to_string());
                    page.text(" ");
                    badge(*class, page);
                });
                page.text(" ");
            }
        });
        let notes = pair.diff.as_ref().map_or(&[][..], |diff| &diff.notes);
        if !notes.is_empty() {
            page.with("details", &[], |page| {
                page.leaf("summary", &[], &count(notes.len(), "note"));
                page.with("ul", &[], |page| {
                    for note in notes {
                        page.with("li", &[], |page| page.prose(&note.message));
                    }
                });
            });
        }
    });
    page.line();
}

fn table(provider: &CoveredProvider, shown: usize, page: &mut Markup) {
    page.with("table", &[("class", "cards changes")], |page| {
        let caption = format!(
            "Changes of {} between the versions that are chosen",
            provider.name
        );
        page.leaf("caption", &[], &caption);
        heads(page, &["Class", "Change", "Check", "Where"]);
        page.with("tbody", &[], |page| {
            for one in shared(&provider.compared) {
                let pairs: Vec<String> = one.pairs.iter().map(usize::to_string).collect();
                let pairs = pairs.join(" ");
                let mut attributes = vec![("data-p", pairs.as_str())];
                if !one.pairs.contains(&shown) {
                    attributes.push(("hidden", ""));
                }
                page.with("tr", &attributes, |page| {
                    page.with("td", &[], |page| badge(one.change.class, page));
                    page.with("td", &[], |page| {
                        page.prose(&one.change.message);
                        if !one.change.details.is_empty() {
                            page.with("ul", &[], |page| {
                                for detail in &one.change.details {
                                    page.with("li", &[], |page| page.prose(detail));
                                }
                            });
                        }
                    });
                    page.leaf(
                        "td",
                        &[],
                        check(one.change.check, &one.change.faces).as_str(),
                    );
                    page.with("td", &[], |page| {
                        if one.surfaces.is_empty() {
                            page.leaf("span", &[("class", "quiet")], "no surface reaches it");
                        }
                        for (index, surface) in one.surfaces.iter().enumerate() {
                            page.text(if index == 0 { "" } else { "; " });
                            page.text(surface);
                        }
                    });
                });
                page.line();
            }
        });
    });
}

/// The check, with the faces where the stable one is not among them.
fn check(check: Check, faces: &[String]) -> String {
    if faces.iter().any(|face| face == "stable") {
        check.id().to_owned()
    } else {
        format!("{} ({})", check.id(), faces.join(", "))
    }
}

fn badge(class: Class, page: &mut Markup) {
    let look = match class {
        Class::Breaking => "badge breaking",
        Class::Dangerous => "badge dangerous",
        Class::Additive => "badge additive",
        Class::None => "badge",
    };
    page.leaf("span", &[("class", look)], class.as_str());
}
