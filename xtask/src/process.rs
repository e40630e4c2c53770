//! Runs other programs and checks their exit status.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::Result;

/// Interval of progress messages of a long step.
const PROGRESS_EVERY: Duration = Duration::from_secs(60);

/// Runs the command with inherited output; an error names the command and its exit code.
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

/// Runs a long, silent step and reports its duration every minute.
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

/// Replaces this process by the command, so that it gets signals directly. Returns only on error.
pub(crate) fn exec(command: &mut Command) -> String {
    let error = command.exec();
    cannot_start(command, &error)
}

/// Runs the command and returns its standard output.
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

/// Runs the command, shows its standard output and passes each line to `see`. Returns whether it succeeded.
pub(crate) fn watch(command: &mut Command, see: &mut dyn FnMut(&str)) -> Result<bool> {
    listen(command, &mut |line| {
        println!("{line}");
        see(line);
    })
}

/// [`watch`] without showing the output.
pub(crate) fn listen(command: &mut Command, see: &mut dyn FnMut(&str)) -> Result<bool> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| cannot_start(command, &error))?;
    let output = child.stdout.take().ok_or("a piped output is there")?;
    // Bytes, because tests may print invalid UTF-8.
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

/// The command line, as typed.
pub(crate) fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|word| word.to_string_lossy().into_owned()),
    );
    words.join(" ")
}

/// Whether this process runs as root.
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
