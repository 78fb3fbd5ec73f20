//! `cargo xtask upgrade PROVIDER[@VERSION]`: a version more in the window, or some fewer, in one transaction.
//!
//! Everything is made before anything is written: packages are fetched into a scratch folder, and
//! what the repository becomes is computed from texts. Then it is written as a whole.

mod changes;
mod moves;
mod written;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agentwire_upkeep::upgrade::{Moved, Tense, Upgraded, markdown, text, upgrade};

use crate::failure::{CLEAN, COULD_NOT_RUN, FOUND, Failure};
use crate::files::sha256;
use crate::out;
use crate::progress::Voice;
use crate::transaction::{SCRATCH, Transaction};
use crate::vendor::Ways;
use crate::workspace::{
    self, LOCK, SEAL, SOURCES, Texts, broken_seal, changed, rendered, vendored,
};
use changes::{Changes, changes};
use moves::Wanted;

/// Flags of the command.
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 nothing is left to decide, 1 written, and rows or other things are left to decide, 2 could not run (nothing was written)"
)]
pub struct Arguments {
    /// What to upgrade: `codex`, `codex@latest`, `codex@0.172.0`. `acp` stands for all providers whose
    /// names begin so. Without a version the latest one, or with --drop none.
    #[arg(value_name = "PROVIDER[@VERSION]")]
    target: String,
    /// Says what would be done, and writes nothing.
    #[arg(long)]
    dry_run: bool,
    /// Retires this version from the window, with all that only it needs.
    #[arg(long, value_name = "VERSION")]
    drop: Vec<String>,
    /// Takes the raw output of the schema command from this folder, one folder in it a face, and not from the package.
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,
    /// Also writes the summary as Markdown, with the changes of the schemas, to this file.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// With --markdown: count what matters least and leave it out, where all of it would be longer.
    #[arg(long, value_name = "BYTES", requires = "markdown")]
    max_bytes: Option<usize>,
    /// How many seconds the program of a package may take for one face.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    timeout: u64,
}

/// Makes the moves, and says what is left to decide.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let asked = workspace::texts(root)?;
    let voice = Voice::steps();
    let wanted = Wanted::read(&arguments.target, &arguments.drop, &asked)?;
    let moves = {
        // Gone with all that it holds when the packages are read; the write has one of its own.
        let scratch = Transaction::begin(root, SCRATCH)?;
        let ways = Ways {
            from: arguments.from.as_deref(),
            timeout: arguments.timeout,
        };
        wanted.moves(root, &asked, &ways, &scratch.work(), &voice)?
    };
    let before = as_it_is_now(root, &asked)?;
    voice.say("comparing, proposing rows, generating");
    let upgraded = match upgrade(&before, &moves, &sha256) {
        Ok(upgraded) => upgraded,
        Err(found) => {
            drop(voice);
            eprint!("{}", rendered(&found));
            eprintln!("error: nothing was written");
            return Ok(ExitCode::from(COULD_NOT_RUN));
        }
    };
    let changes = changes(&before, &upgraded);
    let after = sealed(&before, &upgraded);
    let differs = changed(&before, &after);
    let tense = if arguments.dry_run {
        Tense::Would
    } else if differs.is_empty() {
        Tense::Before
    } else {
        Tense::Done
    };
    // Where this can't be written, nothing is.
    if let Some(path) = &arguments.markdown {
        let page = page(
            markdown(&upgraded, tense),
            &changes,
            arguments.max_bytes.unwrap_or(usize::MAX),
        );
        fs::write(path, page).map_err(|error| Failure::io("write", path, &error))?;
    }
    let lost = written::lost(root, &upgraded.moved)?;
    if !arguments.dry_run {
        voice.say("writing");
        workspace::write(root, &before, &after)?;
    }
    drop(voice);

    if !upgraded.others.is_empty() {
        eprint!("{}", rendered(&upgraded.others));
    }
    let mut told = String::new();
    for change in &changes {
        eprint!("{}", rendered(&change.problems));
        told += &format!("{}\n", change.text);
    }
    told += &text(&upgraded, tense);
    told += &lost;
    told += &files(&differs.into_iter().collect::<Vec<_>>(), tense);
    out::print(&format!("{told}\n"));
    Ok(ExitCode::from(if upgraded.complete {
        CLEAN
    } else {
        FOUND
    }))
}

/// The summary, and the changes of each provider, in at most so many bytes.
fn page(mut page: String, changes: &[Changes], bytes: usize) -> String {
    const CUT: &str = "\n… and more, for which there is no room.\n";
    if page.len() > bytes {
        // Whole lines, so that no letter and no mark is cut.
        let room = bytes.saturating_sub(CUT.len());
        let mut kept = 0;
        for line in page.split_inclusive('\n') {
            if kept + line.len() > room {
                break;
            }
            kept += line.len();
        }
        page.truncate(kept);
        return page + CUT;
    }
    for (index, change) in changes.iter().enumerate() {
        let share = (bytes - page.len()) / (changes.len() - index);
        let told = change.markdown(share.saturating_sub(1));
        if told.len() < share {
            page += &format!("\n{told}");
        }
    }
    page
}

/// The texts when the packages have come, which may take minutes in which somebody decides a row. What
/// the packages were chosen and read by must be the same.
fn as_it_is_now(root: &Path, asked: &Texts) -> Result<Texts, Failure> {
    let now = workspace::texts(root)?;
    match [SOURCES, LOCK]
        .iter()
        .find(|path| asked.get(**path) != now.get(**path))
    {
        Some(path) => Err(workspace::moved(path)),
        None => Ok(now),
    }
}

/// The texts to write. While code can't be made, a broken seal keeps the old code from being built.
fn sealed(before: &Texts, upgraded: &Upgraded) -> Texts {
    let mut after = upgraded.after.clone();
    if upgraded.complete || changed(before, &after).is_empty() {
        return after;
    }
    let whole = after
        .get(SEAL)
        .is_some_and(|seal| !seal.contains("compile_error!"));
    if whole {
        let what = upgraded.moved.iter().find(|it| it.is_move());
        let sentence = what.map_or_else(|| vendored("schemas"), sentence);
        after.insert(SEAL.to_owned(), broken_seal(&sentence));
    }
    after
}

fn sentence(moved: &Moved) -> String {
    match &moved.version {
        Some(version) => vendored(&format!("schemas/{}/{version}", moved.provider)),
        None => format!(
            "{} {} left the window after the last `cargo xtask regen`: run it",
            moved.provider,
            moved.left.join(", ")
        ),
    }
}

/// How many files of which folder were written.
fn files(paths: &[String], tense: Tense) -> String {
    let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        let folder = path.split('/').next().unwrap_or_default();
        let generated = path.starts_with(agentwire_codegen::FOLDER);
        let folder = if generated {
            agentwire_codegen::FOLDER
        } else if folder == "contracts" {
            "contracts/mapping"
        } else {
            folder
        };
        *folders.entry(folder).or_default() += 1;
    }
    if folders.is_empty() {
        return "No file differs.".to_owned();
    }
    let parts: Vec<String> = folders
        .iter()
        .map(|(folder, count)| format!("{count} in {folder}"))
        .collect();
    match tense {
        Tense::Done | Tense::Before => format!("Files written: {}.", parts.join(", ")),
        Tense::Would => format!("Files that would be written: {}.", parts.join(", ")),
    }
}
