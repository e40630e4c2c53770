//! A chain that mines no block for an hour, while servers and payers go on.

use std::time::Duration;

use alloy_primitives::B256;
use settlekit_service::outgoing::{Broadcast, NodeRequest};
use settlekit_tests::chain::{Connected, USDC};
use settlekit_tests::world::text;

use super::deposits::{movements, payment, show};
use super::sending::{balance, funded, mine, sent};

const MINUTE: Duration = Duration::from_secs(60);

/// A minute passes without a block. The node takes each transaction that is sent, and its hash is added.
fn pass_minute(connected: &mut Connected, forms: &mut Vec<B256>) {
    connected.world.pass_and_work(MINUTE);
    for request in connected.requests() {
        if let NodeRequest::Broadcast { id, hash, .. } = request {
            connected.broadcast((id, hash), Broadcast::Accepted);
            forms.push(hash);
        }
    }
}

#[test]
fn a_chain_that_halts_for_an_hour_ends_prices_and_books_everything_once_when_it_goes_on() {
    Connected::each(|kind, mut connected| {
        let shop = funded(&mut connected);
        let (seen, to) = payment(&mut connected, &shop);
        let (late, late_to) = payment(&mut connected, &shop);
        let (unpaid, _) = payment(&mut connected, &shop);
        connected.chain.transfer(Some(USDC), to, 5_000_000);
        connected.blocks(1);
        let payout = connected.pay_out(&shop, "4");
        let (_, first) = sent(&mut connected);
        let states = |connected: &mut Connected| {
            [&seen, &late, &unpaid, &payout].map(|id| {
                let shown = show(connected, &shop, id);
                let reason = shown["reason"].as_str().unwrap_or("-").to_owned();
                format!("{} {reason}", text(&shown, "status"))
            })
        };
        let mut forms = vec![first];
        for _ in 0..60 {
            pass_minute(&mut connected, &mut forms);
        }
        // Money that a block has is waited for. Nothing else is.
        let halted = ["Processing -", "Expired -", "Expired -", "Processing -"];
        assert_eq!(states(&mut connected), halted, "{kind}");
        assert_eq!(balance(&mut connected, &shop), "10 4", "{kind}");
        // The payout was replaced until its fee had grown tenfold, which an operator was told.
        let last = *forms.last().expect("a form");
        assert_ne!(last, first, "{kind}");
        let told = &connected.failures;
        assert_eq!(told.len(), 1, "{kind}: {told:?}");
        assert!(told[0].contains("wallet cancel"), "{kind}: {told:?}");
        // The first block has what was sent in that hour.
        connected.chain.transfer(Some(USDC), late_to, 5_000_000);
        mine(&mut connected, last, 0, Some(4_000_000));
        connected.blocks(3);
        let went_on = [
            "Confirmed -",
            "Confirmed PaidLate",
            "Expired -",
            "Confirmed -",
        ];
        assert_eq!(states(&mut connected), went_on, "{kind}");
        for _ in 0..60 {
            pass_minute(&mut connected, &mut forms);
        }
        connected.blocks(3);
        assert_eq!(states(&mut connected), went_on, "{kind}");
        let booked = [
            "10 USDC Confirmed",
            "5 USDC Confirmed",
            "4 USDC Confirmed",
            "5 USDC Confirmed",
        ];
        assert_eq!(movements(&mut connected, &shop), booked, "{kind}");
        assert_eq!(balance(&mut connected, &shop), "16 0", "{kind}");
        assert_eq!(connected.differences(), Vec::<String>::new(), "{kind}");
    });
}
