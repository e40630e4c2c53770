//! Accounts and their addresses.
//!
//! Longer than 400 lines: accounts and their addresses are written, found and deleted together.

use settlekit_core::account::{
    Account, AccountProvider, AccountState, AccountSummary, AccountType, DepositSplit,
};
use settlekit_core::chain::{Asset, Chain};
use settlekit_core::value::{
    AccountId, AccountReference, ChainId, Currency, ExtendedPublicKey, OrganisationId, PaymentId,
    Timestamp,
};

use super::by_addresses::{ByAddresses, by_addresses};
use super::columns::{self, Columns, get};
use super::folding::searched;
use super::listing::{Listing, listing};
use super::sql::{Database, Row, StoreError, Value};
use super::statement::{insert_numbered, update};
use super::{chain, new_id, one_record, order, read_record, write_record};

pub(crate) const LISTING: Listing<Account, AccountId> = listing!("accounts");

fn record(row: &Row) -> Result<Account, StoreError> {
    read_record(row.text(0)?)
}

/// An account without an id: active and enabled, virtual unless it has a chain.
pub(crate) struct NewAccount {
    pub(crate) organisation: OrganisationId,
    pub(crate) reference: Option<AccountReference>,
    pub(crate) name: Option<String>,
    pub(crate) wallet: Option<NewWallet>,
    pub(crate) currencies: Vec<Currency>,
    pub(crate) parent: Option<AccountId>,
    pub(crate) deposit_splits: Option<Vec<DepositSplit>>,
    pub(crate) by: String,
}

pub(crate) struct NewWallet {
    pub(crate) address: String,
    pub(crate) chain: Chain,
    pub(crate) provider: AccountProvider,
    pub(crate) xpub: Option<ExtendedPublicKey>,
}

/// Inserts an account, created at `now` or at the time of the latest account if that is later.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: NewAccount,
    now: Timestamp,
) -> Result<Account, StoreError> {
    let organisation = new.organisation;
    let (seq, at) = LISTING.next(database, organisation, now)?;
    let id = insert_numbered!(database, "accounts" {
        org_id: organisation,
        seq: seq,
        reference: new.reference.as_ref().map(AccountReference::as_str),
        parent_id: new.parent,
        chain_id: new.wallet.as_ref().map(|wallet| wallet.chain.id),
        record: "",
        created_at: at,
        updated_at: at,
    })?;
    let id = new_id(AccountId::new(id))?;
    let (account_type, provider) = match &new.wallet {
        Some(wallet) => (AccountType::CryptoPayIn, wallet.provider.clone()),
        None => (AccountType::Virtual, AccountProvider::Managed),
    };
    let xpub = new.wallet.as_ref().and_then(|wallet| wallet.xpub.clone());
    let (address, chain) = new
        .wallet
        .map(|wallet| (wallet.address, wallet.chain))
        .unzip();
    let account = Account {
        id,
        reference: new.reference,
        name: new.name,
        account_type,
        address,
        xpub,
        chain_id: chain.as_ref().map(|chain| chain.id),
        chain,
        currencies: new.currencies,
        enabled: true,
        state: AccountState::Active,
        provider,
        org_id: organisation,
        parent_id: new.parent,
        parent: None,
        sub_accounts: None,
        deposit_splits: new.deposit_splits,
        ownership_proven_at: None,
        payin_fee_pct: None,
        payout_fee_pct: None,
        balance_usd: None,
        reserved_usd: None,
        account_number: None,
        sort_code: None,
        properties: None,
        created_at: at,
        created_by: Some(new.by),
        updated_at: at,
        deleted_at: None,
    };
    update!(database, "accounts" [org_id: organisation, id: id] {
        search: &searched_text(&account),
        record: &write_record(&account)?,
    })?;
    Ok(account)
}

/// Name and reference as they are searched.
fn searched_text(account: &Account) -> String {
    let reference = account.reference.as_ref().map(AccountReference::as_str);
    searched([account.name.as_deref(), reference])
}

pub(crate) fn update(database: &mut dyn Database, account: &Account) -> Result<(), StoreError> {
    update!(database, "accounts" {
        search: &searched_text(account),
        deleted_at: account.deleted_at,
        ..account
    })
}

/// Whether an account has unfinished work: a payment awaiting money, a transfer under way, or an order that debits it or settles
/// on it.
pub(crate) fn is_busy(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: AccountId,
) -> Result<bool, StoreError> {
    const PAYMENT: &str = "SELECT 1 FROM payments WHERE org_id = ?1 AND account_id = ?2 AND status IN ('Pending', 'Processing') LIMIT 1";
    const MOVEMENT: &str = "SELECT 1 FROM movements WHERE org_id = ?1 AND account_id = ?2 AND status IN ('Pending', 'Processing') \
         AND status <> 'Confirmed' LIMIT 1";
    let named = [organisation.into(), id.into()];
    Ok(!database.query(PAYMENT, &named)?.is_empty()
        || !database.query(MOVEMENT, &named)?.is_empty()
        || order::is_under_way_for(database, organisation, id)?)
}

/// The organisation's accounts with a reference, oldest first.
pub(crate) fn by_reference(
    database: &mut dyn Database,
    organisation: OrganisationId,
    reference: &AccountReference,
) -> Result<Vec<Account>, StoreError> {
    const FIND: &str = "SELECT record FROM accounts WHERE org_id = ?1 AND reference = ?2 AND deleted_at IS NULL ORDER BY seq";
    let rows = database.query(FIND, &[organisation.into(), reference.as_str().into()])?;
    rows.iter().map(record).collect()
}

/// The direct sub-accounts of an account.
pub(crate) fn below(
    database: &mut dyn Database,
    organisation: OrganisationId,
    parent: AccountId,
) -> Result<Vec<AccountSummary>, StoreError> {
    let accounts = chains_of(database, organisation, parent)?;
    Ok(accounts.iter().map(AccountSummary::from).collect())
}

/// As [`below`], as whole accounts: the chains of a virtual account.
pub(crate) fn chains_of(
    database: &mut dyn Database,
    organisation: OrganisationId,
    parent: AccountId,
) -> Result<Vec<Account>, StoreError> {
    const BELOW: &str = "SELECT record FROM accounts WHERE org_id = ?1 AND parent_id = ?2 AND deleted_at IS NULL ORDER BY seq";
    let rows = database.query(BELOW, &[organisation.into(), parent.into()])?;
    rows.iter().map(record).collect()
}

/// The organisation's primary virtual account: its oldest.
pub(crate) fn primary_virtual(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<Option<Account>, StoreError> {
    const PRIMARY: &str = "SELECT record FROM accounts WHERE org_id = ?1 AND chain_id IS NULL AND deleted_at IS NULL ORDER BY seq LIMIT 1";
    one_record(database.query(PRIMARY, &[organisation.into()])?)
}

/// All accounts of the organisation that are not deleted, oldest first: tens, not millions.
pub(crate) fn all_accounts(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<Vec<Account>, StoreError> {
    const ALL: &str =
        "SELECT record FROM accounts WHERE org_id = ?1 AND deleted_at IS NULL ORDER BY seq";
    let rows = database.query(ALL, &[organisation.into()])?;
    rows.iter().map(record).collect()
}

/// Accounts whose balances are not the organisation's money: unproven wallets, and deleted accounts of the merchant's own wallets.
pub(crate) fn only_watched(
    database: &mut dyn Database,
    organisation: OrganisationId,
) -> Result<Vec<AccountId>, StoreError> {
    const ALL: &str = "SELECT record FROM accounts WHERE org_id = ?1";
    let rows = database.query(ALL, &[organisation.into()])?;
    let mut watched = Vec::new();
    for row in &rows {
        let account = record(row)?;
        if !account.counts_in_totals() {
            watched.push(account.id);
        }
    }
    Ok(watched)
}

/// An address and the account it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    pub(crate) organisation: OrganisationId,
    pub(crate) account: AccountId,
    pub(crate) payment: Option<PaymentId>,
    /// Its number below the account's extended public key.
    pub(crate) index: Option<u32>,
}

/// Adds an address held by the service, in lower case; false if it is taken.
pub(crate) fn hold_address(
    database: &mut dyn Database,
    chain: ChainId,
    address: &str,
    owner: &Address,
) -> Result<bool, StoreError> {
    insert_address(database, (chain, address), owner, false)
}

/// Adds a watched external wallet, which other organisations may watch too; false if an account of the organisation has the
/// address.
pub(crate) fn watch_address(
    database: &mut dyn Database,
    chain: ChainId,
    address: &str,
    owner: &Address,
) -> Result<bool, StoreError> {
    insert_address(database, (chain, address), owner, true)
}

fn insert_address(
    database: &mut dyn Database,
    (chain, address): (ChainId, &str),
    owner: &Address,
    watched: bool,
) -> Result<bool, StoreError> {
    const INSERT: &str = "INSERT INTO addresses (chain_id, address, org_id, account_id, payment_id, watched, derivation_index) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";
    let address = address.to_ascii_lowercase();
    let values: [Value<'_>; 7] = [
        chain.into(),
        (&address).into(),
        owner.organisation.into(),
        owner.account.into(),
        owner.payment.into(),
        i64::from(watched).into(),
        owner.index.into(),
    ];
    Ok(database.execute(INSERT, &values)? == 1)
}

/// Moves a wallet from a deleted account of the organisation to another; false if the wallet belongs elsewhere, or if a payout is open
/// that is of the deleted account or paid by it: its transfer could be booked on the other account then.
pub(crate) fn take_over_address(
    database: &mut dyn Database,
    chain: ChainId,
    address: &str,
    owner: &Address,
) -> Result<bool, StoreError> {
    const TAKE_OVER: &str = "UPDATE addresses SET account_id = ?4, derivation_index = ?5 WHERE chain_id = ?1 AND address = ?2 AND org_id = ?3 AND payment_id IS NULL \
         AND watched = 1 AND account_id IN (SELECT id FROM accounts WHERE org_id = ?3 AND deleted_at IS NOT NULL) \
         AND NOT EXISTS (SELECT 1 FROM payments p JOIN payouts o ON o.payment_id = p.id \
         WHERE p.org_id = ?3 AND p.account_id = addresses.account_id AND p.status IN ('Pending', 'Processing')) \
         AND NOT EXISTS (SELECT 1 FROM movements m JOIN payouts o ON o.payment_id = m.entity_id \
         WHERE m.org_id = ?3 AND m.account_id = addresses.account_id AND m.status = 'Processing' AND m.status <> 'Confirmed')";
    let address = address.to_ascii_lowercase();
    let values: [Value<'_>; 5] = [
        chain.into(),
        (&address).into(),
        owner.organisation.into(),
        owner.account.into(),
        owner.index.into(),
    ];
    Ok(database.execute(TAKE_OVER, &values)? == 1)
}

/// Takes the next index of an extended public key, from 1. It is the same on all chains, so that one address is of one payment.
pub(crate) fn take_index(
    database: &mut dyn Database,
    organisation: OrganisationId,
    xpub: &ExtendedPublicKey,
) -> Result<u32, StoreError> {
    const TAKE: &str = "INSERT INTO derivations (org_id, xpub, next) VALUES (?1, ?2, 2) \
         ON CONFLICT (org_id, xpub) DO UPDATE SET next = derivations.next + 1 RETURNING next - 1";
    let rows = database.query(TAKE, &[organisation.into(), xpub.as_str().into()])?;
    columns::value(&rows)?.ok_or_else(|| StoreError::Broken("no index was taken".to_owned()))
}

/// The number of an organisation's address below the extended public key of its account; `None` for a wallet by address.
pub(crate) fn derivation_index(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (chain, address): (ChainId, &str),
) -> Result<Option<u32>, StoreError> {
    const FIND: &str = "SELECT derivation_index FROM addresses WHERE chain_id = ?1 AND address = ?2 AND org_id = ?3";
    let address = address.to_ascii_lowercase();
    let values = [chain.into(), (&address).into(), organisation.into()];
    let found: Option<Option<u32>> = columns::value(&database.query(FIND, &values)?)?;
    Ok(found.flatten())
}

/// The organisation's account for an address on a chain.
pub(crate) fn account_of_address(
    database: &mut dyn Database,
    organisation: OrganisationId,
    (chain, address): (ChainId, &str),
) -> Result<Option<AccountId>, StoreError> {
    const FIND: &str =
        "SELECT account_id FROM addresses WHERE chain_id = ?1 AND address = ?2 AND org_id = ?3";
    let address = address.to_ascii_lowercase();
    let values = [chain.into(), (&address).into(), organisation.into()];
    columns::value(&database.query(FIND, &values)?)
}

/// Whether any organisation has or watches an address on a chain.
pub(crate) fn is_known(
    database: &mut dyn Database,
    chain: ChainId,
    address: &str,
) -> Result<bool, StoreError> {
    const FIND: &str = "SELECT 1 FROM addresses WHERE chain_id = ?1 AND address = ?2 LIMIT 1";
    let address = address.to_ascii_lowercase();
    let rows = database.query(FIND, &[chain.into(), (&address).into()])?;
    Ok(!rows.is_empty())
}

/// Whether any organisation has an account on a chain, deleted ones included.
pub(crate) fn is_any_on(database: &mut dyn Database, chain: ChainId) -> Result<bool, StoreError> {
    // The index of addresses begins with the chain.
    const FIND: &str = "SELECT 1 FROM addresses WHERE chain_id = ?1 LIMIT 1";
    Ok(!database.query(FIND, &[chain.into()])?.is_empty())
}

/// The addresses of some that any organisation has or watches on a chain.
pub(crate) fn known_among(
    database: &mut dyn Database,
    chain: ChainId,
    addresses: &[alloy_primitives::Address],
) -> Result<Vec<alloy_primitives::Address>, StoreError> {
    let known = ByAddresses {
        columns: "DISTINCT address",
        table: "addresses",
        and: "AND chain_id = ?1",
        values: &[chain.into()],
    };
    let rows = by_addresses(database, &known, addresses)?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// The accounts of merchants' own wallets on a chain, across organisations, deleted ones too.
pub(crate) fn own_wallets(
    database: &mut dyn Database,
    chain: ChainId,
) -> Result<Vec<Account>, StoreError> {
    const ALL: &str = "SELECT record FROM accounts WHERE chain_id = ?1 ORDER BY org_id, seq";
    let rows = database.query(ALL, &[chain.into()])?;
    let mut accounts: Vec<Account> = rows.iter().map(record).collect::<Result<_, _>>()?;
    accounts.retain(|account| !account.is_held());
    Ok(accounts)
}

/// The account credited with a currency sent to an address.
pub(crate) struct Target {
    pub(crate) chain: chain::StoredChain,
    /// The currency on the chain.
    pub(crate) asset: Asset,
    pub(crate) account: Account,
    pub(crate) payment: Option<PaymentId>,
}

/// Every organisation's account that has or watches an address on a chain, for a currency of that chain; across organisations.
pub(crate) fn by_address(
    database: &mut dyn Database,
    chain: ChainId,
    currency: &Currency,
    address: &str,
) -> Result<Vec<Target>, StoreError> {
    const FIND: &str = concat!(
        "SELECT ",
        chain::known_columns!(),
        ", s.symbol, s.scale, s.token_address, l.record, a.payment_id FROM addresses a JOIN chains c ON c.id = a.chain_id \
         JOIN assets s ON s.chain_id = a.chain_id AND s.symbol = ?3 \
         JOIN accounts l ON l.org_id = a.org_id AND l.id = a.account_id WHERE a.chain_id = ?1 AND a.address = ?2 ORDER BY a.org_id"
    );
    let rows = database.query(
        FIND,
        &[
            chain.into(),
            (&address.to_ascii_lowercase()).into(),
            currency.as_str().into(),
        ],
    )?;
    let read = |row: &Row| {
        Ok(Target {
            chain: chain::known(row)?,
            asset: Asset::read(row, chain::KNOWN_COLUMNS)?,
            account: read_record(row.text(chain::KNOWN_COLUMNS + 3)?)?,
            payment: get(row, chain::KNOWN_COLUMNS + 4)?,
        })
    };
    rows.iter().map(read).collect()
}
