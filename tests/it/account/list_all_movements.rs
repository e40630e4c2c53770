//! `GET /movements`.

use serde_json::{Value, json};
use settlekit_service::store::derived;
use settlekit_tests::database;
use settlekit_tests::world::{World, items, number, text};

use super::observe_deposit;

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
