//! What lies in a merchant's own wallet when it is connected: a node is asked once, at a settled block, and the books begin with an
//! adjustment to it.

use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::account::Account;
use settlekit_core::chain::Asset;
use settlekit_core::value::ChainId;

use super::block::BlockId;
use super::outgoing::NodeRequest;
use super::{adjustment, blocks, holdings};
use crate::money::connection::Connection;
use crate::resources::account::book::Money;
use crate::store;
use crate::store::holding::Holding;
use crate::store::opening::Opening;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// A request without an answer is made again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// Wallets per round.
const WALLETS_MAX: u32 = 16;

/// What lies in a wallet at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balances {
    /// The wallet.
    pub wallet: Address,
    /// The block.
    pub block: BlockId,
    /// In the smallest unit: by token, `None` for the native coin.
    pub units: Vec<(Option<Address>, U256)>,
}

/// Asks for what lies in the merchant's own wallet of a new account. The wallets of the simulated chain begin empty.
pub(crate) fn request(
    unit: &mut Unit<'_>,
    connection: Connection,
    account: &Account,
) -> Result<(), StoreError> {
    let (Connection::Evm(_), Some(chain), Some(wallet)) =
        (connection, account.chain_id, account.own_wallet())
    else {
        return Ok(());
    };
    let wallet: Address = wallet.parse().map_err(|_| {
        StoreError::Damaged("a wallet on an EVM chain has no EVM address".to_owned())
    })?;
    let opening = Opening {
        organisation: account.org_id,
        account: account.id,
    };
    store::opening::insert(unit.database, (chain, wallet), &opening, unit.now)
}

/// The wallets to ask for, at the latest settled block.
pub(super) fn due(unit: &mut Unit<'_>, chain: ChainId) -> Result<Vec<NodeRequest>, StoreError> {
    let connected = store::connection::find(unit.database, chain)?;
    let Some(connected) = connected.filter(|connected| !connected.paused) else {
        return Ok(Vec::new());
    };
    let Some(block) = blocks::latest_settled(unit, &connected)? else {
        return Ok(Vec::new());
    };
    let at = (block.number, unit.now);
    let wallets = store::opening::due(unit.database, chain, at, WALLETS_MAX)?;
    if wallets.is_empty() {
        return Ok(Vec::new());
    }
    let assets = store::chain::assets(unit.database, chain)?;
    let tokens: Vec<_> = assets.iter().map(token_of).collect::<Result<_, _>>()?;
    let again = unit.now.plus(RETRY_AFTER);
    let mut requests = Vec::with_capacity(wallets.len());
    for wallet in wallets {
        store::opening::set_due(unit.database, (chain, wallet), again)?;
        requests.push(NodeRequest::Balances {
            wallet,
            block,
            tokens: tokens.clone(),
        });
    }
    Ok(requests)
}

fn token_of(asset: &Asset) -> Result<Option<Address>, StoreError> {
    let token = asset.token_address.as_deref().map(str::parse).transpose();
    token.map_err(|_| StoreError::Damaged("a token has no EVM address".to_owned()))
}

/// Records a node's answer: the books of the wallet's accounts become what lies there.
pub(crate) fn report(
    unit: &mut Unit<'_>,
    chain: ChainId,
    balances: &Balances,
) -> Result<(), StoreError> {
    let Some(connected) = store::connection::lock(unit.database, chain)? else {
        return Ok(());
    };
    let at = (chain, balances.wallet);
    // What settled since is in the books and not in the answer: ask again.
    if blocks::latest_settled(unit, &connected)? != Some(balances.block) {
        return store::opening::set_due(unit.database, at, unit.now);
    }
    let openings = store::opening::of_wallet(unit.database, at, balances.block.number)?;
    if openings.is_empty() {
        return Ok(());
    }
    let assets = store::chain::assets(unit.database, chain)?;
    let mut found = Vec::with_capacity(assets.len());
    for asset in &assets {
        let token = token_of(asset)?;
        let mut units = balances.units.iter().filter(|(of, _)| *of == token);
        // A currency that was added since: ask again.
        let Some((_, units)) = units.next() else {
            return store::opening::set_due(unit.database, at, unit.now);
        };
        match holdings::units(*units) {
            Some(units) => found.push((asset, units)),
            None => unit.failures.push(format!(
                "{} claims to hold {units} of {}, which no books can hold",
                balances.wallet, asset.symbol
            )),
        }
    }
    for opening in &openings {
        let owner = (opening.organisation, opening.account);
        let account = store::account::LISTING.find(unit.database, owner.0, owner.1)?;
        if let Some(account) = account.filter(|account| account.deleted_at.is_none()) {
            open(unit, &account, at, &found)?;
        }
    }
    for (asset, units) in found {
        let currency = asset.symbol.clone();
        let held = store::holding::of(unit.database, chain, (balances.wallet, &currency))?;
        let change = Holding {
            address: balances.wallet,
            currency,
            units: units - held,
        };
        store::holding::add(unit.database, chain, &change, unit.now)?;
    }
    store::opening::delete(unit.database, at, balances.block.number)
}

/// Adjusts the books of an account to what lies in its wallet, beside what lies at its other addresses.
fn open(
    unit: &mut Unit<'_>,
    account: &Account,
    (chain, wallet): (ChainId, Address),
    found: &[(&Asset, i128)],
) -> Result<(), StoreError> {
    let owner = (account.org_id, account.id);
    let booked = store::ledger::balances(unit.database, owner.0, Some(owner.1))?;
    for (asset, units) in found {
        let mut booked = booked.iter();
        let booked = booked.find(|booked| booked.currency == asset.symbol);
        let at_all = store::holding::of_account(unit.database, chain, owner, &asset.symbol)?;
        let at_wallet = store::holding::of(unit.database, chain, (wallet, &asset.symbol))?;
        let missing = units + at_all - at_wallet - booked.map_or(0, |booked| booked.posted);
        if missing != 0 {
            adjustment::book(unit, account, &Money::new(&asset.symbol, missing))?;
        }
    }
    Ok(())
}
