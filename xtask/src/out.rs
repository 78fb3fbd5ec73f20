//! Standard output, whose reader may go away.

use std::io::Write;

/// Prints. A reader that wanted no more, as in `… | head`, is no failure.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    drop(out.write_all(text.as_bytes()));
    drop(out.flush());
}
