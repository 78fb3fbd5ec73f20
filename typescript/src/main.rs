//! `agentwire-typescript REQUEST OUT`: makes a dump from unpacked packages, for `cargo xtask vendor`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agentwire_typescript::modules::Texts;
use agentwire_typescript::request::{Package, Request};
use agentwire_typescript::{Dump, dump};

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [request, out] = arguments.as_slice() else {
        eprintln!("error: expected the file of the request and the folder to write to");
        return ExitCode::FAILURE;
    };
    match run(request, out) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes `types.json`, and `decisions` with a line for each decision that was needed.
fn run(request: &Path, out: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(request)
        .map_err(|error| format!("{}: {error}", request.display()))?;
    let request =
        Request::parse(&text).map_err(|error| format!("the request cannot be read: {error}"))?;
    let packages: Vec<&Package> = [&request.package]
        .into_iter()
        .chain(&request.externals)
        .collect();
    let made = dump(&request, &Folders { packages }).map_err(|problems| {
        let lines: Vec<String> = problems
            .iter()
            .map(|problem| format!("\n- {problem}"))
            .collect();
        format!(
            "the types of {} {} have no reading:{}",
            request.package.name,
            request.package.version,
            lines.concat()
        )
    })?;
    let decisions: String = made
        .decisions
        .iter()
        .map(|decision| format!("{decision}\n"))
        .collect();
    for (name, text) in [("types.json", &made.text), ("decisions", &decisions)] {
        let path = out.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    summarise(&made);
    Ok(())
}

fn summarise(made: &Dump) {
    let (own, others) = made.definitions;
    eprintln!(
        "{own} definitions and {others} of other packages from {} files, {} functions left out, {} bytes",
        made.files,
        made.dropped,
        made.text.len()
    );
    for (name, (members, variants)) in &made.unions {
        eprintln!("  {name}: {members} members, {variants} variants");
    }
}

/// The files of unpacked packages.
struct Folders<'r> {
    packages: Vec<&'r Package>,
}

impl Folders<'_> {
    fn place(&self, path: &str) -> Option<PathBuf> {
        self.packages.iter().find_map(|package| {
            let inside = path
                .strip_prefix(package.name.as_str())?
                .strip_prefix('/')?;
            Some(Path::new(&package.folder).join(inside))
        })
    }
}

impl Texts for Folders<'_> {
    fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.place(path)?).ok()
    }

    fn exists(&self, path: &str) -> bool {
        self.place(path).is_some_and(|place| place.is_file())
    }
}
