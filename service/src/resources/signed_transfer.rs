//! Transfers that payers have signed (EIP-3009): checked, then executed by the hot wallet.

use alloy_primitives::{Address, U256};
use settlekit_core::account::Account;
use settlekit_core::chain::Asset;
use settlekit_core::error::Reason;
use settlekit_core::payment::Payment;
use settlekit_core::value::{ChainId, Timestamp};

use crate::chains;
use crate::chains::authorization::Fee;
use crate::chains::simulated;
use crate::evm::authorization::{Authorization, TokenDomain, TokenSignature, balance, was_used};
use crate::evm::contract_calls::CallError;
use crate::evm::node_calls::NodeCalls;
use crate::money::connection::{Connection, node_urls};
use crate::store;
use crate::store::authorization::{Authorized, Status};
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// The most authorizations of a payer and token that are under way. Their sum is read each time.
const OPEN_MAX: usize = 100;

/// The terms of a transfer that pays an account.
pub(crate) struct TransferTerms {
    pub(crate) connection: Connection,
    pub(crate) chain: ChainId,
    pub(crate) asset: Asset,
    pub(crate) account: Account,
    pub(crate) domain: TokenDomain,
    pub(crate) token: Address,
    pub(crate) to: Address,
    pub(crate) units: i128,
    pub(crate) fee: Fee,
}

impl TransferTerms {
    /// The terms for an account; `None` where the token or the operator does not allow any.
    pub(crate) fn find(
        unit: &mut Unit<'_>,
        (connection, chain, asset): (Connection, ChainId, &Asset),
        account: Account,
        (to, units): (Address, i128),
    ) -> Result<Option<Self>, StoreError> {
        let Some(token) = &asset.token_address else {
            return Ok(None);
        };
        let Some(domain) = store::token_domain::find(unit.database, chain, &asset.symbol)? else {
            return Ok(None);
        };
        let fee = chains::authorization::fee(unit, connection, (chain, account.org_id))?;
        if fee == Fee::NotCovered {
            return Ok(None);
        }
        let token = token.parse();
        let token =
            token.map_err(|_| StoreError::Damaged("a token has no EVM address".to_owned()))?;
        Ok(Some(Self {
            connection,
            chain,
            asset: asset.clone(),
            account,
            domain,
            token,
            to,
            units,
            fee,
        }))
    }

    /// The network fee of one more payer.
    pub(crate) fn network_fee(&self) -> Outcome<i128> {
        match self.fee {
            Fee::Covered(fee) => Ok(fee),
            Fee::LimitReached | Fee::NotCovered => Err(Refusal::because(
                Reason::FeeLimitReached,
                "the service pays no more network fees for payers of this merchant today: send the amount from your wallet",
            )),
        }
    }

    /// The signature of an authorization, if it is by its sender.
    pub(crate) fn signature(
        &self,
        authorization: &Authorization,
        signature: &str,
    ) -> Option<TokenSignature> {
        authorization.signed(&self.domain, (self.chain, self.token), signature)
    }
}

/// A transfer as its payer has signed it.
pub(crate) type SignedTransfer = (Authorization, TokenSignature);

/// Seconds since 1970 as a time; `None` beyond the times that are kept.
pub(crate) fn time_of(seconds: u64) -> Option<Timestamp> {
    // 2^40 seconds are 35 000 years.
    let seconds = i64::try_from(seconds).ok().filter(|at| *at < 1 << 40)?;
    Some(Timestamp::from_millis(seconds * 1_000))
}

/// Accepts a transfer for a payment and queues what executes it. A simulated chain executes it at once. Returns the authorization's
/// id.
pub(crate) fn accept(
    unit: &mut Unit<'_>,
    payment: &Payment,
    (terms, signed): (&TransferTerms, &SignedTransfer),
    before: Option<Authorized>,
) -> Outcome<i64> {
    let network_fee = terms.network_fee()?;
    let (authorization, signature) = signed;
    let call = authorization.call(terms.token, *signature);
    let transaction = match terms.connection {
        Connection::Evm(evm) => {
            let sender = (terms.chain, evm.hot_wallet);
            let currency = &terms.asset.symbol;
            Some(chains::authorization::queue(unit, sender, &call, currency)?)
        }
        Connection::Simulated(_) => None,
    };
    let valid_before = time_of(authorization.valid_before).unwrap_or(unit.now);
    let mut authorized = Authorized {
        id: before.as_ref().map_or(0, |before| before.id),
        chain: terms.chain,
        currency: terms.asset.symbol.clone(),
        payer: authorization.from,
        nonce: authorization.nonce,
        organisation: payment.org_id,
        payment: payment.id,
        account: terms.account.id,
        to: authorization.to,
        units: terms.units,
        valid_before,
        executable_until: before.map_or(valid_before, |before| {
            valid_before.max(before.executable_until)
        }),
        transaction,
        network_fee,
        status: match transaction {
            Some(_) => Status::Open,
            None => Status::Executed,
        },
        answered_at: None,
        created_at: unit.now,
    };
    authorized.id = chains::authorization::accept(unit, &authorized)?;
    if let Connection::Simulated(simulation) = terms.connection {
        simulated::execute(simulation, unit, &authorized)?;
    }
    Ok(authorized.id)
}

/// Refuses a transfer that the token would refuse now, as its nodes say. Without their answers the request is refused, and the host asks
/// them. A simulated token refuses nothing else than what the service does.
pub(crate) fn check_with_nodes(
    unit: &mut Unit<'_>,
    terms: &TransferTerms,
    (signed, _): &SignedTransfer,
) -> Outcome<()> {
    if let Connection::Simulated(_) = terms.connection {
        return Ok(());
    }
    let chain = terms.chain;
    let calls = signed.checks(terms.token);
    let unavailable = || Refusal::because(Reason::Unavailable, "the chain cannot be asked now");
    let Some(returned) = unit.contract_answers.find(chain, &calls, unit.now) else {
        let connected = store::connection::find(unit.database, chain)?.ok_or_else(unavailable)?;
        let nodes = node_urls(unit, &connected)?;
        let block = connected.head().hash;
        unit.asked
            .push(NodeCalls::new((chain, block), nodes, &calls));
        return Err(unavailable());
    };
    let [state, held, sent] = returned.as_slice() else {
        return Err(unavailable());
    };
    let state = state.as_ref().ok().and_then(|state| was_used(state));
    let held = held.as_ref().ok().and_then(|held| balance(held));
    let (state, held) = (
        state.ok_or_else(unavailable)?,
        held.ok_or_else(unavailable)?,
    );
    if state {
        return Err(Refusal::because(
            Reason::AuthorizationUsed,
            "the authorization was used or canceled",
        ));
    }
    let symbol = &terms.asset.symbol;
    let of = (chain, symbol);
    let (outstanding, open) = chains::authorization::outstanding(unit, of, signed.from)?;
    if open >= OPEN_MAX {
        return Err(Refusal::state_forbids(
            "too many authorizations of this payer are in progress",
        ));
    }
    let outstanding = U256::from(outstanding.unsigned_abs());
    if held < outstanding.saturating_add(signed.value) {
        return Err(Refusal::field(
            "from",
            Reason::InsufficientFunds,
            format!("holds too little {symbol}"),
        ));
    }
    match sent {
        Ok(_) => Ok(()),
        Err(CallError::Reverted) => Err(Refusal::because(
            Reason::NotSupported,
            "the token refuses this transfer",
        )),
        Err(_) => Err(unavailable()),
    }
}
