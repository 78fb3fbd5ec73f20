//! Values that are written over several lines, as pretty printers do: put together into one line.
//!
//! A line that holds nothing but a bracket begins such a value, and the bracket that stands in the
//! first column ends it; what is inside is indented. A line feed in JSON is white space, since no
//! text may hold one, so that a space takes its place.

/// The lines of a value that has not ended yet.
#[derive(Debug, Default)]
pub struct Pretty {
    lines: Vec<(u64, String)>,
    size: usize,
}

/// The longest value that is put together.
const BYTES: usize = 64 * 1024 * 1024;

impl Pretty {
    /// Takes a line, and gives the lines that are complete now, with their numbers. A line that
    /// belongs to no such value is complete at once.
    pub fn line(&mut self, number: u64, line: &str) -> Vec<(u64, String)> {
        if self.lines.is_empty() {
            if matches!(line, "[" | "{") {
                self.keep(number, line);
                return Vec::new();
            }
            return vec![(number, line.to_owned())];
        }
        if matches!(line, "]" | "}") {
            self.keep(number, line);
            return vec![(number, self.joined())];
        }
        if line.starts_with([' ', '\t']) && self.size < BYTES {
            self.keep(number, line);
            return Vec::new();
        }
        // It was no value after all: a bracket stood alone in some other text.
        let mut lines = self.rest();
        lines.extend(self.line(number, line));
        lines
    }

    /// What is left when the stream ends, line by line.
    pub fn rest(&mut self) -> Vec<(u64, String)> {
        self.size = 0;
        std::mem::take(&mut self.lines)
    }

    fn keep(&mut self, number: u64, line: &str) {
        self.size += line.len();
        self.lines.push((number, line.to_owned()));
    }

    fn joined(&mut self) -> String {
        let lines = self.rest();
        let lines: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        lines.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Vec<(u64, String)> {
        let mut pretty = Pretty::default();
        let lines = text.lines().zip(1..);
        let mut found: Vec<(u64, String)> = lines
            .flat_map(|(line, number)| pretty.line(number, line))
            .collect();
        found.extend(pretty.rest());
        found
    }

    fn numbered(lines: &[(u64, &str)]) -> Vec<(u64, String)> {
        lines
            .iter()
            .map(|(number, line)| (*number, (*line).to_owned()))
            .collect()
    }

    #[test]
    fn values_over_several_lines_are_one_line() {
        let text = "{}\n[\n  {\n    \"a\": 1\n  },\n  {}\n]\n{\n\t\"b\": 2\n}\n[]";
        assert_eq!(
            joined(text),
            numbered(&[
                (1, "{}"),
                (7, "[   {     \"a\": 1   },   {} ]"),
                (10, "{ \t\"b\": 2 }"),
                (11, "[]"),
            ])
        );
    }

    #[test]
    fn a_bracket_that_stands_alone_takes_no_line_with_it() {
        let text = "{\n{\"a\":1}\n[\n  1,\n{\"b\":2}\n[\n  2";
        assert_eq!(
            joined(text),
            numbered(&[
                (1, "{"),
                (2, "{\"a\":1}"),
                (3, "["),
                (4, "  1,"),
                (5, "{\"b\":2}"),
                (6, "["),
                (7, "  2"),
            ])
        );
    }
}
