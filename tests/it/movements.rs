//! The movements of a whole organisation: every account's in one list, those apart that are not Confirmed, and one by its id.

use serde_json::{Value, json};
use settlekit_service::step::{Command, Reply, WireObservation};
use settlekit_tests::database;
use settlekit_tests::world::{Shop, World};

/// Has money come in whose transaction lies so many blocks deep.
fn see(world: &mut World, shop: &Shop, account: i64, hash: &str, confirmations: u32) {
    let read = world.read(shop, &format!("/v1/accounts/{account}"));
    let observation = WireObservation::Deposit {
        chain: "8453".parse().expect("a chain"),
        hash: hash.to_owned(),
        from: None,
        to: read["address"].as_str().expect("an address").to_owned(),
        currency: "USDC".parse().expect("a currency"),
        units: "1000000".to_owned(),
        confirmations,
    };
    assert_eq!(world.call(Command::Observe { observation }), Reply::Done);
}

fn ids(page: &Value) -> Vec<i64> {
    let items = page["items"].as_array().expect("items").iter();
    items
        .map(|item| item["id"].as_i64().expect("an id"))
        .collect()
}

#[test]
fn the_movements_of_all_accounts_are_one_list_and_those_not_confirmed_are_found_by_their_status() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let tills =
            ["north", "south", "west"].map(|name| world.account(&shop, name, 8453, &["USDC"]));
        let theirs = world.account(&other, "till", 8453, &["USDC"]);
        for (number, till) in tills.iter().cycle().take(12).enumerate() {
            world.pass(std::time::Duration::from_secs(60));
            let confirmations = if number % 4 == 3 { 0 } else { 100 };
            see(
                &mut world,
                &shop,
                *till,
                &format!("0xaa{number}"),
                confirmations,
            );
            see(&mut world, &other, theirs, &format!("0xbb{number}"), 100);
        }
        let all = world.read(&shop, "/v1/movements");
        assert_eq!(all["total"], 12, "{kind}");
        let mut newest_first = ids(&all);
        let mut by_account = Vec::new();
        for till in tills {
            let of_account = world.read(&shop, &format!("/v1/accounts/{till}/movement"));
            by_account.extend(of_account["items"].as_array().expect("items").clone());
        }
        by_account.sort_by_key(|movement| std::cmp::Reverse(movement["id"].as_i64()));
        assert_eq!(all["items"], Value::Array(by_account), "{kind}");

        // Page by page it is the same, from either end.
        let mut paged = Vec::new();
        for page in 1..=3 {
            let read = world.read(&shop, &format!("/v1/movements?limit=5&page={page}"));
            assert_eq!(read["total"], 12, "{kind}");
            assert_eq!(read.get("next").is_some(), page < 3, "{kind}");
            paged.extend(ids(&read));
        }
        assert_eq!(paged, newest_first, "{kind}");
        let oldest_first = world.read(&shop, "/v1/movements?sort=asc");
        newest_first.reverse();
        assert_eq!(ids(&oldest_first), newest_first, "{kind}");
        let at = all["items"][4]["created_at"].as_str().expect("a moment");
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
        let waiting = [ids(&waiting), ids(&rest)].concat();
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

        // What becomes of one is told in the same place.
        see(&mut world, &shop, tills[2], "0xaa11", 100);
        let now = world.read(&shop, "/v1/movements?limit=1");
        assert_eq!(now["items"][0]["status"], "Confirmed", "{kind}");
        let waiting = world.read(&shop, "/v1/movements?status=Pending,Processing");
        assert_eq!(waiting["total"], 2, "{kind}");

        let refused = world.keyed(
            &shop,
            "GET",
            "/v1/movements?status=Failed,Confirmed",
            Value::Null,
        );
        assert_eq!(refused.refusal(), "422 NOT_SUPPORTED status", "{kind}");
    });
}

#[test]
fn a_movement_is_read_by_its_id_whichever_account_it_is_of_and_nobody_elses() {
    database::each(|kind, database| {
        let mut world = World::new(database);
        let shop = world.shop("Shop", None);
        let other = world.shop("Other", None);
        let till = world.account(&shop, "till", 8453, &["USDC"]);
        see(&mut world, &shop, till, "0xaa", 100);
        let listed = world.read(&shop, "/v1/movements")["items"][0].clone();
        let path = format!("/v1/movements/{}", listed["id"]);
        assert_eq!(world.read(&shop, &path), listed, "{kind}");
        let refused = world.keyed(&other, "GET", &path, Value::Null);
        assert_eq!(refused.status, 404, "{kind}");
    });
}
