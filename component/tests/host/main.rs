//! The component run by wasmtime: it answers as the native core does, and no input traps. `tests/python` runs the same table.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod malformed;
mod responses;
mod webhooks;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Map, Value};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, Engine, OptLevel, Store};

use bindings::exports::settlekit::core::calls::{
    CallError, Credentials, HttpRequest, NonceSeed, Part,
};
use bindings::exports::settlekit::core::webhooks::{WebhookErrorReason, WebhookHeaders};

/// Types and calls, generated from the interface.
mod bindings {
    wasmtime::component::bindgen!({ path: "../wit", world: "core" });
}

const OPERATIONS: &str = include_str!("../../../tests/vectors/operations.jsonl");
const TABLE: &str = include_str!("../table.json");

const NOW_MS: i64 = 1_780_000_000_000;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(json).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// An instance of the component. A trap fails the test.
struct Host {
    store: Store<()>,
    core: bindings::Core,
}

/// Compiled once for all tests.
static COMPONENT: LazyLock<Component> = LazyLock::new(|| {
    let mut config = Config::new();
    config.cranelift_opt_level(OptLevel::None);
    let engine = Engine::new(&config).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dist/settlekit-core.wasm");
    let bytes = fs::read(&path).expect("`cargo xtask component` builds the component");
    Component::new(&engine, bytes).unwrap()
});

impl Host {
    fn new() -> Self {
        let engine = COMPONENT.engine();
        let mut store = Store::new(engine, ());
        // The linker is empty: the component imports nothing.
        let linker = Linker::new(engine);
        let core = bindings::Core::instantiate(&mut store, &COMPONENT, &linker).unwrap();
        Self { store, core }
    }

    fn validate(&mut self, operation: &str, arguments: &str) -> Result<(), CallError> {
        let calls = self.core.settlekit_core_calls();
        calls
            .call_validate(&mut self.store, operation, arguments)
            .unwrap()
    }

    fn validate_part(
        &mut self,
        operation: &str,
        part: Part,
        field: Option<&str>,
        arguments: &str,
    ) -> Result<(), CallError> {
        let calls = self.core.settlekit_core_calls();
        calls
            .call_validate_part(&mut self.store, operation, part, field, arguments)
            .unwrap()
    }

    fn request(
        &mut self,
        operation: &str,
        arguments: &str,
        seed: &NonceSeed,
    ) -> Result<HttpRequest, CallError> {
        self.request_as(operation, arguments, &credentials(None), seed)
    }

    fn request_as(
        &mut self,
        operation: &str,
        arguments: &str,
        credentials: &Credentials,
        seed: &NonceSeed,
    ) -> Result<HttpRequest, CallError> {
        let calls = self.core.settlekit_core_calls();
        calls
            .call_request(&mut self.store, operation, arguments, credentials, seed)
            .unwrap()
    }

    fn sign(
        &mut self,
        method: &str,
        url: &str,
        body: &str,
        credentials: &Credentials,
        seed: &NonceSeed,
    ) -> Result<HttpRequest, CallError> {
        let calls = self.core.settlekit_core_calls();
        calls
            .call_sign(
                &mut self.store,
                method,
                url,
                body.as_bytes(),
                credentials,
                seed,
            )
            .unwrap()
    }

    fn read(
        &mut self,
        operation: &str,
        status: u16,
        headers: &[(String, String)],
        body: &str,
    ) -> Result<String, CallError> {
        let calls = self.core.settlekit_core_calls();
        calls
            .call_read(&mut self.store, operation, status, headers, body.as_bytes())
            .unwrap()
    }

    fn verify(
        &mut self,
        delivery: &Value,
        body: &str,
        public_key: &str,
        now_ms: i64,
    ) -> Result<(), WebhookErrorReason> {
        let headers = WebhookHeaders {
            id: text(&delivery["id"]).to_owned(),
            timestamp: delivery["timestamp"].to_string(),
            signature: text(&delivery["signature"]).to_owned(),
        };
        let keys = [public_key.to_owned()];
        let webhooks = self.core.settlekit_core_webhooks();
        webhooks
            .call_verify(
                &mut self.store,
                &headers,
                body.as_bytes(),
                &keys,
                now_ms,
                None,
            )
            .unwrap()
            .map_err(|error| error.reason)
    }
}

fn credentials(org_id: Option<&str>) -> Credentials {
    Credentials {
        base_url: "https://pay.example/v1/".to_owned(),
        api_key: Some("sk_1".to_owned()),
        signing_secret: Some("a secret".to_owned()),
        org_id: org_id.map(str::to_owned),
        idempotency_key: None,
    }
}

fn seed() -> NonceSeed {
    NonceSeed {
        now_ms: NOW_MS,
        random: vec![7; 10],
    }
}

/// The recorded arguments of an operation, as one JSON object.
fn arguments(line: &Value) -> String {
    let parts = ["path", "query", "body"].map(|part| line["arguments"][part].as_object());
    let all: Map<String, Value> = parts.into_iter().flatten().flatten().map(owned).collect();
    Value::Object(all).to_string()
}

fn owned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

#[test]
fn the_component_imports_nothing() {
    let ty = COMPONENT.component_type();
    let imports: Vec<String> = ty
        .imports(COMPONENT.engine())
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(imports, Vec::<String>::new());
}

#[test]
fn values_have_one_canonical_form() {
    let mut host = Host::new();
    for case in list(&json(TABLE)["values"]) {
        let values = host.core.settlekit_core_values();
        let parsed = values
            .call_parse_value(&mut host.store, text(&case["kind"]), text(&case["text"]))
            .unwrap();
        match parsed {
            Ok(canonical) => assert_eq!(canonical, case["canonical"], "{case}"),
            Err(error) => {
                let reason = error.details.first().map(|detail| detail.reason.as_str());
                assert_eq!(reason, case["reason"].as_str(), "{case}");
                assert!(case.get("reason").is_some(), "{case}");
            }
        }
    }
}
