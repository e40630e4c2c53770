//! `PATCH /accounts/virtual`.

use super::create_virtual_account::{CHAINS_MAX, VirtualChain, check_chains, check_splits};
use super::{Account, DepositSplit};
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::{AccountReference, ChainId};

body! {
    /// Changes to a virtual account.
    UpdateVirtualAccountBody {
        /// Reference of the virtual account; the organisation's primary one when absent.
        reference: Option<AccountReference>,
        /// Chains to add or enable, with their currencies.
        chains: Option<Vec<VirtualChain>>,
        /// Chains to disable.
        disable_chains: Option<Vec<ChainId>>,
        /// New deposit splits; an empty list removes them.
        deposit_splits: Option<Vec<DepositSplit>>,
    }
}

impl Validate for UpdateVirtualAccountBody {
    fn validate(&self, report: &mut Report) {
        let chains = self.chains.as_deref().unwrap_or_default();
        check_chains(chains, report);
        let disabled = self.disable_chains.as_deref().unwrap_or_default();
        report.items("disable_chains", disabled.len(), CHAINS_MAX);
        let chains = &chains[..chains.len().min(CHAINS_MAX)];
        for (place, chain) in disabled.iter().take(CHAINS_MAX).enumerate() {
            let field = format!("disable_chains[{place}]");
            if disabled[..place].contains(chain) {
                report.add_error(&field, Reason::Repeated, "is listed twice");
            } else if chains.iter().any(|added| added.chain_id == *chain) {
                report.add_error(&field, Reason::Excluded, "is also in `chains`");
            }
        }
        if let Some(splits) = &self.deposit_splits {
            check_splits(splits, report);
        }
        if self.chains.is_none() && self.disable_chains.is_none() && self.deposit_splits.is_none() {
            report.add_error(
                "chains",
                Reason::Required,
                "is required, or `disable_chains`, or `deposit_splits`",
            );
        }
    }
}

operation! {
    /// Adds, enables and disables the chains of a virtual account.
    UpdateVirtualAccount in "account": PATCH "/accounts/virtual",
    body: UpdateVirtualAccountBody,
    response: Account,
    SCOPE: Scope::Write,
    OUTFLOW: true,
}
