//! Leaked secrets: default scopes of new keys, and rotation of each secret, with an overlap or at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use settlekit_core::webhook::{PublicKey, verify};
use settlekit_service::master_key::{Rotated, seals};
use settlekit_service::store::postgres::Postgres;
use settlekit_service::{Database, Seed, StoreError};
use settlekit_tests::database::{self, rows};
use settlekit_tests::world::{DAY, Shop, WALLET, World, received, request, text};

use crate::organisation::{rotate, signed};

#[test]
fn a_new_key_has_read_and_write_scopes_by_default() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let make = |world: &mut World, body: Value| {
            let made = world.post(&shop, "/v1/api-keys", body);
            made.data().clone()
        };
        let plain = make(&mut world, json!({ "name": "till" }));
        assert_eq!(plain["scopes"], json!(["read", "write"]), "{kind}");
        assert!(plain.get("notice").is_none(), "{kind}: {plain}");
        let key = Shop {
            key: text(&plain, "key"),
            ..shop.clone()
        };
        let secret = world.keyed(&key, "GET", "/v1/orgs/signing-secret", Value::Null);
        assert_eq!(secret.refusal(), "403 SCOPE_MISSING", "{kind}");
        let body = json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        let payout = world.signed(&key, None, "POST", "/v1/payouts", body);
        assert_eq!(payout.refusal(), "403 SCOPE_MISSING", "{kind}");
        for (scopes, words) in [
            (json!(["read", "payout"]), "send money out"),
            (
                json!(["read", "manage"]),
                "read and rotate the signing secret",
            ),
        ] {
            let made = make(&mut world, json!({ "name": "more", "scopes": scopes }));
            assert!(text(&made, "notice").contains(words), "{kind}: {made}");
        }
        // The notice is shown once and not stored.
        let listed = world.read(&shop, "/v1/api-keys");
        assert!(!listed.to_string().contains("notice"), "{kind}: {listed}");
    });
}

#[test]
fn revoking_a_signing_secret_revokes_the_previous_ones_too() {
    World::each(|kind, mut world| {
        let first = world.shop("Shop", None);
        let second = rotate(&mut world, &first, json!({}));
        let third = rotate(&mut world, &second, json!({ "revoke_old": true }));
        for secret in [&first, &second] {
            let answer = signed(&mut world, secret);
            assert_eq!(answer.refusal(), "401 SIGNATURE_INVALID", "{kind}");
        }
        assert_eq!(
            signed(&mut world, &third).refusal(),
            "404 NOT_FOUND",
            "{kind}"
        );
        let shown = world.read(&third, "/v1/orgs");
        assert!(
            shown.get("signing_secret_overlap_until").is_none(),
            "{kind}: {shown}"
        );
    });
}

#[test]
fn a_revoked_webhook_key_signs_nothing_more() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        world.set_webhook_url(&shop, "https://hooks.shop.example/");
        let key = |answer: &Value| text(answer, "webhook_public_key");
        let first = key(&world.read(&shop, "/v1/orgs"));
        let path = "/v1/orgs/webhook-secret";
        let rotated = world.keyed(&shop, "PATCH", path, Value::Null);
        let second = key(rotated.data());
        assert!(
            rotated.data()["webhook_key_overlap_until"].is_string(),
            "{kind}"
        );
        let rotated = world.keyed(&shop, "PATCH", path, json!({ "revoke_old": true }));
        let third = key(rotated.data());
        assert!(
            rotated.data().get("webhook_key_overlap_until").is_none(),
            "{kind}"
        );
        let due = world.deliver(200);
        let last = due.last().expect("a delivery");
        for (pem, fits) in [(&first, false), (&second, false), (&third, true)] {
            let key = PublicKey::from_pem(pem).expect("a key");
            let verified = verify(received(last), &[key], world.now, DAY);
            assert_eq!(verified.is_ok(), fits, "{kind}: {verified:?}");
        }
    });
}

/// Books with a secret of each kind.
fn sealed(world: &mut World) -> (Shop, String) {
    let shop = world.shop("Shop", None);
    let (service, database) = world.parts();
    assert_eq!(service.holds_master_key(database), Ok(true));
    let first = rotate(world, &shop, json!({}));
    let bank = json!({ "type": "Fiat", "name": "Bank", "reference": "bank", "currencies": ["EUR"], "payment_rail": "SEPA",
        "country": "DE", "beneficiary_type": "business", "bank_name": "Bank",
        "account_holder_name": "Shop", "account_number": "DE89370400440532013000" });
    let path = "/v1/accounts/external-account";
    let mut sent = world.sign(&first, None, "POST", path, &bank);
    let once = ("idempotency-key".to_owned(), "once".to_owned());
    sent.headers.push(once);
    let made = world.send(sent);
    assert_eq!(made.status, 201, "{}", made.body);
    (first, shop.secret)
}

/// The values of all binary columns, with the column's name.
fn blobs(database: &mut dyn Database) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    for table in rows(database, tables) {
        let columns = format!("SELECT name FROM pragma_table_info('{table}') WHERE type = 'BLOB'");
        for column in rows(database, &columns) {
            let read = format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL");
            let rows = database.query(&read, &[]).expect("rows");
            let bytes = rows.iter().map(|row| row.blob(0).expect("bytes").to_vec());
            let name = format!("{table}.{column}");
            found.extend(bytes.map(|bytes| (name.clone(), bytes)));
        }
    }
    found
}

#[test]
fn after_a_rotation_only_the_new_master_key_decrypts() {
    World::each(|kind, mut world| {
        let (shop, old_secret) = sealed(&mut world);
        let new = [9; 32];
        let (service, database) = world.parts();
        let rotated = service.rotate_master_key(database, &new, Seed([5; 32]));
        // Two signing secrets, a webhook key, a bank account, an idempotent answer.
        assert_eq!(rotated, Ok(Rotated::Done(5)), "{kind}");
        assert_eq!(service.holds_master_key(database), Ok(false), "{kind}");
        assert_eq!(seals(database, &new), Ok(true), "{kind}");
        assert_eq!(seals(database, &[7; 32]), Ok(false), "{kind}");
        // A second rotation with the old key does nothing.
        let again = service.rotate_master_key(database, &[8; 32], Seed([6; 32]));
        assert_eq!(again, Ok(Rotated::OtherKey), "{kind}");
        let mut world = world.rekeyed(new);
        for secret in [&shop.secret, &old_secret] {
            let by = Shop {
                secret: secret.clone(),
                ..shop.clone()
            };
            assert_eq!(signed(&mut world, &by).refusal(), "404 NOT_FOUND", "{kind}");
        }
        // The stored answer is found, but belongs to another request.
        let path = "/v1/accounts/external-account";
        let mut other = world.sign(&shop, None, "POST", path, &json!({ "any": "other" }));
        let once = ("idempotency-key".to_owned(), "once".to_owned());
        other.headers.push(once);
        assert_eq!(
            world.send(other).refusal(),
            "422 IDEMPOTENCY_KEY_REUSED",
            "{kind}"
        );
        world.set_webhook_url(&shop, "https://hooks.shop.example/");
        assert!(!world.deliver(200).is_empty(), "{kind}");
    });
}

#[test]
fn a_server_with_the_old_master_key_encrypts_nothing() {
    World::each(|kind, mut world| {
        let (shop, _) = sealed(&mut world);
        let (service, database) = world.parts();
        let rotated = service.rotate_master_key(database, &[9; 32], Seed([5; 32]));
        assert_eq!(rotated, Ok(Rotated::Done(5)), "{kind}");
        for (method, path, body) in [
            (
                "PATCH",
                "/v1/orgs/webhook-secret",
                json!({ "revoke_old": true }),
            ),
            (
                "POST",
                "/v1/accounts/external-account",
                json!({ "type": "Fiat", "name": "B", "reference": "b", "currencies": ["EUR"], "payment_rail": "SEPA",
                    "country": "DE", "beneficiary_type": "business", "bank_name": "B",
                    "account_holder_name": "B", "account_number": "DE89370400440532013000" }),
            ),
        ] {
            let answer = world.signed(&shop, None, method, path, body);
            assert_eq!(answer.refusal(), "500 INTERNAL", "{kind} {path}");
        }
        let headers = vec![
            ("x-api-key".to_owned(), shop.key.clone()),
            ("idempotency-key".to_owned(), "twice".to_owned()),
        ];
        let keyed = request("PUT", "/v1/orgs", &json!({ "name": "Renamed" }), headers);
        assert_eq!(world.send(keyed).refusal(), "500 INTERNAL", "{kind}");
        assert_eq!(world.read(&shop, "/v1/orgs")["name"], "Shop", "{kind}");
        // The new key opens everything.
        let mut world = world.rekeyed([9; 32]);
        let (service, database) = world.parts();
        let again = service.rotate_master_key(database, &[10; 32], Seed([6; 32]));
        assert_eq!(again, Ok(Rotated::Done(5)), "{kind}");
    });
}

#[test]
fn a_running_server_notices_a_rotated_master_key_at_its_next_write() {
    let address = settlekit_tests::postgres::database();
    let open = || Box::new(Postgres::open(&address).expect("a connection"));
    let mut world = World::new(open());
    let (shop, _) = sealed(&mut world);
    let keyed = |world: &mut World, name: &str| {
        let headers = vec![
            ("x-api-key".to_owned(), shop.key.clone()),
            ("idempotency-key".to_owned(), name.to_owned()),
        ];
        world.send(request(
            "PUT",
            "/v1/orgs",
            &json!({ "name": name }),
            headers,
        ))
    };
    // From here on the digest may be cached.
    assert_eq!(keyed(&mut world, "before").status, 200);
    let (service, _) = world.parts();
    let rotated = service.rotate_master_key(open().as_mut(), &[9; 32], Seed([5; 32]));
    assert_eq!(rotated, Ok(Rotated::Done(6)));
    assert_eq!(keyed(&mut world, "after").refusal(), "500 INTERNAL");
    assert_eq!(world.read(&shop, "/v1/orgs")["name"], "before");
    let mut world = world.rekeyed([9; 32]);
    assert_eq!(keyed(&mut world, "after").status, 200);
}

#[test]
fn an_undecryptable_secret_aborts_a_rotation() {
    let mut world = World::new(database::sqlite());
    sealed(&mut world);
    let (service, database) = world.parts();
    let spoil = "UPDATE idempotency SET body = ?1";
    database
        .execute(spoil, &[(&vec![1_u8; 60]).into()])
        .expect("a row");
    let before = blobs(database);
    let rotated = service.rotate_master_key(database, &[9; 32], Seed([5; 32]));
    assert!(
        matches!(rotated, Err(StoreError::Damaged(_))),
        "{rotated:?}"
    );
    assert_eq!(blobs(database), before);
    assert_eq!(service.holds_master_key(database), Ok(true));
}

#[test]
fn every_binary_column_is_a_hash_or_reencrypted() {
    let mut world = World::new(database::sqlite());
    let (shop, _) = sealed(&mut world);
    world.sign_in(&shop, "ada@shop.example");
    let (service, database) = world.parts();
    let before = blobs(database);
    let rotated = service.rotate_master_key(database, &[9; 32], Seed([5; 32]));
    assert_eq!(rotated, Ok(Rotated::Done(5)));
    let after: BTreeSet<_> = blobs(database).into_iter().collect();
    let kept = before.into_iter().filter(|blob| after.contains(blob));
    let kept: BTreeSet<String> = kept.map(|(name, _)| name).collect();
    let hashes = [
        "api_keys.secret_hash",
        "idempotency.fingerprint",
        "sessions.token_hash",
    ];
    assert_eq!(kept, hashes.map(str::to_owned).into());
    // A new binary column must be in one of the two lists.
    let tables = "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c \
         WHERE m.type = 'table' AND c.type = 'BLOB' ORDER BY 1";
    let known = [
        "api_keys.secret_hash",
        "checkout_holds.network",
        "connections.providers",
        "exchange_accounts.credentials",
        "external_accounts.secret",
        "idempotency.body",
        "idempotency.fingerprint",
        "members.invitation_hash",
        "organisations.signing_secret",
        "password_failures.bucket",
        "retired_signing_secrets.secret",
        "sessions.step_up_hash",
        "sessions.token_hash",
        "wallets.secret",
        "webhook_keys.secret",
    ];
    assert_eq!(rows(database, tables), known);
}
