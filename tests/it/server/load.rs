//! Concurrent requests through every layer, on both databases.

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_server::engine::Address;
use settlekit_server::{Server, build};
use settlekit_service::ledger;
use settlekit_tests::postgres;

use super::{Listening, advance, call, create_organisation, http_client, open, setup};

/// Runs a test on a server with an organisation, on each database; audits the books afterwards.
fn check<F: Future<Output = ()>>(postings: u64, test: impl Fn(Server, String) -> F) {
    let folder = tempfile::tempdir().expect("a folder");
    for address in [
        Address::Sqlite(folder.path().join("book.db")),
        Address::Postgres(postgres::database()),
    ] {
        let setup = setup(address);
        let key = create_organisation(&setup, "Acme").api_key;
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async { test(build(&setup).expect("a server"), key).await });
        let audit = ledger::verify(open(&setup.database).as_mut()).expect("an audit");
        assert_eq!(audit.differences, []);
        assert!(audit.postings >= postings);
    }
}

#[test]
fn concurrent_deposits_are_all_booked() {
    const SENDERS: u64 = 8;
    const EACH: u64 = 15;
    check(2 * SENDERS * EACH, |server, key| async move {
        let router = server.router();
        let account =
            json!({ "name": "Main", "reference": "main", "chain_id": 1, "currencies": ["USDC"] });
        call(&router, &key, "POST", "/accounts", account).await;
        let mut senders = Vec::new();
        for _ in 0..SENDERS {
            let (router, key) = (router.clone(), key.clone());
            senders.push(tokio::spawn(async move {
                for _ in 0..EACH {
                    let deposit = json!({ "account": "main", "chain_id": 1, "currency": "USDC", "amount": "1.5" });
                    call(&router, &key, "POST", "/sandbox/deposits", deposit).await;
                }
            }));
        }
        for sender in senders {
            sender
                .await
                .expect("every deposit is answered with success");
        }
        // After all confirmations.
        advance(&router, &key, 3600).await;
        let path = "/accounts/1/movement?limit=1";
        let movements = call(&router, &key, "GET", path, Value::Null).await;
        assert_eq!(movements["total"], SENDERS * EACH);
        let overview = call(&router, &key, "GET", "/overview", Value::Null).await;
        assert_eq!(overview["balances"][0]["posted"], "180", "{overview}");
        server.close().await;
    });
}

/// The results of all clients' calls.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    sold: u32,
    refused: u32,
    deposited: u32,
    canceled: u32,
}

/// One client's calls, each on a pooled connection: two sales, a deposit, a payment started and canceled.
async fn client(http: reqwest::Client, base: String, key: String, number: u32) -> Results {
    let mut came = Results::default();
    let call = async |method: reqwest::Method, path: &str, body: Value| {
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let request = http
            .request(method, format!("{base}{path}"))
            .header(header::API_KEY, &key)
            .body(body);
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let text = answer.text().await.expect("a body");
        assert!(status < 500, "client {number}: {path}: {status} {text}");
        let body: Value = serde_json::from_str(&text).expect("JSON");
        (status, body)
    };
    let post = reqwest::Method::POST;
    let sell = json!({ "amount": "5", "currency": "USDC", "to_currency": "ETH", "chain_id": 8453, "to_chain_id": 8453 });
    for _ in 0..2 {
        match call(post.clone(), "/v1/trade/quicktrade", sell.clone()).await {
            (201, _) => came.sold += 1,
            (status, body) => {
                assert!(status == 409 || status == 422, "{status}: {body}");
                came.refused += 1;
            }
        }
    }
    let deposit =
        json!({ "account": "hot", "chain_id": 8453, "currency": "EURC", "amount": "0.5" });
    let (status, body) = call(post.clone(), "/v1/sandbox/deposits", deposit).await;
    assert_eq!(status, 201, "{body}");
    came.deposited += 1;
    let payment = json!({ "amount": "2", "currency": "EURC", "chain_id": 8453, "account": "hot" });
    let (status, body) = call(post.clone(), "/v1/payments", payment).await;
    assert_eq!(status, 201, "{body}");
    let one = format!(
        "/v1/payments/{}",
        body["data"]["id"].as_str().expect("an id")
    );
    let (status, body) = call(reqwest::Method::DELETE, &one, Value::Null).await;
    assert!(status < 300, "{status} {body}");
    came.canceled += 1;
    came
}

#[test]
fn two_hundred_http_clients_on_one_account_lose_nothing() {
    const CLIENTS: u32 = 200;
    // The stock.
    const HELD: u32 = 300;
    check(u64::from(4 * HELD), |server, key| async move {
        let router = server.router();
        let account =
            json!({ "reference": "hot", "chain_id": 8453, "currencies": ["USDC", "EURC", "ETH"] });
        call(&router, &key, "POST", "/accounts", account).await;
        let held = json!({ "account": "hot", "chain_id": 8453, "currency": "USDC", "amount": (HELD * 5).to_string() });
        call(&router, &key, "POST", "/sandbox/deposits", held).await;
        advance(&router, &key, 600).await;

        let listening = Listening::start(server).await;
        let http = http_client();
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let base = listening.base.clone();
                tokio::spawn(client(http.clone(), base, key.clone(), number))
            })
            .collect();
        let mut all = Results::default();
        for client in clients {
            let came = client.await.expect("its calls are answered");
            all.sold += came.sold;
            all.refused += came.refused;
            all.deposited += came.deposited;
            all.canceled += came.canceled;
        }
        let wanted = Results {
            sold: HELD,
            refused: 2 * CLIENTS - HELD,
            deposited: CLIENTS,
            canceled: CLIENTS,
        };
        assert_eq!(all, wanted, "what is held is sold, and not more");

        advance(&router, &key, 600).await;
        let overview = call(&router, &key, "GET", "/overview", Value::Null).await;
        let posted = |currency: &str| {
            let mut balances = overview["balances"].as_array().expect("balances").iter();
            let found = balances.find(|balance| balance["currency"] == currency);
            found.expect("the currency")["posted"].clone()
        };
        assert_eq!((posted("USDC"), posted("EURC")), (json!("0"), json!("100")));
        let path = "/payments?status=Canceled&limit=1";
        let canceled = call(&router, &key, "GET", path, Value::Null).await;
        assert_eq!(canceled["total"], CLIENTS);
        listening.end().await;
    });
}
