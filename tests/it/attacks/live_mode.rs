//! Live mode: nothing simulated is reachable, and operations without a connection are refused before anything is stored.

use std::collections::BTreeSet;
use std::time::Duration;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};
use settlekit_core::PREFIX;
use settlekit_core::catalogue::{CATALOGUE, Description};
use settlekit_core::error::Reason;
use settlekit_core::operation::Auth;
use settlekit_service::Mode;
use settlekit_service::block::{Block, BlockId, Observed, Transfer};
use settlekit_service::step::{Command, Reply};
use settlekit_service::store::migrate::{self, Migration};
use settlekit_service::store::mode;
use settlekit_service::{Database, Seed, StoreError, TransferIndex};
use settlekit_tests::database::{self, rows};
use settlekit_tests::world::{Answer, DAY, PASSWORD, Shop, SignedIn, WALLET, World, request};

/// All text of all tables, one row per line.
fn everything(database: &mut dyn Database, kind: &str) -> Vec<String> {
    let sqlite = kind == "SQLite";
    let tables = if sqlite {
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    } else {
        "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"
    };
    let mut all = Vec::new();
    for table in rows(database, tables) {
        let row = if sqlite {
            let columns = format!("SELECT name FROM pragma_table_info('{table}')");
            let columns = rows(database, &columns);
            let cells = columns
                .iter()
                .map(|column| format!("COALESCE(CASE typeof({column}) WHEN 'blob' THEN hex({column}) ELSE CAST({column} AS TEXT) END, '')"));
            cells.collect::<Vec<_>>().join(" || ' ' || ")
        } else {
            "CAST(t AS TEXT)".to_owned()
        };
        let read = format!("SELECT {row} FROM {table} t");
        all.extend(
            rows(database, &read)
                .into_iter()
                .map(|row| format!("{table}: {row}")),
        );
    }
    all
}

/// All text that looks like an address or a transaction hash.
fn on_chain(rows: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for row in rows {
        for (at, _) in row.match_indices("0x") {
            let digits = row[at + 2..].bytes().take_while(u8::is_ascii_hexdigit);
            let count = digits.count();
            if count >= 40 {
                found.insert(row[at..at + 2 + count].to_ascii_lowercase());
            }
        }
    }
    found
}

fn movements(rows: &[String]) -> usize {
    rows.iter()
        .filter(|row| row.starts_with("movements: "))
        .count()
}

/// Whether an answer's reasons include a missing connection.
fn is_not_connected(answer: &Answer) -> bool {
    let details = answer.body["error"]["errors"].as_array();
    details.into_iter().flatten().any(|detail| {
        detail["reason"]
            .as_str()
            .and_then(Reason::from_wire)
            .is_some_and(Reason::is_not_connected)
    })
}

/// The records that calls of the catalogue refer to.
struct Books {
    shop: Shop,
    owner: SignedIn,
    ids: Vec<(&'static str, String)>,
    quote: String,
    payment: String,
}

impl Books {
    fn id(&self, name: &str) -> &str {
        let mut ids = self.ids.iter();
        let found = ids.find(|(known, _)| *known == name);
        &found.unwrap_or_else(|| panic!("no {name}")).1
    }
}

fn created(answer: Answer, what: &str) -> Value {
    assert!(answer.status < 300, "{what}: {}", answer.body);
    match answer.data() {
        Value::Null => answer.body.clone(),
        data => data.clone(),
    }
}

fn text(record: &Value, name: &str) -> String {
    match &record[name] {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        other => panic!("{name} is {other} in {record}"),
    }
}

/// Lets a member operate the installation.
fn operate(world: &mut World, email: &str) {
    let now = world.now;
    let (service, database) = world.parts();
    let set = service.set_installation_operator(database, email, true, now, Seed([9; 32]));
    assert!(matches!(set, Ok(Some(_))), "{set:?}");
}

/// Books from a sandbox with a record of each kind, some with pending work.
fn filled(world: &mut World) -> Books {
    let shop = world.otc_shop("Shop");
    let owner = world.sign_in(&shop, "ada@shop.example");
    operate(world, "ada@shop.example");
    let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
    world.deposit(&shop, till, 8453, "USDC", "1000");
    world.deposit(&shop, till, 8453, "ETH", "1");
    let post = |world: &mut World, path: &str, body: Value| {
        let answer = world.keyed(&shop, "POST", path, body);
        created(answer, path)
    };
    let signed = |world: &mut World, path: &str, body: Value| {
        let answer = world.signed(&shop, None, "POST", path, body);
        created(answer, path)
    };
    let virtual_account =
        json!({ "reference": "eu", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] });
    post(world, "/v1/accounts/virtual", virtual_account);
    let plan = json!({ "name": "Box", "price": "19.90", "currency": "USD", "type": "Recurring", "recurring_interval": "Month" });
    let plan = text(&post(world, "/v1/plan", plan), "id");
    let link =
        json!({ "amount": "12.50", "currency": "USD", "name": "Mug", "account_ids": [till] });
    let link = text(&post(world, "/v1/paylinks", link), "id");
    let start = format!("/v1/checkout/{link}/payments");
    let chosen =
        json!({ "chain_id": 8453, "currency": "USDC", "email": "p@payer.example", "name": "P" });
    let paid = created(world.public("POST", &start, chosen), "checkout");
    let paid = text(&paid, "payment_id");
    let pay = format!("/v1/sandbox/checkout/payments/{paid}/pay");
    created(world.public("POST", &pay, json!({})), "pay");
    world.pass_and_work(Duration::from_secs(60));
    let customer = world.read(&shop, "/v1/customers")["items"][0].clone();
    let customer = text(&customer, "id");
    let subscription = json!({ "customer_id": customer, "plan_ids": [plan] });
    let subscription = text(&post(world, "/v1/subscriptions", subscription), "id");
    let open = json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" });
    let open = text(&post(world, "/v1/payments", open), "id");
    let keep = json!({ "currency": "USDC", "minimum_threshold_amount": 1, "payout_address": WALLET, "payout_threshold_amount": 5000 });
    let keep_path = "/v1/partners/accounts/id/till/automations/maintain-balance";
    signed(world, keep_path, keep);
    let automations = "/v1/partners/accounts/till/automations";
    let automation = world.signed(&shop, None, "GET", automations, Value::Null);
    let automation = text(&automation.data()["items"][0], "id");
    let outside = json!({ "type": "Digital", "reference": "cold", "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] });
    let outside = signed(world, "/v1/accounts/external-account", outside);
    let outside = text(&outside, "id");
    let ask = &format!(
        "/v1/trade/quote?account_id={till}&sell_currency=USDC&sell_amount=50&buy_currency=ETH&deposit_method=Balance"
    );
    let accepted = text(&world.read(&shop, ask), "id");
    let order = format!("/v1/trade/quote/{accepted}/accept");
    let order = text(&post(world, &order, json!({})), "order_id");
    let quote = text(&world.read(&shop, ask), "id");
    let key = post(world, "/v1/api-keys", json!({ "name": "spare" }));
    let key = text(&key, "id");
    let settings = json!({ "webhook_url": "https://hooks.shop.example/" });
    created(world.keyed(&shop, "PUT", "/v1/orgs", settings), "settings");
    let replay = post(world, "/v1/events/replays", json!({ "type": "Org" }));
    let replay = text(&replay, "id");
    let event = text(&world.read(&shop, "/v1/events")["items"][0], "id");
    let movement = text(&world.read(&shop, "/v1/movements")["items"][0], "id");
    let invoice = text(&world.read(&shop, "/v1/invoices")["items"][0], "id");
    // Queued, but not sent before the connection is lost.
    let payout = json!({ "account": "till", "amount": "7", "currency": "USDC", "chain_id": 8453, "address": WALLET });
    signed(world, "/v1/payouts", payout);
    let guest = json!({ "email": "grace@shop.example", "role": "viewer" });
    let guest = world.session_with_step_up(&owner, "POST", "/v1/members", guest);
    let guest = text(&created(guest, "guest"), "id");
    let view = json!({ "page": "/payments", "name": "Open", "query": "status=Processing" });
    let view = world.session(&owner, "POST", "/v1/saved-views", view);
    let view = text(&created(view, "view"), "id");
    let note = json!({ "record_type": "Payment", "record_id": paid, "text": "Called the payer" });
    let note = world.session(&owner, "POST", "/v1/notes", note);
    let note = text(&created(note, "note"), "id");
    let ids = vec![
        ("account", "till".to_owned()),
        ("account_ref", "till".to_owned()),
        ("automation_id", automation),
        ("chain_id", "8453".to_owned()),
        ("currency", "ETH".to_owned()),
        ("customer_id", customer),
        ("event_id", event),
        ("external_account_id", outside),
        ("invoice_id", invoice),
        ("key_id", key),
        ("movement_id", movement),
        ("name", "MetaMask".to_owned()),
        ("note_id", note),
        ("order_id", order),
        ("paylink_id", link),
        ("payment_id", paid),
        ("plan_id", plan),
        ("quote_id", accepted),
        ("replay_id", replay),
        ("saved_view_id", view),
        ("subscription_id", subscription),
        ("transaction_id", "1".to_owned()),
        ("user_id", guest),
    ];
    Books {
        shop,
        owner,
        ids,
        quote,
        payment: open,
    }
}

/// The query of a valid call.
fn query(books: &Books, description: &Description) -> String {
    let query = match description.id {
        "EstimatePayout" => "?account=till&amount=1&currency=USDC&chain_id=8453",
        "RequestQuote" => "?sell_currency=USDC&sell_amount=5&buy_currency=ETH",
        "GetOverviewSeries" => "?metric=balance",
        "ListTradableAssets" => "?currency=USDC",
        "FindRecords" => "?text=till",
        "ListNotes" => {
            let payment = books.id("payment_id");
            return format!("?record_type=Payment&record_id={payment}");
        }
        _ => "",
    };
    query.to_owned()
}

/// The body of a valid call, which a sandbox accepts.
fn body(books: &Books, description: &Description) -> Value {
    match description.id {
        "CreateAccount" => {
            json!({ "reference": "new", "currencies": ["USDC"], "chain_id": 8453, "type": "CryptoPayIn" })
        }
        "CreatePayInAddress" => json!({ "chain_id": 8453 }),
        "CreateVirtualAccount" => {
            json!({ "reference": "us", "chains": [{ "chain_id": 8453, "currencies": ["USDC"] }] })
        }
        "UpdateVirtualAccount" => json!({ "chains": [{ "chain_id": 1, "currencies": ["USDC"] }] }),
        "CreateApiKey" => json!({ "name": "another" }),
        "ConvertBalance" => {
            json!({ "currency": "ETH", "to_currency": "USDC", "threshold_amount": 1, "max_cost_bps": 50 })
        }
        "MaintainBalance" => {
            json!({ "currency": "ETH", "minimum_threshold_amount": 1, "payout_address": WALLET, "payout_threshold_amount": 2 })
        }
        "UpdateAutomation" => json!({ "enabled": true }),
        "StartCheckout" => json!({ "chain_id": 8453, "currency": "USDC" }),
        "PayFromTestWallet" => json!({}),
        "AuthorizePayment" => json!({
            "from": WALLET, "value": "1", "valid_after": 0, "valid_before": 4_000_000_000_u64,
            "signature": format!("0x{}1b", "11".repeat(64)),
        }),
        "ProveOwnership" => json!({ "signature": format!("0x{}1b", "11".repeat(64)) }),
        "UpdateCustomer" => json!({ "name": "Q" }),
        "CreateReplay" => json!({ "type": "Org" }),
        "CreateTestEvent" => json!({ "type": "Payment" }),
        "CreateExternalAccount" => {
            json!({ "type": "Digital", "reference": "warm", "address": WALLET, "chain_id": 8453, "currencies": ["USDC"] })
        }
        "CreateInvoice" => json!({ "due_date": "2030-01-01T00:00:00Z" }),
        "AcceptInvitation" => {
            json!({ "token": "none", "name": "G", "password": "a long password of nobody" })
        }
        "OpenInvitation" => json!({ "token": "none" }),
        "InviteMember" => json!({ "email": "new@shop.example", "role": "viewer" }),
        "CreateWalletLink" => {
            json!({ "name": "House", "template": "house://pay?uri={payment_uri}" })
        }
        "RaiseTransactionFee" => json!({ "attempts": 1 }),
        "UpdateInstallationChain" => json!({ "paused": true }),
        "UpdateMember" => json!({ "role": "operator" }),
        "UpdateOrganisation" => json!({ "currency": "EUR" }),
        "CreatePaylink" => json!({ "amount": "1", "currency": "USDC", "name": "Cup" }),
        "UpdatePaylinks" => json!({ "items": [{ "id": books.id("paylink_id"), "enabled": true }] }),
        "CreatePayment" => {
            json!({ "amount": "5", "currency": "USDC", "chain_id": 8453, "account": "till" })
        }
        "RefundPayment" => json!({ "amount": "1" }),
        "CreatePayout" => {
            json!({ "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": WALLET })
        }
        "CreatePlan" => json!({ "name": "Bag", "price": "2", "currency": "USDC" }),
        "CreateQuickTrade" => json!({ "amount": "5", "currency": "USDC", "to_currency": "ETH" }),
        "CreateSubscription" => {
            json!({ "customer_id": books.id("customer_id"), "plan_ids": [books.id("plan_id")] })
        }
        "AdvanceClock" => json!({ "advance_seconds": 60 }),
        "CreateDeposit" => {
            json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": "1" })
        }
        "CreateFault" => json!({ "reason": "INTERNAL" }),
        "FailPayout" => json!({ "payment_id": books.payment }),
        "RefuseOrder" => json!({ "order_id": "ord_019cade5a0007000800000000000dead" }),
        "SetPrice" => json!({ "currency": "ETH", "usd": "2000" }),
        "ReorganiseChain" => json!({ "transaction_hash": format!("0x{}", "0".repeat(64)) }),
        "CreateNote" => {
            json!({ "record_type": "Payment", "record_id": books.id("payment_id"), "text": "Paid" })
        }
        "CreateSavedView" => json!({ "page": "/payments", "name": "All", "query": "" }),
        "CreateSession" => json!({ "email": "ada@shop.example", "password": PASSWORD }),
        "CreateStepUp" => json!({ "password": PASSWORD }),
        "SwitchOrganisation" => json!({ "org_id": "org_019cade5a0007000800000000000dead" }),
        "UpdatePassword" => json!({ "password": "another long password" }),
        _ if description.method == http::Method::GET => Value::Null,
        _ => json!({}),
    }
}

fn call(world: &mut World, books: &Books, description: &Description) -> Answer {
    let body = body(books, description);
    let mut path = format!("{PREFIX}{}{}", description.path, query(books, description));
    for name in description.path_params {
        let id = match (description.id, *name) {
            ("AcceptQuote" | "RejectQuote", _) => &books.quote,
            ("CancelPayment", _) => &books.payment,
            (_, name) => books.id(name),
        };
        path = path.replace(&format!("{{{name}}}"), id);
    }
    let method = description.method.as_str();
    match description.auth {
        Auth::Public => world.public(method, &path, body),
        Auth::Session => world.session_with_step_up(&books.owner, method, &path, body),
        Auth::Signed => world.signed(&books.shop, None, method, &path, body),
        _ => world.keyed(&books.shop, method, &path, body),
    }
}

/// Operations that need a connection, with the expected refusal.
const REFUSED: &[(&str, &str)] = &[
    ("CreateAccount", "409 CHAIN_NOT_CONNECTED chain_id"),
    ("CreatePayInAddress", "409 CHAIN_NOT_CONNECTED chain_id"),
    (
        "CreateVirtualAccount",
        "409 CHAIN_NOT_CONNECTED chains[0].chain_id",
    ),
    (
        "UpdateVirtualAccount",
        "409 CHAIN_NOT_CONNECTED chains[0].chain_id",
    ),
    ("CreateExternalAccount", "409 CHAIN_NOT_CONNECTED chain_id"),
    ("ConvertBalance", "409 CHAIN_NOT_CONNECTED"),
    ("MaintainBalance", "409 CHAIN_NOT_CONNECTED"),
    ("UpdateAutomation", "409 CHAIN_NOT_CONNECTED"),
    ("StartCheckout", "409 CHAIN_NOT_CONNECTED chain_id"),
    ("AuthorizePayment", "409 CHAIN_NOT_CONNECTED"),
    ("CreateInvoice", "409 CHAIN_NOT_CONNECTED"),
    ("CreatePaylink", "409 CHAIN_NOT_CONNECTED"),
    ("CreatePayment", "409 CHAIN_NOT_CONNECTED chain_id"),
    ("RefundPayment", "409 CHAIN_NOT_CONNECTED"),
    ("CreatePayout", "409 CHAIN_NOT_CONNECTED chain_id"),
    ("EstimatePayout", "409 CHAIN_NOT_CONNECTED chain_id"),
    ("CreatePlan", "409 CHAIN_NOT_CONNECTED"),
    ("CreateSubscription", "409 CHAIN_NOT_CONNECTED"),
    ("UpdateOrganisation", "409 RATE_UNAVAILABLE currency"),
    ("AcceptQuote", "409 VENUE_UNAVAILABLE"),
    ("RequestQuote", "409 VENUE_UNAVAILABLE"),
    ("CreateQuickTrade", "409 VENUE_UNAVAILABLE"),
];

/// The record of the test event.
const TEST_EVENT: &str = include_str!("../../../service/src/resources/event/examples/payment.json");

/// Calls refused by other rules: no invitation, money on the account, the order of calls.
const OTHERWISE: &[(&str, &str)] = &[
    ("AcceptInvitation", "404 NOT_FOUND"),
    ("OpenInvitation", "404 NOT_FOUND"),
    ("SwitchOrganisation", "404 NOT_FOUND"),
    ("ApprovePayout", "404 NOT_FOUND"),
    ("RefusePayout", "404 NOT_FOUND"),
    ("ListUnsweptProxies", "404 NOT_FOUND"),
    ("RaiseTransactionFee", "404 NOT_FOUND"),
    ("UpdateInstallationChain", "404 NOT_FOUND"),
    ("CancelReplay", "409 STATE_FORBIDS"),
    ("CreateOwnershipChallenge", "409 STATE_FORBIDS"),
    ("ProveOwnership", "409 STATE_FORBIDS"),
    ("DeleteAccount", "409 ACCOUNT_NOT_EMPTY"),
];

#[test]
fn without_connections_every_operation_works_or_names_the_missing_one() {
    World::each(|kind, mut world| {
        let books = filled(&mut world);
        let mut world = world.disconnected();
        let before = everything(world.parts().1, kind);
        assert!(movements(&before) > 0 && !on_chain(&before).is_empty());
        let mut odd = Vec::new();
        // Calls that end the session go last.
        let ends = |description: &&Description| {
            matches!(description.id, "DeleteSession" | "UpdatePassword")
        };
        let deletes = |description: &&Description| {
            let id = description.id;
            id.starts_with("Delete") || matches!(id, "RemoveMember" | "CancelSubscription")
        };
        let later = |description: &&Description| deletes(description) || ends(description);
        let first = CATALOGUE.iter().filter(|description| !later(description));
        let then = CATALOGUE
            .iter()
            .filter(|description| deletes(description) && !ends(description));
        let last = CATALOGUE
            .iter()
            .filter(|description| description.id == "DeleteSession");
        for description in first.chain(then).chain(last) {
            let answer = call(&mut world, &books, description);
            let expected = REFUSED
                .iter()
                .chain(OTHERWISE)
                .find(|(id, _)| *id == description.id)
                .map(|(_, refusal)| *refusal);
            let expected = match expected {
                None if description.sandbox => Some("403 SANDBOX_ONLY"),
                expected => expected,
            };
            let found = (answer.status >= 300).then(|| answer.refusal());
            let fits = match (&found, expected) {
                (None, None) => true,
                (Some(found), Some(expected)) => found.starts_with(expected),
                _ => false,
            };
            if !fits {
                odd.push(format!(
                    "{}: {found:?} instead of {expected:?}: {}",
                    description.id, answer.body
                ));
            }
        }
        assert_eq!(odd, Vec::<String>::new(), "{kind}");
        // Scheduled work: queued payouts, orders, automations, renewals.
        for _ in 0..3 {
            world.pass_and_work(Duration::from_secs(40 * 24 * 60 * 60));
        }
        let after = everything(world.parts().1, kind);
        // A test event was asked for: its example is marked as such.
        let mut known = on_chain(&before);
        known.extend(on_chain(&[TEST_EVENT.to_owned()]));
        let made: Vec<_> = on_chain(&after).difference(&known).cloned().collect();
        assert_eq!(made, Vec::<String>::new(), "{kind}");
        assert_eq!(movements(&after), movements(&before), "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn a_live_database_never_holds_simulated_data() {
    database::each(|kind, database| {
        let mut world = World::with(database, Mode::Live);
        let shop = world.otc_shop("Shop");
        let owner = world.sign_in(&shop, "ada@shop.example");
        let nobody = "019cade5a0007000800000000000dead";
        let ids = [
            ("account", "till".to_owned()),
            ("account_ref", "till".to_owned()),
            ("automation_id", "1".to_owned()),
            ("chain_id", "8453".to_owned()),
            ("currency", "ETH".to_owned()),
            ("external_account_id", "1".to_owned()),
            ("movement_id", "1".to_owned()),
            ("name", "MetaMask".to_owned()),
            ("transaction_id", "1".to_owned()),
        ];
        let prefixed = [
            ("customer_id", "cus"),
            ("event_id", "evt"),
            ("invoice_id", "inv"),
            ("key_id", "key"),
            ("note_id", "note"),
            ("order_id", "ord"),
            ("paylink_id", "pl"),
            ("payment_id", "pay"),
            ("plan_id", "plan"),
            ("quote_id", "quo"),
            ("replay_id", "rpl"),
            ("saved_view_id", "sv"),
            ("subscription_id", "sub"),
            ("user_id", "usr"),
        ];
        let prefixed = prefixed
            .iter()
            .map(|(name, prefix)| (*name, format!("{prefix}_{nobody}")));
        let books = Books {
            shop,
            owner,
            ids: ids.into_iter().chain(prefixed).collect(),
            quote: format!("quo_{nobody}"),
            payment: format!("pay_{nobody}"),
        };
        // The contracts of the known tokens.
        let known = on_chain(&everything(world.parts().1, kind));
        let mut refused = 0;
        for description in CATALOGUE {
            if matches!(description.id, "DeleteSession" | "UpdatePassword") {
                continue;
            }
            let answer = call(&mut world, &books, description);
            assert!(
                answer.status < 500,
                "{kind} {}: {}",
                description.id,
                answer.body
            );
            refused += u32::from(is_not_connected(&answer));
        }
        // The others name a missing record.
        assert!(refused >= 9, "{kind}: {refused}");
        world.pass_and_work(DAY);
        let rows = everything(world.parts().1, kind);
        assert_eq!(on_chain(&rows), known, "{kind}");
        assert_eq!(movements(&rows), 0, "{kind}");
    });
}

#[test]
fn without_prices_totals_are_absent_and_not_zero() {
    let mut world = World::new(database::sqlite());
    let books = filled(&mut world);
    let shown = world.read(&books.shop, "/v1/overview");
    assert!(shown["total_usd"].is_string() && shown["volume"][0]["in_usd"].is_string());
    let mut world = world.disconnected();
    let shown = world.read(&books.shop, "/v1/overview");
    assert!(shown.get("total_usd").is_none(), "{shown}");
    assert!(shown.get("reserved_usd").is_none(), "{shown}");
    assert!(shown["volume"][29].get("in_usd").is_none(), "{shown}");
    assert!(shown["volume"][29]["count"].is_u64(), "{shown}");
    assert_eq!(shown["accounts"], json!([]));
    let balances = shown["balances"].as_array().expect("balances");
    assert!(!balances.is_empty());
    assert!(
        balances
            .iter()
            .all(|balance| balance.get("amount_usd").is_none())
    );
    for (path, shape) in [
        ("/v1/chains", json!([])),
        ("/v1/trade/instruments", json!([])),
        ("/v1/trade/tradable-assets?currency=USDC", json!([])),
        (
            "/v1/trade/currencies",
            json!({ "currencies": [], "payment_methods": [] }),
        ),
    ] {
        assert_eq!(world.read(&books.shop, path), shape, "{path}");
    }
}

#[test]
fn without_a_connected_chain_a_checkout_offers_no_payment() {
    let mut world = World::new(database::sqlite());
    let books = filled(&mut world);
    let mut world = world.disconnected();
    let path = format!("/v1/checkout/{}", books.id("paylink_id"));
    let shown = world.public("GET", &path, Value::Null);
    assert_eq!(shown.data()["options"], json!([]), "{}", shown.body);
    assert!(!shown.body.to_string().contains("0x"), "{}", shown.body);
}

#[test]
fn a_not_connected_error_is_not_replayed_by_idempotency() {
    let mut world = World::with(database::sqlite(), Mode::Live);
    let shop = world.shop("Shop", None);
    let body = json!({ "reference": "till", "currencies": ["USDC"], "chain_id": 8453, "type": "CryptoPayIn" });
    let headers = vec![
        ("x-api-key".to_owned(), shop.key.clone()),
        ("idempotency-key".to_owned(), "once".to_owned()),
    ];
    let wanted = request("POST", "/v1/accounts", &body, headers);
    let refused = world.send(wanted.clone());
    assert_eq!(refused.refusal(), "409 CHAIN_NOT_CONNECTED chain_id");
    // After a chain is connected, the same request succeeds.
    let flip = "UPDATE settings SET value = 'sandbox' WHERE name = 'mode'";
    let (_, database) = world.parts();
    database.execute(flip, &[]).expect("the mode");
    let mut world = world.reopened(Mode::Sandbox);
    assert_eq!(world.send(wanted).status, 201);
}

#[test]
fn live_mode_takes_no_block_of_an_unconnected_chain() {
    World::each(|kind, mut world| {
        let books = filled(&mut world);
        let account = world.read(&books.shop, "/v1/accounts/till");
        let to = text(&account, "address");
        let mut world = world.disconnected();
        let before = everything(world.parts().1, kind);
        let now = world.now;
        let chain = "8453".parse().expect("a chain");
        let block = Block {
            chain,
            number: 7,
            hash: B256::repeat_byte(7),
            parent: B256::repeat_byte(6),
            mined_at: now,
            base_fee: 0,
            transfers: vec![Transfer {
                hash: B256::repeat_byte(8),
                index: TransferIndex::Value,
                token: None,
                from: Address::ZERO,
                to: to.parse().expect("an address"),
                units: U256::from(5_000_000),
            }],
            tokens: Vec::new(),
            sent: Vec::new(),
            authorized: Vec::new(),
            unconfigured: Vec::new(),
            untraced: Vec::new(),
            finalized: Some(BlockId {
                number: 7,
                hash: B256::repeat_byte(7),
            }),
        };
        let (service, database) = world.parts();
        let observed = service.observe_blocks(database, &[block], now, Seed([9; 32]));
        let observed = observed.expect("an answer").0;
        assert_eq!(observed, Observed::NotConnected, "{kind}");
        assert_eq!(everything(world.parts().1, kind), before, "{kind}");
    });
}

#[test]
fn a_database_is_refused_in_the_other_mode_before_anything_is_written() {
    for (made_in, other) in [(Mode::Sandbox, Mode::Live), (Mode::Live, Mode::Sandbox)] {
        database::each(|kind, mut database| {
            assert_eq!(mode::stored(database.as_mut()), Ok(None), "{kind}");
            assert_eq!(mode::open(database.as_mut(), made_in), Ok(()), "{kind}");
            assert_eq!(mode::open(database.as_mut(), made_in), Ok(()), "{kind}");
            assert_eq!(mode::stored(database.as_mut()), Ok(Some(made_in)), "{kind}");
            let wrong = Err(StoreError::WrongMode {
                found: made_in,
                asked: other,
            });
            let before = everything(database.as_mut(), kind);
            assert_eq!(mode::check(database.as_mut(), other), wrong, "{kind}");
            assert_eq!(mode::open(database.as_mut(), other), wrong, "{kind}");
            assert_eq!(everything(database.as_mut(), kind), before, "{kind}");
        });
    }
}

#[test]
fn a_database_of_the_other_mode_is_not_even_migrated() {
    let mut database = database::sqlite();
    mode::open(database.as_mut(), Mode::Sandbox).expect("its mode");
    let next = Migration {
        name: "9999_next",
        sql: "CREATE TABLE next (id BIGINT NOT NULL) {STRICT};",
    };
    let newer = [migrate::HISTORY, &[next]].concat();
    let wrong = Err(StoreError::WrongMode {
        found: Mode::Sandbox,
        asked: Mode::Live,
    });
    let opened = mode::open_along(database.as_mut(), Mode::Live, &newer);
    assert_eq!(opened, wrong);
    assert!(database.query("SELECT id FROM next", &[]).is_err());
    let opened = mode::open_along(database.as_mut(), Mode::Sandbox, &newer);
    assert_eq!(opened, Ok(()));
    assert!(database.query("SELECT id FROM next", &[]).is_ok());
}

#[test]
fn of_two_concurrent_creations_in_different_modes_one_is_refused() {
    let address = settlekit_tests::postgres::database();
    let open = |mode: Mode| {
        let address = address.clone();
        std::thread::spawn(move || {
            let mut database =
                settlekit_service::store::postgres::Postgres::open(&address).expect("a connection");
            mode::open(&mut database, mode)
        })
    };
    let both = [open(Mode::Sandbox), open(Mode::Live)];
    let ends = both.map(|thread| thread.join().expect("an end"));
    assert_eq!(ends.iter().filter(|end| end.is_ok()).count(), 1, "{ends:?}");
}

#[test]
fn books_of_one_mode_are_not_imported_into_the_other() {
    let mut sandbox = World::new(database::sqlite());
    let shop = sandbox.shop("Shop", None);
    let mut lines = Vec::new();
    let (service, database) = sandbox.parts();
    let exported = service.export(database, shop.id, &mut |line| {
        lines.push(line.to_owned());
        true
    });
    assert!(exported.expect("books").is_some());
    assert!(lines[0].contains("\"mode\":\"sandbox\""), "{}", lines[0]);
    let mut live = World::with(database::sqlite(), Mode::Live);
    let now = live.now;
    let (service, database) = live.parts();
    let imported = service.import(database, &mut lines.into_iter(), now, Seed([3; 32]));
    let imported = format!("{:?}", imported.expect("a database"));
    assert!(
        imported.contains("sandbox mode and the database is in live mode"),
        "{imported}"
    );
    assert_eq!(
        rows(database, "SELECT id FROM organisations"),
        Vec::<String>::new()
    );
}

#[test]
fn the_demo_is_refused_in_a_live_database() {
    let mut world = World::with(database::sqlite(), Mode::Live);
    let now = world.now;
    let (service, database) = world.parts();
    let filled =
        settlekit_service::demo::fill(service, database, now, Seed([1; 32]), &mut |_, _| {});
    assert!(
        matches!(filled, Err(StoreError::NotConnected(_))),
        "{filled:?}"
    );
    assert_eq!(
        rows(database, "SELECT id FROM organisations"),
        Vec::<String>::new()
    );
    assert_eq!(world.call(Command::Migrate), Reply::Done);
}
