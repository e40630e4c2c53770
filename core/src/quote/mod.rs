//! Quotes: prices on request, valid for a limited time (contract, "Quote (RFQ)"). Amounts are JSON numbers.

mod accept_quote;
mod get_quote;
mod list_quotes;
mod reject_quote;
pub mod request_quote;
mod state;

pub use accept_quote::{AcceptQuote, AcceptQuoteBody, AcceptQuotePath};
pub use get_quote::{GetQuote, GetQuotePath};
pub use list_quotes::ListQuotes;
pub use reject_quote::{RejectQuote, RejectQuotePath};
pub use request_quote::{RequestQuote, RequestQuoteQuery};
pub use state::TRANSITIONS;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, ChainId, Currency, Number, Object, OrganisationId, QuoteId, Timestamp,
};

open_enum! {
    /// Side of a quote with the exact amount.
    QuoteMode { SellExact, BuyExact }
}

open_enum! {
    /// How a quote was priced.
    QuoteType { Automatic, Manual }
}

open_enum! {
    /// Status of a quote.
    QuoteStatus { Created, Accepted, Rejected, Expired }
}

open_enum! {
    /// How the sold assets are delivered.
    DepositMethod { Unknown, Deposit, Balance }
}

open_enum! {
    /// How the bought asset is delivered.
    SettlementType { Manual, Automatic }
}

record! {
    /// A quote.
    Quote {
        /// Unique id.
        id: QuoteId,
        /// Organisation that requested it.
        org_id: OrganisationId,
        /// Account that funds the trade.
        account_id?: AccountId,
        /// Side with the exact amount.
        mode: QuoteMode,
        /// How it was priced.
        r#type: QuoteType,
        /// Current status.
        status: QuoteStatus,
        /// Origin of the record.
        source?: String,
        /// Bought asset.
        buy_asset: QuoteAsset,
        /// Sold assets; several in a basket.
        sell_assets: Vec<QuoteAsset>,
        /// How the sold assets are delivered.
        deposit_instruction?: DepositInstruction,
        /// How the bought asset is delivered.
        settlement_instruction?: SettlementInstruction,
        /// Fees in addition to the rate.
        fees?: QuoteFees,
        /// Rate.
        rate?: QuoteRate,
        /// Free-form JSON object.
        internal?: Object,
        /// `offers`: the amount that each venue gives or takes, the best first (`sell_currency`, `venue`, `amount`, `chosen`). Of a swap on a
        /// chain also `expected_amount`, `price_impact_bps`, `slippage_bps`, `network_fee` and `network_fee_currency`; of a basket the
        /// sums of its parts, and the impact of the worst swap. Of an automation `automation_id`.
        properties?: Object,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
        /// Acceptance time; absent unless accepted.
        accepted_at?: Timestamp,
        /// Rejection time; absent unless rejected.
        rejected_at?: Timestamp,
        /// Deadline for acceptance.
        expires_at?: Timestamp,
        /// Deadline for funding an accepted quote.
        ttl_at?: Timestamp,
    }
}

record! {
    /// A bought or sold asset.
    QuoteAsset {
        /// Amount.
        amount: Number,
        /// Chain id.
        chain_id?: ChainId,
        /// Currency symbol.
        symbol: Currency,
        /// Contract address of the token; absent for the native asset.
        token_address?: String,
    }
}

record! {
    /// How the sold assets are delivered.
    DepositInstruction {
        /// Account it is taken from or deposited to.
        account_id?: AccountId,
        /// Deposit method.
        payment_method: DepositMethod,
    }
}

record! {
    /// How the bought asset is delivered.
    SettlementInstruction {
        /// Receiving account.
        account_id?: AccountId,
        /// Receiving address.
        address?: String,
        /// Receiving chain.
        chain_id?: ChainId,
        /// Settlement type.
        r#type: SettlementType,
    }
}

record! {
    /// Fees of a quote in addition to the rate.
    QuoteFees {
        /// Fees by name.
        breakdown?: Object,
        /// Currency of the fees.
        fee_currency?: Currency,
        /// Total of all fees.
        total_fee: Number,
    }
}

record! {
    /// Rate of a quote.
    QuoteRate {
        /// Canadian dollars per unit of the bought asset.
        buy_currency_cad_rate?: Number,
        /// Value of the trade in Canadian dollars; absent without a price, and on a test network.
        cad_value?: Number,
        /// Bought amount per unit sold.
        effective_rate: Number,
        /// Value of the trade in US dollars; absent without a price, and on a test network.
        usd_value?: Number,
        /// Canadian dollars per unit of each sold asset.
        sell_currency_cad_rates?: Object,
    }
}
