//! The writer: compact JSON text, members in the order in which they are written.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use super::malformed::Malformed;
use super::reader::Reader;
use super::text::plain_end;
use super::wire::Wire;

/// Writes one value.
#[derive(Debug, Default)]
pub struct Writer {
    text: String,
    /// Where the latest raw value began.
    latest_raw: Option<usize>,
    /// How many raw objects were written into open ones.
    raw_inlined: usize,
}

/// An object that is being written.
#[must_use = "`end` closes the object"]
#[derive(Debug)]
pub struct ObjectWriter<'w> {
    writer: &'w mut Writer,
    start: usize,
    first: bool,
}

/// An array that is being written.
#[must_use = "`end` closes the array"]
#[derive(Debug)]
pub struct ArrayWriter<'w> {
    writer: &'w mut Writer,
    first: bool,
}

impl Writer {
    /// An empty writer.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The text that was written.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    /// Writes a string.
    #[inline(never)]
    pub fn string(&mut self, value: &str) {
        self.text.push('"');
        let bytes = value.as_bytes();
        let mut at = 0;
        loop {
            let stop = plain_end(bytes, at);
            self.text.push_str(value.get(at..stop).unwrap_or_default());
            let Some(byte) = bytes.get(stop) else { break };
            self.escape(*byte);
            at = stop + 1;
        }
        self.text.push('"');
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.text.push_str(if value { "true" } else { "false" });
    }

    /// Writes an integer.
    #[inline(never)]
    pub fn integer(&mut self, value: impl Display) {
        self.display(format_args!("{value}"));
    }

    /// Writes a float as JavaScript would: integral ones without a fraction, those that are not
    /// finite as `null`.
    #[inline(never)]
    pub fn float(&mut self, value: f64) {
        if !value.is_finite() {
            self.null();
        } else if value.fract() == 0.0 && value.abs() < 1e15 {
            self.display(format_args!("{value}"));
        } else {
            self.display(format_args!("{value:?}"));
        }
    }

    /// Writes JSON text as it is. The text must be one valid value.
    #[inline(never)]
    pub fn raw(&mut self, json: &str) {
        self.latest_raw = Some(self.text.len());
        self.text.push_str(json);
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.text.push_str("null");
    }

    /// Begins an object.
    #[inline(never)]
    pub fn object(&mut self) -> ObjectWriter<'_> {
        let start = self.text.len();
        self.text.push('{');
        ObjectWriter {
            writer: self,
            start,
            first: true,
        }
    }

    /// Begins an array.
    #[inline(never)]
    pub fn array(&mut self) -> ArrayWriter<'_> {
        self.text.push('[');
        ArrayWriter {
            writer: self,
            first: true,
        }
    }

    /// Writes an object with one member.
    #[inline(never)]
    pub fn keyed<'a, T: Wire<'a>>(&mut self, key: &str, value: &T) {
        let mut object = self.object();
        object.field(key, value);
        object.end();
    }

    fn display(&mut self, value: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(value);
    }

    fn escape(&mut self, byte: u8) {
        match byte {
            b'"' => self.text.push_str("\\\""),
            b'\\' => self.text.push_str("\\\\"),
            b'\n' => self.text.push_str("\\n"),
            b'\r' => self.text.push_str("\\r"),
            b'\t' => self.text.push_str("\\t"),
            0x08 => self.text.push_str("\\b"),
            0x0c => self.text.push_str("\\f"),
            control => self.display(format_args!("\\u{control:04x}")),
        }
    }
}

impl ObjectWriter<'_> {
    /// Writes a member whose value is a constant string.
    #[inline(never)]
    pub fn tag(&mut self, name: &str, value: &str) {
        self.name(name);
        self.writer.string(value);
    }

    /// Writes a member.
    #[inline(never)]
    pub fn field<'a, T: Wire<'a>>(&mut self, name: &str, value: &T) {
        self.name(name);
        value.write(self.writer);
    }

    /// Writes a member where there is one.
    #[inline(never)]
    pub fn optional<'a, T: Wire<'a>>(&mut self, name: &str, value: &Option<T>) {
        if let Some(value) = value {
            self.field(name, value);
        }
    }

    /// Writes a member with three states: absent, `null`, or a value.
    #[inline(never)]
    pub fn patch<'a, T: Wire<'a>>(&mut self, name: &str, value: &Option<Option<T>>) {
        if let Some(value) = value {
            self.field(name, value);
        }
    }

    /// Writes the members of another object into this one, after those that stand here already. A
    /// raw object brings only the members that this one does not have yet: an unrecognized
    /// variant's raw also holds the common fields. A value that is no object brings nothing.
    #[inline(never)]
    pub fn inline<'a, T: Wire<'a>>(&mut self, value: &T) {
        if self.first {
            // The value's own brace takes the place of ours.
            self.writer.text.truncate(self.start);
        }
        let before = self.writer.text.len();
        let raw_inlined = self.writer.raw_inlined;
        value.write(self.writer);
        let raw = self.writer.latest_raw == Some(before) || self.writer.raw_inlined > raw_inlined;
        self.join(before, raw);
    }

    /// Closes the object.
    #[inline(never)]
    pub fn end(self) {
        self.writer.text.push('}');
    }

    #[inline]
    fn name(&mut self, name: &str) {
        if !self.first {
            self.writer.text.push(',');
        }
        self.first = false;
        self.writer.string(name);
        self.writer.text.push(':');
    }

    /// Makes one object of the open one and of the value that was written at `before`.
    fn join(&mut self, before: usize, raw: bool) {
        let text = &mut self.writer.text;
        if raw {
            self.writer.raw_inlined += 1;
            if !self.first {
                let members = new_members(text, self.start, before).unwrap_or_default();
                text.truncate(before);
                text.push_str(&members);
            }
        }
        let inside = text.get(before..).unwrap_or_default();
        let inside = inside
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'));
        if inside.is_none_or(|members| members.trim_ascii().is_empty()) {
            text.truncate(before);
            if self.first {
                text.push('{');
            }
            return;
        }
        text.pop();
        if !self.first {
            // One byte takes the place of another, so nothing moves.
            text.replace_range(before..=before, ",");
        }
        self.first = false;
    }
}

/// The object at `before`, without the members that the object open since `start` has.
#[cold]
fn new_members(text: &str, start: usize, before: usize) -> Result<String, Malformed> {
    let open = format!("{}}}", text.get(start..before).unwrap_or_default());
    let mut known = BTreeSet::new();
    let mut reader = Reader::new(&open);
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        reader.skip()?;
        known.insert(key);
    }
    let mut writer = Writer::new();
    let mut members = writer.object();
    let mut reader = Reader::new(text.get(before..).unwrap_or_default());
    let mut object = reader.object()?;
    while let Some(key) = reader.key(&mut object)? {
        let value = reader.raw()?;
        if !known.contains(&key) {
            members.field(&key, &value);
        }
    }
    members.end();
    Ok(writer.finish())
}

impl ArrayWriter<'_> {
    /// Writes an element.
    pub fn element<'a, T: Wire<'a>>(&mut self, value: &T) {
        if !self.first {
            self.writer.text.push(',');
        }
        self.first = false;
        value.write(self.writer);
    }

    /// Closes the array.
    pub fn end(self) {
        self.writer.text.push(']');
    }
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
