//! The complete service in the caller's process: rules, ledger and SQLite, with a controlled clock.
//!
//! A step (the service's calls as data) goes in as JSON, its reply comes out as JSON. The most frequent steps have direct methods
//! without nested JSON: answering a request, and a client's complete call. Nothing is mocked: routes, secrets and webhooks are the
//! service's, requests and records the client's.

#[cfg(target_family = "wasm")]
use std::path::Path;

use http::Request;
use js_sys::Function;
use serde_json::json;
use settlekit_core::value::Timestamp;
use settlekit_service::admin::CreatedOrganisation;
use settlekit_service::demo;
use settlekit_service::random::Seed;
use settlekit_service::step::Step;
use settlekit_service::store::mode;
#[cfg(target_family = "wasm")]
use settlekit_service::store::sql::StoreError;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, Options, Service, TestWallet};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client;
#[cfg(target_family = "wasm")]
use crate::files::{SandboxFiles, Vfs};

/// The address of a payer's wallet by its key of 32 bytes.
///
/// # Errors
/// If the bytes are no key.
#[wasm_bindgen]
pub fn wallet_address(key: &[u8]) -> Result<String, String> {
    let wallet = TestWallet::new(key).ok_or("these bytes are no key")?;
    Ok(wallet.address())
}

/// Signs typed data (EIP-712), given as JSON, with a key of 32 bytes.
///
/// # Errors
/// If it is another message than a signed transfer.
#[wasm_bindgen]
pub fn sign_typed_data(key: &[u8], typed: &str) -> Result<String, String> {
    let wallet = TestWallet::new(key).ok_or("these bytes are no key")?;
    let typed = serde_json::from_slice(typed.as_bytes()).map_err(|error| error.to_string())?;
    let signature = wallet.sign_typed_data(&typed);
    signature.ok_or_else(|| "a wallet of the sandbox signs TransferWithAuthorization only".into())
}

/// A service and its database.
#[wasm_bindgen]
pub struct Sandbox {
    service: Service,
    database: Sqlite,
    /// Dropped after the database, which uses it.
    #[cfg(target_family = "wasm")]
    _vfs: Option<Vfs>,
}

/// Options of a sandbox's service.
fn options(master_key: &[u8], public_url: String) -> Result<Options, String> {
    Ok(Options {
        master_key: master_key
            .try_into()
            .map_err(|_| "a master key is 32 bytes")?,
        mode: Mode::Sandbox,
        allow_private_webhooks: true,
        public_url,
    })
}

/// The name of a database in files; its log has the same name with a suffix.
#[cfg(target_family = "wasm")]
const FILE: &str = "settlekit.db";

#[cfg(target_family = "wasm")]
#[wasm_bindgen]
impl Sandbox {
    /// A sandbox with its database in files, which is created or migrated; `master_key` is 32 bytes.
    ///
    /// # Errors
    /// A word for the kind of failure, a line feed and a human-readable message.
    pub fn open(
        master_key: &[u8],
        public_url: String,
        files: SandboxFiles,
    ) -> Result<Sandbox, String> {
        let options = options(master_key, public_url)?;
        let vfs = Vfs::register(files);
        let mut database =
            Sqlite::open_alone(Path::new(FILE), vfs.name()).map_err(|error| unopened(&error))?;
        mode::open(&mut database, Mode::Sandbox).map_err(|error| unopened(&error))?;
        Ok(Sandbox {
            service: Service::new(options),
            database,
            _vfs: Some(vfs),
        })
    }
}

#[cfg(target_family = "wasm")]
fn unopened(error: &StoreError) -> String {
    let word = match error {
        StoreError::Busy => "locked",
        StoreError::ReadOnly => "read_only",
        StoreError::Full => "full",
        StoreError::Damaged(_) => "damaged",
        StoreError::Newer { .. } => "newer",
        StoreError::WrongMode { .. } => "wrong_mode",
        StoreError::Unreachable(_) => "unreachable",
        _ => "failed",
    };
    [word, "\n", &error.to_string()].concat()
}

#[wasm_bindgen]
impl Sandbox {
    /// A sandbox with an empty database, or with one from an image; `master_key` is 32 bytes.
    ///
    /// # Errors
    /// A human-readable message if the service can't start.
    #[wasm_bindgen(constructor)]
    pub fn new(master_key: &[u8], public_url: String, image: &[u8]) -> Result<Sandbox, String> {
        let options = options(master_key, public_url)?;
        let database = if image.is_empty() {
            Sqlite::in_memory()
        } else {
            Sqlite::deserialize(image)
        };
        let mut database = database.map_err(|error| format!("{error:?}"))?;
        mode::check(&mut database, Mode::Sandbox).map_err(|error| error.to_string())?;
        Ok(Sandbox {
            service: Service::new(options),
            database,
            #[cfg(target_family = "wasm")]
            _vfs: None,
        })
    }

    /// Executes a step, JSON in and JSON out.
    ///
    /// # Errors
    /// A human-readable message if the step is malformed.
    pub fn step(&mut self, step: &str) -> Result<String, String> {
        let step: Step =
            serde_json::from_slice(step.as_bytes()).map_err(|error| error.to_string())?;
        let reply = self.service.step(&mut self.database, &step);
        serde_json::to_string(&reply).map_err(|error| error.to_string())
    }

    /// Answers a request at a time (Unix milliseconds). `seed` and `number` determine its random bytes.
    ///
    /// `head` is `METHOD target`, then a line `name:value` per header. Returns the status, a line per header, an empty line and the
    /// body.
    ///
    /// # Errors
    /// A human-readable message if the request is malformed.
    pub fn answer(
        &mut self,
        now_ms: f64,
        seed: f64,
        number: f64,
        head: &str,
        body: String,
    ) -> Result<Vec<u8>, String> {
        let mut lines = head.split('\n');
        let (method, target) = lines
            .next()
            .and_then(|line| line.split_once(' '))
            .ok_or("a request has a method and a target")?;
        let mut request = Request::builder().method(method).uri(target);
        for line in lines {
            let (name, value) = line
                .split_once(':')
                .ok_or("a header has a name and a value")?;
            request = request.header(name, value);
        }
        let request = request
            .body(body.into_bytes())
            .map_err(|error| error.to_string())?;
        let now = Timestamp::from_millis(now_ms as i64);
        let seed = seed_of(seed, number);
        let response = self.service.answer(&mut self.database, &request, now, seed);
        let mut out = response.status().as_str().as_bytes().to_vec();
        for (name, value) in response.headers() {
            let parts = [b"\n", name.as_str().as_bytes(), b":", value.as_bytes()];
            parts.into_iter().for_each(|part| out.extend(part));
        }
        out.extend(b"\n\n");
        out.extend(response.body());
        Ok(out)
    }

    /// A client's complete call. `question` has three lines: operation, credentials and arguments, as for [`client::prepare`].
    /// `clock_ms` is the client's clock; the other arguments are those of [`Sandbox::answer`]. Returns the result of
    /// [`client::read_answer`].
    ///
    /// # Errors
    /// A human-readable message if the call is malformed.
    pub fn call(
        &mut self,
        now_ms: f64,
        seed: f64,
        number: f64,
        question: &str,
        clock_ms: f64,
        random: &[u8],
    ) -> Result<String, String> {
        // Safe to split: JSON strings contain no raw line feeds, and JSON.stringify writes none elsewhere.
        let (operation, rest) = question.split_once('\n').ok_or("a call has credentials")?;
        let (credentials, arguments) = rest.split_once('\n').ok_or("a call has arguments")?;
        let now = Timestamp::from_millis(now_ms as i64);
        let clock = Timestamp::from_millis(clock_ms as i64);
        let (service, database) = (&self.service, &mut self.database);
        let answer = |request: &Request<Vec<u8>>| {
            service.answer(database, request, now, seed_of(seed, number))
        };
        Ok(client::call(
            operation,
            arguments,
            credentials,
            clock,
            random,
            answer,
        ))
    }

    /// Fills an empty database with a year of demo data up to a time (Unix milliseconds), and returns its sign-in and organisations
    /// as JSON. `seed` and `number` determine the random bytes; `progress` is called with the days done and in total.
    ///
    /// # Errors
    /// A human-readable message. Nothing is stored then.
    pub fn fill_with_demo(
        &mut self,
        now_ms: f64,
        seed: f64,
        number: f64,
        progress: &Function,
    ) -> Result<String, String> {
        let now = Timestamp::from_millis(now_ms as i64);
        let seed = seed_of(seed, number);
        let mut report = |done: u32, of: u32| {
            // A failing callback does not stop the demo.
            let _result = progress.call2(&JsValue::NULL, &done.into(), &of.into());
        };
        let made = demo::fill_at_once(&self.service, &mut self.database, now, seed, &mut report)
            .map_err(|error| error.to_string())?;
        let organisation = |made: &CreatedOrganisation| {
            json!({
                "orgId": made.id,
                "apiKey": made.api_key,
                "signingSecret": made.signing_secret,
            })
        };
        let demo = json!({
            "email": demo::EMAIL,
            "password": demo::PASSWORD,
            "merchant": organisation(&made.merchant),
            "partner": organisation(&made.partner),
        });
        Ok(demo.to_string())
    }

    /// Image of the database, to start another sandbox from.
    ///
    /// # Errors
    /// A human-readable message if there is none.
    pub fn image(&mut self) -> Result<Vec<u8>, String> {
        self.database
            .serialize()
            .map_err(|error| format!("{error:?}"))
    }
}

/// Random bytes derived from a sandbox's seed and a call's number: the same as for a step whose seed is both in hex, 32 digits
/// each. JavaScript integers fit.
fn seed_of(seed: f64, number: f64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&u128::to_be_bytes(seed as u128));
    bytes[16..].copy_from_slice(&u128::to_be_bytes(number as u128));
    Seed(bytes)
}
