//! Writes markup in which no text can be taken for a tag: names are the program's own, and everything
//! that comes from data is escaped where it is written.

/// A page while it is written. Templates would save nothing here: the page is tables made by loops, and
/// this is the whole of what they need.
#[derive(Default)]
pub struct Markup {
    text: String,
}

/// Attributes with their values; one without a value has an empty one.
pub type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Markup {
    /// An element with what the closure writes inside.
    pub fn with(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.open(name, attributes);
        inside(self);
        self.text += "</";
        self.text += name;
        self.text.push('>');
    }

    /// An element with a text inside.
    pub fn leaf(&mut self, name: &'static str, attributes: Attributes<'_>, text: &str) {
        self.with(name, attributes, |inside| inside.text(text));
    }

    /// An element that has no inside.
    pub fn void(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.open(name, attributes);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        escape(text, &mut self.text);
    }

    /// A text whose parts in backticks are code.
    pub fn prose(&mut self, text: &str) {
        let mut parts = text.split('`').peekable();
        let mut code = false;
        while let Some(part) = parts.next() {
            // A backtick without another one is an ordinary letter.
            match (code, parts.peek().is_some()) {
                (true, true) => self.leaf("code", &[], part),
                (true, false) => {
                    self.text.push('`');
                    self.text(part);
                }
                (false, _) => self.text(part),
            }
            code = !code;
        }
    }

    /// The program's own markup, styles or script, as it is.
    pub fn own(&mut self, text: &'static str) {
        self.text += text;
    }

    /// A line break in the source, so that lines stay short enough to compare.
    pub fn line(&mut self) {
        self.text.push('\n');
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.text
    }

    fn open(&mut self, name: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text += name;
        for (name, value) in attributes {
            self.text.push(' ');
            self.text += name;
            if !value.is_empty() {
                self.text += "=\"";
                escape(value, &mut self.text);
                self.text.push('"');
            }
        }
        self.text.push('>');
    }
}

fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // HTML has no way to hold it.
            '\0' => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Markup;

    #[test]
    fn nothing_that_comes_from_data_is_markup() {
        let mut page = Markup::default();
        page.leaf("p", &[("title", "\"><script>")], "a < b & c > d\0");
        page.prose("`<b>` and ` one");
        assert_eq!(
            page.finish(),
            "<p title=\"&quot;&gt;&lt;script&gt;\">a &lt; b &amp; c &gt; d\u{fffd}</p><code>&lt;b&gt;</code> and ` one"
        );
    }
}
