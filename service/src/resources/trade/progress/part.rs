//! A part of an order: one sold asset, which a swap or an order at an exchange account executes.

use std::time::Duration;

use settlekit_core::value::{ChainId, Timestamp};

use crate::money::ledger::Holder;
use crate::resources::account::book::{Held, Money};
use crate::store::order::OrderPart;

/// While a swap or an order at an exchange is under way, nothing is due for its part: the outcome ends it. The order stays due, as
/// accounts with such orders are not deleted.
pub(super) const LOOK_AFTER: Duration = Duration::from_secs(60);

/// The next time that is a multiple of an interval, in microseconds.
pub(super) fn next_multiple(now: Timestamp, interval: i64) -> Timestamp {
    let passed = now.micros().div_euclid(interval);
    Timestamp::from_micros(passed.saturating_add(1).saturating_mul(interval))
}

/// A part that has not ended.
#[derive(Debug)]
pub(super) struct OpenPart {
    pub(super) of: OrderPart,
    /// Sold money, reserved.
    pub(super) held: Held,
    /// The quoted amount.
    pub(super) bought: Money,
    /// The chain of the bought money.
    pub(super) chain: ChainId,
    /// The end of the time for the order.
    pub(super) ttl_at: Option<Timestamp>,
}

/// The amounts that a part has sold to a holder and bought from it, in smallest units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Executed {
    /// At most the reserved amount.
    pub(super) sold: i128,
    pub(super) bought: i128,
    pub(super) with: Holder,
}

/// The result of a step of a part.
#[derive(Debug)]
pub(super) enum Progress {
    /// It is looked at again at a time.
    Waits(Timestamp),
    /// It has ended; `None` if nothing was traded.
    Ended(Option<Executed>),
}
