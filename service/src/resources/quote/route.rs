//! The route of a trade: source and target accounts and chains, chosen where the caller leaves them open. A test network is chosen only
//! where no other chain fits: its money has no value.

use settlekit_core::account::Account;
use settlekit_core::value::{
    AccountId, AccountKey, ChainId, Currency, OrganisationId, WalletAddress,
};

use super::parameters::{QuoteParameters, Sale};
use crate::money::connection;
use crate::money::outflow::need_held;
use crate::money::test_network::test_networks;
use crate::money::venue::Side;
use crate::resources::{account, chain};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Refusal, Unit};

/// A currency on a chain, with its account; without one in an estimate.
#[derive(Debug, Clone)]
pub(super) struct Stop {
    pub(super) currency: Currency,
    pub(super) chain: ChainId,
    pub(super) scale: u32,
    pub(super) token: Option<String>,
    pub(super) account: Option<AccountId>,
}

impl Stop {
    pub(super) fn side(&self) -> Side<'_> {
        Side {
            currency: &self.currency,
            chain: self.chain,
            scale: self.scale,
        }
    }
}

/// The accounts on chains of a key: of a virtual account, of a bundle, or the one. Without a key those of the primary virtual
/// account, or all if there is none. The merchant's own wallets fund and settle no trade.
pub(crate) fn accounts_of(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    key: Option<&AccountKey>,
    field: &'static str,
) -> Outcome<Vec<Account>> {
    let unknown = || Refusal::reference_unknown(field, "is not a known account");
    let found = match key {
        Some(key) => account::with_a_chain(unit, organisation, key)?.ok_or_else(unknown)?,
        None => match store::account::primary_virtual(unit.database, organisation)? {
            Some(primary) => store::account::chains_of(unit.database, organisation, primary.id)?,
            None => store::account::all_accounts(unit.database, organisation)?,
        },
    };
    if key.is_some()
        && let Some(outside) = found.first()
        && found.iter().all(|account| !account.is_held())
    {
        need_held(outside, Some(field))?;
    }
    Ok(found.into_iter().filter(is_usable).collect())
}

fn is_usable(account: &Account) -> bool {
    account.enabled && account.chain_id.is_some() && account.is_held()
}

fn takes(account: &Account, currency: &Currency, chain: Option<ChainId>) -> bool {
    account.currencies.contains(currency) && (chain.is_none() || account.chain_id == chain)
}

/// The stop of a currency on a chain; reports an unknown asset, or a different contract.
fn stop(
    unit: &mut Unit<'_>,
    currency: &Currency,
    chain: ChainId,
    token: Option<&String>,
    account: Option<AccountId>,
    (field, token_field): (&'static str, &'static str),
) -> Outcome<Stop> {
    connection::connected(unit, chain, Some(field))?;
    let asset = store::chain::asset(unit.database, chain, currency)?.ok_or_else(|| {
        Refusal::not_supported(field, format!("{currency} is not on chain {chain}"))
    })?;
    let is_other = |given: &String| {
        !asset
            .token_address
            .as_ref()
            .is_some_and(|known| known.eq_ignore_ascii_case(given))
    };
    if token.is_some_and(is_other) {
        return Err(Refusal::not_supported(
            token_field,
            format!("{currency} on chain {chain} has a different contract"),
        ));
    }
    Ok(Stop {
        currency: currency.clone(),
        chain,
        scale: asset.scale,
        token: asset.token_address,
        account,
    })
}

/// The accounts on chains whose money has value; all if there is none.
fn prefer_real_accounts<'a>(
    unit: &mut Unit<'_>,
    accounts: Vec<&'a Account>,
) -> Result<Vec<&'a Account>, StoreError> {
    let test_networks = test_networks(unit)?;
    let is_real = |account: &&Account| {
        account
            .chain_id
            .is_some_and(|chain| !test_networks.contains(&chain))
    };
    Ok(match accounts.iter().any(is_real) {
        true => accounts.into_iter().filter(is_real).collect(),
        false => accounts,
    })
}

/// The chain of a currency without an account: the wanted one if it has the currency; without a wish the near one, else the first.
fn any_chain(
    unit: &mut Unit<'_>,
    currency: &Currency,
    wanted: Option<ChainId>,
    near: Option<ChainId>,
) -> Result<Option<ChainId>, StoreError> {
    if let Some(chain) = wanted.or(near)
        && store::chain::asset(unit.database, chain, currency)?.is_some()
    {
        return Ok(Some(chain));
    }
    if wanted.is_some() {
        return Ok(None);
    }
    let chains = connection::list_connected(unit)?;
    let test_networks = test_networks(unit)?;
    let having = chains
        .iter()
        .filter(|chain| chain.assets.iter().any(|asset| asset.symbol == *currency));
    let first = having.min_by_key(|chain| test_networks.contains(&chain.id));
    Ok(first.map(|chain| chain.id))
}

fn unsupported_asset(field: &'static str, currency: &Currency) -> Refusal {
    Refusal::not_supported(
        field,
        format!("no account supports {currency} on this chain"),
    )
}

/// Whether an amount in units of one scale is more than one in units of another.
fn is_more((units, scale): (i128, u32), (others, other_scale): (i128, u32)) -> bool {
    let finest = scale.max(other_scale);
    let at_finest =
        |units: i128, scale: u32| units.saturating_mul(10_i128.saturating_pow(finest - scale));
    at_finest(units, scale) > at_finest(others, other_scale)
}

/// The source of a sold asset: the account with the largest available balance.
pub(super) fn source(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    parameters: &QuoteParameters,
    accounts: &[Account],
    sale: &Sale,
) -> Outcome<Stop> {
    let taking = accounts
        .iter()
        .filter(|account| takes(account, &sale.currency, sale.chain));
    let mut chosen: Option<((i128, u32), &Account)> = None;
    for account in prefer_real_accounts(unit, taking.collect())? {
        let scale = match account.chain_id {
            Some(chain) => store::chain::asset(unit.database, chain, &sale.currency)?,
            None => None,
        };
        let scale = scale.map_or(0, |asset| asset.scale);
        let held = store::ledger::balances(unit.database, organisation, Some(account.id))?;
        let available = held
            .iter()
            .filter(|balance| {
                Some(balance.chain) == account.chain_id && balance.currency == sale.currency
            })
            .map(|balance| balance.posted - balance.reserved)
            .sum();
        if chosen.is_none_or(|(most, _)| is_more((available, scale), most)) {
            chosen = Some(((available, scale), account));
        }
    }
    let field = parameters.names.sell_currency;
    let chain_field = if sale.chain.is_some() {
        parameters.names.sell_chain
    } else {
        field
    };
    let (chain, account) = match chosen {
        Some((_, account)) => (account.chain_id, Some(account.id)),
        None if parameters.estimate && parameters.funding.is_none() => {
            (any_chain(unit, &sale.currency, sale.chain, None)?, None)
        }
        None => (None, None),
    };
    let chain = chain.ok_or_else(|| unsupported_asset(chain_field, &sale.currency))?;
    let fields = (field, parameters.names.sell_token);
    stop(
        unit,
        &sale.currency,
        chain,
        sale.token.as_ref(),
        account,
        fields,
    )
}

/// The target of the bought asset.
pub(super) fn target(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    parameters: &QuoteParameters,
    accounts: &[Account],
    sources: &[Stop],
) -> Outcome<Stop> {
    let currency = &parameters.buy_currency;
    let near = sources.first().map(|stop| stop.chain);
    let fields = (parameters.names.buy_currency, parameters.names.buy_token);
    let token = parameters.buy_token.as_ref();
    if let Some(address) = &parameters.settlement_address {
        let (chain, account) = outside(unit, organisation, parameters, accounts, (address, near))?;
        return stop(unit, currency, chain, token, account, fields);
    }
    let is_sold = |account: &Account| {
        sources
            .iter()
            .any(|sold| sold.currency == *currency && account.chain_id == Some(sold.chain))
    };
    let fits =
        |account: &&Account| takes(account, currency, parameters.buy_chain) && !is_sold(account);
    let named;
    let candidates: Vec<&Account> = match parameters.settlement_account {
        Some(id) => {
            let key = AccountKey::Id(id);
            named = accounts_of(unit, organisation, Some(&key), "settlement_account_id")?;
            named.iter().filter(fits).collect()
        }
        None => {
            named = store::account::all_accounts(unit.database, organisation)?
                .into_iter()
                .filter(is_usable)
                .collect();
            accounts.iter().chain(&named).filter(fits).collect()
        }
    };
    let is_near = |account: &&Account| account.chain_id == near;
    let chosen = match candidates.iter().copied().find(is_near) {
        Some(account) => Some(account),
        None => prefer_real_accounts(unit, candidates)?.first().copied(),
    };
    let (chain, account) = match chosen {
        Some(account) => (account.chain_id, Some(account.id)),
        None if parameters.estimate && parameters.settlement_account.is_none() => {
            (any_chain(unit, currency, parameters.buy_chain, near)?, None)
        }
        None => (None, None),
    };
    let field = match (parameters.settlement_account, parameters.buy_chain) {
        (Some(_), _) => "settlement_account_id",
        (None, Some(_)) => parameters.names.buy_chain,
        (None, None) => parameters.names.buy_currency,
    };
    let chain = chain.ok_or_else(|| unsupported_asset(field, currency))?;
    stop(unit, currency, chain, token, account, fields)
}

/// An external wallet: the bought asset is booked on an account of the same chain, if possible one that funds the trade, and sent
/// from there.
fn outside(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    parameters: &QuoteParameters,
    accounts: &[Account],
    (address, near): (&WalletAddress, Option<ChainId>),
) -> Outcome<(ChainId, Option<AccountId>)> {
    let currency = &parameters.buy_currency;
    let chain = any_chain(unit, currency, parameters.buy_chain, near)?.ok_or_else(|| {
        Refusal::not_supported(
            parameters.names.buy_currency,
            "is not on any supported chain",
        )
    })?;
    let known = store::chain::find(unit.database, chain)?
        .ok_or_else(|| StoreError::Damaged("an asset has no chain".into()))?;
    chain::check_address(&known, "settlement_address", address)?;
    let all = store::account::all_accounts(unit.database, organisation)?;
    let through = accounts
        .iter()
        .chain(&all)
        .find(|account| account.chain_id == Some(chain) && account.is_held())
        .map(|account| account.id);
    if through.is_none() && !parameters.estimate {
        return Err(Refusal::not_supported(
            "settlement_address",
            format!(
                "needs an account of your organisation on {}",
                known.chain.name
            ),
        ));
    }
    Ok((chain, through))
}
