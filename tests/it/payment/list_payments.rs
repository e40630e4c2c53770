//! `GET /payments`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::store::derived;
use settlekit_tests::world::{Shop, WALLET, World, items, pages, text, texts};
use settlekit_tests::{bulk, database};

use crate::payout::{payout, shop};

/// The ids of the payments that match a query, oldest first. Pages, orders and total are checked.
fn found(world: &mut World, shop: &Shop, query: &str) -> Vec<String> {
    let found = pages(&format!("/v1/payments?{query}"), |path| {
        world.read(shop, path)
    });
    texts(&found, "id")
}

#[test]
fn payments_are_filtered_by_customer_and_by_link() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let other = world.shop("Other", None);
        let mut link = || {
            let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            world.post(&shop, "/v1/paylinks", link).id()
        };
        let (tea, cake) = (link(), link());
        let mut begin = |link: &str, email: &str| {
            let body = json!({ "chain_id": 8453, "currency": "USDC", "email": email });
            let path = format!("/v1/checkout/{link}/payments");
            let begun = world.public("POST", &path, body);
            let payment = text(begun.data(), "payment_id");
            payment.to_owned()
        };
        let one = begin(&tea, "ada@tea.example");
        let two = begin(&tea, "bo@tea.example");
        let other_link = begin(&cake, "ada@tea.example");
        let by_hand = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453 });
        world.keyed(&shop, "POST", "/v1/payments", by_hand.clone());
        let ada = world.read(&shop, &format!("/v1/payments/{one}"));
        let ada = &text(&ada, "customer_id");
        // Whose a payment is the merchant says.
        let mut of_ada = by_hand;
        of_ada["customer_id"] = ada.as_str().into();
        let mut again = || world.post(&shop, "/v1/payments", of_ada.clone()).id();
        let (three, four) = (again(), again());
        world.signed(
            &shop,
            None,
            "DELETE",
            &format!("/v1/payments/{four}"),
            Value::Null,
        );

        for (query, total, expected) in [
            (format!("customer_id={ada}"), 3, vec![&four, &three, &one]),
            (
                format!("customer_id={ada}&sort=asc&limit=2"),
                3,
                vec![&one, &three],
            ),
            (
                format!("customer_id={ada}&sort=asc&limit=2&page=2"),
                3,
                vec![&four],
            ),
            (format!("paylink_id={tea}"), 2, vec![&two, &one]),
            (format!("paylink_id={cake}"), 1, vec![&other_link]),
            (format!("paylink_id={tea}&customer_id={ada}"), 1, vec![&one]),
            (format!("customer_id={ada}&status=Canceled"), 1, vec![&four]),
            (format!("customer_id={ada}&status=Confirmed"), 0, Vec::new()),
        ] {
            let found = world.read(&shop, &format!("/v1/payments?{query}"));
            let ids = texts(items(&found), "id");
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{kind}: {query}");
            assert_eq!(found["total"], total, "{kind}: {query}");
        }
        for query in [format!("customer_id={ada}"), format!("paylink_id={tea}")] {
            let found = world.read(&other, &format!("/v1/payments?{query}"));
            assert_eq!(found["total"], 0, "{kind}: another's");
        }
        let wrong = world.keyed(
            &shop,
            "GET",
            "/v1/payments?customer_id=ada&paylink_id=tea",
            Value::Null,
        );
        assert_eq!(wrong.status, 400, "{kind}: {}", wrong.body);
        assert!(
            wrong.refusal().contains("customer_id"),
            "{kind}: {}",
            wrong.refusal()
        );
        assert!(
            wrong.refusal().contains("paylink_id"),
            "{kind}: {}",
            wrong.refusal()
        );
    });
}

#[test]
fn payments_are_filtered_by_method_currency_and_amount() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let other = world.shop("Other", None);
        let mut of = |amount: &str, currency: &str| {
            let body = json!({ "amount": amount, "currency": currency, "chain_id": 8453 });
            world.post(&shop, "/v1/payments", body).id()
        };
        let (five, ten) = (of("5", "USDC"), of("10.00", "USDC"));
        let (ether, less) = (of("0.5", "ETH"), of("9.99", "USDC"));
        let sent = payout(&mut world, &shop, "7").id();
        for (query, expected) in [
            (
                "payment_method=ProxyWallet,Direct",
                vec![&five, &ten, &ether, &less],
            ),
            ("payment_method=Payout,Payout", vec![&sent]),
            ("payment_method=Direct", vec![]),
            ("currency=ETH", vec![&ether]),
            (
                "currency=ETH,USDC&payment_method=Direct,ProxyWallet",
                vec![&five, &ten, &ether, &less],
            ),
            ("currency=USDC&status=Processing", vec![&five, &ten, &less]),
            ("currency=EURC", vec![]),
            ("currency=USDC&amount_from=9.99", vec![&ten, &less]),
            (
                "currency=USDC&amount_from=5.00&amount_to=9.990",
                vec![&five, &less, &sent],
            ),
            ("currency=USDC,ETH&amount_to=1", vec![&ether]),
            (
                "currency=USDC&amount_from=6&payment_method=ProxyWallet",
                vec![&ten, &less],
            ),
            ("currency=USDC&amount_from=10.01", vec![]),
            ("currency=USDC&amount_to=-1", vec![]),
        ] {
            let ids = found(&mut world, &shop, query);
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{kind}: {query}");
            let theirs = found(&mut world, &other, query);
            assert_eq!(theirs, Vec::<String>::new(), "{kind}: {query}");
        }

        // A payout under way is no payment in progress.
        world.work();
        let all = found(&mut world, &shop, "status=Processing");
        assert_eq!(all, [&five, &ten, &ether, &less, &sent].map(Clone::clone));
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["payments_processing"], 4, "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");

        for (query, refusal) in [
            ("amount_from=5", "422 REQUIRED currency"),
            ("amount_to=5&status=Failed", "422 REQUIRED currency"),
            (
                "currency=USDC&amount_from=2&amount_to=1.99",
                "400 RANGE_REVERSED amount_from",
            ),
            (
                "currency=USDC&amount_from=1e5",
                "400 AMOUNT_MALFORMED amount_from",
            ),
            (
                "payment_method=Direct,Card",
                "400 UNKNOWN_VALUE payment_method[1]",
            ),
            ("payment_method=", "422 EMPTY payment_method"),
            ("search=", "422 EMPTY search"),
        ] {
            let path = format!("/v1/payments?{query}");
            let refused = world.keyed(&shop, "GET", &path, Value::Null);
            assert_eq!(refused.refusal(), refusal, "{kind}: {query}");
        }
        let long = format!("/v1/payments?search={}", "a".repeat(129));
        let refused = world.keyed(&shop, "GET", &long, Value::Null);
        assert_eq!(refused.refusal(), "422 TOO_LONG search", "{kind}");
    });
}

#[test]
fn payments_are_searched_by_customer_link_reference_and_chain() {
    World::each(|kind, mut world| {
        let shop = shop(&mut world, "100");
        let other = world.shop("Other", None);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Früchtetee" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let mut begin = |payer: Value| {
            let mut body = json!({ "chain_id": 8453, "currency": "USDC" });
            body["name"] = payer["name"].clone();
            body["email"] = payer["email"].clone();
            let path = format!("/v1/checkout/{link}/payments");
            text(world.public("POST", &path, body).data(), "payment_id")
        };
        let ada = begin(json!({ "name": "Ada Łovelace", "email": "ada@tea.example" }));
        let bo = begin(json!({ "name": "Bo", "email": "bo@tea.example" }));
        let body = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453, "reference": "Order-47/a" });
        let order = world.post(&shop, "/v1/payments", body).id();
        let sent = payout(&mut world, &shop, "7").id();
        world.pay(&ada);
        world.pass_and_work(Duration::from_secs(60));
        let paid = world.read(&shop, &format!("/v1/payments/{ada}"));
        let address = text(&paid, "deposit_address");
        let hash = text(&paid["crypto_transactions"][0], "transaction_hash");
        let withdrawal = &world.list(&shop, "/v1/movements?type=Withdraw")[0];
        let sent_hash = text(withdrawal, "transaction_hash");
        let (lower_case, wallet) = (address.to_ascii_lowercase(), WALLET.to_ascii_lowercase());
        for (search, expected) in [
            ("LOVELACE", vec![&ada]),
            ("ada@tea", vec![&ada]),
            ("@tea.example", vec![&ada, &bo]),
            ("bo", vec![&bo]),
            ("fruchte", vec![&ada, &bo]),
            ("%20Fr%C3%9CCHTETEE%20", vec![&ada, &bo]),
            ("Order-47", vec![&order]),
            ("rder-47/a", vec![]),
            ("_rder", vec![]),
            (address.as_str(), vec![&ada]),
            (lower_case.as_str(), vec![&ada]),
            (&address[..20], vec![]),
            (hash.as_str(), vec![&ada]),
            (sent_hash.as_str(), vec![&sent]),
            (WALLET, vec![&sent]),
            (wallet.as_str(), vec![&sent]),
            (order.as_str(), vec![&order]),
            ("nobody", vec![]),
        ] {
            let ids = found(&mut world, &shop, &format!("search={search}"));
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{kind}: {search}");
            let theirs = found(&mut world, &other, &format!("search={search}"));
            assert_eq!(theirs, Vec::<String>::new(), "{kind}: {search}");
        }
        for (query, expected) in [
            ("search=tea&status=Processing", vec![&bo]),
            ("search=tea&payment_method=Payout", vec![]),
            ("search=tea&currency=USDC&amount_to=5", vec![&ada, &bo]),
            ("search=tea&currency=USDC&amount_to=4", vec![]),
        ] {
            let ids = found(&mut world, &shop, query);
            assert_eq!(ids.iter().collect::<Vec<_>>(), expected, "{kind}: {query}");
        }
    });
}

#[test]
fn a_search_that_many_customers_match_finds_all_their_payments() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = world.post(&shop, "/v1/paylinks", link).id();
        let mut all = Vec::new();
        for number in 10..30 {
            let email = format!("payer{number}@many.example");
            let body = json!({ "chain_id": 8453, "currency": "USDC", "email": email });
            let begun = world.public("POST", &format!("/v1/checkout/{link}/payments"), body);
            all.push(text(begun.data(), "payment_id"));
        }
        assert_eq!(found(&mut world, &shop, "search=many.ex"), all, "{kind}");
        let one = found(&mut world, &shop, "search=payer17@");
        assert_eq!(one, all[7..8], "{kind}");
    });
}

#[test]
fn every_page_of_filtered_payments_holds_the_matching_rows() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        bulk::one_of_each(&mut world, &shop);
        bulk::copies(world.parts().1, 9_000);
        derived::rebuild(world.parts().1, shop.id).expect("counts");
        for (query, condition) in [
            (
                "payment_method=ProxyWallet,Direct",
                "payment_method <> 'Payout'",
            ),
            (
                "payment_method=Payout&currency=EURC",
                "payment_method = 'Payout' AND currency = 'EURC'",
            ),
            (
                "currency=USDC&status=Failed",
                "currency = 'USDC' AND status = 'Failed'",
            ),
            ("status=Confirmed", "status = 'Confirmed'"),
            (
                "currency=USDC,EURC&amount_from=1500&amount_to=1700.5",
                "amount_rank BETWEEN '041500' AND '0417005'",
            ),
            (
                "currency=USDC&amount_from=7000.00&payment_method=ProxyWallet&status=Failed",
                "amount_rank >= '047' AND currency = 'USDC' AND payment_method = 'ProxyWallet' AND status = 'Failed'",
            ),
        ] {
            let sql = format!("SELECT id FROM payments WHERE {condition} ORDER BY seq");
            let mut rows = database::rows(world.parts().1, &sql);
            assert!(rows.len() > 50, "{kind}: {query}");
            let pages = rows.len().div_ceil(50);
            for sort in ["asc", "desc"] {
                for page in [1, pages / 2 + 1, pages] {
                    let path = format!("/v1/payments?{query}&sort={sort}&limit=50&page={page}");
                    let read = world.read(&shop, &path);
                    assert_eq!(read["total"], rows.len(), "{kind}: {path}");
                    let shown = rows.iter().skip((page - 1) * 50).take(50);
                    let shown: Vec<String> = shown.cloned().collect();
                    assert_eq!(texts(items(&read), "id"), shown, "{kind}: {path}");
                }
                rows.reverse();
            }
        }
    });
}
