//! Examples for the documents, derived from the schemas and completed where validation rules require more.

use serde_json::{Map, Value, json};

/// Records are recursive: beyond this depth, only required fields are shown.
const DEPTH_MAX: u32 = 2;

/// Fields of a record to show in an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fields {
    /// All fields.
    All,
    /// Required fields; all fields of a record without required ones.
    Required,
}

/// A value that matches the schema, resolving references in `definitions`.
pub(super) fn example(schema: &Value, definitions: &Map<String, Value>, fields: Fields) -> Value {
    Examples {
        definitions,
        fields,
    }
    .of(schema, 0)
}

struct Examples<'a> {
    definitions: &'a Map<String, Value>,
    fields: Fields,
}

impl Examples<'_> {
    fn of(&self, schema: &Value, depth: u32) -> Value {
        if let Some(path) = schema["$ref"].as_str() {
            let name = path.rsplit('/').next().unwrap_or(path);
            return match self.definitions.get(name) {
                Some(schema) => self.of(schema, depth),
                None => Value::Null,
            };
        }
        let own = [
            schema.get("const"),
            schema["examples"].get(0),
            schema.get("default").filter(|value| !value.is_null()),
            schema["enum"].get(0),
        ];
        if let Some(value) = own.into_iter().flatten().next() {
            return value.clone();
        }
        for choice in ["anyOf", "oneOf", "allOf"] {
            let mut choices = schema[choice].as_array().into_iter().flatten();
            if let Some(chosen) = choices.find(|choice| choice["type"] != "null") {
                return self.of(chosen, depth);
            }
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null"),
            kind => Some(kind),
        };
        match kind.and_then(Value::as_str) {
            Some("object") => self.object(schema, depth),
            Some("array") => json!([self.of(&schema["items"], depth)]),
            Some("string") => json!("string"),
            Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
            Some("boolean") => json!(true),
            _ => json!({}),
        }
    }

    fn object(&self, schema: &Value, depth: u32) -> Value {
        let required: Vec<&str> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let shows_all = match self.fields {
            Fields::All => depth < DEPTH_MAX,
            Fields::Required => required.is_empty(),
        };
        schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(name, _)| shows_all || required.contains(&name.as_str()))
            .map(|(name, schema)| (name.clone(), self.of(schema, depth + 1)))
            .collect()
    }
}

/// Adjusts an example body to the operation's validation rules, so that the service accepts it.
pub(super) fn amend(operation: &str, body: &mut Value) {
    const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let fields = match operation {
        "AcceptInvitation" => json!({ "password": "correct horse battery staple" }),
        "ConvertBalance" => json!({ "to_currency": "EURC", "max_cost_bps": 50 }),
        "AuthorizePayment" => json!({
            "value": "25000000", "valid_after": 0, "valid_before": 1_764_003_600,
            "signature": format!("0x{}1b", "5d".repeat(64)),
        }),
        "CreateExternalAccount" => json!({ "address": WALLET, "chain_id": 8453 }),
        "CreateFault" => json!({ "reason": "UNAVAILABLE" }),
        "CreateNote" => json!({
            "record_type": "Payment", "record_id": "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01",
        }),
        "CreatePayout" => json!({ "address": WALLET, "chain_id": 8453 }),
        "CreateQuickTrade" => json!({ "to_currency": "ETH" }),
        "CreateSavedView" => json!({ "page": "/payments", "query": "status=Failed" }),
        "CreateSession" => json!({ "email": "ada@example.com" }),
        "CreateWalletLink" => json!({
            "name": "House Wallet", "template": "https://wallet.example/open?url={page_url}",
        }),
        "InviteMember" => json!({ "email": "ada@example.com" }),
        "MaintainBalance" => json!({ "payout_threshold_amount": 100 }),
        "ProveOwnership" => json!({ "signature": format!("0x{}1b", "5d".repeat(64)) }),
        "UpdateCustomer" => json!({
            "email": "ada@example.com", "number": "+49301234567", "wallet_address": WALLET,
        }),
        "UpdateOrganisation" => json!({
            "checkout_style": { "accent_color": "#0a6b3d", "note": { "en": "We ship within two days." } },
            "fee_payer": "merchant",
            "forwarded_email_recipients": ["books@example.com"],
            "logo_url": "https://shop.example/logo.svg",
            "webhook_url": "https://shop.example/webhooks",
        }),
        "UpdatePassword" => json!({ "new_password": "correct horse battery staple" }),
        "UpdateVirtualAccount" => json!({
            "deposit_splits": [{ "account_ref": "taxes", "pct": "19" }], "disable_chains": [137],
        }),
        _ => return,
    };
    if let (Value::Object(body), Value::Object(fields)) = (body, fields) {
        body.extend(fields);
    }
}
