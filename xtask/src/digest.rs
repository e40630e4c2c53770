//! Fingerprints of a step's inputs, so that an up-to-date step costs milliseconds.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::Result;

/// A hash of names and contents. Not cryptographic: it only decides what to rebuild.
pub(crate) struct Digest(DefaultHasher);

impl Digest {
    pub(crate) fn new() -> Digest {
        Digest(DefaultHasher::new())
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Digest {
        self.bytes(text.as_bytes())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Digest {
        self.0.write_usize(bytes.len());
        self.0.write(bytes);
        self
    }

    /// Adds a file, or all files of a folder in order of their names; a missing file changes the hash too.
    pub(crate) fn path(&mut self, root: &Path, below: &str) -> Result<&mut Digest> {
        let path = root.join(below);
        if path.is_dir() {
            let mut files = Vec::new();
            walk(&path, &mut files)?;
            files.sort();
            for file in files {
                self.text(&file.strip_prefix(root).unwrap_or(&file).to_string_lossy());
                self.bytes(&read(&file)?);
            }
        } else if path.is_file() {
            self.text(below).bytes(&read(&path)?);
        } else {
            self.text(below).text("missing");
        }
        Ok(self)
    }

    /// Sixteen hexadecimal digits.
    pub(crate) fn finish(&self) -> String {
        format!("{:016x}", self.0.finish())
    }
}

/// Folders of build output.
const BUILD_OUTPUT: [&str; 4] = ["node_modules", "target", "dist", ".git"];

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        let path = entry.path();
        if path.is_dir() {
            if !BUILD_OUTPUT.iter().any(|made| entry.file_name() == *made) {
                walk(&path, files)?;
            }
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Inputs of a step at its last success. Written after success only, so that an interrupted step is repeated.
pub(crate) struct Stamp {
    file: PathBuf,
    now: String,
}

impl Stamp {
    pub(crate) fn new(file: PathBuf, digest: &Digest) -> Stamp {
        Stamp {
            file,
            now: digest.finish(),
        }
    }

    pub(crate) fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|then| then == self.now)
    }

    pub(crate) fn set(&self) -> Result<()> {
        let write = || {
            if let Some(folder) = self.file.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(&self.file, &self.now)
        };
        write().map_err(|error| format!("cannot write {}: {error}", self.file.display()))
    }
}
