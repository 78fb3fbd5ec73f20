//! Points in time, as milliseconds inside and as RFC 3339 text on the wire.

use std::borrow::Cow;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A point in time with the precision of a millisecond.
///
/// It is written in UTC with three digits of fraction. A year outside 0 to 9999 is written as
/// JavaScript does it, with a sign and at least six digits, and read back in the same form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IsoDateTime(i64);

impl IsoDateTime {
    /// 1970-01-01T00:00:00.000Z.
    pub const EPOCH: Self = Self(0);

    /// The time that is this many milliseconds after the epoch.
    #[must_use]
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// What the system's clock shows now.
    #[must_use]
    pub fn now() -> Self {
        let now = SystemTime::now();
        Self(match now.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => {
                i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis)
            }
        })
    }

    /// Reads RFC 3339 text: any number of fraction digits (those past the third are cut off), and
    /// `Z` or a numeric offset. A leap second becomes the second that follows.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut scan = Scan {
            rest: text.as_bytes(),
        };
        let year = scan.year()?;
        scan.literal(b'-')?;
        let month = scan.number(2)?;
        scan.literal(b'-')?;
        let day = scan.number(2)?;
        scan.one_of(b"Tt ")?;
        let hour = scan.number(2)?;
        scan.literal(b':')?;
        let minute = scan.number(2)?;
        scan.literal(b':')?;
        let second = scan.number(2)?;
        let fraction = scan.fraction()?;
        let offset = scan.offset()?;
        let in_range = scan.rest.is_empty()
            && (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second <= 60;
        if !in_range {
            return None;
        }
        let of_day = hour * HOUR + minute * MINUTE + second * SECOND + fraction;
        let days = days_from_civil(year, month, day);
        // The sum may pass the range only at its two ends, so it is made in the wider type.
        let millis = i128::from(days) * i128::from(DAY) + i128::from(of_day - offset);
        i64::try_from(millis).ok().map(Self)
    }
}

impl fmt::Display for IsoDateTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = civil_from_days(self.0.div_euclid(DAY));
        match year {
            0..=9999 => write!(formatter, "{year:04}")?,
            _ => write!(formatter, "{year:+07}")?,
        }
        let of_day = self.0.rem_euclid(DAY);
        write!(
            formatter,
            "-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
            of_day / HOUR,
            of_day % HOUR / MINUTE,
            of_day % MINUTE / SECOND,
            of_day % SECOND
        )
    }
}

impl Serialize for IsoDateTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for IsoDateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <Cow<'de, str>>::deserialize(deserializer)?;
        Self::parse(&text)
            .ok_or_else(|| de::Error::custom(format_args!("`{text}` is not an RFC 3339 time")))
    }
}

/// The unread rest of a time.
struct Scan<'a> {
    rest: &'a [u8],
}

impl Scan<'_> {
    fn one_of(&mut self, bytes: &[u8]) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        bytes.contains(&first).then(|| {
            self.rest = rest;
            first
        })
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        self.one_of(&[byte]).map(|_| ())
    }

    fn digit(&mut self) -> Option<i64> {
        self.one_of(b"0123456789")
            .map(|digit| i64::from(digit - b'0'))
    }

    fn number(&mut self, digits: usize) -> Option<i64> {
        (0..digits).try_fold(0, |number, _| Some(number * 10 + self.digit()?))
    }

    /// Four digits, or a sign and six to nine: no time of this type needs more.
    fn year(&mut self) -> Option<i64> {
        let Some(sign) = self.one_of(b"+-") else {
            return self.number(4);
        };
        let mut year = self.number(6)?;
        for _ in 6..9 {
            let Some(digit) = self.digit() else { break };
            year = year * 10 + digit;
        }
        Some(if sign == b'-' { -year } else { year })
    }

    /// Milliseconds of the fraction, if there is one; a point alone is none.
    fn fraction(&mut self) -> Option<i64> {
        if self.one_of(b".").is_none() {
            return Some(0);
        }
        let mut millis = self.digit()? * 100;
        let mut unit = 10;
        while let Some(digit) = self.digit() {
            millis += digit * unit;
            unit /= 10;
        }
        Some(millis)
    }

    /// Milliseconds that the local time is ahead of UTC.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.one_of(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        let hours = self.number(2)?;
        self.literal(b':')?;
        let minutes = self.number(2)?;
        (hours < 24 && minutes < 60).then_some(sign * (hours * HOUR + minutes * MINUTE))
    }
}

/// Days since the epoch, in the proleptic Gregorian calendar. The year is counted from March, so
/// that the leap day is the last day of it.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The way back: year, month, day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn times_have_one_written_form() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (1_796_068_922_130, "2026-11-30T20:02:02.130Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(IsoDateTime::from_millis(millis).to_string(), text);
            assert_eq!(IsoDateTime::parse(text).unwrap().millis(), millis, "{text}");
        }
    }

    #[test]
    fn every_day_and_both_ends_of_the_range_come_back() {
        for days in (-800_000..3_000_000).step_by(97) {
            let time = IsoDateTime::from_millis(days * DAY + 12_345);
            assert_eq!(IsoDateTime::parse(&time.to_string()), Some(time));
        }
        for millis in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
            let time = IsoDateTime::from_millis(millis);
            assert_eq!(IsoDateTime::parse(&time.to_string()), Some(time), "{time}");
        }
    }

    #[test]
    fn other_precisions_and_offsets_are_read() {
        let expected = IsoDateTime::parse("2026-11-29T20:02:02.130Z");
        assert!(expected.is_some());
        for text in [
            "2026-11-29T20:02:02.13Z",
            "2026-11-29T20:02:02.130999999999999999999999999Z",
            "2026-11-29t22:02:02.130+02:00",
            "2026-11-29 14:32:02.130-05:30",
            "2026-11-30T19:01:02.130+22:59",
        ] {
            assert_eq!(IsoDateTime::parse(text), expected, "{text}");
        }
        assert_eq!(
            IsoDateTime::parse("2016-12-31T23:59:60Z"),
            IsoDateTime::parse("2017-01-01T00:00:00Z")
        );
    }

    #[test]
    fn what_is_not_a_time_is_nothing() {
        for text in [
            "",
            "2026",
            "2026-11-29",
            "2026-11-29T20:02:02",
            "2026-11-29T20:02Z",
            "2026-11-29T20:02:02.Z",
            "2026-11-29T20:02:02ZZ",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z",
            "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:61Z",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+0200",
            "+999999999-01-01T00:00:00Z",
            "+9999999999-01-01T00:00:00Z",
            "２026-01-01T00:00:00Z",
        ] {
            assert_eq!(IsoDateTime::parse(text), None, "{text}");
        }
        assert!(serde_json::from_str::<IsoDateTime>(r#""today""#).is_err());
    }

    #[test]
    fn the_system_clock_is_past_the_epoch() {
        assert!(IsoDateTime::now() > IsoDateTime::EPOCH);
    }
}
