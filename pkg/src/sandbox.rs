//! The whole service in the caller's process: rules, ledger and SQLite, with the clock in the caller's hand.
//!
//! One handle: a step (the service's calls as data) goes in as JSON and its reply comes out as JSON. The step that is made
//! most, the answer to a request, has a way of its own, without JSON around the JSON of its bodies; and so has a client's
//! whole call, from its arguments to its record. Routes, secrets and webhooks are the service's own, requests and records
//! the client's; nothing here imitates them.

use http::Request;
use settlekit_core::value::Timestamp;
use settlekit_service::random::Seed;
use settlekit_service::step::Step;
use settlekit_service::store::mode;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, Options, Service};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::client;

/// A service with its database.
#[wasm_bindgen]
pub struct Sandbox {
    service: Service,
    database: Sqlite,
}

#[wasm_bindgen]
impl Sandbox {
    /// A sandbox over an empty database, or over the image of one; `master_key` is 32 bytes.
    ///
    /// # Errors
    /// Why there is none, for people.
    #[wasm_bindgen(constructor)]
    pub fn new(master_key: &[u8], public_url: String, image: &[u8]) -> Result<Sandbox, String> {
        let options = Options {
            master_key: master_key
                .try_into()
                .map_err(|_| "a master key is 32 bytes")?,
            mode: Mode::Sandbox,
            allow_private_webhooks: true,
            public_url,
        };
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
        })
    }

    /// Carries out one step, JSON in and JSON out.
    ///
    /// # Errors
    /// What is wrong with the step, for people.
    pub fn step(&mut self, step: &str) -> Result<String, String> {
        let step: Step = serde_json::from_str(step).map_err(|error| error.to_string())?;
        let reply = self.service.step(&mut self.database, &step);
        serde_json::to_string(&reply).map_err(|error| error.to_string())
    }

    /// Answers a request at a moment (Unix milliseconds); of two numbers follow its random bytes.
    ///
    /// `head` is `METHOD target`, then a line `name:value` per header. Gives the status, a line per header, an empty line
    /// and the body.
    ///
    /// # Errors
    /// What is wrong with the request, for people.
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

    /// A client's whole call. `question` is the operation, the credentials and the arguments, as [`client::prepare`] takes
    /// them, a line for each; `clock_ms` is the client's clock, the rest is that of [`Sandbox::answer`]. Gives what
    /// [`client::read_answer`] gives.
    ///
    /// # Errors
    /// What is wrong with the call, for people.
    pub fn call(
        &mut self,
        now_ms: f64,
        seed: f64,
        number: f64,
        question: &str,
        clock_ms: f64,
        random: &[u8],
    ) -> Result<String, String> {
        // JSON has no line feeds but between its words, and JavaScript writes none.
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

    /// The database as bytes, from which another sandbox can start.
    ///
    /// # Errors
    /// Why there are none, for people.
    pub fn image(&mut self) -> Result<Vec<u8>, String> {
        self.database
            .serialize()
            .map_err(|error| format!("{error:?}"))
    }
}

/// The random bytes that follow from a sandbox's seed and a call's number: those of a step whose seed is the two in hex, 32
/// digits each. JavaScript's whole numbers fit.
fn seed_of(seed: f64, number: f64) -> Seed {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&u128::to_be_bytes(seed as u128));
    bytes[16..].copy_from_slice(&u128::to_be_bytes(number as u128));
    Seed(bytes)
}
