//! Opening balances: of a merchant's own wallet when it is connected, and of all followed addresses when a token is added. A node is
//! asked once, at a settled block. The books of merchants' own wallets begin with an adjustment to it; money at addresses of the
//! service is the operator's. The first addresses of an extended public key are looked at for money, and watched if they have some.

use std::collections::BTreeMap;
use std::time::Duration;

use alloy_primitives::{Address, U256};
use settlekit_core::account::Account;
use settlekit_core::chain::Asset;
use settlekit_core::value::{ChainId, Currency, Timestamp};

use super::block::BlockId;
use super::followed::Followed;
use super::outgoing::NodeRequest;
use super::{HAS_REAL_CHAINS, adjustment, blocks, holdings, sweep};
use crate::evm::xpub;
use crate::money::connection::Connection;
use crate::resources::account::book::Money;
use crate::store;
use crate::store::connection::Connected;
use crate::store::holding::Holding;
use crate::store::opening::Opening;
use crate::store::operator_entry::Cause;
use crate::store::sql::StoreError;
use crate::unit::Unit;

/// A request without an answer is made again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(15);

/// The addresses of an extended public key that may hold money from before: wallets stop looking after as many empty ones (BIP 44).
const GAP_LIMIT: u32 = 20;

/// Wallets per round, and as many addresses for added tokens.
const WALLETS_MAX: u32 = 16;

/// The balances of a wallet at a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balances {
    /// The wallet, or another followed address.
    pub wallet: Address,
    /// The block.
    pub block: BlockId,
    /// In the smallest unit: by token, `None` for the native coin.
    pub units: Vec<(Option<Address>, U256)>,
}

/// Asks for the balances of the merchant's own wallet of a new account. The wallets of the simulated chain begin empty.
pub(crate) fn request(
    unit: &mut Unit<'_>,
    connection: Connection,
    account: &Account,
) -> Result<(), StoreError> {
    let (true, Connection::Evm(_), Some(chain), Some(wallet)) = (
        HAS_REAL_CHAINS,
        connection,
        account.chain_id,
        account.own_wallet(),
    ) else {
        return Ok(());
    };
    let wallet: Address = wallet.parse().map_err(|_| {
        StoreError::Damaged("a wallet on an EVM chain has no EVM address".to_owned())
    })?;
    let opening = |index| Opening {
        organisation: account.org_id,
        account: account.id,
        index,
    };
    store::opening::insert(unit.database, (chain, wallet), &opening(None), unit.now)?;
    let Some(key) = &account.xpub else {
        return Ok(());
    };
    for index in 1..GAP_LIMIT {
        // A few indexes in 2^127 have no key.
        if let Some(address) = xpub::address(key, index) {
            let of_key = opening(Some(index));
            store::opening::insert(unit.database, (chain, address), &of_key, unit.now)?;
        }
    }
    Ok(())
}

/// Takes another token on a chain. Its transfers are recorded from the next block on. The earlier balances of the followed addresses
/// are requested when the latest recorded block is settled.
pub(super) fn add_token(
    unit: &mut Unit<'_>,
    connected: &Connected,
    asset: &Asset,
) -> Result<(), StoreError> {
    let (chain, currency) = (connected.chain, &asset.symbol);
    if store::chain::asset(unit.database, chain, currency)?.is_some() {
        return Ok(());
    }
    store::chain::insert_asset(unit.database, chain, asset)?;
    if let Some(contract) = &asset.token_address {
        store::unconfigured_token::forget(unit.database, chain, contract)?;
    }
    let after = connected.block;
    store::token_opening::insert_all(unit.database, (chain, currency), after, unit.now)
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
    let again = unit.now.plus(RETRY_AFTER);
    let at = (block.number, [unit.now, again]);
    let wallets = store::opening::due_wallets(unit.database, chain, at, WALLETS_MAX)?;
    let added = store::token_opening::due(unit.database, chain, at, WALLETS_MAX)?;
    if wallets.is_empty() && added.is_empty() {
        return Ok(Vec::new());
    }
    let assets = store::chain::assets(unit.database, chain)?;
    // Of a merchant's wallet everything, of another address the tokens that were added.
    let mut wanted: BTreeMap<Address, Vec<&Asset>> = BTreeMap::new();
    for (address, currency) in added {
        let added = assets.iter().filter(|asset| asset.symbol == currency);
        wanted.entry(address).or_default().extend(added);
    }
    for wallet in wallets {
        wanted.insert(wallet, assets.iter().collect());
    }
    let mut requests = Vec::with_capacity(wanted.len());
    for (wallet, assets) in wanted {
        set_due(unit, (chain, wallet), again)?;
        let tokens = assets.into_iter().map(token_of);
        requests.push(NodeRequest::Balances {
            wallet,
            block,
            tokens: tokens.collect::<Result<_, _>>()?,
        });
    }
    Ok(requests)
}

fn set_due(
    unit: &mut Unit<'_>,
    at: (ChainId, Address),
    due_at: Timestamp,
) -> Result<(), StoreError> {
    store::opening::set_due(unit.database, at, due_at)?;
    store::token_opening::set_due(unit.database, at, due_at)
}

/// Asks again in the next round.
fn ask_again(unit: &mut Unit<'_>, at: (ChainId, Address)) -> Result<(), StoreError> {
    let now = unit.now;
    set_due(unit, at, now)
}

fn token_of(asset: &Asset) -> Result<Option<Address>, StoreError> {
    let token = asset.token_address.as_deref().map(str::parse).transpose();
    token.map_err(|_| StoreError::Damaged("a token has no EVM address".to_owned()))
}

/// A node's answer about a currency, and the books that it is about.
struct Found<'a> {
    asset: &'a Asset,
    /// The balance of the address by the settled blocks.
    units: i128,
    /// Merchants' accounts that begin with it.
    accounts: Vec<Account>,
}

/// Records a node's answer: the books become the balance of the address. Transfers settled after the requested block are in the books
/// and not in the answer.
pub(crate) fn report(
    unit: &mut Unit<'_>,
    chain: ChainId,
    balances: &Balances,
) -> Result<(), StoreError> {
    let Some(connected) = store::connection::lock(unit.database, chain)? else {
        return Ok(());
    };
    let (at, number) = ((chain, balances.wallet), balances.block.number);
    let recorded = store::connection::find_block(unit.database, chain, number)?;
    // A reorganisation took the block away, or it is too old to know the transfers since: ask again.
    if recorded != Some(balances.block) || number > connected.settled {
        return ask_again(unit, at);
    }
    let openings = store::opening::of_wallet(unit.database, at, number)?;
    let (of_keys, openings): (Vec<Opening>, Vec<Opening>) = openings
        .into_iter()
        .partition(|opening| opening.index.is_some());
    let added = store::token_opening::of_address(unit.database, at, number)?;
    let assets = store::chain::assets(unit.database, chain)?;
    let mut found = Vec::new();
    for asset in &assets {
        let is_added = added.contains(&asset.symbol);
        let is_followed = is_added || !openings.is_empty();
        if !is_followed && of_keys.is_empty() {
            continue;
        }
        let token = token_of(asset)?;
        let mut answered = balances.units.iter().filter(|(of, _)| *of == token);
        // A currency that was added since: ask again.
        let Some((_, answered)) = answered.next() else {
            return ask_again(unit, at);
        };
        if !is_followed {
            continue;
        }
        let Some(answered) = holdings::units(*answered) else {
            unit.failures.push(format!(
                "{} claims to hold {answered} of {}, which no books can hold",
                balances.wallet, asset.symbol
            ));
            continue;
        };
        let of = (balances.wallet, &asset.symbol);
        let since = store::held_transfer::moved_since(unit.database, (chain, number), of)?;
        found.push(Found {
            asset,
            units: answered.saturating_add(since),
            accounts: accounts_of(unit, at, &openings, (&asset.symbol, is_added))?,
        });
    }
    for found in &found {
        for account in &found.accounts {
            open(unit, account, at, (found.asset, found.units))?;
        }
    }
    for found in found {
        hold(unit, &connected, balances, &found)?;
    }
    store::opening::delete(unit.database, at, number)?;
    store::token_opening::delete(unit.database, at, number)?;
    if balances.units.iter().any(|(_, units)| !units.is_zero()) {
        for of_key in of_keys {
            watch_with_money(unit, at, of_key)?;
        }
    }
    Ok(())
}

/// Watches an address of an extended public key that has money, and asks for its balance again: what moved at the address until now is
/// in no books. Without a payment, the money that comes there is the account's.
fn watch_with_money(
    unit: &mut Unit<'_>,
    at: (ChainId, Address),
    of_key: Opening,
) -> Result<(), StoreError> {
    let (organisation, id) = (of_key.organisation, of_key.account);
    let account = store::account::LISTING.find(unit.database, organisation, id)?;
    // A key of a hot wallet leads to addresses of the service.
    let of_service = Followed::of_service_among(unit.database, &[at.1])?;
    if account.is_none_or(|account| account.deleted_at.is_some())
        || of_service.is_service_address(at.1)
    {
        return Ok(());
    }
    let (chain, address) = (at.0, at.1.to_string());
    let owner = store::account::Address {
        organisation,
        account: id,
        payment: None,
        index: of_key.index,
    };
    store::account::watch_address(unit.database, chain, &address, &owner)?;
    let of = (chain, address.as_str());
    // A payment of the account may have it since, or a deleted account of the key.
    if store::account::account_of_address(unit.database, organisation, of)? != Some(id) {
        return Ok(());
    }
    let opening = Opening {
        index: None,
        ..of_key
    };
    store::opening::insert(unit.database, at, &opening, unit.now)
}

/// The accounts whose books are adjusted to a reported balance: own wallets without an opening balance, and for an added token all
/// accounts of the address.
fn accounts_of(
    unit: &mut Unit<'_>,
    (chain, address): (ChainId, Address),
    openings: &[Opening],
    (currency, is_added): (&Currency, bool),
) -> Result<Vec<Account>, StoreError> {
    let mut accounts: Vec<Account> = Vec::new();
    for opening in openings {
        let (organisation, account) = (opening.organisation, opening.account);
        accounts.extend(store::account::LISTING.find(unit.database, organisation, account)?);
    }
    if is_added {
        let address = format!("{address:#x}");
        let targets = store::account::by_address(unit.database, chain, currency, &address)?;
        for target in targets {
            let mut known = accounts.iter();
            if !known.any(|known| known.id == target.account.id) {
                accounts.push(target.account);
            }
        }
    }
    accounts.retain(|account| account.deleted_at.is_none() && !account.is_held());
    Ok(accounts)
}

/// Adjusts the books of an account to the balance of one of its addresses, added to the balances of the others.
fn open(
    unit: &mut Unit<'_>,
    account: &Account,
    (chain, address): (ChainId, Address),
    (asset, units): (&Asset, i128),
) -> Result<(), StoreError> {
    let owner = (account.org_id, account.id);
    let booked = store::ledger::balances(unit.database, owner.0, Some(owner.1))?;
    let mut booked = booked.iter();
    let booked = booked.find(|booked| booked.currency == asset.symbol);
    let at_all = store::holding::of_account(unit.database, chain, owner, &asset.symbol)?;
    let at_address = store::holding::held_units(unit.database, chain, (address, &asset.symbol))?;
    let missing = units + at_all - at_address - booked.map_or(0, |booked| booked.posted);
    if missing != 0 {
        adjustment::book(unit, account, &Money::new(&asset.symbol, missing))?;
    }
    Ok(())
}

/// Sets the balance of an address. Unknown money at an address of the service is the operator's.
fn hold(
    unit: &mut Unit<'_>,
    connected: &Connected,
    balances: &Balances,
    found: &Found<'_>,
) -> Result<(), StoreError> {
    let (chain, address) = (connected.chain, balances.wallet);
    let currency = &found.asset.symbol;
    let held = store::holding::held_units(unit.database, chain, (address, currency))?;
    let change = Holding {
        address,
        currency: currency.clone(),
        units: found.units - held,
    };
    if change.units == 0 {
        return Ok(());
    }
    let followed = Followed::among(unit.database, chain, &[address])?;
    let sweep_at = unit.now.plus(sweep::AFTER);
    holdings::change(unit, &followed, chain, (&change, sweep_at))?;
    if followed.is_operators(unit.database, address)? {
        // Entries are in the order of the blocks: a later settled one may have some already.
        let at = (chain, connected.settled);
        let why = (Cause::Opening, balances.block.hash);
        store::operator_entry::insert(unit.database, at, &change, why, unit.now)?;
    }
    Ok(())
}
