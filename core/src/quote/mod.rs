//! Quotes: a price asked for and held for a while (contract, "Quote (RFQ)"). Amounts are JSON numbers here.

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
pub(crate) use request_quote::check_settlement;
pub use request_quote::{RequestQuote, RequestQuoteQuery};
pub use state::MOVES;

use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, ChainId, Currency, Number, Object, OrganisationId, QuoteId, Timestamp,
};

open_enum! {
    /// Which side of a quote is exact.
    QuoteMode { SellExact, BuyExact }
}

open_enum! {
    /// Who priced a quote.
    QuoteType { Automatic, Manual }
}

open_enum! {
    /// Where a quote stands.
    QuoteStatus { Created, Accepted, Rejected, Expired }
}

open_enum! {
    /// How what is sold is handed over.
    DepositMethod { Unknown, Deposit, Balance }
}

open_enum! {
    /// How what is bought is handed over.
    SettlementType { Manual, Automatic }
}

record! {
    /// A quote.
    Quote {
        /// Unique id.
        id: QuoteId,
        /// The organisation that asked.
        org_id: OrganisationId,
        /// The account that funds the trade.
        account_id?: AccountId,
        /// Which side is exact.
        mode: QuoteMode,
        /// Who priced it.
        r#type: QuoteType,
        /// Where it stands.
        status: QuoteStatus,
        /// Where it came from.
        source?: String,
        /// What is bought.
        buy_asset: QuoteAsset,
        /// What is sold; several in a basket.
        sell_assets: Vec<QuoteAsset>,
        /// How what is sold is handed over.
        deposit_instruction?: DepositInstruction,
        /// How what is bought is handed over.
        settlement_instruction?: SettlementInstruction,
        /// What it costs besides the rate.
        fees?: QuoteFees,
        /// The rate.
        rate?: QuoteRate,
        /// Free-form.
        internal?: Object,
        /// Free-form.
        properties?: Object,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
        /// When it was accepted, if it was.
        accepted_at?: Timestamp,
        /// When it was rejected, if it was.
        rejected_at?: Timestamp,
        /// Until when it may be accepted.
        expires_at?: Timestamp,
        /// Until when what was accepted must be funded.
        ttl_at?: Timestamp,
    }
}

record! {
    /// One side of a quote.
    QuoteAsset {
        /// How much.
        amount: Number,
        /// The chain.
        chain_id?: ChainId,
        /// The currency.
        symbol: Currency,
        /// The token's contract; absent for the native asset.
        token_address?: String,
    }
}

record! {
    /// How what is sold is handed over.
    DepositInstruction {
        /// The account it is taken from or sent to.
        account_id?: AccountId,
        /// In which way.
        payment_method: DepositMethod,
    }
}

record! {
    /// How what is bought is handed over.
    SettlementInstruction {
        /// The account it goes to.
        account_id?: AccountId,
        /// The address it goes to.
        address?: String,
        /// The chain it goes to.
        chain_id?: ChainId,
        /// In which way.
        r#type: SettlementType,
    }
}

record! {
    /// What a quote costs besides the rate.
    QuoteFees {
        /// Each fee by its name.
        breakdown?: Object,
        /// The currency of the fees.
        fee_currency?: Currency,
        /// All fees together.
        total_fee: Number,
    }
}

record! {
    /// The rate of a quote.
    QuoteRate {
        /// Canadian dollars for one of what is bought.
        buy_currency_cad_rate?: Number,
        /// The worth of the trade in Canadian dollars.
        cad_value?: Number,
        /// How much is bought for one of what is sold.
        effective_rate: Number,
        /// The worth of the trade in US dollars.
        usd_value?: Number,
        /// Canadian dollars for one of each that is sold.
        sell_currency_cad_rates?: Object,
    }
}
