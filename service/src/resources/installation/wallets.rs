//! Hot wallets, and the money that pays the network.

use settlekit_core::chain::ChainDetail;
use settlekit_core::installation::{GasMoney, HotWallet, HotWalletHolding, ListHotWallets};
use settlekit_core::value::Amount;

use super::shown;
use crate::money::connection;
use crate::store;
use crate::store::connection::Connected;
use crate::store::sql::{Database, StoreError};
use crate::store::wallet::Wallet;
use crate::unit::{Outcome, Received, Unit};

/// More payouts are not counted.
const PAYOUTS_MAX: u64 = 1_000_000;

pub(crate) fn list_hot_wallets(
    unit: &mut Unit<'_>,
    call: Received<ListHotWallets>,
) -> Outcome<Vec<HotWallet>> {
    call.caller.need_installation_operator()?;
    Ok(all(unit.database)?)
}

/// The hot wallets, oldest first.
pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<HotWallet>, StoreError> {
    let chains = connection::connected_chains(database)?;
    let current = store::wallet::current_wallet(database)?.map(|wallet| wallet.address);
    let mut wallets = Vec::new();
    for wallet in store::wallet::all_wallets(database)? {
        let (mut holdings, mut gas) = (Vec::new(), Vec::new());
        for (chain, connected) in &chains {
            for held in store::holding::holdings_at(database, chain.id, wallet.address)? {
                holdings.push(HotWalletHolding {
                    chain_id: chain.id,
                    amount: shown(database, chain.id, (&held.currency, held.units))?,
                    currency: held.currency,
                });
            }
            // A wallet out of use signs nothing.
            if current == Some(wallet.address) {
                gas.push(gas_money(database, &wallet, chain, connected)?);
            }
        }
        wallets.push(HotWallet {
            address: wallet.address.to_string(),
            retired_at: wallet.retired_at,
            holdings,
            gas,
        });
    }
    Ok(wallets)
}

fn gas_money(
    database: &mut dyn Database,
    wallet: &Wallet,
    chain: &ChainDetail,
    connected: &Connected,
) -> Result<GasMoney, StoreError> {
    let native = &chain.native_currency_symbol;
    let own = store::operator_money::available_operator_units(
        database,
        chain.id,
        (wallet.address, native),
    )?;
    let reserved =
        store::outgoing_open::reserved(database, (wallet.address, chain.id), native)?.gas;
    let available = own.saturating_sub(reserved);
    let (payout, mark) = (connected.payout_fee(), connected.gas_mark());
    let payouts = (payout > 0).then(|| u64::try_from(available / payout).unwrap_or(0));
    let mut shown = |units| {
        // Fees can be absurd: they come from a node.
        let shown = shown(database, chain.id, (native, units));
        shown.or_else(|_| {
            Amount::from_units(settlekit_core::value::amount::UNITS_MAX, 18)
                .map_err(|_| StoreError::Damaged("a native coin's amount is too large".to_owned()))
        })
    };
    Ok(GasMoney {
        chain_id: chain.id,
        currency: native.clone(),
        available: shown(available)?,
        reserved: shown(reserved)?,
        warn_below: shown(mark)?,
        low: available < mark,
        payouts_left: payouts.map(|payouts| payouts.min(PAYOUTS_MAX)),
    })
}
