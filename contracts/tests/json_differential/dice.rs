//! JSON texts by chance, always the same ones for a seed.

use std::fmt::Write as _;

/// A small generator with a seed, so that a failure can be repeated.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    pub fn bits(&mut self) -> u64 {
        let high = self.roll(1 << 31) as u64;
        (high << 33) ^ ((self.roll(1 << 31) as u64) << 11) ^ self.roll(1 << 31) as u64
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.roll(from.len())]
    }

    fn white(&mut self, out: &mut String) {
        if self.roll(6) == 0 {
            out.push_str(self.pick(&[" ", "  ", "\n", "\t", "\r\n"]));
        }
    }

    fn string(&mut self, out: &mut String) {
        out.push('"');
        for _ in 0..self.roll(12) {
            let piece = self.pick(&[
                "a",
                "type",
                "plain text of some length",
                "é",
                "\u{2028}",
                "😀",
                "\u{7f}",
                "/",
                "\\n",
                "\\\"",
                "\\\\",
                "\\/",
                "\\b\\f\\r\\t",
                "\\u0041",
                "\\u00e9",
                "\\uD83D\\uDE00",
                "\\u0000",
                "{[,:]}",
            ]);
            out.push_str(piece);
        }
        if self.roll(40) == 0 {
            out.push_str(self.pick(&[
                "\\ud83d",
                "\\ude00x",
                "\\ud83d\\u0041",
                "\\ud83d\\ud83d\\ude00",
            ]));
        }
        out.push('"');
    }

    fn number(&mut self, out: &mut String) {
        let sign = self.pick(&["", "-"]);
        let shift = self.roll(64);
        let whole = self.bits() >> shift;
        let _ = write!(out, "{sign}{whole}");
        if self.roll(3) == 0 {
            let fraction = self.roll(100_000);
            let _ = write!(out, ".{fraction:03}");
        }
        if self.roll(4) == 0 {
            let (sign, exponent) = (self.pick(&["e", "E", "e+", "E-", "e-"]), self.roll(25));
            let _ = write!(out, "{sign}{exponent}");
        }
        if self.roll(60) == 0 {
            out.push_str("99999999999999999999");
        }
    }

    pub fn value(&mut self, depth: usize, out: &mut String) {
        self.white(out);
        match self.roll(if depth == 0 { 6 } else { 10 }) {
            0 => out.push_str("null"),
            1 => out.push_str(self.pick(&["true", "false"])),
            2 | 3 => self.number(out),
            4 | 5 => self.string(out),
            6 | 7 => self.list(depth, '[', ']', out),
            _ => self.list(depth, '{', '}', out),
        }
        self.white(out);
    }

    fn list(&mut self, depth: usize, open: char, close: char, out: &mut String) {
        out.push(open);
        for index in 0..self.roll(6) {
            if index > 0 {
                out.push(',');
            }
            if open == '{' {
                self.white(out);
                self.string(out);
                self.white(out);
                out.push(':');
            }
            self.value(depth - 1, out);
        }
        self.white(out);
        out.push(close);
    }

    /// Changes a few bytes; what is not text any more is mended.
    pub fn mutated(&mut self, text: &str) -> String {
        const LETTERS: &[u8] = b"{}[],:\"\\u019-+.eEtrfalsn \n\t\x00\x1f\xc3\xff";
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.roll(3) {
            let at = self.roll(bytes.len() + 1);
            let new = LETTERS[self.roll(LETTERS.len())];
            match self.roll(4) {
                0 => bytes.insert(at, new),
                1 => bytes.truncate(at),
                2 if at < bytes.len() => drop(bytes.remove(at)),
                _ if at < bytes.len() => bytes[at] = new,
                _ => bytes.push(new),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
