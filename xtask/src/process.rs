//! Running other programs: say what, check how it ended.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;

/// How often a long step says that it goes on.
const PROGRESS_EVERY: Duration = Duration::from_secs(60);

/// Runs the command, its output going where ours goes; an error names the command and its exit code.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .map_err(|error| cannot_start(command, &error))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{}` failed ({status})", line(command)))
    }
}

/// Does a long step that prints little, and says every minute for how long it has been going on.
pub(crate) fn with_progress<T>(what: &str, step: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            while is_done.recv_timeout(PROGRESS_EVERY) == Err(RecvTimeoutError::Timeout) {
                println!("{what}: {} s so far.", started.elapsed().as_secs());
            }
        });
        let result = step();
        drop(done);
        result
    })
}

/// Becomes the command, so that signals reach it directly. Returns only why it could not.
pub(crate) fn become_program(command: &mut Command) -> String {
    let error = command.exec();
    cannot_start(command, &error)
}

/// Runs the command and gives its standard output.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        return Err(format!("`{}` failed ({})", line(command), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the command, shows its standard output as it comes and hands each line to `see`. True when it succeeded.
pub(crate) fn watch(command: &mut Command, see: &mut dyn FnMut(&str)) -> Result<bool> {
    listen(command, &mut |line| {
        println!("{line}");
        see(line);
    })
}

/// As [`watch`], and shows nothing.
pub(crate) fn listen(command: &mut Command, see: &mut dyn FnMut(&str)) -> Result<bool> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    let output = child.stdout.take().ok_or("a piped output is there")?;
    // Bytes, not lines of UTF-8: a test may print anything.
    for text in BufReader::new(output).split(b'\n') {
        let text =
            text.map_err(|error| format!("cannot read what `{}` prints: {error}", line(command)))?;
        see(&String::from_utf8_lossy(&text));
    }
    let status = child
        .wait()
        .map_err(|error| format!("cannot wait for `{}`: {error}", line(command)))?;
    Ok(status.success())
}

/// The command as one would type it.
pub(crate) fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned()),
    );
    words.join(" ")
}

/// Whether this process may do everything.
pub(crate) fn is_root() -> bool {
    let asked = Command::new("id").arg("-u").output();
    asked.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The file on PATH with this name, if any.
pub(crate) fn on_path(program: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

fn cannot_start(command: &Command, error: &std::io::Error) -> String {
    format!("cannot start `{}`: {error}", line(command))
}
