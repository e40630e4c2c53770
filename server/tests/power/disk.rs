//! An ext4 file system in a loop device whose power can be cut and that can be filled.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Timeout for programs to release the disk; far above the usual.
const PATIENCE: Duration = Duration::from_secs(30);

/// A mounted file system; unmounted on drop.
pub(crate) struct Disk {
    folder: tempfile::TempDir,
    mounted: PathBuf,
}

impl Disk {
    /// Creates and mounts a disk of a size in megabytes.
    pub(crate) fn new(megabytes: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = folder.path().join("disk");
        fs::create_dir(&mounted).expect("a place to mount it");
        let disk = Self { folder, mounted };
        let image = File::create(disk.image()).expect("an image");
        image.set_len(megabytes << 20).expect("its size");
        // No blocks are reserved for root: a full disk is full for all users.
        run("mkfs.ext4", &["-q", "-F", "-m", "0"], &[&disk.image()]).expect("a file system");
        disk.mount();
        disk
    }

    /// Mount point.
    pub(crate) fn folder(&self) -> &Path {
        &self.mounted
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("disk.img")
    }

    fn mount(&self) {
        let places = [self.image(), self.mounted.clone()];
        run("mount", &["-o", "loop"], &[&places[0], &places[1]])
            .expect("it is mounted (as root, where loop devices are)");
    }

    /// Cuts the power: nothing reaches the disk any more, buffered writes are lost, and accesses fail
    /// (`EXT4_IOC_SHUTDOWN` without flushing the journal).
    pub(crate) fn cut(&self) {
        /// `_IOR('X', 125, __u32)`, linux/fs/ext4/ext4.h.
        const SHUTDOWN: libc::Ioctl = 0x8004_587D;
        let without_flushing = 2_u32;
        let folder = File::open(&self.mounted).expect("its folder");
        // SAFETY: the request reads one u32 through the pointer, which lives until the call returns.
        let done =
            unsafe { libc::ioctl(folder.as_raw_fd(), SHUTDOWN, &raw const without_flushing) };
        assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
    }

    /// Remounts the disk, which replays its journal.
    pub(crate) fn mount_again(&self) {
        let since = Instant::now();
        while let Err(error) = run("umount", &[], &[&self.mounted]) {
            assert!(since.elapsed() < PATIENCE, "{error}");
            std::thread::sleep(Duration::from_millis(20));
        }
        self.mount();
    }

    /// Fills the disk.
    pub(crate) fn fill(&self) {
        let mut ballast = File::create(self.ballast()).expect("a file");
        for piece in [1 << 20, 1 << 12, 1] {
            let piece = vec![0; piece];
            loop {
                match ballast.write(&piece).and_then(|_| ballast.sync_data()) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }

    /// Frees the space that [`Disk::fill`] took.
    pub(crate) fn make_room(&self) {
        fs::remove_file(self.ballast()).expect("what filled it");
    }

    fn ballast(&self) -> PathBuf {
        self.mounted.join("ballast")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // A failing test may have left a program running on it.
        let _unmounted = run("umount", &["--lazy"], &[&self.mounted]);
    }
}

fn run(program: &str, words: &[&str], paths: &[&Path]) -> Result<(), String> {
    let output = Command::new(program).args(words).args(paths).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{program}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}
