//! The Rust client and its examples, against a listening server.

use serde_json::json;
use settlekit::api::account::{ListMovements, ListMovementsPath, ListMovementsQuery};
use settlekit::api::customer::{ListCustomers, ListCustomersQuery};
use settlekit::api::error::Reason;
use settlekit::api::event::DeliveryStatus;
use settlekit::api::organisation::GetOrganisation;
use settlekit::api::payment::{CreatePayment, CreatePaymentBody};
use settlekit::api::value::AccountKey;
use settlekit::{Call, Client, Error, NoPath, Nothing, Options, Settings};
use settlekit_server::build;
use settlekit_service::admin::NewOrganisation;
use settlekit_service::{Mode, Seed, Service};
use settlekit_tests::world::{amount, currency};

use super::{Listening, advance, call, create_organisation, open, setup_on};

#[path = "../../../client/examples/act_for_a_sub_merchant.rs"]
mod act_for_a_sub_merchant;
#[path = "../../../client/examples/ask_for_a_quote.rs"]
mod ask_for_a_quote;
#[path = "../../../client/examples/change_settings.rs"]
mod change_settings;
#[path = "../../../client/examples/deliver_again.rs"]
mod deliver_again;
#[path = "../../../client/examples/join.rs"]
mod join;
#[path = "../../../client/examples/keep_a_balance.rs"]
mod keep_a_balance;
#[path = "../../../client/examples/look_around.rs"]
mod look_around;
#[path = "../../../client/examples/open_an_account.rs"]
mod open_an_account;
#[path = "../../../client/examples/pay_out.rs"]
mod pay_out;
#[path = "../../../client/examples/read_the_ledger.rs"]
mod read_the_ledger;
#[path = "../../../client/examples/subscribe_a_customer.rs"]
mod subscribe_a_customer;
#[path = "../../../client/examples/take_a_payment.rs"]
mod take_a_payment;
#[path = "../../../client/examples/trade_at_once.rs"]
mod trade_at_once;
#[path = "../../../client/examples/try_it_out.rs"]
mod try_it_out;

/// A listening server with a shop that has an account, and the shop's partner.
struct World {
    router: axum::Router,
    partner: settlekit_service::admin::CreatedOrganisation,
    shop: settlekit_service::admin::CreatedOrganisation,
    listening: Listening,
    _folder: tempfile::TempDir,
}

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let setup = setup_on(&folder.path().join("book.db"));
        let partner = create_organisation(&setup, "Partner");
        let shop = {
            let service = Service::new(settlekit_service::Options {
                master_key: setup.master_key.0,
                mode: Mode::Sandbox,
                allow_private_webhooks: true,
                public_url: setup.public_url.clone(),
            });
            let new = NewOrganisation {
                name: "Shop".to_owned(),
                partner: Some(partner.id),
                otc: false,
                inbox: false,
            };
            let now = "2026-03-02T09:00:00Z".parse().expect("a timestamp");
            service
                .create_organisation(open(&setup.database).as_mut(), &new, now, Seed([9; 32]))
                .expect("an organisation")
        };
        let server = build(&setup).expect("a server");
        let router = server.router();
        let listening = Listening::start(server).await;
        let till = json!({ "reference": "till", "chain_id": 8453, "currencies": ["USDC"] });
        call(&router, &shop.api_key, "POST", "/accounts", till).await;
        Self {
            router,
            partner,
            shop,
            listening,
            _folder: folder,
        }
    }

    /// A signing client of the shop.
    fn signing_alone(&self) -> Client {
        Client::with(Settings {
            base_url: self.listening.base.clone(),
            api_key: Some(self.shop.api_key.clone()),
            signing_secret: Some(self.shop.signing_secret.clone()),
            ..Settings::default()
        })
        .expect("a client")
    }

    fn client(&self) -> Client {
        Client::new(&self.listening.base, &self.shop.api_key).expect("a client")
    }

    fn signing(&self) -> Client {
        Client::with(Settings {
            base_url: format!("{}/v1/", self.listening.base),
            api_key: Some(self.partner.api_key.clone()),
            signing_secret: Some(self.partner.signing_secret.clone()),
            ..Settings::default()
        })
        .expect("a client")
    }

    async fn deposit(&self, amount: &str) {
        let body =
            json!({ "account": "till", "chain_id": 8453, "currency": "USDC", "amount": amount });
        self.post("/sandbox/deposits", body).await;
    }

    /// The shop's account, by id.
    async fn account(&self) -> AccountKey {
        let key = &self.shop.api_key;
        let account = call(&self.router, key, "GET", "/accounts/till", json!(null)).await;
        let id = account["id"].to_string();
        AccountKey::Id(id.parse().expect("an id"))
    }

    async fn pass(&self, seconds: u64) {
        advance(&self.router, &self.shop.api_key, seconds).await;
    }

    async fn post(&self, path: &str, body: serde_json::Value) {
        call(&self.router, &self.shop.api_key, "POST", path, body).await;
    }

    async fn end(self) {
        self.listening.end().await;
    }
}

fn whoami() -> Call<GetOrganisation> {
    Call {
        path: NoPath,
        query: Nothing {},
        body: Nothing {},
    }
}

fn payment(amount: &str) -> Call<CreatePayment> {
    Call {
        path: NoPath,
        query: Nothing {},
        body: CreatePaymentBody {
            amount: amount.parse().expect("an amount"),
            currency: currency("USDC"),
            chain_id: serde_json::from_value(json!(8453)).expect("a chain"),
            account: None,
            customer_id: None,
            metadata: None,
            reference: None,
        },
    }
}

#[tokio::test]
async fn a_list_is_streamed_over_all_pages() {
    let world = World::new().await;
    for number in 1..=7 {
        world.deposit(&format!("0.{number}")).await;
    }
    // The chain confirms them, so their times are in the past.
    world.pass(600).await;
    let client = world.client();
    let till = || AccountKey::Reference("till".parse().expect("a reference"));
    let mut sums = read_the_ledger::received(&client, till(), 2)
        .await
        .expect("sums");
    let mut tries = 0;
    while sums.get("USDC").map(ToString::to_string) != Some("2.8".to_owned()) && tries < 200 {
        tokio::task::yield_now().await;
        tries += 1;
        sums = read_the_ledger::received(&client, till(), 2)
            .await
            .expect("sums");
    }
    assert_eq!(sums["USDC"].to_string(), "2.8");
    world.end().await;
}

#[tokio::test]
async fn a_new_link_has_no_payments() {
    let world = World::new().await;
    let client = world.client();
    let link = take_a_payment::make_a_link(&client).await.expect("a link");
    let confirmed = take_a_payment::confirmed(&client, &link).await;
    assert_eq!(confirmed.expect("a count"), 0);
    world.end().await;
}

#[tokio::test]
async fn a_clock_that_is_an_hour_late_is_corrected_once_and_the_call_succeeds() {
    let world = World::new().await;
    world.deposit("3").await;
    world.pass(3600).await;
    let partner = world.signing();
    let read = || {
        act_for_a_sub_merchant::balances(
            &partner,
            world.shop.id,
            "till".parse().expect("a reference"),
        )
    };
    assert!(read().await.is_ok());
    assert!(read().await.is_ok(), "and stays corrected");
    world.end().await;
}

#[tokio::test]
async fn calls_for_a_sub_merchant_are_signed() {
    let world = World::new().await;
    world.deposit("3").await;
    let call = Call::<ListMovements> {
        path: ListMovementsPath {
            account: AccountKey::Reference("till".parse().expect("a reference")),
        },
        query: ListMovementsQuery::default(),
        body: Nothing {},
    };
    let options = Options {
        organisation: Some(world.shop.id),
        ..Options::default()
    };
    let read = world.signing().call_with(&call, &options).await;
    assert_eq!(read.expect("their movements").total, 1);
    let unsigned = Client::new(&world.listening.base, &world.partner.api_key).expect("a client");
    let read = unsigned.call_with(&call, &options).await;
    assert!(matches!(read, Err(Error::Settings(_))), "{read:?}");
    world.end().await;
}

#[tokio::test]
async fn errors_are_typed_and_invalid_requests_are_not_sent() {
    let world = World::new().await;
    let stranger = Client::new(&world.listening.base, "sk_0000").expect("a client");
    match stranger.call(&whoami()).await {
        Err(Error::Refused(refused)) => {
            assert_eq!(refused.status.as_u16(), 401);
            assert!(refused.request_id.is_some());
        }
        other => panic!("not refused: {other:?}"),
    }
    let client = world.client();
    match client.call(&payment("-1")).await {
        Err(error @ Error::Invalid(_)) => assert!(error.is(Reason::NotPositive), "{error}"),
        other => panic!("it left: {other:?}"),
    }
    let unsigned = Client::new(&world.listening.base, &world.partner.api_key).expect("a client");
    let reference = "till".parse().expect("a reference");
    let read = act_for_a_sub_merchant::balances(&unsigned, world.shop.id, reference).await;
    assert!(matches!(read, Err(Error::Settings(_))), "{read:?}");
    world.end().await;
}

#[tokio::test]
async fn the_same_idempotency_key_creates_one_payment() {
    let world = World::new().await;
    let client = world.client();
    let options = Options {
        idempotency_key: Some("order-17".to_owned()),
        ..Options::default()
    };
    let first = client
        .call_with(&payment("5"), &options)
        .await
        .expect("a payment");
    let again = client
        .call_with(&payment("5"), &options)
        .await
        .expect("the same");
    assert_eq!(first.id, again.id);
    let other = client.call_with(&payment("6"), &options).await;
    assert!(matches!(other, Err(Error::Refused(refused)) if refused.status.as_u16() == 422));
    world.end().await;
}

#[test]
fn settings_that_no_request_can_be_sent_with_are_refused() {
    for (base_url, expected) in [
        ("https://pay.example?a=b", "must not have a query"),
        ("https://pay.example/v1#a", "must not have a fragment"),
        ("https://münchen.example", "must be ASCII"),
    ] {
        match Client::new(base_url, "sk_1") {
            Err(Error::Settings(message)) => assert!(message.contains(expected), "{message}"),
            other => panic!("{base_url}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn an_api_key_outside_ascii_is_refused_before_sending() {
    let client = Client::new("http://127.0.0.1:1", "schlüssel").expect("a client");
    match client.call(&whoami()).await {
        Err(Error::Settings(message)) => assert!(message.contains("API key"), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_unreachable_service_is_reported() {
    let client = Client::with(Settings {
        base_url: "http://127.0.0.1:1".to_owned(),
        retries: 0,
        ..Settings::default()
    })
    .expect("a client");
    assert!(matches!(
        client.call(&whoami()).await,
        Err(Error::Connection(_))
    ));
}

/// Waits until the deposits are confirmed.
async fn covered(client: &Client, wanted: &pay_out::Wanted) -> bool {
    for _ in 0..200 {
        let estimate = pay_out::estimate(client, wanted)
            .await
            .expect("an estimate");
        if estimate.covered {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

#[tokio::test]
async fn the_payout_and_trading_examples_work() {
    let world = World::new().await;
    let client = world.client();
    world.deposit("100").await;
    world.pass(600).await;
    let wanted = pay_out::Wanted {
        account: AccountKey::Reference("till".parse().expect("a reference")),
        chain_id: "8453".parse().expect("a chain"),
        currency: currency("USDC"),
        amount: amount("5"),
    };
    assert!(covered(&client, &wanted).await, "the deposit is confirmed");
    let to = settlekit_tests::world::WALLET;
    let to = || to.parse().expect("a wallet");
    let unsigned = pay_out::send(&client, &wanted, to()).await;
    assert!(matches!(unsigned, Err(Error::Settings(_))), "{unsigned:?}");
    let signing = world.signing_alone();
    let sent = pay_out::send(&signing, &wanted, to())
        .await
        .expect("a payout");
    assert_eq!(sent.status.as_str(), "Pending");

    let vault = json!({ "reference": "vault", "chain_id": 8453, "currencies": ["ETH"] });
    world.post("/accounts", vault).await;
    let sold = || (amount("10"), wanted.currency.clone());
    let bought = || currency("ETH");
    let estimate = trade_at_once::trade(&client, sold(), bought(), true).await;
    assert!(estimate.expect("an estimate").order_id.is_none());
    let order = trade_at_once::trade(&client, sold(), bought(), false).await;
    assert!(order.expect("an order").order_id.is_some());
    let quote = ask_for_a_quote::ask(&client, sold(), bought()).await;
    let quote = quote.expect("a quote");
    let accepted = ask_for_a_quote::accept(&client, quote.id).await;
    assert_eq!(accepted.expect("an order").quote_id, Some(quote.id));
    let till = world.account().await;
    let kept = keep_a_balance::keep(&world.signing(), world.shop.id, till, to()).await;
    assert_eq!(
        kept.expect("a rule").payout_threshold_amount.to_string(),
        "500"
    );
    world.end().await;
}

#[tokio::test]
async fn the_account_subscription_and_replay_examples_work() {
    let world = World::new().await;
    let client = world.client();
    let chains = ["1", "8453"].map(|chain| chain.parse().expect("a chain"));
    let usdc = || currency("USDC");
    let reference = "booth".parse().expect("a reference");
    let opened = open_an_account::open(&client, reference, &chains, &usdc()).await;
    let opened = opened.expect("an account");
    assert_eq!(opened.sub_accounts.map(|below| below.len()), Some(2));
    let wallet = settlekit_tests::world::WALLET;
    let wallet = wallet.parse().expect("a wallet");
    let signing = world.signing_alone();
    let kept = open_an_account::keep_destination(&signing, wallet, chains[1], usdc()).await;
    assert!(kept.expect("a destination").enabled);

    let link = take_a_payment::make_a_link(&client).await.expect("a link");
    let payer = json!({ "chain_id": 8453, "currency": "USDC", "email": "ada@tea.example" });
    let path = format!("/checkout/{link}/payments");
    world.post(&path, payer).await;
    let customers = Call::<ListCustomers> {
        path: NoPath,
        query: ListCustomersQuery::default(),
        body: Nothing {},
    };
    let customer = client.call(&customers).await.expect("customers").items[0].id;
    let subscribed = subscribe_a_customer::subscribe(&client, customer).await;
    assert_eq!(
        subscribed.expect("a subscription").status.as_str(),
        "Active"
    );
    let invoices = subscribe_a_customer::invoices(&client, customer).await;
    let amounts: Vec<String> = invoices
        .expect("invoices")
        .iter()
        .map(|invoice| invoice.amount.to_string())
        .collect();
    assert_eq!(amounts, ["9.90"]);

    let skipped = || DeliveryStatus::Skipped;
    let count = deliver_again::count(&client, skipped())
        .await
        .expect("a count");
    assert!(count > 0);
    let before = change_settings::send_webhooks_to(&client, "http://127.0.0.1:9/hooks").await;
    let after = change_settings::rotate_key(&client).await;
    let keys = [before, after].map(|settings| settings.expect("settings").webhook_public_key);
    assert!(keys[1].is_some() && keys[0] != keys[1], "another key");
    let replay = deliver_again::begin(&client, skipped())
        .await
        .expect("a replay");
    assert_eq!(replay.total, count);
    let replay_status = deliver_again::read_replay(&client, replay.id).await;
    assert_eq!(replay_status.expect("the replay").id, replay.id);
    world.end().await;
}

#[tokio::test]
async fn the_checkout_and_search_examples_work() {
    let world = World::new().await;
    let client = world.client();
    let link = take_a_payment::make_a_link(&client).await.expect("a link");
    let link_id = link.parse().expect("an id");
    let paid = try_it_out::pay(&client, link_id).await.expect("a payment");
    let paid = paid.expect("a way to pay");
    let clock = try_it_out::wait(&client, 600).await.expect("a clock");
    assert_eq!(clock.ahead_seconds, 600);
    assert_eq!(
        take_a_payment::confirmed(&client, &link)
            .await
            .expect("payments"),
        1
    );

    let chains = look_around::chains(&client).await.expect("chains");
    assert!(chains.iter().any(|name| name == "Base"), "{chains:?}");
    let rates = look_around::rates(&client).await.expect("rates");
    assert!(rates.iter().all(|rate| rate.usd.is_some()), "{rates:?}");
    let overview = look_around::overview(&client).await.expect("an overview");
    let held: Vec<String> = overview
        .balances
        .iter()
        .map(|held| held.available.to_string())
        .collect();
    assert!(held.contains(&"12.5".to_owned()), "{held:?}");
    let hash = paid.transaction_hash.expect("a transaction");
    let found = look_around::find(&client, &hash).await.expect("records");
    let kinds: Vec<&str> = found.iter().map(|found| found.kind.as_str()).collect();
    assert!(kinds.contains(&"Payment"), "{kinds:?}");
    let key = look_around::key_to_look(&client).await.expect("a key");
    assert!(key.key.is_some());
    let refused = look_around::saved_views(&client).await;
    assert!(refused.is_err(), "a key is not a session");
    let refused = look_around::notes(&client, "1").await;
    assert!(refused.is_err(), "a key is not a session");
    let refused = look_around::sign_in(&client, "nobody@tea.example", "wrong").await;
    assert!(refused.is_err(), "there is no such person");
    for refused in [
        join::invitation(&client, "nothing").await.err(),
        join::join(&client, "nothing", "Ada", "a door that opens quietly")
            .await
            .err(),
    ] {
        let refused = refused.expect("there is no such invitation").to_string();
        assert!(refused.contains("invitation not found"), "{refused}");
    }
    world.end().await;
}
