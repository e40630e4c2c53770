//! `POST /accounts/virtual`.

use super::create_account::NAME_CHARS_MAX;
use super::{Account, DepositSplit};
use crate::error::Reason;
use crate::field::body;
use crate::given::given_record;
use crate::operation::{Scope, operation};
use crate::validate::{Report, Validate};
use crate::value::record::record;
use crate::value::{AccountReference, Amount, ChainId, Currency};

/// The most chains of one virtual account.
pub const CHAINS_MAX: usize = 50;
/// The most shares that a deposit is divided into.
pub const SPLITS_MAX: usize = 20;

record! {
    /// A chain of a virtual account, with what it takes there.
    VirtualChain {
        /// The chain.
        chain_id: ChainId,
        /// The currency symbols it takes on the chain.
        currencies: Vec<Currency>,
    }
}

given_record!(VirtualChain {
    chain_id,
    currencies
});

body! {
    /// What a new virtual account is to be.
    CreateVirtualAccountBody {
        /// The merchant's own name for it; every chain's account bears it.
        reference: AccountReference,
        /// For people.
        name: Option<String>,
        /// The chains it lives on.
        chains: Vec<VirtualChain>,
        /// How deposits are shared out; what is left over stays.
        deposit_splits: Option<Vec<DepositSplit>>,
    }
}

impl Validate for CreateVirtualAccountBody {
    fn validate(&self, report: &mut Report) {
        report.maybe_text("name", self.name.as_ref(), NAME_CHARS_MAX);
        if self.chains.is_empty() {
            report.complain("chains", Reason::Empty, "must name at least one chain");
        }
        check_chains(&self.chains, report);
        if let Some(splits) = &self.deposit_splits {
            check_splits(splits, report);
        }
    }
}

/// Complains about chains named twice, without currencies or with one twice.
pub(super) fn check_chains(chains: &[VirtualChain], report: &mut Report) {
    report.items("chains", chains.len(), CHAINS_MAX);
    for (place, chain) in chains.iter().take(CHAINS_MAX).enumerate() {
        let field = |name: &str| format!("chains[{place}].{name}");
        if chains[..place]
            .iter()
            .any(|earlier| earlier.chain_id == chain.chain_id)
        {
            report.complain(
                &field("chain_id"),
                Reason::Repeated,
                "must not be named twice",
            );
        }
        report.currencies(&field("currencies"), &chain.currencies);
    }
}

/// Complains about shares that go nowhere, to two places at once, or add up to more than the whole.
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
            (None, _) => report.complain(
                &field("account_id"),
                Reason::Required,
                "is required, or `account_ref`, or `address`",
            ),
            (Some(_), Some((name, _))) => report.complain(
                &field(name),
                Reason::Excluded,
                "must be absent: a share goes to one place",
            ),
            _ => {}
        }
        report.positive(&field("pct"), split.pct);
        sum = sum.and_then(|sum| sum.plus(split.pct).ok());
    }
    if sum.is_none_or(|sum| sum > Amount::HUNDRED) {
        report.complain(
            "deposit_splits",
            Reason::OutOfRange,
            "must not add up to more than 100 percent",
        );
    }
}

operation! {
    /// Creates a virtual account: one wallet on each of its chains under one reference.
    CreateVirtualAccount in "account": POST "/accounts/virtual",
    body: CreateVirtualAccountBody,
    response: Account,
    SUCCESS: http::StatusCode::CREATED,
    SCOPE: Scope::Write,
    OUTFLOW: true,
}
