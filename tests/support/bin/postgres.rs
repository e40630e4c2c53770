//! An empty database of a real PostgreSQL for processes not written in Rust: prints its address, and keeps it until standard
//! input closes.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut printed = io::stdout();
    writeln!(printed, "{}", settlekit_tests::postgres::database())?;
    printed.flush()?;
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
