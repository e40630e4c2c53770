//! `GET /installation/wallets`.

use crate::operation::{Auth, operation};
use crate::value::record::record;
use crate::value::{Amount, ChainId, Currency, Timestamp};

record! {
    /// A hot wallet.
    HotWallet {
        /// Address, the same on every EVM chain.
        address: String,
        /// When another one replaced it; absent for the one in use.
        retired_at?: Timestamp,
        /// Settled balances.
        holdings: Vec<HotWalletHolding>,
        /// The money that pays the network, by chain.
        gas: Vec<GasMoney>,
    }
}

record! {
    /// Settled balance of a hot wallet in a currency.
    HotWalletHolding {
        /// Chain.
        chain_id: ChainId,
        /// Currency.
        currency: Currency,
        /// Amount.
        amount: Amount,
    }
}

record! {
    /// The operator's own native coins on a chain, which pay the network.
    GasMoney {
        /// Chain.
        chain_id: ChainId,
        /// Native coin.
        currency: Currency,
        /// The operator's balance, less `reserved`.
        available: Amount,
        /// The most that pending transactions may take.
        reserved: Amount,
        /// Mark: below it, top up the wallet.
        warn_below: Amount,
        /// Whether `available` is below the mark.
        low: bool,
        /// Payouts that `available` pays for at the current fees, at most a million; absent if they cost nothing.
        payouts_left?: u64,
    }
}

operation! {
    /// Lists the hot wallets with their balances and gas money; for operators of the installation.
    ListHotWallets in "installation": GET "/installation/wallets",
    response: Vec<HotWallet>,
    AUTH: Auth::Session,
}
