//! `GET /partners/sub-merchants`.

use serde_json::{Value, json};
use settlekit_core::header;
use settlekit_service::step::{Command, Reply};
use settlekit_tests::world::{WALLET, World, items, text, texts};

#[test]
fn a_partner_lists_only_its_own_sub_merchants() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let other = world.shop("Other partner", None);
        let mut shops = Vec::new();
        for name in ["Tea", "Coffee", "Cake"] {
            world.pass(std::time::Duration::from_secs(60));
            shops.push(world.shop(name, Some(partner.id)));
        }
        world.shop("Bread", Some(other.id));
        let suspend = Command::Suspend {
            organisation: shops[1].id,
            kind: Some("Operator".to_owned()),
        };
        assert_eq!(world.call(suspend), Reply::Done, "{kind}");

        let path = "/v1/partners/sub-merchants";
        let all = world.keyed(&partner, "GET", &format!("{path}?sort=asc"), Value::Null);
        assert_eq!(all.status, 200, "{kind}: {}", all.body);
        let named: Vec<(&Value, &Value)> = all
            .items()
            .iter()
            .map(|shop| (&shop["name"], &shop["suspended"]))
            .collect();
        assert_eq!(
            named,
            [
                (&json!("Tea"), &json!(false)),
                (&json!("Coffee"), &json!(true)),
                (&json!("Cake"), &json!(false))
            ],
            "{kind}"
        );
        assert_eq!(
            all.data()["items"][0]["id"],
            shops[0].id.to_string(),
            "{kind}"
        );
        let latest = world.read(&partner, &format!("{path}?limit=1&page=2"));
        assert_eq!(latest["total"], 3, "{kind}");
        assert_eq!(latest["items"][0]["name"], "Coffee", "{kind}");
        let since = &all.data()["items"][2]["created_at"];
        let since = since.as_str().expect("a timestamp").replace('+', "%2B");
        let since = world.read(&partner, &format!("{path}?since={since}"));
        assert_eq!(since["total"], 1, "{kind}");
        let nobody = world.keyed(&shops[0], "GET", path, Value::Null);
        assert_eq!(nobody.data()["total"], 0, "{kind}: a sub-merchant has none");
        let odd = world.keyed(&partner, "GET", &format!("{path}?limit=0"), Value::Null);
        assert_eq!(odd.refusal(), "400 OUT_OF_RANGE limit", "{kind}");
        // The partner can act for each listed one.
        let of_shop = world.signed(&partner, Some(shops[2].id), "GET", path, Value::Null);
        assert_eq!(of_shop.refusal(), "403 SCOPE_MISSING", "{kind}: own only");
    });
}

#[test]
fn a_malformed_organisation_header_is_refused() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        world.account(&partner, "till", 8453, &["USDC"]);
        let now = world.now;
        let mut request = http::Request::get("/v1/accounts/till/movement")
            .header(header::API_KEY, &partner.key)
            .body(Vec::new())
            .expect("a request");
        let odd = http::HeaderValue::from_bytes(b"org_\xe4").expect("a value");
        request.headers_mut().insert(header::ORGANISATION, odd);
        let nonce = settlekit_core::sign::Nonce::new(now, [1; 10]);
        settlekit_core::sign::sign(&mut request, &partner.secret, nonce);
        let (service, database) = world.parts();
        let answer = service.answer(database, &request, now, settlekit_service::Seed([1; 32]));
        assert_eq!(answer.status(), 404, "{kind}");
    });
}

#[test]
fn sub_merchants_are_listed_with_the_worth_of_their_balances() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let [tea, coffee, empty] =
            ["Tea", "Coffee", "Empty"].map(|name| world.shop(name, Some(partner.id)));
        for (shop, accounts) in [(&tea, ["north", "south"]), (&coffee, ["till", "bar"])] {
            for name in accounts {
                let account = world.account(shop, name, 8453, &["USDC"]);
                world.deposit(shop, account, 8453, "USDC", "20");
            }
        }
        world.account(&empty, "till", 8453, &["USDC"]);
        let body = json!({ "account": "north", "amount": "5", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        let sent = world.signed(&tea, None, "POST", "/v1/payouts", body);
        assert_eq!(sent.status, 201, "{kind}: {}", sent.body);
        let overview = world.read(&tea, "/v1/overview");

        let list = world.read(&partner, "/v1/partners/sub-merchants?sort=asc");
        let worth = |place: usize| {
            let shop = &list["items"][place];
            (text(shop, "balance_usd"), text(shop, "reserved_usd"))
        };
        assert_eq!(worth(0).1, text(&overview, "reserved_usd"), "{kind}");
        assert_ne!(worth(0).1, "0.00", "{kind}");
        assert_eq!(worth(1), ("40.00".to_owned(), "0.00".to_owned()), "{kind}");
        assert_eq!(worth(2), ("0.00".to_owned(), "0.00".to_owned()), "{kind}");
    });
}

#[test]
fn sub_merchants_are_found_by_a_part_of_their_name_or_by_id() {
    World::each(|kind, mut world| {
        let partner = world.shop("Partner", None);
        let other = world.shop("Other partner", None);
        let names = ["Café Zoë", "Tea 100%", "Coffee bar"];
        let shops = names.map(|name| world.shop(name, Some(partner.id)));
        let foreign = world.shop("Foreign café", Some(other.id));
        let found = |world: &mut World, search: &str| {
            let path = format!("/v1/partners/sub-merchants?sort=asc&search={search}");
            let list = world.read(&partner, &path);
            assert_eq!(list["total"], items(&list).len(), "{kind}: {search}");
            texts(items(&list), "name")
        };
        let id = shops[1].id.to_string();
        for (search, expected) in [
            ("cafe", vec!["Café Zoë"]),
            ("ZOE", vec!["Café Zoë"]),
            ("e", vec!["Café Zoë", "Tea 100%", "Coffee bar"]),
            ("100%25", vec!["Tea 100%"]),
            ("a%25b", Vec::new()),
            (id.as_str(), vec!["Tea 100%"]),
            (&id[..20], Vec::new()),
            (foreign.id.to_string().as_str(), Vec::new()),
        ] {
            assert_eq!(found(&mut world, search), expected, "{kind}: {search}");
        }
        let path = "/v1/partners/sub-merchants?search=e&limit=2&sort=asc&page=2";
        let last = world.read(&partner, path);
        assert_eq!(last["total"], 3, "{kind}");
        assert_eq!(texts(items(&last), "name"), ["Coffee bar"], "{kind}");

        let renamed = world.keyed(&shops[2], "PUT", "/v1/orgs", json!({ "name": "Espresso" }));
        assert_eq!(renamed.status, 200, "{kind}: {}", renamed.body);
        assert_eq!(found(&mut world, "espresso"), ["Espresso"], "{kind}");
        assert_eq!(found(&mut world, "coffee"), Vec::<String>::new(), "{kind}");
        let long = format!("/v1/partners/sub-merchants?search={}", "x".repeat(129));
        let long = world.keyed(&partner, "GET", &long, Value::Null);
        assert_eq!(long.refusal(), "422 TOO_LONG search", "{kind}");
    });
}
