//! Trading: orders, instruments and tradable assets (contract, "Quick trade result", "Instrument", "Trading").

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
pub use state::ORDER_TRANSITIONS;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, Amount, ChainId, Currency, InstrumentId, Number, Object, OrderId, QuoteId,
    Timestamp, VenueId,
};

open_enum! {
    /// Side of a trade.
    TradeSide { Buy, Sell }
}

open_enum! {
    /// Status of an order.
    OrderStatus { Open, Processing, Settled, Failed, Canceled }
}

open_enum! {
    /// Why an order failed or was canceled.
    OrderReason {
        /// An account of the order was deleted.
        AccountDeleted,
        /// A balance would exceed the largest exact amount.
        AmountTooLarge,
        /// The sold amount was not available in time.
        InsufficientFunds,
        /// The bought amount could not be sent to the settlement address: it is on the settlement account.
        PayoutFailed,
        /// The venue rejected the order.
        VenueRefused,
    }
}

record! {
    /// Result of a quick trade, actual or estimated.
    QuickTrade {
        /// Order id; absent for a dry run.
        order_id?: OrderId,
        /// Id of the accepted quote; absent for a dry run.
        quote_id?: QuoteId,
        /// Merchant-defined reference.
        reference?: String,
        /// Account that funds the trade.
        account_id?: AccountId,
        /// Creation time.
        created_at: Timestamp,
        /// Side.
        side: TradeSide,
        /// Current status.
        status: OrderStatus,
        /// Why it failed or was canceled.
        reason?: OrderReason,
        /// Currency sold.
        from_currency: Currency,
        /// Amount sold, of a basket that of its first asset.
        from_amount: Amount,
        /// Chain of the sold asset.
        from_chain_id?: ChainId,
        /// Currency bought.
        to_currency: Currency,
        /// Amount bought.
        to_amount: Amount,
        /// Chain of the bought asset.
        to_chain_id?: ChainId,
        /// Bought amount per unit sold.
        effective_rate: Amount,
        /// Fees by name.
        fees?: Object,
        /// How the sold assets are delivered. Of a basket also `sell_assets`: the sold amount of each asset.
        deposit_instruction?: Object,
        /// How the bought asset is delivered.
        settlement_instruction?: Object,
        /// What its quote says of the venue: `properties` of the quote.
        properties?: Object,
    }
}

record! {
    /// A pair traded on a venue.
    Instrument {
        /// Unique id.
        id: InstrumentId,
        /// Venue id.
        venue_id: VenueId,
        /// Display name of the venue.
        venue_name: String,
        /// Base currency.
        base: Currency,
        /// Chain of the base currency, if it is traded on a single chain.
        base_chain?: ChainId,
        /// Quote currency.
        quote: Currency,
        /// Chain of the quote currency, if it is traded on a single chain.
        quote_chain?: ChainId,
        /// Latest price of one `base` in `quote`.
        last_price: Number,
        /// Minimum order size, in `base`.
        min_size: Number,
        /// Maximum order size, in `base`.
        max_size: Number,
        /// The pool's reserve of `base`, of a venue that trades in pools. `max_size` is the part of it near the price.
        base_liquidity?: Number,
        /// The pool's reserve of `quote`.
        quote_liquidity?: Number,
        /// Bid-ask spread, in basis points.
        spread_bps: Number,
        /// Estimated cost of a trade, in basis points.
        estimated_cost_bps: Number,
        /// Estimated duration of a trade, in milliseconds.
        estimated_delay_ms: Number,
    }
}

record! {
    /// A currency on a chain, as the target of an exchange.
    TradableAsset {
        /// Chain id.
        chain_id: ChainId,
        /// Currency symbol.
        currency: Currency,
    }
}
