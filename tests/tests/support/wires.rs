//! The wires: their readers, their rows, and where their recordings stand.

use std::fs;
use std::path::{Path, PathBuf};

use agentwire::amp::{self, AmpSession};
use agentwire::codex_sdk::{self, CodexSdkSession};
use agentwire::frame::Limits;
use agentwire::mapping::RowInfo;
use agentwire::opencode::{self, OpenCodeSession};
use agentwire::session::{Direction, Outcome};
use agentwire::sources::{SequentialIds, WireClock};
use agentwire::transcript::Recorded;
use agentwire_tests::root;

use super::recorded::Line;

/// Reads lines with a new session of a type.
macro_rules! replayed {
    ($session:ident, $lines:expr, $size:expr) => {{
        let mut session = $session::with_sources(
            SequentialIds::new(),
            WireClock::default(),
            Limits::default(),
        );
        let mut replayed: Vec<Vec<Outcome>> = Vec::new();
        for line in $lines {
            for piece in format!("{}\n", line.text).as_bytes().chunks($size) {
                session.push(line.direction, piece);
            }
            replayed.push(session.outcomes().collect());
        }
        session.finish();
        replayed.push(session.outcomes().collect());
        replayed
    }};
}

/// Where whole recordings stand, in folders of their own below it.
const MORE: &str = "AGENTWIRE_RECORDED";

/// One wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// `amp --stream-json`.
    Amp,
    /// `codex exec --json`.
    CodexSdk,
    /// The streams of events of a server of OpenCode.
    OpenCode,
}

/// All of them.
pub const WIRES: &[Wire] = &[Wire::Amp, Wire::CodexSdk, Wire::OpenCode];

/// A recorded stream.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Its wire.
    pub wire: Wire,
    /// The agent's version.
    pub version: String,
    /// The scenario.
    pub scenario: String,
    path: PathBuf,
}

impl Wire {
    /// The id of its surface.
    pub fn surface(self) -> &'static str {
        match self {
            Self::Amp => amp::wire::stream_json::SURFACE,
            Self::CodexSdk => codex_sdk::wire::thread_event::SURFACE,
            Self::OpenCode => opencode::wire::event::SURFACE,
        }
    }

    /// The rows of its surface.
    pub fn rows(self) -> &'static [RowInfo] {
        match self {
            Self::Amp => amp::wire::stream_json::ROWS,
            Self::CodexSdk => codex_sdk::wire::thread_event::ROWS,
            Self::OpenCode => opencode::wire::event::ROWS,
        }
    }

    /// What became of these lines, read as one stream, line by line; the end of it comes last.
    pub fn replayed(self, lines: &[Line]) -> Vec<Vec<Outcome>> {
        self.in_pieces(lines, usize::MAX)
    }

    /// The same, where no piece has more bytes than this.
    pub fn in_pieces(self, lines: &[Line], size: usize) -> Vec<Vec<Outcome>> {
        match self {
            Self::Amp => replayed!(AmpSession, lines, size),
            Self::CodexSdk => replayed!(CodexSdkSession, lines, size),
            Self::OpenCode => replayed!(OpenCodeSession, lines, size),
        }
    }

    /// What became of a line of the agent that is all that is said.
    pub fn told(self, line: &str) -> Outcome {
        let line = Line {
            direction: Direction::FromAgent,
            text: line.to_owned(),
        };
        super::replay::only(self.replayed(&[line]).concat())
    }

    /// The excerpts in the repository, sorted.
    pub fn committed(self) -> Vec<Recording> {
        let folder = root().join("tests/transcripts").join(self.surface());
        let mut found = Vec::new();
        for version in entries(&folder) {
            found.extend(entries(&version).into_iter().map(|path| Recording {
                wire: self,
                version: name(&version),
                scenario: stem(&path),
                path,
            }));
        }
        assert!(found.len() >= 10, "{self:?}: only {} excerpts", found.len());
        found
    }

    /// The whole recordings, where a folder of them is named.
    pub fn whole(self) -> Vec<Recording> {
        let Some(folder) = std::env::var_os(MORE) else {
            return Vec::new();
        };
        let folder = Path::new(&folder);
        let (parent, versions, end) = match self {
            Self::Amp => (folder.join("agents"), "amp-", ".jsonl"),
            Self::CodexSdk => (folder.join("codex"), "", ".exec.jsonl"),
            Self::OpenCode => (folder.join("agents"), "opencode-server-", ".jsonl"),
        };
        let mut found = Vec::new();
        for version in entries(&parent) {
            let Some(number) = name(&version).strip_prefix(versions).map(str::to_owned) else {
                continue;
            };
            for path in entries(&version) {
                if let Some(scenario) = name(&path).strip_suffix(end) {
                    found.push(Recording {
                        wire: self,
                        version: number.clone(),
                        scenario: scenario.to_owned(),
                        path: path.clone(),
                    });
                }
            }
        }
        assert!(
            found.len() >= 20,
            "{self:?}: only {} recordings",
            found.len()
        );
        found
    }
}

impl Recording {
    /// The lines, in the order in which they were seen.
    pub fn lines(&self) -> Vec<Line> {
        let text = fs::read_to_string(&self.path).unwrap();
        let lines = text.split('\n').filter(|line| !line.is_empty());
        let line = |line: &str| match self.wire {
            Wire::Amp => Some(recorded(line)),
            Wire::CodexSdk => Some(Line {
                direction: Direction::FromAgent,
                text: line.to_owned(),
            }),
            // What went by HTTP beside the streams is on none of them.
            Wire::OpenCode => {
                let of_stream = Recorded::read(line)
                    .unwrap()
                    .via
                    .unwrap()
                    .ends_with("event");
                of_stream.then(|| recorded(line))
            }
        };
        lines.filter_map(line).collect()
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }

    /// The number of lines in its file.
    pub fn size(&self) -> usize {
        fs::read_to_string(&self.path).unwrap().lines().count()
    }

    /// What a report calls it.
    pub fn name(&self) -> String {
        format!("{}/{}/{}", self.wire.surface(), self.version, self.scenario)
    }

    /// Its golden file.
    pub fn golden(&self) -> PathBuf {
        let folder = root().join("tests/goldens").join(self.wire.surface());
        folder.join(format!("{}-{}.jsonl", self.version, self.scenario))
    }
}

fn recorded(line: &str) -> Line {
    let recorded = Recorded::read(line).unwrap();
    Line {
        direction: recorded.direction,
        text: recorded.line.into_owned(),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
