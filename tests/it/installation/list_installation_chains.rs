//! `GET /installation/chains`.

use alloy_primitives::{Address, U256};
use serde_json::{Value, json};
use settlekit_core::installation::{ChainComparison, ChainReport, ProviderReport};
use settlekit_tests::chain::{Connected, EXPLORER, MemoryChain, USDC};
use settlekit_tests::database;
use settlekit_tests::world::{World, text};

use super::{chain, deposit, fund, operator, read, wait};

fn report(connected: &mut Connected, node_head: u64, problem: Option<&str>) {
    let (chain, now) = (connected.chain.id, connected.world.now);
    let report = ChainReport {
        reported_at: now,
        head_at: now,
        node_head: Some(node_head),
        problem: problem.map(str::to_owned),
        providers: vec![ProviderReport {
            host: "node.example".to_owned(),
            ready: problem.is_none(),
            head: Some(node_head),
            lag: Some(0),
            last_success_at: Some(now),
            last_error: problem.map(str::to_owned),
            last_error_at: problem.map(|_| now),
        }],
    };
    let (service, database) = connected.world.parts();
    let reported = service.report_chain(database, chain, &report);
    assert_eq!(reported, Ok(()));
}

#[test]
fn a_chain_shows_its_head_what_is_settled_and_how_far_it_is_behind_the_nodes() {
    Connected::each(|kind, mut connected| {
        let (_, olga) = operator(&mut connected.world);
        let shown = chain(&mut connected, &olga);
        assert_eq!(shown["head"], 100, "{kind}");
        for absent in [
            "lag",
            "settled_block",
            "report",
            "comparison",
            "test_network",
        ] {
            assert!(shown.get(absent).is_none(), "{kind}: {absent} of {shown}");
        }
        connected.blocks(4);
        report(&mut connected, 107, None);
        let shown = chain(&mut connected, &olga);
        let of = |name: &str| shown[name].clone();
        assert_eq!(of("head"), 104, "{kind}");
        assert_eq!(of("lag"), 3, "{kind}");
        assert_eq!(of("settled_block"), 102, "{kind}");
        assert_eq!(of("confirmations_required"), 3, "{kind}");
        assert_eq!(of("base_fee_gwei"), "1", "{kind}");
        assert_eq!(of("explorer_url"), EXPLORER, "{kind}");
        assert_eq!(of("paused"), false, "{kind}");
        let provider = &shown["report"]["providers"][0];
        assert_eq!(provider["host"], "node.example", "{kind}");
        assert_eq!(provider["ready"], true, "{kind}");
        report(
            &mut connected,
            107,
            Some("1 of 2 needed providers are ready"),
        );
        let shown = chain(&mut connected, &olga);
        let problem = &shown["report"]["problem"];
        assert_eq!(problem, "1 of 2 needed providers are ready", "{kind}");
    });
}

#[test]
fn a_chain_shows_the_latest_comparison_and_forgets_it_when_it_is_disconnected() {
    Connected::each(|kind, mut connected| {
        let (_, olga) = operator(&mut connected.world);
        let (id, now) = (connected.chain.id, connected.world.now);
        let comparison = ChainComparison {
            compared_at: now,
            block: Some(102),
            balances: 3,
            difference_count: 1,
            differences: vec!["Base: 1 USDC less is held than is owed".to_owned()],
        };
        let (service, database) = connected.world.parts();
        let recorded = service.record_comparison(database, id, &comparison);
        assert_eq!(recorded, Ok(()), "{kind}");
        report(&mut connected, 100, None);
        let shown = chain(&mut connected, &olga);
        assert_eq!(shown["comparison"]["difference_count"], 1, "{kind}");
        assert_eq!(shown["comparison"]["block"], 102, "{kind}");
        let (service, database) = connected.world.parts();
        assert_eq!(service.disconnect_chain(database, id), Ok(()), "{kind}");
        assert_eq!(read(&mut connected, &olga, "chains"), json!([]), "{kind}");
        // A late report of a chain that is gone is dropped.
        report(&mut connected, 100, None);
        connected.connect();
        let shown = chain(&mut connected, &olga);
        assert!(
            shown.get("report").is_none() && shown.get("comparison").is_none(),
            "{kind}"
        );
    });
}

#[test]
fn the_latest_hundred_of_ten_thousand_unknown_tokens_are_seen_and_none_is_booked() {
    const BLOCKS: u64 = 100;
    let token = |number: u64| Address::from_word(U256::from(number + 1).into());
    Connected::each(|kind, mut connected| {
        let (_, olga) = operator(&mut connected.world);
        let seen =
            |connected: &mut Connected| chain(connected, &olga)["unconfigured_tokens"].take();
        assert_eq!(seen(&mut connected), json!([]), "{kind}");
        for block in 0..BLOCKS {
            for number in 0..100 {
                connected.chain.unconfigured(token(100 * block + number), 1);
            }
            connected.blocks(1);
        }
        let latest = connected.chain.head().number;
        let listed = seen(&mut connected);
        let listed = listed.as_array().expect("a list");
        assert_eq!(listed.len(), 100, "{kind}");
        assert!(
            listed.iter().all(|one| one["last_block"] == latest),
            "{kind}"
        );
        let (_, database) = connected.world.parts();
        let rows = database.query("SELECT contract FROM unconfigured_tokens", &[]);
        assert_eq!(rows.expect("rows").len(), 100, "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
        // The latest comes first, counted on.
        let contract = token(100 * BLOCKS - 1);
        connected.chain.unconfigured(contract, 2);
        connected.blocks(1);
        let expected =
            json!({ "contract": contract.to_string(), "transfers": 3, "last_block": latest + 1 });
        assert_eq!(seen(&mut connected)[0], expected, "{kind}");
        // A token that is taken is none of them, and a chain that is gone has none.
        connected.eurc = Some(contract);
        connected.connect();
        let listed = seen(&mut connected);
        assert_eq!(listed.as_array().map(Vec::len), Some(99), "{kind}");
        assert!(
            !listed.to_string().contains(&contract.to_string()),
            "{kind}"
        );
        let id = connected.chain.id;
        let (service, database) = connected.world.parts();
        assert_eq!(service.disconnect_chain(database, id), Ok(()), "{kind}");
        connected.connect();
        assert_eq!(seen(&mut connected), json!([]), "{kind}");
    });
}

#[test]
fn unswept_money_is_counted_and_summed_like_its_list() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        assert_eq!(chain(&mut connected, &olga)["unswept"], json!([]), "{kind}");
        fund(&mut connected, &shop);
        // The gas money and what was swept lie in the hot wallet.
        assert_eq!(chain(&mut connected, &olga)["unswept"], json!([]), "{kind}");
        deposit(&mut connected, &shop, "shelf");
        deposit(&mut connected, &shop, "stall");
        let shown = chain(&mut connected, &olga);
        let expected = json!([{ "currency": "USDC", "amount": "20", "proxies": 2 }]);
        assert_eq!(shown["unswept"], expected, "{kind}");
        let listed = read(&mut connected, &olga, "chains/8453/unswept-proxies");
        assert_eq!(listed["items"].as_array().map(Vec::len), Some(2), "{kind}");
        connected.reorganise(3);
        let shown = chain(&mut connected, &olga);
        let expected = json!([{ "currency": "USDC", "amount": "10", "proxies": 1 }]);
        assert_eq!(shown["unswept"], expected, "{kind}");
    });
}

#[test]
fn transactions_under_way_are_counted_from_the_oldest() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        fund(&mut connected, &shop);
        let shown = chain(&mut connected, &olga);
        assert_eq!(shown["transactions_under_way"], 0, "{kind}");
        assert!(shown.get("oldest_transaction_at").is_none(), "{kind}");
        connected.pay_out(&shop, "1");
        let first = connected.world.now.to_string();
        wait(&mut connected, 60);
        connected.pay_out(&shop, "1");
        let shown = chain(&mut connected, &olga);
        assert_eq!(shown["transactions_under_way"], 2, "{kind}");
        assert_eq!(shown["oldest_transaction_at"], first.as_str(), "{kind}");
    });
}

#[test]
fn a_test_network_is_marked_wherever_its_money_shows() {
    Connected::each(|kind, mut connected| {
        let (shop, olga) = operator(&mut connected.world);
        connected.is_test = true;
        connected.connect();
        assert_eq!(chain(&mut connected, &olga)["test_network"], true, "{kind}");
        let chains = connected.world.read(&shop, "/v1/chains");
        assert_eq!(chains[0]["test_network"], true, "{kind}");
        connected.world.account(&shop, "till", 8453, &["USDC"]);
        let link = json!({ "amount": "5", "currency": "USDC", "name": "Tea" });
        let link = connected.world.post(&shop, "/v1/paylinks", link).id();
        let path = format!("/v1/checkout/{link}");
        let offered = connected.world.public("GET", &path, Value::Null);
        assert_eq!(offered.data()["options"][0]["test_network"], true, "{kind}");
        let chosen = json!({ "chain_id": 8453, "currency": "USDC" });
        let path = format!("{path}/payments");
        let started = connected.world.public("POST", &path, chosen);
        assert_eq!(
            started.data()["test_network"],
            true,
            "{kind}: {}",
            started.body
        );
        let address = text(started.data(), "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), address, 5_000_000);
        connected.blocks(3);
        let id = text(started.data(), "payment_id");
        let payment = format!("/v1/payments/{id}");
        let payment = connected.world.read(&shop, &payment);
        assert_eq!(payment["status"], "Confirmed", "{kind}");
        assert_eq!(payment["test_network"], true, "{kind}");
        // Webhooks carry the same record.
        let events = connected.world.list(&shop, "/v1/events");
        let mut of_payment = events.iter().filter(|event| event["data"]["id"] == id);
        let settled = of_payment.find(|event| event["action"] == "Settled");
        let settled = settled.expect("an event of the payment");
        assert_eq!(settled["data"]["test_network"], true, "{kind}: {settled}");
    });
}

#[test]
fn a_sandbox_has_no_connected_chains_and_no_explorer() {
    let mut world = World::new(database::sqlite());
    let (shop, olga) = operator(&mut world);
    let chains = world.session(&olga, "GET", "/v1/installation/chains", Value::Null);
    assert_eq!(chains.data(), &json!([]));
    let listed = world.read(&shop, "/v1/chains");
    for chain in listed.as_array().expect("chains") {
        assert!(chain.get("explorer_url").is_none(), "{chain}");
    }
    assert_eq!(MemoryChain::base().id.to_string(), "8453");
}
