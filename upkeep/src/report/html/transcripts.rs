//! The recorded streams on the page, and what evidence means.

use agentwire_codegen::stem::TRANSCRIPTS;

use super::heads;

use crate::report::markup::Markup;
use crate::report::model::Coverage;
use crate::report::words::count;

pub fn write(coverage: &Coverage, page: &mut Markup) {
    let streams = &coverage.evidence.transcripts;
    page.with("section", &[("id", "transcripts"), ("aria-labelledby", "h-transcripts")], |page| {
        page.leaf("h2", &[("id", "h-transcripts")], "Transcripts");
        page.with("p", &[], |page| {
            page.prose(&format!("The recorded streams below `{TRANSCRIPTS}`. Each message is followed along the types of its wire, and shows the row of every variant and value in it that has one. \u{201c}Invented\u{201d} streams were written by hand: they show what the readers do, and nothing of what agents do."));
        });
        page.with("details", &[], |page| {
            page.leaf("summary", &[], &count(streams.len(), "stream"));
            page.with("table", &[("class", "cards streams")], |page| {
                page.leaf("caption", &[], "Recorded streams, and how many rows each shows");
                heads(page, &["Stream", "Lines", "Rows", "Shows"]);
                page.with("tbody", &[], |page| {
                    for stream in streams {
                        let id = format!("t-{}", stream.name);
                        page.with("tr", &[("id", &id)], |page| {
                            page.leaf("th", &[("scope", "row")], &stream.name);
                            page.leaf("td", &[("class", "number")], &stream.lines.to_string());
                            page.leaf("td", &[("class", "number")], &stream.rows.to_string());
                            page.with("td", &[], |page| {
                                if stream.invented {
                                    page.leaf("span", &[("class", "badge")], "invented");
                                    page.text(" ");
                                }
                                page.text(stream.shows.as_deref().unwrap_or_default());
                            });
                        });
                        page.line();
                    }
                });
            });
        });
    });
    page.line();
}
