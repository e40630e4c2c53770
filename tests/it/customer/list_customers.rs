//! `GET /customers`.

use std::time::Duration;

use serde_json::{Value, json};
use settlekit_service::store::derived;
use settlekit_tests::world::{Shop, World, text};
use settlekit_tests::{bulk, database};

use super::customer;
use crate::event::EVENTS;

/// Lists with a filter, two of its values and the status counted for each: the most frequent one, and the other.
const FILTERED: [(&str, [(&str, &str); 2]); 3] = [
    (
        "customers",
        [
            ("visit_type=first-time", "first-time"),
            ("visit_type=repeat", "repeat"),
        ],
    ),
    (
        "subscriptions",
        [("status=Active", "Active"), ("status=Paused", "Paused")],
    ),
    (
        "invoices",
        [
            ("payment_status=Succeeded", "Succeeded"),
            ("payment_status=Failed", "Failed"),
        ],
    ),
];

/// The counts of those lists at all levels, stored and recounted.
fn counts_at_all_levels(world: &mut World) -> [Vec<String>; 2] {
    const STORED: &str = "SELECT list, level, segment, status, row_count FROM filter_counts WHERE list NOT IN ('events', 'payments', 'paylinks') AND row_count <> 0 \
         ORDER BY list, level, segment, status";
    const COUNTED: &str = "SELECT list, level, seq / numbers AS piece, status, COUNT(*) FROM (SELECT 0 AS level, 4096 AS numbers UNION ALL SELECT 1, 65536) levels JOIN ( \
         SELECT org_id, 'customers' AS list, seq, CASE WHEN payments_count > 1 THEN 'repeat' ELSE 'first-time' END AS status \
         FROM customers UNION ALL SELECT org_id, 'subscriptions', seq, status FROM subscriptions \
         UNION ALL SELECT org_id, 'invoices', seq, payment_status FROM invoices) counting ON true \
         JOIN sequences ON owner = org_id AND kind = list WHERE level = 0 OR (seq / numbers + 1) * numbers <= last_seq + 1 \
         GROUP BY list, level, seq / numbers, status ORDER BY list, level, piece, status";
    let database = world.parts().1;
    [STORED, COUNTED].map(|sql| database::rows(database, sql))
}

/// An item's `seq`, which bulk copies have in their ids.
fn position(item: &Value) -> i64 {
    let id = text(item, "id");
    id[id.len() - 12..]
        .parse::<i64>()
        .map_or(1, |copy| copy + 1)
}

#[test]
fn filtered_pages_hold_the_matching_rows() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let customer = bulk::one_of_each(&mut world, &shop);
        bulk::copies(world.parts().1, EVENTS);
        // The first of each is the service's; some copies are changed.
        for change in [
            "UPDATE customers SET payments_count = payments_count + 1 WHERE seq BETWEEN 2000 AND 2009",
            "UPDATE subscriptions SET status = 'Paused' WHERE seq BETWEEN 5000 AND 5009",
            "UPDATE subscriptions SET status = 'Active' WHERE seq = 69001",
            "UPDATE invoices SET payment_status = 'Failed' WHERE seq BETWEEN 65535 AND 65536",
        ] {
            world.parts().1.execute(change, &[]).expect(change);
        }
        derived::rebuild(world.parts().1, shop.id).expect("counts");
        // The service pauses one of them, in the second of the larger segments.
        let id = database::rows(
            world.parts().1,
            "SELECT id FROM subscriptions WHERE seq = 69002",
        );
        let path = format!("/v1/subscriptions/{}/pause", id[0]);
        let paused = world.keyed(&shop, "POST", &path, json!({}));
        assert_eq!(paused.status, 200, "{kind}: {}", paused.body);
        let [kept, counted] = counts_at_all_levels(&mut world);
        assert_eq!(kept, counted, "{kind}");
        assert!(kept.len() > 2 * 3 * 17, "{kind}: {kept:?}");
        for (list, filters) in FILTERED {
            for (filter, status) in filters {
                let is_it = |number: i64| -> bool {
                    let is_tenth = number % 10 == 1;
                    let is_other = match (list, number) {
                        ("customers", 2000..=2009) => true,
                        ("subscriptions", 5000..=5009) => true,
                        ("subscriptions", 69_001) => false,
                        ("subscriptions", 69_002) => true,
                        ("invoices", 65_535..=65_536) => true,
                        _ => is_tenth,
                    };
                    number > 1 && is_other == (status == filters[1].1)
                };
                let first = world.read(&shop, &format!("/v1/{list}?{filter}&sort=asc&limit=1"));
                let is_one = position(&first["items"][0]) == 1;
                let mut rows: Vec<i64> = (1..=EVENTS + 1)
                    .filter(|number| (*number == 1 && is_one) || is_it(*number))
                    .collect();
                let pages = rows.len().div_ceil(50);
                for sort in ["asc", "desc"] {
                    for page in [1, pages / 2 + 1, pages] {
                        let target =
                            format!("/v1/{list}?{filter}&sort={sort}&limit=50&page={page}");
                        let found = world.keyed(&shop, "GET", &target, Value::Null);
                        assert_eq!(found.data()["total"], rows.len(), "{kind}: {target}");
                        let items = found.items();
                        let items: Vec<i64> = items.iter().map(position).collect();
                        let shown = rows.iter().skip((page - 1) * 50).take(50);
                        assert_eq!(
                            items,
                            shown.copied().collect::<Vec<_>>(),
                            "{kind}: {target}"
                        );
                    }
                    rows.reverse();
                }
                // With other filters, the matches are counted as before.
                let more = match list {
                    "customers" => "search=nobody".to_owned(),
                    _ => format!("customer_id={customer}"),
                };
                let target = format!("/v1/{list}?{filter}&{more}&limit=1");
                let found = world.read(&shop, &target);
                let expected = if list == "customers" { 0 } else { rows.len() };
                assert_eq!(found["total"], expected, "{kind}: {target}");
            }
        }
    });
}

/// Names of few letters, so that most searches match some but not all.
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

/// Inserts customers in bulk.
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

/// Checks that every search finds exactly the customers with the text in their name.
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
            let items = found.items();
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
fn a_search_finds_exactly_the_matching_customers() {
    World::each(|kind, mut world| {
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
            let found = world.read(&shop, &target);
            assert_eq!(found["total"], total, "{kind}: {query}");
        }
    });
}

#[test]
fn a_search_ignores_case_and_accents_of_every_letter() {
    World::each(|kind, mut world| {
        let shop = world.shop_with_till("Shop");
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
        let find = |world: &mut World, search: &str| -> Vec<String> {
            let written: String = search.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let target = format!("/v1/customers?search={written}");
            let found = world.keyed(&shop, "GET", &target, Value::Null);
            let items = found.items().iter();
            items.map(|item| text(item, "name")).collect()
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

/// What a customer has spent, as listed.
fn spent(world: &mut World, shop: &Shop, customer: &str) -> Value {
    let listed = world.list(shop, "/v1/customers");
    let mut listed = listed.iter();
    let found = listed.find(|item| item["id"] == customer);
    found.expect("the customer")["spent_usd"].clone()
}

#[test]
fn a_customer_has_spent_what_confirmed_payments_were_worth_less_refunds() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC", "ETH"]);
        let [ada, ben] = ["Ada", "Ben"].map(|name| world.customer(&shop, json!({ "name": name })));
        // Gas for the payouts, and money for their fees.
        world.deposit(&shop, till, 8453, "USDC", "5");
        let begin = |world: &mut World, amount: &str, currency: &str| {
            let body = json!({ "amount": amount, "currency": currency, "chain_id": 8453, "customer_id": ada });
            let id = world.post(&shop, "/v1/payments", body).id();
            (format!("/v1/sandbox/checkout/payments/{id}/pay"), id)
        };
        let pay = |world: &mut World, path: &str, amount: &str| {
            let paid = world.public("POST", path, json!({ "amount": amount }));
            assert_eq!(paid.status, 201, "{kind}: {}", paid.body);
            world.pass_and_work(Duration::from_secs(10));
        };
        assert_eq!(spent(&mut world, &shop, &ada), "0", "{kind}");
        let (path, dollars) = begin(&mut world, "10", "USDC");
        pay(&mut world, &path, "4");
        assert_eq!(
            spent(&mut world, &shop, &ada),
            "0",
            "{kind}: it is not confirmed"
        );
        pay(&mut world, &path, "6");
        assert_eq!(spent(&mut world, &shop, &ada), "10", "{kind}");
        let payment = world.read(&shop, &format!("/v1/payments/{dollars}"));
        let address = text(&payment, "deposit_address");
        world.observe_deposit(&address, "0x5", "500000", 100);
        assert_eq!(spent(&mut world, &shop, &ada), "10.5", "{kind}: overpaid");
        let (path, _) = begin(&mut world, "0.001", "ETH");
        pay(&mut world, &path, "0.001");
        assert_eq!(spent(&mut world, &shop, &ada), "13.7", "{kind}");
        // A later price changes nothing.
        let price = json!({ "currency": "ETH", "usd": "1000" });
        let set = world.keyed(&shop, "POST", "/v1/sandbox/prices", price);
        assert!(set.status < 300, "{kind}: {}", set.body);
        assert_eq!(spent(&mut world, &shop, &ada), "13.7", "{kind}");
        let refunds = format!("/v1/payments/{dollars}/refunds");
        for (body, left) in [(json!({ "amount": "2.5" }), "11.2"), (json!({}), "3.2")] {
            let back = world.signed(&shop, None, "POST", &refunds, body);
            assert_eq!(back.status, 201, "{kind}: {}", back.body);
            world.settle();
            assert_eq!(spent(&mut world, &shop, &ada), left, "{kind}");
        }
        assert_eq!(spent(&mut world, &shop, &ben), "0", "{kind}");
        assert_eq!(world.differences(), Vec::<String>::new(), "{kind}");
        let mut world = world.disconnected();
        assert_eq!(spent(&mut world, &shop, &ada), Value::Null, "{kind}");
    });
}
