//! `cargo xtask outdated`: the newest published versions against the vendored ones.
//!
//! Beside `vendor` and `upgrade`, the one command that asks the network, and it does so with the
//! user's own npm client.

use std::path::Path;
use std::process::ExitCode;

use agentwire_codegen::sources::{self, SourcesError};
use agentwire_upkeep::vendor::lock::Lock;
use agentwire_upkeep::vendor::window::compare;
use serde_json::{Value, json};

use crate::failure::{CLEAN, FOUND, Failure};
use crate::files::read_text;
use crate::format::{Form, pretty};
use crate::npm;
use crate::out;
use crate::progress::Voice;
use crate::vendor::read_lock;
use crate::workspace::{LOCK, SOURCES};

/// Flags of the command.
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 the newest versions are vendored, 1 a newer version is published, 2 could not run"
)]
pub struct Arguments {
    /// The form of the list.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

/// A package of a provider, or one that a provider takes types from.
struct Found {
    provider: String,
    package: String,
    /// The newest version that is vendored, or that is pinned for it.
    current: Option<String>,
    newest: String,
    /// For a pinned package, the version of the provider that it goes with.
    pinned_for: Option<String>,
}

impl Found {
    /// A pinned package follows its provider: that there is a newer one asks for nothing.
    fn is_outdated(&self) -> bool {
        self.pinned_for.is_none() && self.is_behind()
    }

    fn is_behind(&self) -> bool {
        let current = self.current.as_deref();
        current.is_none_or(|current| compare(current, &self.newest).is_lt())
    }
}

/// Asks for every package; changes nothing.
pub fn run(root: &Path, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let lock = read_lock(&root.join(LOCK))?;
    let found = look(&read_text(&root.join(SOURCES))?, &lock)?;
    let outdated = found.iter().any(Found::is_outdated);
    match arguments.format {
        Form::Text => out::print(&text(&found)),
        Form::Json => out::print(&pretty(&value(&found))),
    }
    Ok(ExitCode::from(if outdated { FOUND } else { CLEAN }))
}

fn look(sources: &str, lock: &Lock) -> Result<Vec<Found>, Failure> {
    let wrong = |error: SourcesError| Failure::new(format!("{SOURCES}: {error}"));
    let voice = Voice::steps();
    let mut newest = std::collections::BTreeMap::new();
    let mut ask = |package: &str| -> Result<String, Failure> {
        if let Some(known) = newest.get(package) {
            return Ok(String::clone(known));
        }
        voice.say(&format!("asking npm for {package}"));
        let version = npm::latest(package)?;
        newest.insert(package.to_owned(), version.clone());
        Ok(version)
    };
    let mut found = Vec::new();
    for name in sources::providers(sources).map_err(wrong)? {
        let provider = sources::provider(sources, &name).map_err(wrong)?;
        let locked = lock.0.get(&name).into_iter().flat_map(|it| it.keys());
        let current = locked.max_by(|a, b| compare(a, b)).cloned();
        let newest = ask(&provider.package)?;
        let external = provider.types.iter().flat_map(|types| &types.external);
        for (package, listed) in external {
            let pinned_for = current.clone().unwrap_or_default();
            found.push(Found {
                provider: name.clone(),
                package: package.clone(),
                current: listed.versions.get(&pinned_for).cloned(),
                newest: ask(package)?,
                pinned_for: Some(pinned_for),
            });
        }
        found.push(Found {
            provider: name,
            package: provider.package,
            current,
            newest,
            pinned_for: None,
        });
    }
    found.sort_by(|a, b| (&a.provider, &a.pinned_for).cmp(&(&b.provider, &b.pinned_for)));
    Ok(found)
}

fn text(found: &[Found]) -> String {
    let width = |of: fn(&Found) -> &str| found.iter().map(|it| of(it).len()).max();
    let providers = width(|it| &it.provider).unwrap_or_default();
    let packages = width(|it| &it.package).unwrap_or_default();
    let versions = width(|it| it.current.as_deref().unwrap_or("none")).unwrap_or_default();
    let mut out = String::new();
    for it in found {
        let current = it.current.as_deref().unwrap_or("none");
        let what = match (&it.pinned_for, it.is_behind()) {
            (None, false) => "the newest".to_owned(),
            (None, true) => format!(
                "{} is out: cargo xtask upgrade {}@{0}",
                it.newest, it.provider
            ),
            (Some(version), false) => format!("the newest, pinned for {} {version}", it.provider),
            (Some(version), true) => format!(
                "pinned for {} {version}; the newest is {}",
                it.provider, it.newest
            ),
        };
        out += &format!(
            "{:<providers$}  {:<packages$}  {current:<versions$}  {what}\n",
            it.provider, it.package
        );
    }
    out
}

fn value(found: &[Found]) -> Value {
    let entries: Vec<Value> = found
        .iter()
        .map(|it| {
            json!({
                "provider": it.provider,
                "package": it.package,
                "current": it.current,
                "newest": it.newest,
                "outdated": it.is_outdated(),
                "pinnedFor": it.pinned_for,
            })
        })
        .collect();
    json!({"outdated": found.iter().any(Found::is_outdated), "packages": entries})
}
