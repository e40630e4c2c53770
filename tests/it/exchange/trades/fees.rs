//! The fees that an exchange has charged, as those of the next quotes.

use settlekit_service::exchange::{ExchangeMarketError, NewMarket};

use super::{SALE, TradeWorld, described, eth_usdc, usual};
use crate::exchange::answered;

impl TradeWorld {
    /// Executes a part of a sale, for which the exchange charges a fee.
    fn execute(&mut self, [executed, cost, fee]: [&'static str; 3]) {
        self.fee = fee;
        let quoted = self.quote(SALE);
        self.accept(&quoted);
        let (id, _) = self.placed();
        self.close(&id, ["2", executed, cost]);
    }
}

#[test]
fn a_fee_that_the_exchange_has_raised_is_that_of_the_next_quotes() {
    TradeWorld::each(|kind, mut world| {
        for (fee, next) in [("16", 3964), ("32", 3948)] {
            world.fee = fee;
            let quoted = world.quote(SALE);
            world.accept(&quoted);
            let (id, _) = world.placed();
            world.close(&id, ["2", "2", "4000"]);
            assert_eq!(
                world.quote(SALE)["buy_asset"]["amount"],
                next,
                "{kind} {fee}"
            );
        }
        let expected = "Kraken has charged 8000 millionths for an order in ETH/USDC, more than its fee of 4000: quotes have the new fee";
        assert_eq!(world.world.failures, [expected], "{kind}");
    });
}

#[test]
fn a_fee_that_is_rounded_up_raises_no_fee() {
    TradeWorld::each(|kind, mut world| {
        for part in [
            // 0.4 % are 0.00200492.
            ["0.00025", "0.50123", "0.0021"],
            // 0.4 % are 0.00002388.
            ["0.000003", "0.00597", "0.0001"],
            ["0.0000015", "0.003", "0.0001"],
            ["2", "3999.99999", "16.0000"],
        ] {
            world.execute(part);
            let quoted = world.quote(SALE);
            assert_eq!(quoted["buy_asset"]["amount"], 3964, "{kind} {part:?}");
        }
        assert_eq!(world.world.failures, [""; 0], "{kind}");
    });
}

#[test]
fn a_raised_fee_stays_when_the_margin_of_its_market_changes() {
    TradeWorld::each(|kind, mut world| {
        world.execute(["2", "4000", "32"]);
        let halved = NewMarket {
            margin: 2_500,
            ..eth_usdc()
        };
        assert_eq!(
            world.add(&halved, &answered(&described())),
            Ok(()),
            "{kind}"
        );
        // 4 000, less 0.8 % and 0.25 %.
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3958, "{kind}");
        let all = NewMarket {
            margin: 995_000,
            ..eth_usdc()
        };
        let refused = Err(ExchangeMarketError::Margin);
        assert_eq!(world.add(&all, &answered(&described())), refused, "{kind}");
        assert_eq!(world.quote(SALE)["buy_asset"]["amount"], 3958, "{kind}");
    });
}

#[test]
fn a_fee_that_leaves_nothing_removes_its_market() {
    TradeWorld::each(|kind, mut world| {
        // The second is 5 000 times the cost: its millionths need more than 32 bits.
        for (fee, shown) in [("3996", "999000"), ("20000000", "4294967295")] {
            world.execute(["2", "4000", fee]);
            let expected = format!(
                "Kraken has charged {shown} millionths for an order in ETH/USDC, more than its fee of 4000: \
                 fee and margin leave nothing, and the market is removed"
            );
            let failures = std::mem::take(&mut world.world.failures);
            assert_eq!(failures, [expected], "{kind}");
            assert_eq!(world.refusal(SALE), "409 VENUE_UNAVAILABLE", "{kind}");
            assert_eq!(world.add(&eth_usdc(), &answered(&described())), Ok(()));
            world.read_book(&answered(&usual()));
        }
    });
}
