//! Customers as the merchant knows and finds them.

use serde_json::{Value, json};
use settlekit_service::store::derived;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

/// Somebody who has begun to pay.
fn customer(world: &mut World, shop: &Shop, name: &str, email: &str) -> String {
    let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
    let link = world.keyed(shop, "POST", "/v1/paylinks", link);
    let link = link.data()["id"].as_str().expect("an id").to_owned();
    let body = json!({ "chain_id": 8453, "currency": "USDC", "name": name, "email": email });
    let started = world.public("POST", &format!("/v1/checkout/{link}/payments"), body);
    assert_eq!(started.status, 201, "{}", started.body);
    let found = world.keyed(shop, "GET", "/v1/customers?limit=1", Value::Null);
    found.data()["items"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

#[test]
fn what_is_said_about_a_customer_is_kept_and_what_is_empty_changes_nothing() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let id = customer(&mut world, &shop, "Zoë Ångström", "zoe@tea.example");
        let path = format!("/v1/customers/{id}");
        let change = json!({ "customer_ident": "C-1", "number": "+4930123456", "discord": "zoe#1", "name": "",
            "wallet_address": "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" });
        let changed = world.keyed(&shop, "PATCH", &path, change.clone());
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        // The record alone, without envelope.
        assert_eq!(changed.body["name"], "Zoë Ångström", "{kind}");
        assert_eq!(changed.body["reference"], "C-1", "{kind}");
        assert_eq!(
            changed.body["properties"],
            json!({ "discord": "zoe#1" }),
            "{kind}"
        );
        assert_eq!(
            changed.body["wallet_address"], "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "{kind}: in its canonical spelling"
        );
        let events = |world: &mut World| {
            let log = "/v1/events?type=Customer&action=Updated";
            world.keyed(&shop, "GET", log, Value::Null).data()["total"].clone()
        };
        assert_eq!(events(&mut world), 1, "{kind}");
        world.keyed(&shop, "PATCH", &path, change);
        assert_eq!(
            events(&mut world),
            1,
            "{kind}: nothing changed, nothing is told"
        );

        // A raw UUID names the customer, too.
        let uuid = id.strip_prefix("cus_").expect("a prefix");
        let read = world.keyed(&shop, "GET", &format!("/v1/customers/{uuid}"), Value::Null);
        assert_eq!(read.data()["id"], *id, "{kind}");

        for search in ["zoe", "ANGSTROM", "Zoë", "c-1", "tea.example"] {
            let target = format!("/v1/customers?search={search}");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            assert_eq!(found.data()["total"], 1, "{kind}: {search}");
        }
        let nobody = world.keyed(&shop, "GET", "/v1/customers?search=%25", Value::Null);
        assert_eq!(
            nobody.data()["total"],
            0,
            "{kind}: a sign of a pattern is a sign"
        );

        let other = customer(&mut world, &shop, "Bo", "bo@tea.example");
        let taken = json!({ "customer_ident": "C-1" });
        let taken = world.keyed(&shop, "PATCH", &format!("/v1/customers/{other}"), taken);
        assert_eq!(
            taken.refusal(),
            "409 ALREADY_EXISTS customer_ident",
            "{kind}"
        );
    });
}

/// So many names of few letters that most searches find some and not all.
fn names() -> Vec<String> {
    let letters = ["a", "n", "ö", "o", " ", "x", "_"];
    let name = |number: usize| -> String {
        let mut left = number * 7919 % 16_807;
        let mut name = String::new();
        for _ in 0..5 {
            name.push_str(letters[left % letters.len()]);
            left /= letters.len();
        }
        format!("{name}{number}")
    };
    (0..700).map(name).collect()
}

/// Puts customers into an organisation in bulk.
fn fill(world: &mut World, shop: &Shop, names: &[String]) {
    const CUSTOMER: &str = "INSERT INTO customers (id, org_id, seq, payments_count, search, record, created_at, updated_at) \
         VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6, ?6)";
    const LAST: &str =
        "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES (?1, 'customers', ?2, ?3)";
    let (organisation, now) = (shop.id.to_string(), world.now);
    let database = world.parts().1;
    for (number, name) in (1_i64..).zip(names) {
        let id = format!("cus_019cade500007000800{number:013x}");
        let record = json!({ "id": id, "org_id": organisation, "name": name, "created_at": now, "updated_at": now });
        let record = record.to_string();
        let search = name.replace('ö', "o");
        let values = [
            (&id).into(),
            (&organisation).into(),
            number.into(),
            (&search).into(),
            (&record).into(),
            now.micros().into(),
        ];
        database.execute(CUSTOMER, &values).expect("a customer");
    }
    let last = [
        (&organisation).into(),
        (names.len() as i64).into(),
        now.micros().into(),
    ];
    database.execute(LAST, &last).expect("a number");
    derived::rebuild(database, shop.id).expect("an index");
}

/// Whether every search finds whoever has it in their name, and nobody else.
fn search(world: &mut World, shop: &Shop, kind: &str, names: &[String]) {
    for text in [
        "a", "x", "oo", "o ", " 1", "9", "69", "699", "ano", "oxo", "nana", "_x", "a%", "xan1",
        "ö6", "oanxo", "nobody", "ANO", "n o",
    ] {
        let folded = text.to_lowercase().replace('ö', "o");
        let mut having: Vec<&String> = names
            .iter()
            .filter(|name| name.replace('ö', "o").contains(&folded))
            .collect();
        having.reverse();
        for page in [1, 2] {
            let written: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let target = format!("/v1/customers?search={written}&limit=20&page={page}");
            let found = world.keyed(shop, "GET", &target, Value::Null);
            assert_eq!(found.data()["total"], having.len(), "{kind}: {text:?}");
            let items = found.data()["items"].as_array().expect("items");
            let shown: Vec<&str> = items
                .iter()
                .filter_map(|item| item["name"].as_str())
                .collect();
            let expected: Vec<&String> = having
                .iter()
                .copied()
                .skip((page - 1) * 20)
                .take(20)
                .collect();
            assert_eq!(shown, expected, "{kind}: {text:?}");
        }
    }
}

#[test]
fn a_search_finds_the_customers_that_have_the_text_and_no_others() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let mut names = names();
        fill(&mut world, &shop, &names);
        search(&mut world, &shop, kind, &names);
        let id = format!("cus_019cade500007000800{:013x}", 700);
        let renamed = json!({ "name": "xanadu ano" });
        let changed = world.keyed(&shop, "PATCH", &format!("/v1/customers/{id}"), renamed);
        assert_eq!(changed.status, 200, "{kind}: {}", changed.body);
        names[699] = "xanadu ano".to_owned();
        search(&mut world, &shop, kind, &names);
        for (query, total) in [("visit_type=repeat", 0), ("visit_type=first-time", 1)] {
            let target = format!("/v1/customers?search=xanadu&{query}");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            assert_eq!(found.data()["total"], total, "{kind}: {query}");
        }
    });
}

#[test]
fn a_payer_who_types_what_a_customer_is_known_by_is_not_taken_for_them() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let ada = customer(&mut world, &shop, "Ada", "Ada@tea.example");
        let path = format!("/v1/customers/{ada}");
        let named = json!({ "customer_ident": "A-1" });
        assert_eq!(world.keyed(&shop, "PATCH", &path, named).status, 200);
        let before = world.read(&shop, &path);
        let typed = customer(&mut world, &shop, "Ada", "ada@TEA.example");
        assert_ne!(typed, ada, "{kind}: nobody has proven the address");

        let asks = json!({ "amount": "5", "currency": "USDC", "name": "Tea",
            "metadata": { "customer_ident_collection": true } });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", asks);
        let link = link.data()["id"].as_str().expect("an id").to_owned();
        let payer = json!({ "chain_id": 8453, "currency": "USDC", "customer_ident": "A-1" });
        let begun = world.public("POST", &format!("/v1/checkout/{link}/payments"), payer);
        assert_eq!(begun.status, 201, "{kind}: {}", begun.body);
        let payment = begun.data()["payment_id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let payment = world.read(&shop, &format!("/v1/payments/{payment}"));
        assert_ne!(
            payment["customer_id"],
            ada.as_str(),
            "{kind}: nor the number"
        );
        assert_eq!(payment["customer"]["reference"], Value::Null, "{kind}");
        assert_eq!(payment["metadata"]["customer_ident"], "A-1", "{kind}");
        assert_eq!(world.read(&shop, &path), before, "{kind}");
        let all = world.read(&shop, "/v1/customers");
        assert_eq!(all["total"], 3, "{kind}: {all}");
    });
}

#[test]
fn a_search_ignores_case_and_accents_of_every_letter() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        for (place, name) in [
            "Γιώργος Παπαδόπουλος",
            "Łukasz Wałęsa",
            "Søren Ærø",
            "Weiß",
            "Đorđe",
            "Þór Guðmundsson",
            "Işıl",
        ]
        .iter()
        .enumerate()
        {
            customer(&mut world, &shop, name, &format!("{place}@tea.example"));
        }
        let find = |world: &mut World, text: &str| -> Vec<String> {
            let written: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let target = format!("/v1/customers?search={written}");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            let items = found.data()["items"].as_array().expect("items").iter();
            items
                .map(|item| item["name"].as_str().expect("a name").to_owned())
                .collect()
        };
        for (text, name) in [
            ("ΠΑΠΑΔΟΠΟΥΛΟΣ", "Γιώργος Παπαδόπουλος"),
            ("παπαδοπουλος", "Γιώργος Παπαδόπουλος"),
            ("Γιωργος", "Γιώργος Παπαδόπουλος"),
            ("lukasz WALESA", "Łukasz Wałęsa"),
            ("łUKASZ", "Łukasz Wałęsa"),
            ("soren aero", "Søren Ærø"),
            ("WEISS", "Weiß"),
            ("WEIẞ", "Weiß"),
            ("dorde", "Đorđe"),
            ("thor gudmund", "Þór Guðmundsson"),
            ("ISIL", "Işıl"),
        ] {
            assert_eq!(find(&mut world, text), [name], "{kind}: {text}");
        }
    });
}

#[test]
fn a_text_with_a_nul_is_refused_by_its_field_and_changes_nothing() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let id = customer(&mut world, &shop, "Zoë", "zoe@tea.example");
        let path = format!("/v1/customers/{id}");
        let before = world.keyed(&shop, "GET", &path, Value::Null);
        for (field, body) in [
            ("customer_ident", json!({ "customer_ident": "C\u{0}1" })),
            (
                "name",
                json!({ "email": "z@tea.example", "name": "Z\u{0}" }),
            ),
            ("discord", json!({ "discord": "\u{0}" })),
        ] {
            let changed = world.keyed(&shop, "PATCH", &path, body);
            let refused = format!("422 TEXT_MALFORMED {field}");
            assert_eq!(changed.refusal(), refused, "{kind}");
        }
        let after = world.keyed(&shop, "GET", &path, Value::Null);
        assert_eq!(after.body, before.body, "{kind}");
        for (path, field) in [
            ("/v1/customers?search=%00", "search"),
            ("/v1/find?text=a%00", "text"),
            ("/v1/events?document_id=%00", "document_id"),
        ] {
            let looked = world.keyed(&shop, "GET", path, Value::Null);
            let refused = format!("422 TEXT_MALFORMED {field}");
            assert_eq!(looked.refusal(), refused, "{kind} {path}");
        }
        // What is wrong anyway is told as before.
        let sign_in = json!({ "email": "a\u{0}@tea.example", "password": "whatever it is" });
        let refused = world.public("POST", "/v1/sessions", sign_in);
        assert_eq!(refused.refusal(), "422 EMAIL_MALFORMED email", "{kind}");
        let metadata = json!({ "amount": "5", "currency": "USDC", "name": "Tea", "metadata": { "a": { "b": "\u{0}" } } });
        let link = world.keyed(&shop, "POST", "/v1/paylinks", metadata);
        assert_eq!(link.refusal(), "422 TEXT_MALFORMED metadata.a.b", "{kind}");
    });
}

#[test]
fn the_payments_of_one_customer_and_those_of_one_link_are_listed_alone() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        world.account(&shop, "till", 8453, &["USDC"]);
        let mut link = || {
            let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
            let link = world.keyed(&shop, "POST", "/v1/paylinks", link);
            link.data()["id"].as_str().expect("an id").to_owned()
        };
        let (tea, cake) = (link(), link());
        let mut begin = |link: &str, email: &str| {
            let body = json!({ "chain_id": 8453, "currency": "USDC", "email": email });
            let path = format!("/v1/checkout/{link}/payments");
            let begun = world.public("POST", &path, body);
            let payment = begun.data()["payment_id"].as_str().expect("an id");
            payment.to_owned()
        };
        let one = begin(&tea, "ada@tea.example");
        let two = begin(&tea, "bo@tea.example");
        let other_link = begin(&cake, "ada@tea.example");
        let by_hand = json!({ "amount": "1", "currency": "USDC", "chain_id": 8453 });
        world.keyed(&shop, "POST", "/v1/payments", by_hand.clone());
        let ada = world.read(&shop, &format!("/v1/payments/{one}"))["customer_id"].clone();
        let ada = ada.as_str().expect("a customer");
        // Whose a payment is the merchant says.
        let mut of_ada = by_hand;
        of_ada["customer_id"] = ada.into();
        let mut again = || {
            let made = world.keyed(&shop, "POST", "/v1/payments", of_ada.clone());
            made.data()["id"].as_str().expect("an id").to_owned()
        };
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
            let items = found["items"].as_array().expect("items");
            let ids: Vec<&str> = items
                .iter()
                .filter_map(|item| item["id"].as_str())
                .collect();
            assert_eq!(ids, expected, "{kind}: {query}");
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
