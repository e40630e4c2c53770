//! Many requests at once, through every layer, on both databases.

use serde_json::{Value, json};
use settlekit_server::build;
use settlekit_server::engine::Address;
use settlekit_service::ledger;
use settlekit_tests::postgres;

use super::{call, create_organisation, open, setup};

#[test]
fn deposits_at_once_are_all_answered_and_the_books_balance() {
    const SENDERS: u64 = 8;
    const EACH: u64 = 15;
    let folder = tempfile::tempdir().expect("a folder");
    for address in [
        Address::Sqlite(folder.path().join("book.db")),
        Address::Postgres(postgres::database()),
    ] {
        let setup = setup(address);
        let key = create_organisation(&setup, "Acme").api_key;
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let server = build(&setup).expect("a server");
            let router = server.router();
            let account = json!({"name": "Main", "reference": "main", "chain_id": 1, "currencies": ["USDC"]});
            call(&router, &key, "POST", "/accounts", account).await;
            let mut senders = Vec::new();
            for _ in 0..SENDERS {
                let (router, key) = (router.clone(), key.clone());
                senders.push(tokio::spawn(async move {
                    for _ in 0..EACH {
                        let deposit = json!({"account": "main", "chain_id": 1, "currency": "USDC", "amount": "1.5"});
                        call(&router, &key, "POST", "/sandbox/deposits", deposit).await;
                    }
                }));
            }
            for sender in senders {
                sender.await.expect("every deposit is answered with success");
            }
            // Past every confirmation.
            call(&router, &key, "POST", "/sandbox/clock", json!({"advance_seconds": 3600})).await;
            let movements = call(&router, &key, "GET", "/accounts/1/movement?limit=1", Value::Null).await;
            assert_eq!(movements["total"], SENDERS * EACH);
            let overview = call(&router, &key, "GET", "/overview", Value::Null).await;
            assert_eq!(overview["balances"][0]["posted"], "180", "{overview}");
            server.close().await;
        });
        let audit = ledger::verify(open(&setup.database).as_mut()).expect("an audit");
        assert_eq!(audit.differences, []);
        assert!(audit.postings >= 2 * SENDERS * EACH);
    }
}
