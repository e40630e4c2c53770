//! `GET /accounts/{account}/movement`.

use serde_json::{Value, json};
use settlekit_service::Database;
use settlekit_tests::world::{Answer, WALLET, World, amount, currency, number, text};

use super::{bundle, create};

/// Amounts and accounts of a page of movements.
fn page(answer: &Answer) -> Vec<(String, i64)> {
    let items = answer.items();
    let of = |item: &Value| {
        let amount = text(item, "amount");
        (amount, number(item, "account_id"))
    };
    items.iter().map(of).collect()
}

#[test]
fn the_movements_of_a_shared_reference_are_filtered() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let [base, polygon, below] = bundle(&mut world, &shop);
        world.deposit(&shop, polygon, 137, "USDC", "2");
        world.deposit(&shop, below, 8453, "USDC", "3");
        world.deposit(&shop, base, 8453, "USDC", "4");
        let all = [("1", base), ("2", polygon), ("3", below), ("4", base)];
        let all = all.map(|(amount, id)| (amount.to_owned(), id));
        for (query, expected) in [
            ("type=Deposit", vec![0, 1, 2, 3]),
            ("type=Withdraw,Transfer", vec![]),
            ("direction=IN&currency=USDC", vec![0, 1, 2, 3]),
            ("direction=OUT", vec![]),
            ("currency=ETH", vec![]),
            ("chain_id=137", vec![1]),
            ("chain_id=8453,10", vec![0, 2, 3]),
            ("status=Confirmed&chain_id=8453", vec![0, 2, 3]),
            ("status=Pending,Failed", vec![]),
            ("currency=USDC&amount_from=2.0&amount_to=3", vec![1, 2]),
            ("currency=USDC&amount_from=2.01&type=Deposit", vec![2, 3]),
        ] {
            let path = format!("/v1/accounts/till/movement?sort=asc&{query}");
            let listed = world.keyed(&shop, "GET", &path, Value::Null);
            let expected: Vec<(String, i64)> =
                expected.iter().map(|at: &usize| all[*at].clone()).collect();
            assert_eq!(page(&listed), expected, "{kind}: {query}");
            assert_eq!(listed.data()["total"], expected.len(), "{kind}: {query}");
        }
    });
}

#[test]
fn a_shared_reference_lists_movements_of_all_its_accounts_in_order() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let [base, polygon, below] = bundle(&mut world, &shop);
        world.deposit(&shop, polygon, 137, "USDC", "2");
        world.deposit(&shop, below, 8453, "USDC", "3");
        world.deposit(&shop, base, 8453, "USDC", "4");
        let read = |world: &mut World, query: &str| {
            let path = format!("/v1/accounts/{query}");
            let listed = world.keyed(&shop, "GET", &path, Value::Null);
            assert_eq!(listed.status, 200, "{kind} {query}: {}", listed.body);
            listed
        };
        let all = [("1", base), ("2", polygon), ("3", below), ("4", base)];
        let all: Vec<(String, i64)> = all.map(|(amount, id)| (amount.to_owned(), id)).into();
        let listed = read(&mut world, "till/movement?sort=asc");
        assert_eq!(page(&listed), all, "{kind}");
        assert_eq!(listed.data()["total"], 4, "{kind}");
        let second = read(&mut world, "till/movement?sort=asc&limit=2&page=2");
        assert_eq!(page(&second), all[2..], "{kind}");
        assert_eq!(second.data()["total"], 4, "{kind}");
        // An account's id selects it and its sub-accounts.
        let first = read(&mut world, &format!("{base}/movement?sort=asc"));
        assert_eq!(
            page(&first),
            [all[0].clone(), all[3].clone()],
            "{kind}: the first by id"
        );
        let other = read(&mut world, &format!("{polygon}/movement?sort=asc"));
        assert_eq!(
            page(&other),
            all[1..3],
            "{kind}: the second with its sub-account"
        );

        // A third account adds its movements; a deleted one keeps its own.
        let on = json!({ "reference": "till", "chain_id": 1, "currencies": ["USDC"] });
        let third = create(&mut world, &shop, on);
        world.deposit(&shop, third, 1, "USDC", "5");
        let listed = read(&mut world, "till/movement?limit=1");
        assert_eq!(page(&listed), [("5".to_owned(), third)], "{kind}");
        assert_eq!(listed.data()["total"], 5, "{kind}");
        assert!(world.differences().is_empty(), "{kind}");
    });
}

#[test]
fn a_references_movements_include_those_of_deleted_accounts() {
    World::each(|kind, mut world| {
        let shop = world.shop("Shop", None);
        let [base, polygon, _] = bundle(&mut world, &shop);
        let out = json!({ "account": "till", "amount": "0.9", "currency": "USDC", "chain_id": 8453, "address": WALLET });
        world.create(&shop, "/v1/payouts", out);
        world.deposit(&shop, polygon, 137, "USDC", "2");
        let deleted = world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/accounts/{base}"),
            Value::Null,
        );
        assert_eq!(deleted.status, 409, "{kind}: balance: {}", deleted.body);
        // Empty the account, then delete it.
        for _ in 0..3 {
            world.pass_and_work(std::time::Duration::from_secs(600));
        }
        let (service, database) = world.parts();
        let held = balance(database, base);
        let negative = amount(&format!("-{held}"));
        let usdc = currency("USDC");
        let id = settlekit_core::value::AccountId::new(base).expect("an id");
        let now = settlekit_core::value::Timestamp::from_micros(1_800_000_000_000_000);
        let seed = settlekit_service::Seed([7; 32]);
        service
            .adjust(database, (shop.id, id), (negative, &usdc), now, seed)
            .expect("the database")
            .expect("adjusted");
        let deleted = world.keyed(
            &shop,
            "DELETE",
            &format!("/v1/accounts/{base}"),
            Value::Null,
        );
        assert_eq!(deleted.status, 200, "{kind}: {}", deleted.body);
        let listed = world.keyed(
            &shop,
            "GET",
            "/v1/accounts/till/movement?sort=asc",
            Value::Null,
        );
        let first = page(&listed).remove(0);
        assert_eq!(first, ("1".to_owned(), base), "{kind}");
        // The reference now names the only account left.
        let named = world.keyed(&shop, "GET", "/v1/accounts/till", Value::Null);
        assert_eq!(named.data()["id"], polygon, "{kind}: {}", named.body);
    });
}

/// The account's USDC balance, in whole units with six decimals.
fn balance(database: &mut dyn Database, account: i64) -> String {
    const HELD: &str = "SELECT posted FROM ledger_accounts WHERE kind = 'merchant' AND account_id = ?1 AND currency = 'USDC'";
    let rows = database.query(HELD, &[account.into()]).expect("rows");
    let units = rows[0].amount(0).expect("an amount");
    format!("{}.{:06}", units / 1_000_000, units % 1_000_000)
}
