//! The hand-written code of rows that are gone: where a person finds what the compiler will reject.

use std::path::Path;

use agentwire_upkeep::upgrade::{Moved, RemovedRow};

use crate::failure::Failure;
use crate::files::files_below;

/// Where code is written by hand.
const CODE: &str = "contracts/src";
const GENERATED: &str = "generated/";

/// The lines of the methods that lost their row; nothing where no row is gone.
pub fn lost(root: &Path, moved: &[Moved]) -> Result<String, Failure> {
    let rows: Vec<&RemovedRow> = moved
        .iter()
        .flat_map(|it| &it.removed_rows)
        .filter(|row| row.module.is_some())
        .collect();
    if rows.is_empty() {
        return Ok(String::new());
    }
    let files: Vec<(String, String)> = files_below(&root.join(CODE))?
        .into_iter()
        .filter(|(path, _)| path.ends_with(".rs") && !path.starts_with(GENERATED))
        .map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()))
        .collect();
    let mut out = String::new();
    for row in rows {
        out += &lines(&files, row);
    }
    if out.is_empty() {
        return Ok(out);
    }
    Ok(format!("Methods that lost their row, to remove:\n{out}"))
}

fn lines(files: &[(String, String)], row: &RemovedRow) -> String {
    let module = row.module.as_deref().unwrap_or_default();
    let imported = format!("generated::{}::{module}", row.provider.replace('-', "_"));
    let method = format!("fn {}(", row.method);
    let generic = format!("fn {}<", row.method);
    let mut out = String::new();
    for (path, text) in files.iter().filter(|(_, text)| text.contains(&imported)) {
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if line.starts_with(&method) || line.starts_with(&generic) {
                out += &format!(
                    "  {CODE}/{path}:{}: {} ({})\n",
                    index + 1,
                    row.method,
                    row.tag
                );
            }
        }
    }
    out
}
