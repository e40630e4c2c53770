//! Export and import of books: the same lines on each engine; atomic, with all errors.

use serde_json::{Value, json};
use settlekit_core::value::OrganisationId;
use settlekit_service::books::{ERRORS_MAX, Imported};
use settlekit_service::demo;
use settlekit_service::store::{derived, migrate};
use settlekit_service::{Database, Mode, Options, Seed, Service};
use settlekit_tests::chain::Connected;
use settlekit_tests::world::{START, Shop, WALLET, World, padded, text};
use settlekit_tests::{bulk, database};

use crate::account::{claim, prove_wallet, wallet};
use crate::chain::extended_keys::{XPUB, first_wallet};

fn service_in(mode: Mode) -> Service {
    Service::new(Options {
        master_key: [9; 32],
        mode,
        allow_private_webhooks: true,
        public_url: "http://127.0.0.1:8080".to_owned(),
    })
}

fn export(database: &mut dyn Database, organisation: OrganisationId) -> Vec<String> {
    export_in(Mode::Sandbox, database, organisation)
}

fn export_in(mode: Mode, database: &mut dyn Database, organisation: OrganisationId) -> Vec<String> {
    let mut lines = Vec::new();
    let exported = service_in(mode)
        .export(database, organisation, &mut |line| {
            lines.push(line.to_owned());
            true
        })
        .expect("an export");
    assert_eq!(exported, Some(lines.len() as u64 - 2));
    lines
}

fn import(database: &mut dyn Database, lines: &[String]) -> Imported {
    import_in(Mode::Sandbox, database, lines)
}

fn import_in(mode: Mode, database: &mut dyn Database, lines: &[String]) -> Imported {
    let now = START.parse().expect("a timestamp");
    let mut lines = lines.iter().cloned();
    service_in(mode)
        .import(database, &mut lines, now, Seed([4; 32]))
        .expect("no failure of the database")
}

fn empty(mut database: Box<dyn Database>) -> Box<dyn Database> {
    migrate::migrate(database.as_mut()).expect("the history");
    database
}

/// The exported books of a merchant with one payment.
fn small() -> (OrganisationId, Vec<String>) {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let account = world.account(&shop, "till", 8453, &["USDC"]);
    world.deposit(&shop, account, 8453, "USDC", "12.5");
    world.set_webhook_url(&shop, "http://127.0.0.1:9099/hooks");
    let bank = json!({ "name": "Bank", "type": "Bank", "bank": { "holder": "Ada" } });
    world.keyed(&shop, "POST", "/v1/external-accounts", bank);
    (shop.id, export(world.parts().1, shop.id))
}

/// The errors of rejected lines.
fn refused(lines: &[String]) -> Vec<String> {
    let mut database = empty(database::sqlite());
    let (errors, more) = match import(database.as_mut(), lines) {
        Imported::Refused { errors, more } => (errors, more),
        made => panic!("{made:?}"),
    };
    assert_eq!(more, 0);
    let nothing = database.query("SELECT id FROM transfers", &[]);
    assert!(
        nothing.expect("a table").is_empty(),
        "something was written"
    );
    errors
        .into_iter()
        .map(|error| format!("{}: {}", error.line, error.message))
        .collect()
}

fn line_of_kind(lines: &[String], kind: &str) -> usize {
    let start = format!("{{\"{kind}\":");
    let found = lines.iter().position(|line| line.starts_with(&start));
    found.expect("a line of the kind")
}

#[test]
fn a_year_of_books_survives_export_and_import_between_databases() {
    let mut world = World::new(database::sqlite());
    let now = world.now;
    let (service, database) = world.parts();
    let made = demo::fill(service, database, now, Seed([1; 32]), &mut |_, _| {}).expect("a year");
    let organisation = made.merchant.id;
    let lines = export(world.parts().1, organisation);
    for kind in [
        "organisation",
        "account",
        "address",
        "external_account",
        "automation",
        "ledger_account",
        "transfer",
        "posting",
        "movement",
        "movement_of_list",
        "plan",
        "paylink",
        "customer",
        "payment",
        "payout",
        "chain_transaction",
        "subscription",
        "invoice",
        "quote",
        "order",
        "event",
        "attempt",
        "delivery_turn",
        "daily_volume",
        "search_entry",
        "counter",
        "sequence",
    ] {
        line_of_kind(&lines, kind);
    }
    let secrets = [made.merchant.api_key, made.merchant.signing_secret];
    assert!(
        !lines
            .iter()
            .any(|line| secrets.iter().any(|secret| line.contains(secret)))
    );

    let mut postgres = empty(database::postgres());
    let imported = import(postgres.as_mut(), &lines);
    assert!(matches!(imported, Imported::Made { .. }), "{imported:?}");
    let there = export(postgres.as_mut(), organisation);
    assert_eq!(there.len(), lines.len());
    assert!(there == lines, "PostgreSQL gives other lines");
    // Bundle lists are not exported: the import rebuilds them.
    let bundled = |database: &mut dyn Database| -> Vec<i64> {
        const LISTS: &str = "SELECT movement_id FROM movement_lists WHERE account_id < 0 ORDER BY account_id, created_at, movement_id";
        let rows = database.query(LISTS, &[]).expect("rows");
        rows.iter().map(|row| row.int(0).expect("an id")).collect()
    };
    let before = bundled(world.parts().1);
    assert!(before.len() > 100, "{} movements", before.len());
    assert_eq!(bundled(postgres.as_mut()), before);
    let mut sqlite = empty(database::sqlite());
    assert!(matches!(
        import(sqlite.as_mut(), &there),
        Imported::Made { .. }
    ));
    assert!(
        export(sqlite.as_mut(), organisation) == lines,
        "SQLite gives other lines"
    );

    // The imported books work: create a key, read a list, number a new record.
    for database in [sqlite, postgres] {
        let mut world = World::with_key(database, [9; 32]);
        let key = world.another_key(organisation);
        let shop = Shop {
            id: organisation,
            key,
            secret: String::new(),
        };
        let before = world.keyed(&shop, "GET", "/v1/payments?limit=1", Value::Null);
        assert_eq!(before.status, 200, "{}", before.body);
        let body = json!({ "reference": "new-till", "chain_id": 8453, "currencies": ["USDC"] });
        let id = world.post(&shop, "/v1/accounts", body).id_number();
        world.deposit(&shop, id, 8453, "USDC", "7");
        assert_eq!(world.differences(), Vec::<String>::new());
    }
}

#[test]
fn imported_references_include_movements_of_deleted_accounts() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let ids = [8453, 137].map(|chain| world.account(&shop, "till", chain, &["USDC"]));
    for (id, chain, amount) in [(ids[1], 137, "1"), (ids[0], 8453, "2"), (ids[1], 137, "3")] {
        world.deposit(&shop, id, chain, "USDC", amount);
        world.pass_and_work(std::time::Duration::from_secs(600));
    }
    let out = json!({ "account": ids[1], "amount": "3.98", "currency": "USDC", "chain_id": 137,
        "address": WALLET });
    world.create(&shop, "/v1/payouts", out);
    for _ in 0..3 {
        world.work();
        world.pass(std::time::Duration::from_secs(600));
    }
    let path = format!("/v1/accounts/{}", ids[1]);
    let deleted = world.keyed(&shop, "DELETE", &path, Value::Null);
    assert_eq!(deleted.status, 200, "{}", deleted.body);
    let read = |world: &mut World, key: &str| -> Vec<Value> {
        let shop = Shop {
            key: key.to_owned(),
            ..shop.clone()
        };
        let path = "/v1/accounts/till/movement";
        let listed = world.keyed(&shop, "GET", path, Value::Null);
        assert_eq!(listed.data()["total"], 4, "{}", listed.body);
        let items = listed.data()["items"].as_array().expect("items").iter();
        items.map(|item| item["amount"].clone()).collect()
    };
    let before = read(&mut world, &shop.key);
    assert_eq!(before, ["3.98", "3", "2", "1"]);
    let lines = export(world.parts().1, shop.id);
    for mut there in [empty(database::sqlite()), empty(database::postgres())] {
        let imported = import(there.as_mut(), &lines);
        assert!(matches!(imported, Imported::Made { .. }), "{imported:?}");
        let mut there = World::with_key(there, [9; 32]);
        let key = there.another_key(shop.id);
        assert_eq!(read(&mut there, &key), before);
    }
}

/// The available USDC of an account.
fn available(world: &mut World, shop: &Shop, account: &str) -> Value {
    let path = format!("/v1/partners/accounts/{account}/balances");
    let balances = world.signed(shop, None, "GET", &path, Value::Null);
    let held = balances.data()["balances"].as_array().expect("balances");
    let usdc = held.iter().find(|one| one["currency"] == "USDC");
    usdc.map_or(Value::Null, |one| one["amount"].clone())
}

#[test]
fn open_work_continues_after_an_import() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let till = world.account(&shop, "till", 8453, &["USDC"]);
    world.account(&shop, "safe", 8453, &["USDC"]);
    world.deposit(&shop, till, 8453, "USDC", "100");
    let safe = world.read(&shop, "/v1/accounts/safe")["address"].clone();
    let out = json!({ "account": till, "amount": "30", "currency": "USDC", "chain_id": 8453, "address": safe });
    world.create(&shop, "/v1/payouts", out);
    // Sent, and in no block yet; what a payer sent is in its first.
    let due = json!({ "amount": "10", "currency": "USDC", "chain_id": 8453, "account": "till" });
    let due = world.post(&shop, "/v1/payments", due).id();
    world.pay(&due);
    world.work();
    let lines = export(world.parts().1, shop.id);
    let waiting = lines
        .iter()
        .filter(|line| line.starts_with("{\"simulated_transaction\":"));
    assert_eq!(waiting.count(), 2);
    for mut there in [empty(database::sqlite()), empty(database::postgres())] {
        let Imported::Made { signing_secret, .. } = import(there.as_mut(), &lines) else {
            panic!("it was refused");
        };
        let now = world.now;
        let mut there = World::with_key(there, [9; 32]);
        there.now = now;
        let shop = Shop {
            key: there.another_key(shop.id),
            secret: signing_secret,
            ..shop.clone()
        };
        for _ in 0..3 {
            there.pass(std::time::Duration::from_secs(600));
            there.work();
        }
        let paid = there.read(&shop, &format!("/v1/payments/{due}"));
        assert_eq!(paid["status"], "Confirmed", "{paid}");
        assert_eq!(available(&mut there, &shop, "safe"), "30");
        // 110, minus the payout and a network fee of two cents.
        assert_eq!(available(&mut there, &shop, "till"), "79.98");
        assert_eq!(there.differences(), Vec::<String>::new());
        let nothing = "SELECT id FROM simulated_transactions WHERE next_block_at IS NOT NULL";
        let waits = there.parts().1.query(nothing, &[]).expect("a table");
        assert!(waits.is_empty(), "no block is to come");
    }
}

#[test]
fn an_import_with_errors_lists_all_of_them_and_writes_nothing() {
    let (_, lines) = small();
    let posting = line_of_kind(&lines, "posting");
    let plan_of_nobody = r#"{"plan":{"id":7,"colour":"red","record":{}}}"#;
    let mut wrong = lines.clone();
    wrong[posting] = "{".to_owned();
    wrong.insert(posting + 1, plan_of_nobody.to_owned());
    wrong.insert(posting + 2, r#"{"plam":{}}"#.to_owned());
    wrong.insert(posting + 3, "[]".to_owned());
    let errors = refused(&wrong);
    let at = |offset: usize| format!("{}: ", posting + 1 + offset);
    let expected = [
        format!("{}is not JSON", at(0)),
        format!("{}plan.id must be a string", at(1)),
        format!("{}plan.seq is missing", at(1)),
        format!("{}plan.held_quantity is missing", at(1)),
        format!("{}plan.search is missing", at(1)),
        format!("{}plan.record cannot be read", at(1)),
        format!("{}plan.created_at is missing", at(1)),
        format!("{}plan.updated_at is missing", at(1)),
        format!("{}unknown field plan.colour", at(1)),
        format!("{}unknown kind `plam`", at(2)),
        format!("{}is not an object", at(3)),
        format!("{}: states", wrong.len()),
    ];
    assert_eq!(errors.len(), expected.len(), "{errors:#?}");
    for (error, expected) in errors.iter().zip(&expected) {
        assert!(error.starts_with(expected), "{error} / {expected}");
    }
}

#[test]
fn books_with_a_reference_to_no_row_are_refused_by_both_databases() {
    let (_, lines) = small();
    for (kind, field) in [
        ("posting", "\"transfer_id\":"),
        ("posting", "\"ledger_account_id\":"),
        ("movement", "\"transfer_id\":"),
        ("movement_of_list", "\"movement_id\":"),
        ("chain_transaction", "\"movement_id\":"),
    ] {
        let mut changed = lines.clone();
        let line = &mut changed[line_of_kind(&lines, kind)];
        *line = line.replacen(field, &format!("{field}9"), 1);
        assert_ne!(changed, lines, "{kind} {field}");
        for mut there in [empty(database::sqlite()), empty(database::postgres())] {
            let Imported::Refused { errors, .. } = import(there.as_mut(), &changed) else {
                panic!("{kind} {field} is accepted");
            };
            let says_so = ["violates the database constraint", "does not exist"];
            assert!(
                errors
                    .iter()
                    .any(|error| says_so.iter().any(|part| error.message.contains(part))),
                "{kind} {field}: {errors:?}"
            );
            let kept = there.query("SELECT id FROM organisations", &[]);
            assert!(kept.expect("a table").is_empty(), "{kind} {field}");
        }
    }
}

#[test]
fn truncated_unbalanced_and_malformed_books_are_refused() {
    let (_, lines) = small();
    let change = |kind: &str, from: &str, to: &str| {
        let mut lines = lines.clone();
        let at = line_of_kind(&lines, kind);
        let line = &mut lines[at];
        assert!(line.contains(from), "{line}");
        *line = line.replacen(from, to, 1);
        refused(&lines)
    };
    let one = |errors: Vec<String>, part: &str| {
        assert!(
            errors.iter().any(|error| error.contains(part)),
            "{part}: {errors:?}"
        );
    };
    one(refused(&lines[..lines.len() - 1]), "is truncated");
    one(refused(&lines[..1]), "is truncated");
    one(refused(&[]), "the file is empty");
    one(refused(&["hello".to_owned()]), "is not an export of books");
    let later = lines[0].replace(":1}", ":2}");
    one(refused(&[later]), "version 2");
    one(
        change("posting", "\"amount\":\"-", "\"amount\":\"-1"),
        "do not balance",
    );
    one(
        change("ledger_account", "\"posted\":\"-", "\"posted\":\"-1"),
        "do not balance",
    );
    one(
        change("ledger_account", "\"reserved\":\"0", "\"reserved\":\"1"),
        "1 is reserved, open work needs 0",
    );
    one(
        change("posting", "\"amount\":\"", "\"amount\":\"+"),
        "must be a string with a whole number",
    );
    one(
        change("movement", "\"account_id\":", "\"account_id\":9"),
        "violates the database constraint",
    );
    let mut doubled = lines.clone();
    doubled.insert(2, doubled[1].clone());
    one(refused(&doubled), "violates the database constraint");
    let mut turned = lines.clone();
    turned.swap(1, 2);
    assert!(!refused(&turned).is_empty());
    let mut behind = lines.clone();
    behind.push(lines[1].clone());
    one(refused(&behind), "is after the end");

    let mut full = empty(database::sqlite());
    assert!(matches!(
        import(full.as_mut(), &lines),
        Imported::Made { .. }
    ));
    let again = import(full.as_mut(), &lines);
    assert!(matches!(again, Imported::Refused { .. }), "{again:?}");

    let mut many = vec![lines[0].clone()];
    many.extend((0..ERRORS_MAX + 50).map(|_| "{}".to_owned()));
    let mut database = empty(database::postgres());
    let imported = import(database.as_mut(), &many);
    match imported {
        Imported::Refused { errors, more } => {
            assert_eq!((errors.len(), more), (ERRORS_MAX, 51));
        }
        made => panic!("{made:?}"),
    }
}

#[test]
fn imported_rows_are_in_the_filter_counts() {
    const COUNTED: &str = "SELECT list, level, segment, status, row_count FROM filter_counts WHERE row_count <> 0 \
         AND list IN ('customers', 'subscriptions', 'invoices') ORDER BY list, level, segment, status";
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    bulk::one_of_each(&mut world, &shop);
    bulk::copies(world.parts().1, 5_000);
    derived::rebuild(world.parts().1, shop.id).expect("counts");
    let now = world.now;
    let (service, from) = world.parts();
    let mut lines = Vec::new();
    let exported = service.export(from, shop.id, &mut |line| {
        lines.push(line.to_owned());
        true
    });
    assert!(exported.expect("an export").is_some());
    let counted = database::rows(from, COUNTED);
    assert!(counted.len() > 6, "{counted:?}");
    database::each(|kind, mut database| {
        let database = database.as_mut();
        migrate::migrate(database).expect("the history");
        let given = &mut lines.iter().cloned();
        let imported = service.import(database, given, now, Seed([1; 32]));
        let imported = imported.expect("an import");
        assert!(
            matches!(imported, Imported::Made { .. }),
            "{kind}: {imported:?}"
        );
        assert_eq!(database::rows(database, COUNTED), counted, "{kind}");
    });
}

#[test]
fn watched_wallets_are_watched_after_an_import() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let wallet = WALLET;
    let own = json!({ "address": wallet, "chain_id": 8453, "currencies": ["USDC"] });
    world.post(&shop, "/v1/accounts", own);
    world.observe_deposit(wallet, "0xab", "2000000", 3);
    let lines = export(world.parts().1, shop.id);
    let mut postgres = empty(database::postgres());
    let imported = import(postgres.as_mut(), &lines);
    assert!(matches!(imported, Imported::Made { .. }), "{imported:?}");
    let watched = "SELECT address, watched FROM addresses";
    let expected = [format!("{} 1", wallet.to_lowercase())];
    assert_eq!(database::rows(postgres.as_mut(), watched), expected);
    let seen = "SELECT hash, transfer FROM chain_transactions";
    assert_eq!(
        database::rows(postgres.as_mut(), seen),
        [format!("{} log:0", padded("0xab"))]
    );
}

#[test]
fn an_address_of_an_extended_public_key_is_given_once_before_and_after_an_import() {
    let mut world = World::new(database::sqlite());
    let shop = world.shop("Shop", None);
    let own =
        json!({ "xpub": XPUB, "reference": "till", "chain_id": 8453, "currencies": ["USDC"] });
    let account = world.post(&shop, "/v1/accounts", own).id_number();
    prove_wallet(&mut world, &shop, account, &first_wallet());
    let pay = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
    world.post(&shop, "/v1/payments", pay);
    let lines = export(world.parts().1, shop.id);
    let mut postgres = empty(database::postgres());
    let imported = import(postgres.as_mut(), &lines);
    assert!(matches!(imported, Imported::Made { .. }), "{imported:?}");
    let next = "SELECT xpub, next FROM derivations";
    let expected = [format!("{XPUB} 2")];
    assert_eq!(database::rows(postgres.as_mut(), next), expected);
    let numbers = "SELECT derivation_index FROM addresses ORDER BY derivation_index";
    assert_eq!(database::rows(postgres.as_mut(), numbers), ["0", "1"]);
}

/// What the import of live books says; nothing if they are imported.
fn errors_of_live(kind: &str, lines: &[String]) -> Vec<String> {
    let mut database = empty(match kind {
        "SQLite" => database::sqlite(),
        _ => database::postgres(),
    });
    match import_in(Mode::Live, database.as_mut(), lines) {
        Imported::Made { .. } => Vec::new(),
        Imported::Refused { errors, .. } => errors.into_iter().map(|error| error.message).collect(),
    }
}

#[test]
fn live_books_move_unless_they_need_keys_of_the_installation_that_they_come_from() {
    Connected::each(|kind, mut connected| {
        let signer = wallet();
        let shop = connected.world.shop("Shop", None);
        let own = claim(&mut connected.world, &shop, &signer.address());
        let books =
            |connected: &mut Connected| export_in(Mode::Live, connected.world.parts().1, shop.id);
        let lines = books(&mut connected);
        assert_eq!(errors_of_live(kind, &lines), Vec::<String>::new(), "{kind}");
        // A proxy wallet, which pays into the merchant's own one.
        prove_wallet(&mut connected.world, &shop, own, &signer);
        let body = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": own });
        let payment = connected.world.post(&shop, "/v1/payments", body);
        let proxy = text(payment.data(), "deposit_address").to_lowercase();
        let errors = errors_of_live(kind, &books(&mut connected));
        assert_eq!(errors.len(), 1, "{kind}: {errors:?}");
        assert!(errors[0].starts_with(&proxy), "{kind}: {errors:?}");
        assert!(errors[0].contains("can sweep"), "{kind}: {errors:?}");
        // Also an account that the service holds.
        let held = (connected.world).account(&shop, "till", 8453, &["USDC"]);
        let errors = errors_of_live(kind, &books(&mut connected));
        let managed = format!("account {held} is managed");
        assert!(errors[0].starts_with(&managed), "{kind}: {errors:?}");
        assert_eq!(errors.len(), 3, "{kind}: {errors:?}");
    });
}
