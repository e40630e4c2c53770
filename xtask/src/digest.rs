//! Fingerprints of a step's inputs, so that an up-to-date step costs milliseconds.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::{Result, file};

/// A hash of names and contents. Not cryptographic: it only decides what to rebuild.
pub(crate) struct Digest(DefaultHasher);

impl Digest {
    pub(crate) fn new() -> Digest {
        Digest(DefaultHasher::new())
    }

    /// The digest of files and folders of a root.
    pub(crate) fn of(root: &Path, paths: &[&str]) -> Result<Digest> {
        let mut digest = Digest::new();
        for path in paths {
            digest.path(root, path)?;
        }
        Ok(digest)
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
                self.bytes(&file::read(&file)?);
            }
        } else if path.is_file() {
            self.text(below).bytes(&file::read(&path)?);
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
    for path in file::entries(folder)? {
        if !path.is_dir() {
            files.push(path);
        } else if !BUILD_OUTPUT.contains(&file::name(&path)) {
            walk(&path, files)?;
        }
    }
    Ok(())
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
        if let Some(folder) = self.file.parent() {
            file::create_folder(folder)?;
        }
        file::write(&self.file, &self.now)
    }
}
