//! Takes the package of a platform with the user's own npm client, and the few files of it that are needed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use base64::Engine;
use flate2::read::GzDecoder;
use serde_json::Value;
use sha2::{Digest, Sha512};

use crate::failure::Failure;
use crate::process::{self, Finished, Unfinished};

/// Long enough for a package of several hundred megabytes on a slow line.
const LIMIT: Duration = Duration::from_secs(30 * 60);

/// Long enough for what a registry says of a package.
const VIEW_LIMIT: Duration = Duration::from_secs(3 * 60);

/// Error codes by which npm says that there is no connection.
const NO_CONNECTION: [&str; 9] = [
    "ENOTFOUND",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "ENETUNREACH",
    "EHOSTUNREACH",
    "ERR_SOCKET_TIMEOUT",
    "FETCH_ERROR",
];

/// A package that npm has fetched.
pub struct Tarball {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// Its integrity, as npm states it and as its bytes have it.
    pub integrity: String,
}

/// What was taken out of a package.
pub struct Unpacked {
    /// The program.
    pub binary: PathBuf,
    /// The licence that the package states.
    pub licence: String,
}

/// The suffix that the packages of this platform have in their versions.
pub fn platform() -> Result<&'static str, Failure> {
    let (os, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
    match (os, architecture) {
        ("linux", "x86_64") => Ok("linux-x64"),
        ("linux", "aarch64") => Ok("linux-arm64"),
        ("macos", "x86_64") => Ok("darwin-x64"),
        ("macos", "aarch64") => Ok("darwin-arm64"),
        ("windows", "x86_64") => Ok("win32-x64"),
        ("windows", "aarch64") => Ok("win32-arm64"),
        _ => Err(Failure::new(format!(
            "there is no package for this platform ({os} {architecture}): make the raw output on another one and give it with --from DIR"
        ))),
    }
}

/// Fetches a package into the folder, and checks that it is the one that npm says it is.
pub fn pack(package: &str, version: &str, folder: &Path) -> Result<Tarball, Failure> {
    let spec = format!("{package}@{version}");
    let asked = Asked {
        words: &["pack", "--json", "--ignore-scripts", &spec],
        about: &spec,
        instead: ", or give raw output of the schema command with --from DIR",
        limit: LIMIT,
    };
    let finished = asked.of_npm(folder)?;
    let (filename, stated) = packed(&finished.stdout).ok_or_else(|| {
        Failure::new(format!("npm pack {spec} succeeded and did not say in JSON what it wrote: is this npm 7 or later?"))
    })?;
    let path = folder.join(filename);
    let (integrity, size) = integrity(&path)?;
    if integrity != stated {
        return Err(Failure::new(format!(
            "{spec} is not what npm says it is, so it was not used:\n  stated {stated}\n  found  {integrity}\nTry again; if it stays so, look at the registry or proxy that npm is set up to use"
        )));
    }
    Ok(Tarball {
        path,
        size,
        integrity,
    })
}

/// The version that everybody gets who asks for none.
pub fn latest(package: &str) -> Result<String, Failure> {
    let tags = view(package, "dist-tags")?;
    let latest = tags.get("latest").and_then(Value::as_str);
    latest.map(str::to_owned).ok_or_else(|| {
        Failure::new(format!(
            "npm names no latest version of {package}: write the version, like {package}@1.2.3"
        ))
    })
}

/// When each version of a package was published, in a form whose order is that of time.
pub fn published(package: &str) -> Result<BTreeMap<String, String>, Failure> {
    let times = view(package, "time")?;
    let times = times.as_object().into_iter().flatten();
    Ok(times
        .filter(|(version, _)| version.starts_with(|first: char| first.is_ascii_digit()))
        .filter_map(|(version, time)| Some((version.clone(), time.as_str()?.to_owned())))
        .collect())
}

fn view(package: &str, field: &str) -> Result<Value, Failure> {
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::io("create", Path::new("a temporary folder"), &error))?;
    let asked = Asked {
        words: &["view", "--json", package, field],
        about: package,
        instead: "",
        limit: VIEW_LIMIT,
    };
    let finished = asked.of_npm(folder.path())?;
    serde_json::from_str(&finished.stdout).map_err(|error| {
        Failure::new(format!(
            "npm view {package} {field} succeeded and did not answer in JSON: {error}"
        ))
    })
}

/// One question to the npm client.
struct Asked<'a> {
    words: &'a [&'a str],
    /// The package, with or without a version.
    about: &'a str,
    /// What can be done where npm can't be asked.
    instead: &'a str,
    limit: Duration,
}

impl Asked<'_> {
    fn of_npm(&self, folder: &Path) -> Result<Finished, Failure> {
        let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let mut command = Command::new(name);
        command.args(self.words).current_dir(folder);
        let finished = process::run(&mut command, self.limit, folder);
        let finished = finished.map_err(|unfinished| match unfinished {
            Unfinished::NotFound => Failure::new(format!(
                "npm is not on the PATH: install Node.js with npm{}",
                self.instead
            )),
            Unfinished::Broken(error) => Failure::new(format!("cannot run npm: {error}")),
            Unfinished::TimedOut { stderr_tail } => Failure::new(format!(
                "npm took more than {} minutes for {}:{stderr_tail}",
                self.limit.as_secs() / 60,
                self.about
            )),
        })?;
        if finished.status.success() {
            Ok(finished)
        } else {
            Err(self.refused(&finished))
        }
    }

    /// What npm's refusal means, with what it said.
    fn refused(&self, finished: &Finished) -> Failure {
        let spec = self.about;
        let what = self.words.first().copied().unwrap_or_default();
        let report: Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
        let said = |name: &str| {
            report
                .pointer(&format!("/error/{name}"))
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        let code = said("code").or_else(|| code_in_text(&finished.stderr));
        let said = said("summary").map_or_else(
            || finished.stderr_tail.clone(),
            |summary| format!("\n  | {summary}"),
        );
        let meaning = match code.as_deref() {
            Some("E404" | "ETARGET") => {
                format!(
                    "{spec} does not exist in the registry: check the version (not every one has a package for every platform)"
                )
            }
            Some(code) if NO_CONNECTION.contains(&code) => format!(
                "npm has no connection to its registry ({code}): check the network and `npm config get registry`{}",
                self.instead
            ),
            Some(code) => format!("npm {what} {spec} failed ({code})"),
            None => format!("npm {what} {spec} failed ({})", finished.status),
        };
        Failure::new(format!("{meaning}. npm said:{said}"))
    }
}

fn code_in_text(stderr: &str) -> Option<String> {
    stderr.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["npm", "error" | "ERR!", "code", code] => Some((*code).to_owned()),
            _ => None,
        }
    })
}

/// The file name and integrity in the report of `npm pack --json`.
fn packed(stdout: &str) -> Option<(String, String)> {
    let report: Value = serde_json::from_str(stdout).ok()?;
    let packed = match &report {
        Value::Array(packed) => packed.first()?,
        // Later clients key the report by package.
        Value::Object(packed) => packed.values().next()?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    let filename = packed.get("filename")?.as_str()?;
    let plain = Path::new(filename)
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let integrity = packed.get("integrity")?.as_str()?;
    plain.then(|| (filename.to_owned(), integrity.to_owned()))
}

/// The integrity of a file as registries write it, and its size.
pub fn integrity(path: &Path) -> Result<(String, u64), Failure> {
    let mut file = File::open(path).map_err(|error| Failure::io("open", path, &error))?;
    let mut hash = Sha512::new();
    let mut size = 0;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file
            .read(&mut buffer)
            .map_err(|error| Failure::io("read", path, &error))?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else {
            break;
        };
        hash.update(bytes);
        size += bytes.len() as u64;
    }
    let text = base64::engine::general_purpose::STANDARD.encode(hash.finalize());
    Ok((format!("sha512-{text}"), size))
}

/// Takes the program `name` and the licence out of a package, into the folder. The names in the
/// package choose what is taken and never where it goes.
pub fn unpack(
    tarball: &Path,
    name: &str,
    version: &str,
    folder: &Path,
) -> Result<Unpacked, Failure> {
    let program = if cfg!(windows) {
        format!("{name}.exe")
    } else {
        name.to_owned()
    };
    let binary = folder.join(&program);
    let broken = |error: &io::Error| Failure::io("unpack", tarball, error);

    let file = File::open(tarball).map_err(|error| broken(&error))?;
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let mut manifest = None;
    let mut binaries = Vec::new();
    for entry in archive.entries().map_err(|error| broken(&error))? {
        let mut entry = entry.map_err(|error| broken(&error))?;
        let path = entry.path().map_err(|error| broken(&error))?.into_owned();
        if path == Path::new("package/package.json") {
            let mut text = String::new();
            entry
                .read_to_string(&mut text)
                .map_err(|error| broken(&error))?;
            manifest = Some(text);
        } else if is_program(&path, &program) && entry.header().entry_type().is_file() {
            let mut file =
                File::create(&binary).map_err(|error| Failure::io("write", &binary, &error))?;
            io::copy(&mut entry, &mut file).map_err(|error| broken(&error))?;
            binaries.push(path.display().to_string());
        }
    }

    let licence = check_manifest(manifest.as_deref(), version)?;
    match binaries.len() {
        1 => {
            make_executable(&binary)?;
            Ok(Unpacked { binary, licence })
        }
        0 => Err(Failure::new(format!(
            "the package {version} has no vendor/<target>/bin/{program} and no vendor/<target>/{name}/{program}: its layout has changed, and this command must learn the new one"
        ))),
        _ => Err(Failure::new(format!(
            "the package {version} has several programs of that name: {}",
            binaries.join(", ")
        ))),
    }
}

/// Takes files out of a package, each to the place that it is listed with, and returns the licence.
pub fn take(
    tarball: &Path,
    files: &BTreeMap<String, PathBuf>,
    version: &str,
) -> Result<String, Failure> {
    let broken = |error: &io::Error| Failure::io("unpack", tarball, error);
    let file = File::open(tarball).map_err(|error| broken(&error))?;
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    let mut manifest = None;
    let mut missing: BTreeSet<&str> = files.keys().map(String::as_str).collect();
    for entry in archive.entries().map_err(|error| broken(&error))? {
        let mut entry = entry.map_err(|error| broken(&error))?;
        let path = entry.path().map_err(|error| broken(&error))?.into_owned();
        let Ok(inside) = path.strip_prefix("package") else {
            continue;
        };
        if inside == Path::new("package.json") {
            let mut text = String::new();
            entry
                .read_to_string(&mut text)
                .map_err(|error| broken(&error))?;
            manifest = Some(text);
        } else if let Some((name, place)) = inside
            .to_str()
            .and_then(|inside| files.get_key_value(inside))
        {
            let mut out =
                File::create(place).map_err(|error| Failure::io("write", place, &error))?;
            io::copy(&mut entry, &mut out).map_err(|error| broken(&error))?;
            missing.remove(name.as_str());
        }
    }
    if missing.is_empty() {
        check_manifest(manifest.as_deref(), version)
    } else {
        let names: Vec<&str> = missing.into_iter().collect();
        Err(Failure::new(format!(
            "the package {version} has no {}: its layout has changed, and `files` in schemas/sources.toml must follow",
            names.join(", ")
        )))
    }
}

/// Takes the files of declarations out of a package, into the folder, and returns the licence that
/// the package states.
pub fn unpack_declarations(
    tarball: &Path,
    version: &str,
    folder: &Path,
) -> Result<String, Failure> {
    let broken = |error: &io::Error| Failure::io("unpack", tarball, error);
    let file = File::open(tarball).map_err(|error| broken(&error))?;
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    for entry in archive.entries().map_err(|error| broken(&error))? {
        let mut entry = entry.map_err(|error| broken(&error))?;
        let path = entry.path().map_err(|error| broken(&error))?.into_owned();
        let Some(inside) =
            declarations_inside(&path).filter(|_| entry.header().entry_type().is_file())
        else {
            continue;
        };
        let place = folder.join(inside);
        if let Some(parent) = place.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| Failure::io("create", parent, &error))?;
        }
        let mut file =
            File::create(&place).map_err(|error| Failure::io("write", &place, &error))?;
        io::copy(&mut entry, &mut file).map_err(|error| broken(&error))?;
    }
    let manifest = folder.join("package.json");
    let text = manifest
        .is_file()
        .then(|| crate::files::read_text(&manifest))
        .transpose()?;
    check_manifest(text.as_deref(), version)
}

/// The path in the package of a file that declares types or says where they are. What would lead
/// out of the folder is none.
fn declarations_inside(path: &Path) -> Option<&Path> {
    // Most packages call their top folder so, and all have just one.
    let mut parts = path.components();
    parts.next()?;
    let inside = parts.as_path();
    let plain = inside
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    let name = inside.file_name()?.to_str()?;
    let wanted = name == "package.json"
        || [".d.ts", ".d.mts", ".d.cts"]
            .iter()
            .any(|ending| name.ends_with(ending));
    (plain && wanted).then_some(inside)
}

#[cfg(unix)]
fn make_executable(binary: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;

    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(binary, permissions)
        .map_err(|error| Failure::io("make executable", binary, &error))
}

#[cfg(not(unix))]
fn make_executable(_binary: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Older packages keep the program in a folder of its own name, newer ones in `bin`.
fn is_program(path: &Path, program: &str) -> bool {
    let parts: Vec<String> = path
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let stem = program.strip_suffix(".exe").unwrap_or(program);
    match parts.as_slice() {
        ["package", "vendor", _target, folder, file] => {
            *file == program && (*folder == "bin" || *folder == stem)
        }
        _ => false,
    }
}

/// Checks that the package is the one that was asked for, and returns its licence.
fn check_manifest(manifest: Option<&str>, version: &str) -> Result<String, Failure> {
    let Some(text) = manifest else {
        return Err(Failure::new(format!(
            "the package {version} has no package.json"
        )));
    };
    let manifest: Value = serde_json::from_str(text).map_err(|error| {
        Failure::new(format!(
            "package.json of the package {version} is not JSON: {error}"
        ))
    })?;
    let member = |name: &str| {
        manifest
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    if member("version") != version {
        return Err(Failure::new(format!(
            "npm was asked for version {version} and gave {}",
            member("version")
        )));
    }
    Ok(member("license").to_owned())
}
