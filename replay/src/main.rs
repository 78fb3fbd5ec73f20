//! `cargo xtask replay`: recorded or live streams in, canonical events out, one JSON object a line.
//!
//! A program of its own, since `xtask` must build while `contracts` does not.

mod input;
mod pretty;
mod provider;
mod summary;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use agentwire::Provider;
use agentwire::session::Verdict;
use input::Stream;
use provider::Ids;
use summary::Summary;

/// Replays streams of an agent: transcripts (`{"dir","line"}`), rollout files, raw lines.
#[derive(Parser)]
#[command(name = "cargo xtask replay", bin_name = "cargo xtask replay")]
struct Cli {
    /// Whose streams they are.
    #[arg(value_parser = provider::argument())]
    provider: &'static Provider,
    /// The files, each a session of its own; standard input where none is named, or for `-`.
    files: Vec<PathBuf>,
    /// The form of the summary on standard error.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    summary: Form,
    /// What makes the exit code 1; `unrecognized` includes malformed messages.
    #[arg(long, value_enum, default_value_t = FailOn::Malformed)]
    fail_on: FailOn,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Malformed,
    Unrecognized,
    Never,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut summary = Summary::default();
    match replay(&cli, &mut summary) {
        Ok(()) => {}
        // Who reads the events has gone away; that is no failure of the stream.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(failure) => {
            eprintln!("error: {failure}");
            return ExitCode::from(2);
        }
    }
    match cli.summary {
        Form::Text => eprint!("{}", summary.text()),
        Form::Json => eprintln!("{}", summary.json()),
    }
    if summary.no_streams > 0 {
        return ExitCode::from(2);
    }
    let fails = match cli.fail_on {
        FailOn::Never => false,
        FailOn::Malformed => summary.any_malformed(),
        FailOn::Unrecognized => summary.any_malformed() || summary.any_unrecognized(),
    };
    ExitCode::from(u8::from(fails))
}

/// Why a run could not go on.
enum Failure {
    Input(String, io::Error),
    Output(io::Error),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(name, error) => write!(formatter, "cannot read {name}: {error}"),
            Self::Output(error) => write!(formatter, "cannot write events: {error}"),
        }
    }
}

fn replay(cli: &Cli, summary: &mut Summary) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let ids = Ids::default();
    if cli.files.is_empty() {
        return stream(
            Stream::new(cli.provider, ids),
            "standard input",
            io::stdin().lock(),
            &mut out,
            summary,
        );
    }
    for path in &cli.files {
        if path.as_os_str() == "-" {
            stream(
                Stream::new(cli.provider, ids.clone()),
                "standard input",
                io::stdin().lock(),
                &mut out,
                summary,
            )?;
            continue;
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::Input(name.clone(), error))?;
        stream(
            Stream::new(cli.provider, ids.clone()),
            &name,
            file,
            &mut out,
            summary,
        )?;
    }
    Ok(())
}

/// Replays one stream; events are written as soon as their line is complete.
fn stream(
    mut stream: Stream,
    name: &str,
    mut input: impl Read,
    out: &mut impl Write,
    summary: &mut Summary,
) -> Result<(), Failure> {
    let (mut messages, mut others) = (0_u64, 0_u64);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = match input.read(&mut buffer) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::Input(name.to_owned(), error)),
        };
        if read == 0 {
            stream.finish();
        } else {
            stream.push(buffer.get(..read).unwrap_or_default());
        }
        for outcome in stream.take() {
            for event in &outcome.events {
                let line = event
                    .to_json()
                    .map_err(|error| Failure::Output(error.into()))?;
                writeln!(out, "{line}").map_err(Failure::Output)?;
            }
            summary.count(name, &outcome);
            match outcome.verdict {
                Verdict::NotJson { .. } | Verdict::TooLong { .. } => others += 1,
                Verdict::Mapped
                | Verdict::Dropped(_)
                | Verdict::Told(_)
                | Verdict::Unrecognized
                | Verdict::Malformed { .. }
                | Verdict::Unmatched
                | Verdict::Noted
                | Verdict::Outside => messages += 1,
            }
        }
        out.flush().map_err(Failure::Output)?;
        if read == 0 {
            summary.lines += stream.lines();
            if others > 0 && messages == 0 {
                summary.no_streams += 1;
            }
            return Ok(());
        }
    }
}
