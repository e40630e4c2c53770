//! Migrations that change rows, of a database that has some: the same comes of them on both databases.

use settlekit_service::Database;
use settlekit_service::store::migrate::{self, HISTORY};
use settlekit_tests::database;
use settlekit_tests::world::World;

/// Takes the steps before one of a name, writes rows, and takes the rest.
fn with_rows_before(database: &mut dyn Database, name: &str, rows: &str) {
    let before = HISTORY.iter().position(|step| step.name == name);
    let before = &HISTORY[..before.expect("a migration of this name")];
    assert_eq!(migrate::walk(database, before), Ok(before.len() as u32));
    database.script(rows).expect("rows");
    migrate::migrate(database).expect("the rest");
}

const ORGANISATIONS: &str = "INSERT INTO organisations (id, otc, signing_secret, record, created_at, updated_at) VALUES \
     ('org_a', 0, {SECRET}, '{}', 0, 0), ('org_b', 0, {SECRET}, '{}', 0, 0);";

fn organisations(database: &dyn Database) -> String {
    let secret = match database.dialect() {
        settlekit_service::store::dialect::Dialect::Sqlite => "x''",
        settlekit_service::store::dialect::Dialect::Postgres => "''",
    };
    ORGANISATIONS.replace("{SECRET}", secret)
}

#[test]
fn customers_from_before_0020_are_known_by_their_address_in_small_letters() {
    const CUSTOMERS: &str = r#"INSERT INTO customers (id, org_id, seq, payments_count, search, record, created_at, updated_at) VALUES
        ('cus_1', 'org_a', 1, 1, '', '{"name":"Zoë Ångström","email":"Zoe@Tea.example","properties":{"note":"a \"word\""}}', 0, 0),
        ('cus_2', 'org_a', 2, 1, '', '{"name":"Zoë","email":"zoe@tea.EXAMPLE"}', 0, 0),
        ('cus_3', 'org_b', 1, 1, '', '{"email":"zoe@tea.example"}', 0, 0),
        ('cus_4', 'org_b', 2, 1, '', '{"name":"Nobody"}', 0, 0),
        ('cus_5', 'org_b', 3, 1, '', '{"name":"Null","email":null}', 0, 0),
        ('cus_6', 'org_b', 4, 1, '', '{"email":"ZOË@tea.example"}', 0, 0);"#;
    database::each(|kind, mut database| {
        let rows = organisations(database.as_ref()) + CUSTOMERS;
        with_rows_before(database.as_mut(), "0020_customers_by_email", &rows);
        // What small letters are beyond ASCII the databases do not agree on: those are written by the service, at its first work.
        let mut world = World::new(database);
        world.work();
        let database = world.parts().1;
        let known = database::told(
            database,
            "SELECT id, COALESCE(email, 'none') FROM customers ORDER BY id",
        );
        let expected = [
            "cus_1 zoe@tea.example",
            "cus_2 zoe@tea.example",
            "cus_3 zoe@tea.example",
            "cus_4 none",
            "cus_5 none",
            "cus_6 zoë@tea.example",
        ];
        assert_eq!(known, expected, "{kind}");
    });
}

#[test]
fn customers_subscriptions_and_invoices_from_before_0022_are_counted_at_every_level() {
    const ROWS: &str = "INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES ('org_a', 'customers', 70000, 0), \
         ('org_b', 'customers', 1, 0), ('org_b', 'subscriptions', 2, 0), ('org_b', 'invoices', 2, 0);
        INSERT INTO customers (id, org_id, seq, payments_count, search, record, created_at, updated_at) \
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 70000) \
         SELECT 'cus_' || n, 'org_a', n, n % 7, '', '{}', 0, 0 FROM n;
        INSERT INTO customers (id, org_id, seq, payments_count, search, record, created_at, updated_at) \
         VALUES ('cus_b', 'org_b', 1, 0, '', '{}', 0, 0);
        INSERT INTO subscriptions (id, org_id, seq, customer_id, status, billing, record, created_at, updated_at) VALUES \
         ('sub_1', 'org_b', 1, 'cus_b', 'Active', '{}', '{}', 0, 0), ('sub_2', 'org_b', 2, 'cus_b', 'Paused', '{}', '{}', 0, 0);
        INSERT INTO invoices (id, org_id, seq, subscription_id, customer_id, payment_status, dunning_status, due_at, record, \
         created_at, updated_at) VALUES ('inv_1', 'org_b', 1, 'sub_1', 'cus_b', 'Failed', 'None', 0, '{}', 0, 0), \
         ('inv_2', 'org_b', 2, 'sub_2', 'cus_b', 'Failed', 'None', 0, '{}', 0, 0);";
    database::each(|kind, mut database| {
        let database = database.as_mut();
        let rows = organisations(database) + ROWS;
        with_rows_before(database, "0022_counts_by_triggers", &rows);
        let counted = database::told(
            database,
            "SELECT org_id, list, level, status, CAST(SUM(held) AS BIGINT) FROM counted \
             GROUP BY org_id, list, level, status ORDER BY org_id, list, level, status",
        );
        let expected = [
            "org_a customers 0 first-time 20000",
            "org_a customers 0 repeat 50000",
            "org_a customers 1 first-time 18725",
            "org_a customers 1 repeat 46810",
            "org_b customers 0 first-time 1",
            "org_b invoices 0 Failed 2",
            "org_b subscriptions 0 Active 1",
            "org_b subscriptions 0 Paused 1",
        ];
        assert_eq!(counted, expected, "{kind}");
    });
}

#[test]
fn customers_from_before_0023_are_found_by_what_a_search_ignores_since() {
    const CUSTOMERS: &str = r#"INSERT INTO customers (id, org_id, seq, payments_count, search, taken_in, record, created_at, updated_at) VALUES
        ('cus_1', 'org_a', 1, 1, 'łukasz', 'łukasz', '{"name":"Łukasz"}', 0, 0),
        ('cus_2', 'org_a', 2, 1, 'zoe', 'zoe', '{"name":"Zoë"}', 0, 0),
        ('cus_3', 'org_b', 1, 1, 'γιωργος', 'γιωργος', '{"name":"Γιώργος"}', 0, 0);"#;
    database::each(|kind, mut database| {
        let rows = organisations(database.as_ref()) + CUSTOMERS;
        with_rows_before(database.as_mut(), "0023_rows_of_older_servers", &rows);
        let mut world = World::new(database);
        let left = "SELECT id FROM customers WHERE taken_in IS NULL ORDER BY id";
        let left = database::told(world.parts().1, left);
        assert_eq!(left, ["cus_1", "cus_3"], "{kind}");
        world.work();
        let found_by = "SELECT search, taken_in FROM customers ORDER BY id";
        let found_by = database::told(world.parts().1, found_by);
        let expected = ["lukasz lukasz", "zoe zoe", "γιωργοσ γιωργοσ"];
        assert_eq!(found_by, expected, "{kind}");
    });
}

#[test]
fn links_and_plans_of_invoices_from_before_0021_are_taken_out_of_the_lists_by_0023() {
    const ROWS: &str = r#"INSERT INTO plans (id, org_id, seq, record, created_at, updated_at) VALUES
        ('plan_1', 'org_a', 1, '{"source":"Subscription"}', 1, 1), ('plan_2', 'org_a', 2, '{"source":"Api"}', 2, 2),
        ('plan_3', 'org_a', 3, '{"source":"Subscription"}', 3, 3), ('plan_4', 'org_a', 4, '{}', 4, 4),
        ('plan_5', 'org_a', -1, '{"source":"Subscription"}', 5, 5), ('plan_b', 'org_b', 1, '{"source":"Api"}', 1, 1);
        INSERT INTO paylinks (id, org_id, seq, plan_id, settlement, record, deleted_at, created_at, updated_at) VALUES
        ('pl_1', 'org_a', 1, 'plan_1', '{}', '{"enabled":true,"invoice_id":"inv_1"}', NULL, 1, 1),
        ('pl_2', 'org_a', 2, 'plan_2', '{}', '{"enabled":true}', NULL, 2, 2),
        ('pl_3', 'org_a', 3, 'plan_3', '{}', '{"enabled":true,"invoice_id":"inv_3"}', NULL, 3, 3),
        ('pl_4', 'org_a', 4, 'plan_4', '{}', '{"enabled":true}', NULL, 4, 4),
        ('pl_5', 'org_a', -1, 'plan_5', '{}', '{"enabled":true,"invoice_id":"inv_5"}', NULL, 5, 5),
        ('pl_b', 'org_b', 1, 'plan_b', '{}', '{"enabled":true}', NULL, 1, 1);
        INSERT INTO sequences (owner, kind, last_seq, last_at) VALUES ('org_a', 'paylinks', 4, 4), ('org_a', 'plans', 4, 4),
        ('org_a', 'paylinks of invoices', 1, 5), ('org_a', 'plans of invoices', 1, 5), ('org_b', 'paylinks', 1, 1), ('org_b', 'plans', 1, 1);
        INSERT INTO tallies (org_id, name, tally) VALUES ('org_a', 'paylink active', 4), ('org_b', 'paylink active', 1);"#;
    database::each(|kind, mut database| {
        let database = database.as_mut();
        let rows = organisations(database) + ROWS;
        with_rows_before(database, "0023_rows_of_older_servers", &rows);
        for (table, prefix) in [("paylinks", "pl"), ("plans", "plan")] {
            let listed =
                format!("SELECT org_id, seq, id FROM {table} WHERE seq > 0 ORDER BY org_id, seq");
            let expected = ["org_a 1 {}_2", "org_a 2 {}_4", "org_b 1 {}_b"];
            let expected = expected.map(|row| row.replace("{}", prefix));
            assert_eq!(database::told(database, &listed), expected, "{kind}");
            let beside = format!("SELECT id FROM {table} WHERE seq < 0 ORDER BY id");
            let expected = ["1", "3", "5"].map(|number| format!("{prefix}_{number}"));
            assert_eq!(database::told(database, &beside), expected, "{kind}");
        }
        let numbers = "SELECT owner, kind, last_seq FROM sequences ORDER BY owner, kind";
        let expected = [
            "org_a paylinks 2",
            "org_a paylinks of invoices 1",
            "org_a plans 2",
            "org_a plans of invoices 1",
            "org_b paylinks 1",
            "org_b plans 1",
        ];
        assert_eq!(database::told(database, numbers), expected, "{kind}");
        let active =
            "SELECT org_id, tally FROM tallies WHERE name = 'paylink active' ORDER BY org_id";
        assert_eq!(
            database::told(database, active),
            ["org_a 2", "org_b 1"],
            "{kind}"
        );
    });
}

#[test]
fn movements_of_before_and_of_an_older_server_are_one_list_of_their_organisation_and_counted() {
    const ACCOUNTS: &str = "INSERT INTO accounts (id, org_id, seq, record, created_at, updated_at) VALUES \
         (1, 'org_a', 1, '{}', 0, 0), (2, 'org_a', 2, '{}', 0, 0), (3, 'org_b', 1, '{}', 0, 0);";
    const ADD: &str = "INSERT INTO movements (org_id, account_id, direction, type, status, currency, scale, amount, created_at, \
         updated_at) VALUES ";
    let row = |(organisation, account, at): (&str, i64, i64)| {
        let status = if at == 20 { "Confirmed" } else { "Pending" };
        format!(
            "('{organisation}', {account}, 'IN', 'Deposit', '{status}', 'USDC', 6, '1', {at}, 0)"
        )
    };
    let add = |rows: &[(&str, i64, i64)]| {
        let rows: Vec<String> = rows.iter().copied().map(row).collect();
        format!("{ADD}{};", rows.join(", "))
    };
    database::each(|kind, mut database| {
        let before = [
            ("org_a", 1, 10),
            ("org_b", 3, 10),
            ("org_a", 2, 20),
            ("org_a", 1, 20),
        ];
        let rows = organisations(database.as_ref()) + ACCOUNTS + &add(&before);
        with_rows_before(database.as_mut(), "0025_movements_of_all_accounts", &rows);
        let after = [("org_b", 3, 30), ("org_a", 2, 15)];
        database.script(&add(&after)).expect("an older server's");
        let numbers = database::told(
            database.as_mut(),
            "SELECT org_id, seq, account_id, created_at FROM movements ORDER BY org_id, seq",
        );
        let expected = [
            "org_a 1 1 10",
            "org_a 2 2 20",
            "org_a 3 1 20",
            "org_a 4 2 15",
            "org_b 1 3 10",
            "org_b 2 3 30",
        ];
        assert_eq!(numbers, expected, "{kind}");
        let last = database::told(
            database.as_mut(),
            "SELECT owner, last_seq, last_at FROM sequences WHERE kind = 'movements' ORDER BY owner",
        );
        assert_eq!(last, ["org_a 4 20", "org_b 2 30"], "{kind}");
        let counted = database::told(
            database.as_mut(),
            "SELECT org_id, level, piece, status, held FROM counted WHERE list = 'movements' AND level IN (0, 4) ORDER BY org_id, level",
        );
        let expected = [
            "org_a 0 0 Pending 2",
            "org_a 4 0 Pending 2",
            "org_b 0 0 Pending 2",
            "org_b 4 0 Pending 2",
        ];
        assert_eq!(counted, expected, "{kind}");
    });
}

#[test]
fn permanent_addresses_from_before_0029_are_found_by_their_reference() {
    const ROWS: &str = r#"INSERT INTO accounts (id, org_id, seq, record, created_at, updated_at) VALUES
        (1, 'org_a', 1, '{}', 0, 0), (2, 'org_a', 2, '{}', 0, 0), (3, 'org_b', 1, '{}', 0, 0);
        INSERT INTO pay_in_addresses (account_id, org_id, seq, record, created_at, updated_at) VALUES
        (1, 'org_a', 1, '{"account_id":2,"reference":"table-7"}', 0, 0),
        (2, 'org_a', 1, '{"account_id":2,"reference":"table-7"}', 0, 0),
        (2, 'org_a', 2, '{"account_id":2}', 0, 0),
        (3, 'org_b', 1, '{"account_id":3,"reference":"Zoë \"1\""}', 0, 0),
        (3, 'org_b', 2, '{"account_id":3,"reference":"table-9"}', 0, 0);
        INSERT INTO findable (org_id, text, kind, id) VALUES ('org_b', 'table-9', 'Account', '3');"#;
    database::each(|kind, mut database| {
        let rows = organisations(database.as_ref()) + ROWS;
        with_rows_before(database.as_mut(), "0029_find_older_addresses", &rows);
        let notes = "SELECT org_id, text, kind, id FROM findable ORDER BY org_id, text";
        let notes = database::told(database.as_mut(), notes);
        let expected = [
            "org_a table-7 Account 2",
            "org_b Zoë \"1\" Account 3",
            "org_b table-9 Account 3",
        ];
        assert_eq!(notes, expected, "{kind}");
    });
}

#[test]
fn a_permanent_address_with_a_nul_in_its_reference_does_not_hold_0029_up() {
    const ROWS: &str = r#"INSERT INTO accounts (id, org_id, seq, record, created_at, updated_at) VALUES (1, 'org_a', 1, '{}', 0, 0);
        INSERT INTO pay_in_addresses (account_id, org_id, seq, record, created_at, updated_at) VALUES
        (1, 'org_a', 1, '{"account_id":1,"reference":"a\u0000b"}', 0, 0), (1, 'org_a', 2, '{"account_id":1,"reference":"c"}', 0, 0);"#;
    database::each(|kind, mut database| {
        let rows = organisations(database.as_ref()) + ROWS;
        with_rows_before(database.as_mut(), "0029_find_older_addresses", &rows);
        let notes = "SELECT text, id FROM findable WHERE text = 'c'";
        assert_eq!(database::told(database.as_mut(), notes), ["c 1"], "{kind}");
    });
}

#[test]
fn events_from_before_0027_are_found_by_the_record_that_they_are_about() {
    const EVENTS: &str = r#"INSERT INTO events (id, org_id, seq, type, action, document_id, data, delivery_status, attempts, created_at,
        updated_at) VALUES
        ('evt_1', 'org_a', 1, 'Plan', 'Created', NULL, '{"id":"pl_1","name":"Tea"}', 'pending', 0, 0, 0),
        ('evt_2', 'org_a', 2, 'Account', 'Created', NULL, '{"id":7}', 'pending', 0, 0, 0),
        ('evt_3', 'org_a', 3, 'Transaction', 'Created', 'pay_1', '{"id":8,"entity_id":"pay_1"}', 'pending', 0, 0, 0),
        ('evt_4', 'org_a', 4, 'Org', 'Updated', NULL, '{"id":"org_a"}', 'pending', 0, 0, 0),
        ('evt_5', 'org_a', 5, 'Account', 'LowBalanceDetected', NULL, '{"account":{"id":7}}', 'pending', 0, 0, 0);"#;
    database::each(|kind, mut database| {
        let rows = organisations(database.as_ref()) + EVENTS;
        with_rows_before(database.as_mut(), "0026_events_of_any_record", &rows);
        let about = database::told(
            database.as_mut(),
            "SELECT id, COALESCE(document_id, 'nothing') FROM events ORDER BY id",
        );
        let expected = [
            "evt_1 pl_1",
            "evt_2 7",
            "evt_3 pay_1",
            "evt_4 org_a",
            "evt_5 nothing",
        ];
        assert_eq!(about, expected, "{kind}");
    });
}

#[test]
fn wallets_claimed_before_0034_are_watched_and_what_the_service_holds_stays_one_organisations() {
    const ROWS: &str = r#"INSERT INTO accounts (id, org_id, seq, chain_id, record, created_at, updated_at) VALUES
        (1, 'org_a', 1, 8453, '{"address":"0xAbC1","provider":"Managed"}', 0, 0),
        (2, 'org_a', 2, 8453, '{"address":"0xAbC2","provider":"External"}', 0, 0);
        INSERT INTO addresses (chain_id, address, org_id, account_id, payment_id) VALUES (8453, '0xabc1', 'org_a', 1, NULL),
        (8453, '0xabc2', 'org_a', 2, NULL), (8453, '0xabc3', 'org_a', 2, NULL), (8453, '0xabc4', 'org_a', 2, 'pay_1');"#;
    database::each(|kind, mut database| {
        let database = database.as_mut();
        let rows = organisations(database) + ROWS;
        with_rows_before(database, "0034_watched_wallets", &rows);
        let known = "SELECT address, watched FROM addresses ORDER BY address";
        let expected = ["0xabc1 0", "0xabc2 1", "0xabc3 0", "0xabc4 0"];
        assert_eq!(database::told(database, known), expected, "{kind}");
        let mut add = |address: &str, owner: &str, watched: i64| {
            const ADD: &str = "INSERT INTO addresses (chain_id, address, org_id, account_id, watched) VALUES (8453, ?1, ?2, 1, ?3) \
                 ON CONFLICT DO NOTHING";
            let values = [address.into(), owner.into(), watched.into()];
            database.execute(ADD, &values).expect("a statement")
        };
        assert_eq!(add("0xabc1", "org_b", 0), 0, "{kind}: held by another");
        assert_eq!(add("0xabc1", "org_b", 1), 1, "{kind}: watched by anybody");
        assert_eq!(add("0xabc2", "org_b", 1), 1, "{kind}");
        assert_eq!(add("0xabc2", "org_b", 1), 0, "{kind}: once by each");
    });
}
