//! A provider whose package describes its wire by TypeScript declarations.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentwire_codegen::sources::{External, Types};
use agentwire_upkeep::vendor::lock::{Lock, LockedExternal};
use serde_json::{Map, Value, json};

use super::{ANY_PLATFORM, FOLDER, Job, Made, Ways};
use crate::failure::Failure;
use crate::npm::{self, Tarball};
use crate::workspace::SOURCES;

/// What the program is called in the lock.
const COMMAND: &str = "agentwire-typescript <request> <folder>";

/// A package that was fetched and unpacked.
struct Fetched {
    integrity: String,
    licence: String,
    folder: PathBuf,
}

impl Job<'_> {
    /// Fetches the package and the ones that it takes types from, and has their declarations read.
    pub(super) fn types_of_the_package(
        &self,
        types: &Types,
        ways: &Ways<'_>,
        work: &Path,
        lock: &Lock,
    ) -> Result<Made, Failure> {
        let from = ways.from;
        let locked = self.locked(lock);
        let before = locked.and_then(|locked| locked.integrity.get(ANY_PLATFORM));
        let own = self.fetch(&self.provider.package, self.version, before, from, work)?;
        // What is locked was once fetched by npm, and packages given by hand that are the same are as good.
        let mut fetched_once = before.is_some() && locked.is_some_and(|it| it.origin != FOLDER);
        self.check_licence(&own.licence)?;

        let mut external = BTreeMap::new();
        let mut described = Vec::new();
        for (package, listed) in &types.external {
            let version = self.version_of(package, listed)?;
            let before = locked.and_then(|locked| locked.external.get(package));
            let before = before.filter(|before| before.version == version);
            let fetched = self.fetch(
                package,
                version,
                before.map(|before| &before.integrity),
                from,
                work,
            )?;
            fetched_once &= before.is_some();
            if !listed.licences.contains(&fetched.licence) {
                return Err(Failure::new(format!(
                    "{package}@{version} states the licence `{}`, which {SOURCES} does not list for it: decide whether its types may be vendored, then add it to `licences` there",
                    fetched.licence
                )));
            }
            described.push(describe(package, version, &listed.alias, &fetched));
            let entry = LockedExternal {
                version: version.to_owned(),
                licence: fetched.licence,
                integrity: fetched.integrity,
            };
            external.insert(package.clone(), entry);
        }

        let request = self.request(
            types,
            describe(&self.provider.package, self.version, "", &own),
            described,
        );
        let out = work.join("types");
        fs::create_dir_all(&out).map_err(|error| Failure::io("create", &out, &error))?;
        self.read_declarations(&request, work, &out)?;
        let read = |name: &str| {
            let path = out.join(name);
            fs::read(&path).map_err(|error| Failure::io("read", &path, &error))
        };
        let decisions = String::from_utf8_lossy(&read("decisions")?)
            .lines()
            .map(str::to_owned)
            .collect();
        Ok(Made {
            files: BTreeMap::from([("types.json".to_owned(), read("types.json")?)]),
            decisions,
            origin: if from.is_none() || fetched_once {
                "npm".to_owned()
            } else {
                FOLDER.to_owned()
            },
            commands: vec![COMMAND.to_owned()],
            integrity: Some((ANY_PLATFORM.to_owned(), own.integrity)),
            external,
        })
    }

    fn version_of<'e>(&self, package: &str, listed: &'e External) -> Result<&'e str, Failure> {
        listed.versions.get(self.version).map(String::as_str).ok_or_else(|| {
            Failure::new(format!(
                "{SOURCES} does not say which version of {package} goes with {} {}: add it to `versions` of [provider.{}.types.external.\"{package}\"], the newest one when it was published",
                self.name, self.version, self.name
            ))
        })
    }

    fn fetch(
        &self,
        package: &str,
        version: &str,
        locked: Option<&String>,
        from: Option<&Path>,
        work: &Path,
    ) -> Result<Fetched, Failure> {
        let spec = format!("{package}@{version}");
        let tarball = match from {
            Some(folder) => given(package, version, folder)?,
            None => {
                self.say(&format!("fetching {spec} with npm"));
                npm::pack(package, version, work)?
            }
        };
        if from.is_some() && locked.is_none() {
            let path = tarball.path.display();
            self.say(&format!("{path}: nothing is locked to check it against"));
        } else {
            self.check_integrity(&spec, &tarball, locked)?;
        }
        let folder = work.join("packages").join(package);
        let licence = npm::unpack_declarations(&tarball.path, version, &folder)?;
        Ok(Fetched {
            integrity: tarball.integrity,
            licence,
            folder,
        })
    }

    fn request(&self, types: &Types, package: Value, externals: Vec<Value>) -> Value {
        let roots: Vec<Value> = types
            .roots
            .iter()
            .map(|(file, types)| json!({"file": file, "types": types}))
            .collect();
        let undeclared: Map<String, Value> = self
            .provider
            .undeclared
            .iter()
            .map(|entry| (entry.name.clone(), json!(entry.tags)))
            .collect();
        let opaque: Vec<&String> = self
            .provider
            .opaque
            .iter()
            .map(|entry| &entry.name)
            .collect();
        json!({
            "package": package,
            "externals": externals,
            "roots": roots,
            "undeclared": undeclared,
            "opaque": opaque,
        })
    }

    /// Hands over to the program that knows the parser, which is built when it is asked for.
    fn read_declarations(&self, request: &Value, work: &Path, out: &Path) -> Result<(), Failure> {
        let path = work.join("request.json");
        fs::write(&path, request.to_string())
            .map_err(|error| Failure::io("write", &path, &error))?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let status = Command::new(&cargo)
            .args(["run", "--quiet", "--package", "agentwire-typescript"])
            // Optimised when this program is.
            .args((!cfg!(debug_assertions)).then_some("--release"))
            .arg("--manifest-path")
            .arg(self.root.join("Cargo.toml"))
            .arg("--")
            .args([&path, out])
            .status()
            .map_err(|error| {
                Failure::new(format!(
                    "cannot run {}: {error}",
                    Path::new(&cargo).display()
                ))
            })?;
        if status.success() {
            return Ok(());
        }
        Err(Failure::new(format!(
            "the declarations of {} {} were not read",
            self.name, self.version
        )))
    }
}

/// A package that lies in a folder under the name that `npm pack` gives it.
fn given(package: &str, version: &str, folder: &Path) -> Result<Tarball, Failure> {
    let stem = package.trim_start_matches('@').replace('/', "-");
    let path = folder.join(format!("{stem}-{version}.tgz"));
    if !path.is_file() {
        return Err(Failure::new(format!(
            "there is no {}: --from takes a folder with the packages as `npm pack {package}@{version}` writes them",
            path.display()
        )));
    }
    let (integrity, size) = npm::integrity(&path)?;
    Ok(Tarball {
        path,
        size,
        integrity,
    })
}

/// A package as the program is told of it.
fn describe(package: &str, version: &str, alias: &str, fetched: &Fetched) -> Value {
    json!({
        "name": package,
        "version": version,
        "alias": alias,
        "integrity": fetched.integrity,
        "licence": fetched.licence,
        "folder": fetched.folder,
    })
}
