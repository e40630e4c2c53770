//! The database of a command.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use crate::engine::Address;

/// The database and the key to its secrets.
#[derive(Clone, Debug, Args)]
pub struct Store {
    /// `sqlite:FILE`, created if missing, or `postgres://user:password@host/name`.
    ///
    /// SQLite suits one machine and needs nothing else. Use PostgreSQL when several machines serve the same data.
    /// `?sslmode=require` encrypts the connection to PostgreSQL and verifies its certificate; an unencrypted connection to
    /// another machine needs `?sslmode=disable`.
    #[arg(
        long,
        env = "SETTLEKIT_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:settlekit.db"
    )]
    pub database: Address,

    /// The key that encrypts secrets in the database: 64 hex digits.
    ///
    /// Read from the key file by default. Without the key, signing secrets and webhook keys are lost.
    #[arg(
        long,
        env = "SETTLEKIT_MASTER_KEY",
        hide_env_values = true,
        value_name = "HEX"
    )]
    pub master_key: Option<MasterKey>,

    /// The file with the master key: by default the SQLite file with the suffix `.key`.
    ///
    /// Created together with a new database. PostgreSQL has no default: set the key or this file.
    #[arg(long, env = "SETTLEKIT_KEY_FILE", value_name = "FILE")]
    pub key_file: Option<PathBuf>,
}

/// The key that seals secrets at rest. Its text is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct MasterKey(pub [u8; 32]);

impl std::fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MasterKey")
    }
}

impl FromStr for MasterKey {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let mut key = [0; 32];
        if text.len() != 64 || !text.bytes().all(|letter| letter.is_ascii_hexdigit()) {
            // Not the text itself: it may be most of a key.
            return Err("must be 64 hex digits, such as `openssl rand -hex 32` prints".to_owned());
        }
        for (byte, pair) in key.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |letter: u8| char::from(letter).to_digit(16).unwrap_or(0) as u8;
            *byte = digit(pair[0]) << 4 | digit(pair[1]);
        }
        Ok(Self(key))
    }
}
