//! `GET /movements`.

use serde_json::{Value, json};
use settlekit_service::store::derived;
use settlekit_tests::database;
use settlekit_tests::world::{Shop, WALLET, World, items, number, text};

use super::observe_deposit;
use crate::payout::{payout, shop as payout_shop};
use crate::status_counts;

/// Movements that fill more than one segment of the second level.
const MANY: i64 = 70_000;

fn movement_ids(page: &Value) -> Vec<i64> {
    let items = items(page).iter();
    items.map(|item| number(item, "id")).collect()
}

#[test]
fn movements_of_all_accounts_are_listed_and_filtered_by_status() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let tills =
            ["north", "south", "west"].map(|name| world.account(&shop, name, 8453, &["USDC"]));
        let theirs = world.account(&other, "till", 8453, &["USDC"]);
        for (number, till) in tills.iter().cycle().take(12).enumerate() {
            world.pass(std::time::Duration::from_secs(60));
            let confirmations = if number % 4 == 3 { 0 } else { 100 };
            observe_deposit(
                &mut world,
                &shop,
                *till,
                &format!("0xaa{number}"),
                confirmations,
            );
            observe_deposit(&mut world, &other, theirs, &format!("0xbb{number}"), 100);
        }
        let all = world.read(&shop, "/v1/movements");
        assert_eq!(all["total"], 12, "{kind}");
        let mut newest_first = movement_ids(&all);
        let mut by_account = Vec::new();
        for till in tills {
            let of_account = world.read(&shop, &format!("/v1/accounts/{till}/movement"));
            by_account.extend(items(&of_account).to_vec());
        }
        by_account.sort_by_key(|movement| std::cmp::Reverse(movement["id"].as_i64()));
        assert_eq!(all["items"], Value::Array(by_account), "{kind}");

        // The pages give the same, in both orders.
        let mut paged = Vec::new();
        for page in 1..=3 {
            let read = world.read(&shop, &format!("/v1/movements?limit=5&page={page}"));
            assert_eq!(read["total"], 12, "{kind}");
            assert_eq!(read.get("next").is_some(), page < 3, "{kind}");
            paged.extend(movement_ids(&read));
        }
        assert_eq!(paged, newest_first, "{kind}");
        let oldest_first = world.read(&shop, "/v1/movements?sort=asc");
        newest_first.reverse();
        assert_eq!(movement_ids(&oldest_first), newest_first, "{kind}");
        let at = text(&all["items"][4], "created_at");
        let since = world.read(&shop, &format!("/v1/movements?since={at}"));
        assert_eq!(since["total"], 5, "{kind}");

        let waiting = world.read(&shop, "/v1/movements?status=Pending,Processing&limit=2");
        assert_eq!(
            (&waiting["total"], &waiting["next"]),
            (&json!(3), &json!(2)),
            "{kind}"
        );
        let overview = world.read(&shop, "/v1/overview");
        assert_eq!(overview["movements_pending"], waiting["total"], "{kind}");
        let rest = world.read(
            &shop,
            "/v1/movements?status=Pending,Processing&limit=2&page=2",
        );
        let waiting = [movement_ids(&waiting), movement_ids(&rest)].concat();
        let expected: Vec<i64> = newest_first
            .iter()
            .copied()
            .skip(3)
            .step_by(4)
            .rev()
            .collect();
        assert_eq!(waiting, expected, "{kind}");
        let of_last = format!("/v1/movements?status=Pending&since={at}");
        assert_eq!(world.read(&shop, &of_last)["total"], 2, "{kind}");
        let failed = world.read(&shop, "/v1/movements?status=Failed");
        assert_eq!(failed["total"], 0, "{kind}");

        // A status change is visible in place.
        observe_deposit(&mut world, &shop, tills[2], "0xaa11", 100);
        let now = world.read(&shop, "/v1/movements?limit=1");
        assert_eq!(now["items"][0]["status"], "Confirmed", "{kind}");
        let waiting = world.read(&shop, "/v1/movements?status=Pending,Processing");
        assert_eq!(waiting["total"], 2, "{kind}");

        // Confirmed is the remainder of the counts.
        let confirmed = world.read(&shop, "/v1/movements?status=Confirmed&limit=4&page=2");
        assert_eq!(confirmed["total"], 10, "{kind}");
        assert_eq!(confirmed["next"], 3, "{kind}");
        let expected = [6, 5, 4, 2].map(|place: usize| newest_first[place]);
        assert_eq!(movement_ids(&confirmed), expected, "{kind}");
        let path = "/v1/movements?status=Failed,Confirmed,Failed,Pending&sort=asc";
        assert_eq!(
            movement_ids(&world.read(&shop, path)),
            newest_first,
            "{kind}"
        );
        let unknown = world.keyed(&shop, "GET", "/v1/movements?status=Lost", Value::Null);
        assert_eq!(unknown.refusal(), "400 UNKNOWN_VALUE status[0]", "{kind}");
    });
}

/// Adds movements to an organisation with one, a second apart, in bulk.
fn fill(world: &mut World) {
    const COPIES: &str = "INSERT INTO movements (org_id, account_id, account_reference, direction, type, status, chain_id, currency, \
         scale, amount, created_at, updated_at, seq) \
         WITH RECURSIVE n (n) AS (SELECT CAST(2 AS BIGINT) UNION ALL SELECT n + 1 FROM n WHERE n < ?1) \
         SELECT org_id, account_id, account_reference, direction, type, CASE WHEN n % 1000 = 1 THEN 'Failed' \
         WHEN n % 100 = 50 THEN 'Pending' ELSE 'Confirmed' END, chain_id, currency, scale, amount, \
         created_at + n * 1000000, updated_at, n FROM movements JOIN n ON seq = 1";
    const LAST: &str = "UPDATE sequences SET last_seq = CAST(?1 AS BIGINT), last_at = last_at + CAST(?1 AS BIGINT) * 1000000 \
         WHERE kind = 'movements' AND owner IN (SELECT org_id FROM movements)";
    for sql in [COPIES, LAST] {
        let done = world.parts().1.execute(sql, &[MANY.into()]);
        done.expect(sql);
    }
}

/// The movement counts of every level, stored and recounted.
fn counts(world: &mut World) -> [Vec<String>; 2] {
    const STORED: &str = "SELECT level, segment, status, row_count FROM filter_counts WHERE list = 'movements' AND row_count <> 0 \
         ORDER BY level, segment, status";
    const COUNTED: &str = "SELECT level, seq / numbers AS piece, status, COUNT(*) FROM movements CROSS JOIN (SELECT 0 AS level, 4096 AS numbers UNION ALL SELECT 1, 65536 UNION ALL SELECT 2, 1048576 \
         UNION ALL SELECT 3, 16777216 UNION ALL SELECT 4, 268435456) levels \
         WHERE status <> 'Confirmed' GROUP BY level, seq / numbers, status ORDER BY level, piece, status";
    [STORED, COUNTED].map(|sql| database::rows(world.parts().1, sql))
}

#[test]
fn every_page_of_filtered_movements_holds_the_matching_rows() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        observe_deposit(&mut world, &shop, till, "0xaa", 100);
        fill(&mut world);
        // Changes of old movements, and of the last in a larger segment.
        for change in [
            "UPDATE movements SET status = 'Confirmed' WHERE status = 'Pending' AND seq BETWEEN 5000 AND 9000",
            "UPDATE movements SET status = 'Refunded' WHERE seq IN (3, 4095, 4096, 65535, 65536)",
            "UPDATE movements SET status = 'Failed' WHERE status = 'Pending' AND seq > 69000",
        ] {
            world.parts().1.execute(change, &[]).expect(change);
        }
        derived::rebuild(world.parts().1, shop.id).expect("counts");
        let [kept, counted] = counts(&mut world);
        assert_eq!(kept, counted, "{kind}");
        assert!(kept.len() > 2 * 17, "{kind}: {kept:?}");

        let since = world.read(&shop, "/v1/movements?sort=asc&limit=1&page=4321");
        let until = world.read(&shop, "/v1/movements?sort=asc&limit=1&page=68765");
        let created_at = |page: &Value| page["items"][0]["created_at"].as_str().map(str::to_owned);
        let (since, until) = (created_at(&since), created_at(&until));
        let (since, until) = (since.expect("a timestamp"), until.expect("a timestamp"));
        for query in [String::new(), format!("since={since}&until={until}")] {
            let list = ("/v1/movements", "status");
            let counts = status_counts::counts(&mut world, &shop, list, &query);
            assert_eq!(counts.len(), 4, "{kind}: {counts:?}");
        }
        for statuses in [
            "Confirmed",
            "Pending",
            "Failed,Pending",
            "Refunded,Confirmed",
            "Pending,Refunded,Failed,Confirmed",
        ] {
            for (bounds, range) in [
                (String::new(), (1, MANY)),
                (format!("&since={since}&until={until}"), (4321, 68_765)),
            ] {
                let which = statuses.replace(',', "', '");
                let rows = format!(
                    "SELECT id FROM movements WHERE status IN ('{which}') AND seq BETWEEN {} AND {} ORDER BY seq",
                    range.0, range.1
                );
                let rows = database::rows(world.parts().1, &rows);
                let mut rows: Vec<i64> = rows.iter().map(|id| id.parse().expect("an id")).collect();
                let pages = rows.len().div_ceil(50);
                for sort in ["asc", "desc"] {
                    for page in [1, 2, pages / 2 + 1, pages] {
                        let path = format!(
                            "/v1/movements?status={statuses}{bounds}&sort={sort}&limit=50&page={page}"
                        );
                        let read = world.read(&shop, &path);
                        assert_eq!(read["total"], rows.len(), "{kind}: {path}");
                        let shown = rows.iter().skip((page - 1) * 50).take(50);
                        let shown: Vec<i64> = shown.copied().collect();
                        assert_eq!(movement_ids(&read), shown, "{kind}: {path}");
                    }
                    rows.reverse();
                }
            }
        }
    });
}

/// One more movement completes the seventeenth segment of the list of all accounts.
const ALMOST: i64 = 17 * 4096 - 2;

/// Adds movements of two accounts, which have one each, in bulk: of several kinds, amounts from 0 to 9.99, one in a hundred not
/// Confirmed.
fn fill_accounts(world: &mut World, shop: &Shop) {
    const COPIES: &str = "INSERT INTO movements (org_id, account_id, account_reference, direction, type, status, chain_id, currency, \
         scale, amount, created_at, updated_at, seq) \
         WITH RECURSIVE n (n) AS (SELECT CAST(3 AS BIGINT) UNION ALL SELECT n + 1 FROM n WHERE n < ?1) \
         SELECT m.org_id, m.account_id, m.account_reference, CASE WHEN n.n % 5 = 0 THEN 'OUT' ELSE 'IN' END, \
         CASE WHEN n.n % 9000 = 1 THEN 'Adjustment' WHEN n.n % 5 = 0 THEN 'Withdraw' ELSE 'Deposit' END, \
         CASE WHEN n.n % 701 = 3 THEN 'Failed' WHEN n.n % 451 = 7 THEN 'Pending' ELSE 'Confirmed' END, \
         m.chain_id, CASE WHEN n.n % 3 = 0 THEN 'EURC' ELSE 'USDC' END, 6, (n.n % 1000) * 10000, \
         (SELECT MAX(o.created_at) FROM movements o) + n.n * 1000000, m.updated_at, n.n \
         FROM n JOIN movements m ON m.seq = 1 + n.n % 2 ORDER BY n.n";
    const LISTS: &str = "INSERT INTO movement_lists (account_id, seq, movement_id, created_at) \
         SELECT account_id, ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY seq), id, created_at FROM movements";
    const LAST: &str = "UPDATE sequences SET last_seq = CAST(?1 AS BIGINT), last_at = last_at + CAST(?1 AS BIGINT) * 1000000 \
         WHERE kind = 'movements' AND owner IN (SELECT org_id FROM movements)";
    const LAST_OF_LISTS: &str = "UPDATE sequences SET last_seq = (SELECT MAX(seq) FROM movement_lists \
         WHERE CAST(account_id AS TEXT) = owner), last_at = (SELECT MAX(last_at) FROM sequences WHERE kind = 'movements') \
         WHERE kind = 'movements' AND owner IN (SELECT CAST(account_id AS TEXT) FROM movement_lists)";
    let database = world.parts().1;
    let mut run = |sql: &str, values: &[_]| database.execute(sql, values).expect(sql);
    run(COPIES, &[ALMOST.into()]);
    run("DELETE FROM movement_lists", &[]);
    run(LISTS, &[]);
    run(LAST, &[ALMOST.into()]);
    run(LAST_OF_LISTS, &[]);
    derived::rebuild(database, shop.id).expect("the index");
}

/// The movements that match a condition on the movement `m` and its account `a`, oldest first.
fn matching(world: &mut World, condition: &str) -> Vec<i64> {
    let sql = format!(
        "SELECT m.id FROM movements m JOIN accounts a ON a.id = m.account_id WHERE {condition} ORDER BY m.seq"
    );
    let rows = database::rows(world.parts().1, &sql);
    rows.iter().map(|id| id.parse().expect("an id")).collect()
}

#[test]
fn every_page_of_movements_is_exact_whatever_they_are_filtered_by() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let north = world.account(&shop, "north", 8453, &["USDC"]);
        let south = world.account(&shop, "south", 1, &["USDC"]);
        world.deposit(&shop, north, 8453, "USDC", "1");
        world.deposit(&shop, south, 1, "USDC", "1");
        fill_accounts(&mut world, &shop);
        // Booked by the service: the movement that completes a segment.
        observe_deposit(&mut world, &shop, north, "0xaa", 100);
        let of_all = "/v1/movements".to_owned();
        let created_at = |world: &mut World, page: i64| {
            let path = format!("{of_all}?sort=asc&limit=1&page={page}");
            text(&world.read(&shop, &path)["items"][0], "created_at")
        };
        let since = created_at(&mut world, 4321);
        let until = created_at(&mut world, 61_234);
        let within = format!("&since={since}&until={until}");
        let lists = [
            (of_all.clone(), String::new()),
            (
                format!("/v1/accounts/{south}/movement"),
                format!(" AND m.account_id = {south}"),
            ),
        ];
        let amounts =
            |from: &str, to: &str| format!("CAST(m.amount AS BIGINT) BETWEEN {from} AND {to}");
        for (query, condition) in [
            ("type=Deposit", "m.type = 'Deposit'".to_owned()),
            (
                "type=Adjustment,Withdraw",
                "m.type IN ('Adjustment', 'Withdraw')".to_owned(),
            ),
            ("type=Adjustment", "m.type = 'Adjustment'".to_owned()),
            (
                "direction=OUT&currency=EURC",
                "m.direction = 'OUT' AND m.currency = 'EURC'".to_owned(),
            ),
            ("chain_id=1,10", "a.chain_id = 1".to_owned()),
            (
                "currency=USDC&status=Pending,Failed",
                "m.currency = 'USDC' AND m.status IN ('Pending', 'Failed')".to_owned(),
            ),
            (
                "type=Deposit&status=Confirmed",
                "m.type = 'Deposit' AND m.status = 'Confirmed'".to_owned(),
            ),
            (
                "direction=IN&status=Confirmed,Failed",
                "m.direction = 'IN' AND m.status IN ('Confirmed', 'Failed')".to_owned(),
            ),
            (
                "currency=USDC&amount_from=9.9",
                format!("m.currency = 'USDC' AND {}", amounts("9900000", "99000000")),
            ),
            (
                "currency=USDC,EURC&amount_from=1.00&amount_to=1.5&type=Withdraw&status=Confirmed",
                format!(
                    "m.type = 'Withdraw' AND m.status = 'Confirmed' AND {}",
                    amounts("1000000", "1500000")
                ),
            ),
            (
                "currency=EURC&amount_to=0",
                format!("m.currency = 'EURC' AND {}", amounts("0", "0")),
            ),
            ("type=Swap", "m.type = 'Swap'".to_owned()),
        ] {
            for (list, owner) in &lists {
                for (bounds, range) in [
                    ("", ""),
                    (within.as_str(), " AND m.seq BETWEEN 4321 AND 61234"),
                ] {
                    let mut rows = matching(&mut world, &format!("{condition}{owner}{range}"));
                    let pages = rows.len().div_ceil(50).max(1);
                    for sort in ["asc", "desc"] {
                        for page in [1, 2, pages / 2 + 1, pages] {
                            let path =
                                format!("{list}?{query}{bounds}&sort={sort}&limit=50&page={page}");
                            let read = world.read(&shop, &path);
                            assert_eq!(read["total"], rows.len(), "{kind}: {path}");
                            let shown = rows.iter().skip((page - 1) * 50).take(50);
                            let shown: Vec<i64> = shown.copied().collect();
                            assert_eq!(movement_ids(&read), shown, "{kind}: {path}");
                        }
                        rows.reverse();
                    }
                }
            }
        }
    });
}

#[test]
fn the_index_of_movements_covers_every_full_segment_of_every_list() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let north = world.account(&shop, "north", 8453, &["USDC"]);
        let south = world.account(&shop, "south", 1, &["USDC"]);
        world.deposit(&shop, north, 8453, "USDC", "1");
        world.deposit(&shop, south, 1, "USDC", "1");
        fill_accounts(&mut world, &shop);
        observe_deposit(&mut world, &shop, north, "0xaa", 100);
        // The two accounts of the reference become a bundle, whose list has all movements of the first.
        world.account(&shop, "north", 10, &["USDC"]);
        let stored = "SELECT owner, level, segment, type, direction, currency, chain_id, row_count FROM movement_counts \
             ORDER BY owner, level, segment, type, direction, currency, chain_id";
        let counted = "SELECT owner, level, seq / numbers AS piece, type, direction, currency, chain_id, COUNT(*) FROM ( \
             SELECT m.org_id AS owner, m.seq, m.type, m.direction, m.currency, a.chain_id FROM movements m JOIN accounts a ON a.id = m.account_id \
             UNION ALL SELECT CAST(l.account_id AS TEXT), l.seq, m.type, m.direction, m.currency, a.chain_id FROM movement_lists l \
             JOIN movements m ON m.id = l.movement_id JOIN accounts a ON a.id = m.account_id) listed \
             CROSS JOIN (SELECT 0 AS level, 4096 AS numbers UNION ALL SELECT 1, 65536) levels \
             WHERE (seq / numbers + 1) * numbers <= (SELECT s.last_seq + 1 FROM sequences s WHERE s.kind = 'movements' AND s.owner = listed.owner) \
             GROUP BY owner, level, seq / numbers, type, direction, currency, chain_id \
             ORDER BY owner, level, piece, type, direction, currency, chain_id";
        let [mut stored, mut counted] =
            [stored, counted].map(|sql| database::rows(world.parts().1, sql));
        stored.sort_unstable();
        counted.sort_unstable();
        assert_eq!(stored, counted, "{kind}");
        assert!(stored.len() > 3 * 17, "{kind}: {stored:?}");
    });
}

#[test]
fn movements_are_searched_by_whole_texts() {
    World::each(|kind, mut world| {
        let shop = payout_shop(&mut world, "100");
        let other = world.shop("Other", None);
        let body =
            json!({ "amount": "3", "currency": "USDC", "chain_id": 8453, "reference": "order-47" });
        let payment = world.post(&shop, "/v1/payments", body).id();
        world.pay(&payment);
        world.pass_and_work(std::time::Duration::from_secs(60));
        let paid = world.read(&shop, &format!("/v1/payments/{payment}"));
        let address = text(&paid, "deposit_address");
        let hash = text(&paid["crypto_transactions"][0], "transaction_hash");
        let sent = payout(&mut world, &shop, "7").id();
        world.pass_and_work(std::time::Duration::from_secs(60));
        let all = world.list(&shop, "/v1/movements");
        let of = |condition: &dyn Fn(&Value) -> bool| -> Vec<i64> {
            let found = all.iter().filter(|movement| condition(movement));
            found.map(|movement| number(movement, "id")).collect()
        };
        let deposit = of(&|movement| movement["transaction_hash"] == hash.as_str());
        let withdrawal = of(&|movement| movement["type"] == "Withdraw");
        assert_eq!((deposit.len(), withdrawal.len()), (1, 1), "{kind}");
        let sent_hash = all
            .iter()
            .find(|movement| movement["type"] == "Withdraw")
            .map(|movement| text(movement, "transaction_hash"));
        let sent_hash = sent_hash.expect("a payout");
        let (first, lower_case) = (deposit[0].to_string(), WALLET.to_ascii_lowercase());
        for (search, expected) in [
            (hash.as_str(), &deposit),
            (address.as_str(), &deposit),
            ("order-47", &deposit),
            (payment.as_str(), &deposit),
            (first.as_str(), &deposit),
            (sent_hash.as_str(), &withdrawal),
            (WALLET, &withdrawal),
            (lower_case.as_str(), &withdrawal),
            (sent.as_str(), &withdrawal),
            ("order-4", &Vec::new()),
            (&hash[..20], &Vec::new()),
        ] {
            for list in ["/v1/movements", "/v1/accounts/till/movement"] {
                let path = format!("{list}?search={search}");
                let found = world.list(&shop, &path);
                let ids: Vec<i64> = found.iter().map(|one| number(one, "id")).collect();
                assert_eq!(ids, *expected, "{kind}: {path}");
            }
            let foreign = world.read(&other, &format!("/v1/movements?search={search}"));
            assert_eq!(foreign["total"], 0, "{kind}: {search}");
        }
        for (query, total) in [
            ("search=order-47&direction=OUT", 0),
            (
                "search=order-47&status=Confirmed&currency=USDC&amount_from=3",
                1,
            ),
            ("search=order-47&currency=USDC&amount_from=3.01", 0),
        ] {
            let path = format!("/v1/accounts/till/movement?{query}");
            assert_eq!(world.read(&shop, &path)["total"], total, "{kind}: {query}");
        }
        for list in ["/v1/movements", "/v1/accounts/till/movement"] {
            for (query, refusal) in [
                ("type=Deposit,Gift", "400 UNKNOWN_VALUE type[1]"),
                ("direction=UP", "400 UNKNOWN_VALUE direction"),
                ("amount_to=5", "422 REQUIRED currency"),
                (
                    "currency=USDC&amount_from=2&amount_to=1",
                    "400 RANGE_REVERSED amount_from",
                ),
                ("search=", "422 EMPTY search"),
            ] {
                let path = format!("{list}?{query}");
                let refused = world.keyed(&shop, "GET", &path, Value::Null);
                assert_eq!(refused.refusal(), refusal, "{kind}: {path}");
            }
        }
    });
}
