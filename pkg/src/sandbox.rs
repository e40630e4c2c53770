//! The whole service in the caller's process: rules, ledger and SQLite, with the clock in the caller's hand.
//!
//! One handle: a step (the service's calls as data) goes in as JSON and its reply comes out as JSON. The step that is made
//! most, the answer to a request, has a way of its own, without JSON around the JSON of its bodies. Routes, secrets and
//! webhooks are the service's own; nothing here imitates them.

use http::Request;
use settlekit_core::value::Timestamp;
use settlekit_service::random::Seed;
use settlekit_service::step::Step;
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Options, Service};
use wasm_bindgen::prelude::wasm_bindgen;

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
            sandbox: true,
            allow_private_webhooks: true,
            public_url,
        };
        let database = if image.is_empty() {
            Sqlite::in_memory()
        } else {
            Sqlite::deserialize(image)
        };
        let database = database.map_err(|error| format!("{error:?}"))?;
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

    /// Answers a request at a moment (Unix milliseconds) with 32 random bytes.
    ///
    /// `head` is `METHOD target`, then a line `name:value` per header. Gives the status, a line per header, an empty line
    /// and the body.
    ///
    /// # Errors
    /// What is wrong with the request, for people.
    pub fn answer(
        &mut self,
        now_ms: f64,
        seed: &[u8],
        head: &str,
        body: String,
    ) -> Result<Vec<u8>, String> {
        let seed = Seed(seed.try_into().map_err(|_| "a seed is 32 bytes")?);
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
