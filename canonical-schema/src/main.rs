//! Prints the files as one JSON object, path to text, for `cargo xtask regen` to write.

use std::process::ExitCode;

fn main() -> ExitCode {
    match agentwire_canonical_schema::files() {
        Ok(files) => {
            println!("{:#}", serde_json::json!(files));
            ExitCode::SUCCESS
        }
        Err(unexpressed) => {
            eprintln!("error: {unexpressed}");
            ExitCode::FAILURE
        }
    }
}
