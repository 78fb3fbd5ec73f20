//! The canonical event model for hosts that are not written in Rust.
//!
//! Two files are made from the Rust types: a JSON Schema, by `schemars`, and TypeScript
//! declarations, printed from that schema. This is a package of its own because it has to compile
//! the model, and the code generator must work while the library does not compile: `cargo xtask
//! regen` writes the generated code first, and then runs this program. It takes the library
//! without its providers, so that a missing mapping does not stand in the way; only a model that
//! does not compile does. Reading the Rust files as text, as the generator does with the names of
//! events, would need no build, and would be a second opinion on what serde writes.

mod declarations;
mod schema;

use std::collections::BTreeMap;

pub use declarations::{Unexpressed, declarations};
pub use schema::schema;

/// The folder of the files, from the root of the repository.
pub const FOLDER: &str = "contracts/schema";

/// Both files, by path from the root of the repository.
///
/// # Errors
/// Where the schema holds something that the declarations cannot express.
pub fn files() -> Result<BTreeMap<String, String>, Unexpressed> {
    let schema = schema();
    Ok(BTreeMap::from([
        (format!("{FOLDER}/canonical.d.ts"), declarations(&schema)?),
        (
            format!("{FOLDER}/canonical.schema.json"),
            format!("{schema:#}\n"),
        ),
    ]))
}
