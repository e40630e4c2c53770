//! Trading: orders, and what can be traded where (contract, "Quick trade result", "Instrument", "Trading").

mod create_quick_trade;
mod get_currencies;
mod get_order;
mod list_instruments;
mod list_orders;
mod list_tradable_assets;
mod state;

pub use create_quick_trade::{CreateQuickTrade, CreateQuickTradeBody};
pub use get_currencies::{GetCurrencies, TradeCurrencies, TradeCurrency};
pub use get_order::{GetOrder, GetOrderPath};
pub use list_instruments::{ListInstruments, ListInstrumentsQuery};
pub use list_orders::ListOrders;
pub use list_tradable_assets::{ListTradableAssets, ListTradableAssetsQuery};
pub use state::ORDER_MOVES;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, Amount, ChainId, Currency, InstrumentId, Number, Object, OrderId, QuoteId,
    Timestamp, VenueId,
};

open_enum! {
    /// Which way a trade goes.
    TradeSide { Buy, Sell }
}

open_enum! {
    /// Where an order stands.
    OrderStatus { Open, Processing, Settled, Failed, Canceled }
}

open_enum! {
    /// Why an order failed or was canceled.
    OrderReason {
        /// An account that it takes from or settles on is deleted.
        AccountDeleted,
        /// A balance would be larger than can be shown exactly.
        AmountTooLarge,
        /// What it sells was not there in time.
        InsufficientFunds,
        /// The venue refused it.
        VenueRefused,
    }
}

record! {
    /// What came of a quick trade; of a dry run, what would have come of it.
    QuickTrade {
        /// The order; absent from a dry run.
        order_id?: OrderId,
        /// The quote that was accepted; absent from a dry run.
        quote_id?: QuoteId,
        /// The merchant's own name for it.
        reference?: String,
        /// The account that funds it.
        account_id?: AccountId,
        /// When it was made.
        created_at: Timestamp,
        /// Which way it goes.
        side: TradeSide,
        /// Where it stands.
        status: OrderStatus,
        /// Why it failed or was canceled.
        reason?: OrderReason,
        /// What is sold.
        from_currency: Currency,
        /// How much of it.
        from_amount: Amount,
        /// On which chain.
        from_chain_id?: ChainId,
        /// What is bought.
        to_currency: Currency,
        /// How much of it.
        to_amount: Amount,
        /// On which chain.
        to_chain_id?: ChainId,
        /// How much is bought for one of what is sold.
        effective_rate: Amount,
        /// Each fee by its name.
        fees?: Object,
        /// How what is sold is handed over.
        deposit_instruction?: Object,
        /// How what is bought is handed over.
        settlement_instruction?: Object,
    }
}

record! {
    /// A pair that a venue trades.
    Instrument {
        /// Unique id.
        id: InstrumentId,
        /// The venue.
        venue_id: VenueId,
        /// The venue, for people.
        venue_name: String,
        /// The currency that is priced.
        base: Currency,
        /// Its chain, where it is traded on one alone.
        base_chain?: ChainId,
        /// The currency of the price.
        quote: Currency,
        /// Its chain, where it is traded on one alone.
        quote_chain?: ChainId,
        /// The latest price, of one `base` in `quote`.
        last_price: Number,
        /// The smallest trade, in `base`.
        min_size: Number,
        /// The largest trade, in `base`.
        max_size: Number,
        /// Between buying and selling, in hundredths of a percent.
        spread_bps: Number,
        /// What a trade is expected to cost, in hundredths of a percent.
        estimated_cost_bps: Number,
        /// How long a trade is expected to take, in milliseconds.
        estimated_delay_ms: Number,
    }
}

record! {
    /// A currency on a chain that something can be exchanged into.
    TradableAsset {
        /// The chain.
        chain_id: ChainId,
        /// The currency.
        currency: Currency,
    }
}
