//! Runs a program with a time limit, its output kept.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(20);

/// How much of what a program said is worth repeating.
const TAIL_LINES: usize = 15;

/// What a program that came to its end left.
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// All of its standard output.
    pub stdout: String,
    /// The last lines of its standard error, indented to stand below a message.
    pub stderr_tail: String,
    /// All of its standard error.
    pub stderr: String,
}

/// Why a program did not come to its end.
pub enum Unfinished {
    /// There is no such program.
    NotFound,
    /// It could not be started or watched.
    Broken(io::Error),
    /// It was ended at the time limit.
    TimedOut {
        /// The last lines of its standard error.
        stderr_tail: String,
    },
}

/// Runs the program without standard input. Its output goes through files in `scratch`, so that no
/// full pipe holds it up.
pub fn run(command: &mut Command, limit: Duration, scratch: &Path) -> Result<Finished, Unfinished> {
    let stdout_path = scratch.join("stdout");
    let stderr_path = scratch.join("stderr");
    let stdout = File::create(&stdout_path).map_err(Unfinished::Broken)?;
    let stderr = File::create(&stderr_path).map_err(Unfinished::Broken)?;
    command.stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    let mut child = command.spawn().map_err(|error| {
        if error.kind() == io::ErrorKind::NotFound {
            Unfinished::NotFound
        } else {
            Unfinished::Broken(error)
        }
    })?;

    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(Unfinished::Broken)? {
            break status;
        }
        if start.elapsed() >= limit {
            child.kill().map_err(Unfinished::Broken)?;
            child.wait().map_err(Unfinished::Broken)?;
            return Err(Unfinished::TimedOut {
                stderr_tail: tail(&read(&stderr_path)?),
            });
        }
        std::thread::sleep(POLL);
    };
    let stderr = read(&stderr_path)?;
    Ok(Finished {
        status,
        stdout: read(&stdout_path)?,
        stderr_tail: tail(&stderr),
        stderr,
    })
}

fn read(path: &Path) -> Result<String, Unfinished> {
    let bytes = fs::read(path).map_err(Unfinished::Broken)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = lines
        .get(lines.len().saturating_sub(TAIL_LINES)..)
        .unwrap_or_default();
    if last.is_empty() {
        return "\n  (it said nothing)".to_owned();
    }
    last.iter().map(|line| format!("\n  | {line}")).collect()
}
