//! Faults that hold up one payout, one sweep or one currency, and nothing else.

use std::time::Duration;

use alloy_primitives::Address;
use serde_json::json;
use settlekit_core::chain::Asset;
use settlekit_service::operator::{Factory, OperatorError};
use settlekit_service::outgoing::{Broadcast, Estimate, NodeRequest};
use settlekit_service::{FACTORY, Seed};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::text;

use super::sending::{GAS, balance, broadcast, estimated, funded, mine, sent, show, status};

#[test]
fn a_payout_that_cannot_be_booked_is_set_aside_and_the_chain_goes_on() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let first = connected.pay_out(&shop, "4");
        let (_, first_hash) = sent(&mut connected);
        let second = connected.pay_out(&shop, "2");
        let (_, second_hash) = sent(&mut connected);
        let set_reserved = |connected: &mut Connected, units: &str| {
            let (_, database) = connected.world.parts();
            let sql = format!(
                "UPDATE ledger_accounts SET reserved = {units} WHERE kind = 'merchant' AND currency = 'USDC'"
            );
            assert_eq!(database.execute(&sql, &[]), Ok(1), "{kind}");
        };
        // Somebody changed the database by hand.
        set_reserved(&mut connected, "2000000");
        mine(&mut connected, first_hash, 0, Some(4_000_000));
        mine(&mut connected, second_hash, 1, Some(2_000_000));
        connected.blocks(4);
        assert_eq!(
            status(&mut connected, &shop, &first),
            "Processing",
            "{kind}"
        );
        assert_eq!(
            status(&mut connected, &shop, &second),
            "Confirmed",
            "{kind}"
        );
        let said = &connected.failures;
        assert_eq!(said.len(), 1, "{kind}: {said:?}");
        assert!(
            said[0].contains(&first_hash.to_string()),
            "{kind}: {said:?}"
        );
        // Set right, it is settled at the next try.
        set_reserved(&mut connected, "4000000");
        connected.world.pass(Duration::from_secs(3601));
        assert_eq!(connected.requests(), [], "{kind}");
        connected.blocks(1);
        assert_eq!(status(&mut connected, &shop, &first), "Confirmed", "{kind}");
        assert_eq!(balance(&mut connected, &shop), "4 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}

#[test]
fn money_is_never_sent_to_the_service_itself_nor_to_the_contract_of_a_token() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        for address in [connected.wallet, FACTORY, USDC] {
            let payout = json!({
                "account": "till", "amount": "1", "currency": "USDC", "chain_id": 8453, "address": address,
            });
            let world = &mut connected.world;
            let refused = world.signed(&shop, None, "POST", "/v1/payouts", payout);
            assert_eq!(refused.refusal(), "422 NOT_SUPPORTED address", "{kind}");
            let saved = json!({
                "type": "Digital", "address": address, "chain_id": 8453, "currencies": ["USDC"],
            });
            let refused = world.signed(&shop, None, "POST", "/v1/accounts/external-account", saved);
            assert_eq!(refused.refusal(), "422 NOT_SUPPORTED address", "{kind}");
        }
        assert_eq!(balance(&mut connected, &shop), "10 0", "{kind}");
    });
}

#[test]
fn without_its_factory_a_chain_is_not_swept_and_the_operator_is_told() {
    Connected::each(|kind, mut connected| {
        let deployer = Address::repeat_byte(0xde);
        connected.deploy = Some((deployer, vec![1]));
        connected.connect();
        let shop = funded(&mut connected);
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy = text(&till, "address").parse().expect("an address");
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        connected.world.pass(Duration::from_secs(3601));
        let factory = |connected: &mut Connected| {
            let (service, database) = connected.world.parts();
            service.connected_chains(database).expect("chains")[0].factory
        };
        assert_eq!(factory(&mut connected), Factory::Deploying, "{kind}");
        let requests = connected.requests();
        let [NodeRequest::Estimate { id, to, .. }] = requests.as_slice() else {
            panic!("{kind}: not one estimate: {requests:?}");
        };
        assert_eq!(*to, deployer, "{kind}");
        connected.estimate(*id, &Estimate::Reverts);
        let said = &connected.failures;
        assert_eq!(said.len(), 1, "{kind}: {said:?}");
        assert_eq!(factory(&mut connected), Factory::Missing, "{kind}");
        connected.world.pass(Duration::from_secs(24 * 3600));
        assert_eq!(connected.requests(), [], "{kind}");
        // Tried again, it is mined and reverted.
        connected.connect();
        let requests = connected.requests();
        let [NodeRequest::Estimate { id, .. }] = requests.as_slice() else {
            panic!("{kind}: not one estimate: {requests:?}");
        };
        connected.estimate(*id, &GAS);
        let (id, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        mine(&mut connected, hash, 0, None);
        connected.blocks(3);
        assert_eq!(connected.failures.len(), 2, "{kind}");
        assert_eq!(factory(&mut connected), Factory::Missing, "{kind}");
        // It is there: the money that has waited is swept.
        connected.deploy = None;
        connected.connect();
        assert_eq!(factory(&mut connected), Factory::Deployed, "{kind}");
        let requests = connected.requests();
        let [NodeRequest::Estimate { to, .. }] = requests.as_slice() else {
            panic!("{kind}: not one estimate: {requests:?}");
        };
        assert_eq!(*to, FACTORY, "{kind}");
    });
}

#[test]
fn a_payout_keeps_the_time_when_it_was_first_sent() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let payout = connected.pay_out(&shop, "4");
        let (id, _) = sent(&mut connected);
        let at = |connected: &mut Connected| {
            let shown = show(connected, &shop, &payout);
            text(&shown["settlement_transaction"], "created_at")
        };
        let first = at(&mut connected);
        connected.world.pass(Duration::from_secs(60));
        let (_, hash, _) = broadcast(&mut connected);
        connected.broadcast((id, hash), Broadcast::Accepted);
        assert_eq!(at(&mut connected), first, "{kind}");
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(at(&mut connected), first, "{kind}");
    });
}

#[test]
fn the_queue_goes_on_after_a_clock_was_a_year_ahead() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 3600);
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let till = connected.world.read(&shop, "/v1/accounts/till");
        let proxy = text(&till, "address").parse().expect("an address");
        connected.pay_out(&shop, "4");
        let right = connected.world.now;
        connected.world.now = right.plus(YEAR);
        // Money arrives and a request is made, both with times of next year.
        connected.chain.transfer(Some(USDC), proxy, 5_000_000);
        connected.blocks(3);
        let id = estimated(&mut connected);
        connected.world.now = right.plus(Duration::from_secs(16));
        let requests = connected.requests();
        let asked = |to: Address| {
            let mut requests = requests.iter();
            requests.any(|request| matches!(request, NodeRequest::Estimate { to: asked, .. } if *asked == to))
        };
        assert!(asked(USDC), "{kind}: {requests:?}");
        assert!(asked(FACTORY), "{kind}: {requests:?}");
        connected.estimate(id, &GAS);
        let (_, hash, _) = broadcast(&mut connected);
        mine(&mut connected, hash, 0, Some(4_000_000));
        connected.blocks(3);
        assert_eq!(balance(&mut connected, &shop), "11 0", "{kind}");
    });
}

#[test]
fn a_currency_of_a_connected_chain_keeps_its_contract_and_a_contract_its_currency() {
    Connected::each(|kind, mut connected| {
        let chain = connected.chain.id;
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        let mut add = |symbol: &str, scale: u32, contract: Option<Address>| {
            let asset = Asset {
                symbol: symbol.parse().expect("a currency"),
                scale,
                token_address: contract.map(|contract| contract.to_string()),
            };
            service.add_token(database, chain, (&asset, None), now, Seed([2; 32]))
        };
        let other = Some(Address::repeat_byte(0xcc));
        for (symbol, scale, contract) in [
            ("USDC", 6, other),
            ("USDC", 18, Some(USDC)),
            ("USDX", 6, Some(USDC)),
            ("WETH", 18, None),
        ] {
            let refused = add(symbol, scale, contract);
            assert!(
                matches!(refused, Err(OperatorError::CurrencyDiffers(..))),
                "{kind}: {symbol}: {refused:?}"
            );
        }
        assert_eq!(add("USDC", 6, Some(USDC)), Ok(()), "{kind}");
        assert_eq!(add("EURC", 6, other), Ok(()), "{kind}");
        let now = connected.world.now;
        let (service, database) = connected.world.parts();
        let watches = service.watches(database, now, Seed([1; 32]));
        let tokens = watches.expect("watches")[0].tokens.clone();
        assert_eq!(tokens.len(), 2, "{kind}: {tokens:?}");
        // The same when the chain is connected again.
        connected.usdc = Address::repeat_byte(0xee);
        let refused = connected.try_connect();
        assert!(
            matches!(refused, Err(OperatorError::CurrencyDiffers(..))),
            "{kind}: {refused:?}"
        );
    });
}
