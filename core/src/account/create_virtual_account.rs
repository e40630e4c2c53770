//! `POST /accounts/virtual`.

use super::create_account::NAME_CHARS_MAX;
use super::{Account, DepositSplit};
use crate::decode::body_record;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{AccountReference, Amount, ChainId, Currency, ExtendedPublicKey, WalletAddress};

/// Maximum number of chains of a virtual account.
pub const CHAINS_MAX: usize = 50;
/// Maximum number of deposit splits.
pub const SPLITS_MAX: usize = 20;

body_record! {
    /// A chain of a virtual account and the currencies it accepts there.
    VirtualChain {
        /// Chain id.
        chain_id: ChainId,
        /// Currency symbols accepted on the chain.
        currencies: Vec<Currency>,
        /// Address of the self-custody wallet; without `address` and `xpub` the service holds the wallet's keys.
        address?: WalletAddress,
        /// Extended public key of the self-custody wallet, from which each payment gets an address of its own.
        xpub?: ExtendedPublicKey,
    }
}

body! {
    /// A new virtual account.
    CreateVirtualAccountBody {
        /// Merchant-defined reference, shared by the accounts of all chains.
        reference: AccountReference,
        /// Display name.
        name: Option<String>,
        /// Chains of the account.
        chains: Vec<VirtualChain>,
        /// Shares of each deposit to forward; the rest stays on the account.
        deposit_splits: Option<Vec<DepositSplit>>,
    }
}

impl Validate for CreateVirtualAccountBody {
    fn validate(&self, report: &mut Report) {
        report.optional_text("name", self.name.as_ref(), NAME_CHARS_MAX);
        report.not_empty("chains", &self.chains, "must list at least one chain");
        check_chains(&self.chains, report);
        if let Some(splits) = &self.deposit_splits {
            check_splits(splits, report);
        }
    }
}

/// Reports duplicate chains, and chains with no or duplicate currencies or with two wallets.
pub(super) fn check_chains(chains: &[VirtualChain], report: &mut Report) {
    report.items("chains", chains.len(), CHAINS_MAX);
    for (place, chain) in chains.iter().take(CHAINS_MAX).enumerate() {
        let field = |name: &str| format!("chains[{place}].{name}");
        if chains[..place]
            .iter()
            .any(|earlier| earlier.chain_id == chain.chain_id)
        {
            report.add_error(&field("chain_id"), Reason::Repeated, "is listed twice");
        }
        report.currencies(&field("currencies"), &chain.currencies);
        if chain.address.is_some() && chain.xpub.is_some() {
            let message = "must be absent with `address`";
            report.add_error(&field("xpub"), Reason::Excluded, message);
        }
    }
}

/// Reports splits with no or several recipients, and a total above 100 %.
pub(super) fn check_splits(splits: &[DepositSplit], report: &mut Report) {
    report.items("deposit_splits", splits.len(), SPLITS_MAX);
    let mut sum = Some(Amount::ZERO);
    for (place, split) in splits.iter().take(SPLITS_MAX).enumerate() {
        let field = |name: &str| format!("deposit_splits[{place}].{name}");
        let destinations = [
            ("account_id", split.account_id.is_some()),
            ("account_ref", split.account_ref.is_some()),
            ("address", split.address.is_some()),
        ];
        let mut given = destinations.iter().filter(|(_, given)| *given);
        match (given.next(), given.next()) {
            (None, _) => report.add_error(
                &field("account_id"),
                Reason::Required,
                "is required, or `account_ref`, or `address`",
            ),
            (Some(_), Some((name, _))) => report.add_error(
                &field(name),
                Reason::Excluded,
                "must be absent: a share has one destination",
            ),
            _ => {}
        }
        report.positive(&field("pct"), split.pct);
        sum = sum.and_then(|sum| sum.plus(split.pct).ok());
    }
    if sum.is_none_or(|sum| sum > Amount::HUNDRED) {
        report.add_error(
            "deposit_splits",
            Reason::OutOfRange,
            "must not add up to more than 100 percent",
        );
    }
}

operation! {
    /// Creates a virtual account: one wallet per chain under one reference.
    CreateVirtualAccount in "account": POST "/accounts/virtual",
    body: CreateVirtualAccountBody,
    response: Account,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    OUTFLOW: true,
}
