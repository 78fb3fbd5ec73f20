//! Replaces files and folders of the workspace: all of them, or none.
//!
//! Everything new is written to a scratch folder first. A commit moves the old things out and the new
//! ones in; if a move fails, all are moved back. The scratch folder keeps a journal meanwhile, so that
//! what an interrupted commit left is moved back by the next run.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::Files;

/// What a commit is about to move. It is there exactly while a commit runs.
const JOURNAL: &str = "journal.json";

/// Held while a transaction lives: a second one would take the scratch folder of the first for what an
/// interrupted run left.
const LOCK: &str = "lock";

/// The folder of the commands that write, from the root of the workspace. It is not in `target`, which
/// may lie on another disk, where nothing can be moved to.
pub const SCRATCH: &str = ".xtask";

/// A set of replacements that is not visible until it is committed.
pub struct Transaction {
    root: PathBuf,
    scratch: PathBuf,
    targets: Vec<Target>,
    /// Open for as long as it is locked.
    _lock: File,
}

/// A file or folder that is replaced, or goes.
#[derive(Serialize, Deserialize)]
struct Target {
    path: String,
    goes: bool,
}

/// Undoes what an interrupted run left, so that no command reads a tree that is half of one version.
pub fn recover(root: &Path) -> Result<(), Failure> {
    let scratch = root.join(SCRATCH);
    if exists(&scratch.join(JOURNAL))? {
        drop(Transaction::begin(root, SCRATCH)?);
        eprintln!("an interrupted run had not come to its end: everything is as it was before it");
    }
    Ok(())
}

impl Transaction {
    /// Starts in the folder `scratch` of `root`, after undoing what an interrupted run left there.
    pub fn begin(root: &Path, scratch: &str) -> Result<Self, Failure> {
        let scratch = root.join(scratch);
        let transaction = Self {
            root: root.to_path_buf(),
            _lock: lock(&scratch)?,
            scratch,
            targets: Vec::new(),
        };
        transaction.recover()?;
        for folder in ["new", "old", "work"] {
            let folder = transaction.scratch.join(folder);
            fs::create_dir_all(&folder).map_err(|error| Failure::io("create", &folder, &error))?;
        }
        write(&transaction.scratch.join(".gitignore"), b"*\n")?;
        Ok(transaction)
    }

    /// A folder for temporary files, gone when the transaction is.
    pub fn work(&self) -> PathBuf {
        self.scratch.join("work")
    }

    /// Replaces a file; the target is a path below the root.
    pub fn replace_file(&mut self, target: &str, bytes: &[u8]) -> Result<(), Failure> {
        write(&self.new_path(self.targets.len()), bytes)?;
        self.target(target, false);
        Ok(())
    }

    /// Removes a file or a folder.
    pub fn remove(&mut self, target: &str) {
        self.target(target, true);
    }

    fn target(&mut self, path: &str, goes: bool) {
        self.targets.push(Target {
            path: path.to_owned(),
            goes,
        });
    }

    /// Replaces a folder with all that is in it; the files are paths below it.
    pub fn replace_folder(&mut self, target: &str, files: &Files) -> Result<(), Failure> {
        let folder = self.new_path(self.targets.len());
        fs::create_dir_all(&folder).map_err(|error| Failure::io("create", &folder, &error))?;
        for (path, bytes) in files {
            let path = folder.join(path);
            create_parent(&path)?;
            write(&path, bytes)?;
        }
        self.target(target, false);
        Ok(())
    }

    /// Makes all replacements.
    pub fn commit(self) -> Result<(), Failure> {
        let journal = self.journal_path();
        let text =
            serde_json::to_vec(&self.targets).map_err(|error| Failure::new(error.to_string()))?;
        write(&journal, &text)?;
        for number in 0..self.targets.len() {
            if let Err(failure) = self.move_in(number) {
                self.undo(&self.targets)?;
                remove_file(&journal)?;
                return Err(failure);
            }
        }
        remove_file(&journal)
    }

    fn move_in(&self, number: usize) -> Result<(), Failure> {
        let Some(target) = self.targets.get(number) else {
            return Ok(());
        };
        let path = self.root.join(&target.path);
        create_parent(&path)?;
        if exists(&path)? {
            rename(&path, &self.old_path(number))?;
        }
        if target.goes {
            return Ok(());
        }
        rename(&self.new_path(number), &path)
    }

    /// Moves everything back, whatever the state in which a commit stopped: a new thing that is no
    /// longer in the scratch folder is at its target.
    fn undo(&self, targets: &[Target]) -> Result<(), Failure> {
        for (number, Target { path, goes }) in targets.iter().enumerate().rev() {
            let target = self.root.join(path);
            let (new, old) = (self.new_path(number), self.old_path(number));
            if !goes && !exists(&new)? && exists(&target)? {
                rename(&target, &new)?;
            }
            if exists(&old)? {
                rename(&old, &target)?;
            }
        }
        Ok(())
    }

    fn recover(&self) -> Result<(), Failure> {
        let journal = self.journal_path();
        if exists(&journal)? {
            let text = fs::read(&journal).map_err(|error| Failure::io("read", &journal, &error))?;
            // A journal that was not written to its end stands for a commit that never started.
            let targets: Vec<Target> = serde_json::from_slice(&text).unwrap_or_default();
            self.undo(&targets)?;
            remove_file(&journal)?;
        }
        for left in ["new", "old", "work"] {
            let left = self.scratch.join(left);
            if exists(&left)? {
                remove_all(&left)?;
            }
        }
        Ok(())
    }

    fn new_path(&self, number: usize) -> PathBuf {
        self.scratch.join("new").join(number.to_string())
    }

    fn old_path(&self, number: usize) -> PathBuf {
        self.scratch.join("old").join(number.to_string())
    }

    fn journal_path(&self) -> PathBuf {
        self.scratch.join(JOURNAL)
    }
}

impl Drop for Transaction {
    /// With a journal in it, the scratch folder is what the next run needs to undo a failed undo.
    fn drop(&mut self) {
        if matches!(exists(&self.journal_path()), Ok(false)) {
            drop(fs::remove_dir_all(&self.scratch));
        }
    }
}

/// Locks the scratch folder, or says that another run has it.
fn lock(scratch: &Path) -> Result<File, Failure> {
    let path = scratch.join(LOCK);
    loop {
        fs::create_dir_all(scratch).map_err(|error| Failure::io("create", scratch, &error))?;
        let file = match File::create(&path) {
            // The run before went with its folder.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            made => made.map_err(|error| Failure::io("create", &path, &error))?,
        };
        match file.try_lock() {
            Ok(()) if !exists(&path)? => {}
            Ok(()) => return Ok(file),
            // Some network disks know no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(file);
            }
            Err(TryLockError::Error(error)) => return Err(Failure::io("lock", &path, &error)),
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::new(format!(
                    "another run of cargo xtask is at work in {}: wait for its end",
                    scratch.parent().unwrap_or(scratch).display()
                )));
            }
        }
    }
}

fn exists(path: &Path) -> Result<bool, Failure> {
    path.try_exists()
        .map_err(|error| Failure::io("look at", path, &error))
}

fn create_parent(path: &Path) -> Result<(), Failure> {
    let Some(parent) = path.parent() else {
        return Ok(());
    };
    fs::create_dir_all(parent).map_err(|error| Failure::io("create", parent, &error))
}

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::rename(from, to).map_err(|error| Failure::io("replace", to, &error))
}

fn remove_all(folder: &Path) -> Result<(), Failure> {
    fs::remove_dir_all(folder).map_err(|error| Failure::io("remove", folder, &error))
}

fn remove_file(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| Failure::io("remove", path, &error))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let write_synced = || -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write_synced().map_err(|error| Failure::io("write", path, &error))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn workspace() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("folder")).unwrap();
        fs::write(root.path().join("folder/old.txt"), "old").unwrap();
        fs::write(root.path().join("lock"), "old").unwrap();
        fs::create_dir(root.path().join("gone")).unwrap();
        fs::write(root.path().join("gone/file"), "old").unwrap();
        root
    }

    fn text(root: &Path, path: &str) -> Option<String> {
        fs::read_to_string(root.join(path)).ok()
    }

    fn prepared(root: &Path) -> Transaction {
        let mut transaction = Transaction::begin(root, ".scratch").unwrap();
        let files = Files::from([("deep/new.txt".to_owned(), b"new".to_vec())]);
        transaction.replace_folder("folder", &files).unwrap();
        transaction.replace_file("lock", b"new").unwrap();
        transaction.remove("gone");
        transaction.replace_file("made/seal", b"new").unwrap();
        transaction
    }

    fn assert_old(root: &Path) {
        assert_eq!(text(root, "folder/old.txt").as_deref(), Some("old"));
        assert_eq!(text(root, "folder/deep/new.txt"), None);
        assert_eq!(text(root, "lock").as_deref(), Some("old"));
        assert_eq!(text(root, "gone/file").as_deref(), Some("old"));
        assert!(!root.join("made/seal").is_file());
    }

    #[test]
    fn a_commit_replaces_everything_and_leaves_nothing_behind() {
        let root = workspace();
        prepared(root.path()).commit().unwrap();
        assert_eq!(text(root.path(), "folder/old.txt"), None);
        assert!(!root.path().join("gone").exists());
        for path in ["folder/deep/new.txt", "lock", "made/seal"] {
            assert_eq!(text(root.path(), path).as_deref(), Some("new"), "{path}");
        }
        assert!(!root.path().join(".scratch").exists());
    }

    #[test]
    fn what_is_not_committed_changes_nothing() {
        let root = workspace();
        drop(prepared(root.path()));
        assert_old(root.path());
        assert!(!root.path().join(".scratch").exists());
    }

    #[test]
    fn a_second_run_leaves_the_first_alone() {
        let root = workspace();
        let first = prepared(root.path());
        let second = Transaction::begin(root.path(), ".scratch").err().unwrap();
        assert!(second.to_string().contains("another run"), "{second}");
        first.commit().unwrap();
        assert_eq!(text(root.path(), "lock").as_deref(), Some("new"));
        drop(Transaction::begin(root.path(), ".scratch").unwrap());
        assert!(!root.path().join(".scratch").exists());
    }

    #[test]
    fn a_commit_that_fails_half_way_is_taken_back() {
        let root = workspace();
        // A file where the third target needs a folder.
        fs::write(root.path().join("made"), "in the way").unwrap();
        let failure = prepared(root.path()).commit().unwrap_err().to_string();
        assert!(failure.contains("made"), "{failure}");
        assert_old(root.path());
        assert!(!root.path().join(".scratch").exists());
    }

    #[test]
    fn the_next_run_takes_back_what_an_interrupted_commit_left_at_any_point() {
        // A target is moved in two steps; a commit may end before, between and after any of them.
        for whole in 0..=4 {
            for between in [false, true] {
                let root = workspace();
                let transaction = prepared(root.path());
                let journal = serde_json::to_vec(&transaction.targets).unwrap();
                write(&transaction.journal_path(), &journal).unwrap();
                for number in 0..whole {
                    transaction.move_in(number).unwrap();
                }
                let next = transaction.targets.get(whole);
                let next = next.map(|target| root.path().join(&target.path));
                if let Some(target) = next.filter(|target| between && target.exists()) {
                    rename(&target, &transaction.old_path(whole)).unwrap();
                }
                drop(transaction);
                assert_eq!(
                    text(root.path(), "folder/deep/new.txt").is_some(),
                    whole > 0
                );

                drop(Transaction::begin(root.path(), ".scratch").unwrap());
                assert_old(root.path());
                assert!(!root.path().join(".scratch").exists());
            }
        }
    }
}
