//! Movements.
//!
//! The list of all movements of an organisation has no rows of its own: a movement has its `seq` there. Counts by status cover only
//! the few movements that are not Confirmed.
//!
//! Longer than 400 lines: the statements that insert, change and read a movement share its columns, which nothing else may write.

use settlekit_core::account::{Direction, Movement, MovementFailure, MovementStatus, MovementType};
use settlekit_core::chain::Chain;
use settlekit_core::page::ListQuery;
use settlekit_core::value::{
    AccountId, AccountReference, Amount, ChainId, Currency, MovementId, OrganisationId, PaymentId,
    Timestamp,
};

use super::columns::get;
use super::filter_counts::{FilterKey, MOVEMENTS};
use super::listing::{Listing, listing};
use super::movement_index::{self, MovementList};
use super::sql::{Added, Database, Row, StoreError, Value};
use super::statement::update;
use super::{first, sequence};

/// A movement's own columns, for a table alias, shared by several statements.
macro_rules! own_columns {
    ($movement:literal) => {
        own_columns!(
            $movement, "id", "account_id", "account_reference", "direction", "type", "status", "currency", "scale",
            "amount", "fee", "fee_currency", "fee_scale", "entity_id", "from_address", "to_address",
            "transaction_hash", "created_at", "confirmed_at", "updated_at", "amount_usd", "reporting_amount",
            "reporting_currency", "failure"
        )
    };
    ($movement:literal, $($column:literal),*) => {
        concat!($($movement, ".", $column, ", ",)* $movement, ".chain_id")
    };
}

/// A movement's columns, joined with its chain.
macro_rules! columns {
    () => {
        concat!(own_columns!("m"), ", c.name, c.native_symbol")
    };
}

pub(crate) const LISTING: Listing<Movement, MovementId, i64> = listing!(
    "movement_lists" by "account_id" in "movements",
    columns!(),
    " JOIN movements m ON m.id = l.movement_id LEFT JOIN chains c ON c.id = m.chain_id",
    read
);

pub(crate) const ALL: Listing<Movement, MovementId> = listing!(
    "movements" by "org_id" in "movements",
    concat!(own_columns!("l"), ", c.name, c.native_symbol"),
    " LEFT JOIN chains c ON c.id = l.chain_id",
    read
);

/// A list of movements: of an account and its sub-accounts, or of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct List(i64);

impl List {
    pub(crate) fn of_account(account: AccountId) -> Self {
        Self(account.get())
    }

    /// The list of a bundle, whose id is the negative of the bundle's.
    pub(crate) fn of_bundle(bundle: i64) -> Self {
        Self(-bundle)
    }

    /// The number that owns its rows.
    pub(super) fn number(self) -> i64 {
        self.0
    }
}

/// A movement without id, `seq` and time.
pub(crate) struct NewMovement {
    pub(crate) organisation: OrganisationId,
    pub(crate) account_id: AccountId,
    pub(crate) account_reference: Option<AccountReference>,
    pub(crate) direction: Direction,
    pub(crate) r#type: MovementType,
    pub(crate) status: MovementStatus,
    pub(crate) money: ShownMoney,
    pub(crate) fee: Option<ShownMoney>,
    pub(crate) entity_id: Option<String>,
    pub(crate) chain: Option<Chain>,
    pub(crate) from_address: Option<String>,
    pub(crate) to_address: Option<String>,
    pub(crate) transaction_hash: Option<String>,
}

/// An amount in the currency's smallest unit, and its decimal form.
pub(crate) struct ShownMoney {
    pub(crate) currency: Currency,
    pub(crate) units: i128,
    pub(crate) scale: u32,
    pub(crate) amount: Amount,
}

impl ShownMoney {
    /// `None` if the amount has no exact decimal form.
    pub(crate) fn new(currency: Currency, units: i128, scale: u32) -> Option<Self> {
        let amount = Amount::from_units(units, scale).ok()?;
        Some(Self {
            currency,
            units,
            scale,
            amount,
        })
    }
}

/// The worth of money when it was booked, in millionths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Worth {
    /// US dollars.
    pub(crate) usd: Option<i128>,
    /// The organisation's own currency.
    pub(crate) reporting: Option<(Currency, i128)>,
}

/// Decimal places of the worth of money.
pub(crate) const WORTH_SCALE: u32 = 6;

impl Worth {
    /// The movement with its worth.
    fn shown_in(&self, movement: Movement) -> Movement {
        let shown = |millionths| Amount::from_units(millionths, WORTH_SCALE).ok();
        let reporting = self.reporting.as_ref();
        let reporting =
            reporting.and_then(|(currency, worth)| Some((currency.clone(), shown(*worth)?)));
        let (reporting_currency, reporting_amount) = reporting.unzip();
        Movement {
            amount_usd: self.usd.and_then(shown),
            reporting_amount,
            reporting_currency,
            ..movement
        }
    }
}

/// A movement with its `seq` in the organisation's list.
pub(crate) struct Booked {
    pub(crate) movement: Movement,
    pub(crate) seq: i64,
}

/// The count of an organisation's Failed movements since a time, and the account of the latest.
pub(crate) fn failed_since(
    database: &mut dyn Database,
    organisation: OrganisationId,
    since: Timestamp,
) -> Result<(u64, Option<AccountId>), StoreError> {
    const FAILED: &str = "SELECT account_id FROM movements WHERE org_id = ?1 AND status = 'Failed' AND status <> 'Confirmed' \
         AND seq >= ?2 ORDER BY seq DESC";
    let since = ListQuery {
        since: Some(since),
        ..ListQuery::default()
    };
    let bounds = ALL.bounds(database, organisation.into(), &since)?;
    let rows = database.query(FAILED, &[organisation.into(), bounds.from.into()])?;
    let latest = rows.first().map(|row| row.int(0)).transpose()?;
    Ok((rows.len() as u64, latest.and_then(AccountId::new)))
}

/// Adds a movement to its lists: of its account, of every account above, and of their bundles. Its time is `now`, or that of the
/// latest movement in a list if later.
///
/// Sequence numbers come first: their row locks decide the order of movements, and thereby of the ids.
pub(crate) fn insert(
    database: &mut dyn Database,
    new: NewMovement,
    lists: &[List],
    now: Timestamp,
) -> Result<Booked, StoreError> {
    const LIST: &str = "INSERT INTO movement_lists (account_id, seq, movement_id, created_at) VALUES (?1, ?2, ?3, ?4)";
    let mut numbers = Vec::with_capacity(lists.len());
    // Always lock the topmost list first: two transactions that share it cannot deadlock on lists below.
    let (seq, mut at) = sequence::next(database, new.organisation.into(), ALL.kind, now)?;
    for List(list) in lists.iter().rev() {
        let (number, time) = sequence::next(database, (*list).into(), LISTING.kind, at)?;
        at = at.max(time);
        numbers.push((*list, number));
    }
    let fee = new.fee.as_ref();
    let values = [
        new.organisation.into(),
        new.account_id.into(),
        new.account_reference
            .as_ref()
            .map(AccountReference::as_str)
            .into(),
        new.direction.as_str().into(),
        new.r#type.as_str().into(),
        new.status.as_str().into(),
        new.chain.as_ref().map(|chain| chain.id).into(),
        new.money.currency.as_str().into(),
        new.money.scale.into(),
        new.money.units.into(),
        (&new.entity_id).into(),
        (&new.from_address).into(),
        (&new.to_address).into(),
        (&new.transaction_hash).into(),
        at.into(),
        fee.map(|fee| fee.units).into(),
        fee.map(|fee| fee.currency.as_str()).into(),
        fee.map(|fee| fee.scale).into(),
        at.into(),
        Value::Null,
        Value::Null,
        seq.into(),
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
    ];
    let id = database.insert(ADDED.insert, &values)?;
    for (list, number) in &numbers {
        let values = [(*list).into(), (*number).into(), id.into(), at.into()];
        database.write(LIST, &values)?;
    }
    movement_index::added(database, MovementList::All(new.organisation), seq)?;
    for (list, number) in numbers {
        movement_index::added(database, MovementList::One(list), number)?;
    }
    let id =
        MovementId::new(id).ok_or_else(|| StoreError::Broken("the movement got no id".into()))?;
    let key = FilterKey::status(new.status.as_str());
    MOVEMENTS.add(database, new.organisation, key, seq)?;
    let (fee, fee_currency) = new.fee.map(|fee| (fee.amount, fee.currency)).unzip();
    let movement = Movement {
        id,
        account_id: new.account_id,
        account_reference: new.account_reference,
        amount: new.money.amount,
        currency: new.money.currency,
        amount_usd: None,
        reporting_amount: None,
        reporting_currency: None,
        direction: new.direction,
        r#type: new.r#type,
        status: new.status,
        failure: None,
        fee,
        fee_currency,
        entity_id: new.entity_id,
        chain: new.chain,
        from_address: new.from_address,
        to_address: new.to_address,
        transaction_hash: new.transaction_hash,
        created_at: at,
        confirmed_at: None,
    };
    Ok(Booked { movement, seq })
}

static ADDED: Added = Added {
    insert: "INSERT INTO movements (org_id, account_id, account_reference, direction, type, status, chain_id, currency, \
         scale, amount, entity_id, from_address, to_address, transaction_hash, created_at, fee, fee_currency, fee_scale, updated_at, \
         transfer_id, confirmed_at, seq, amount_usd, reporting_amount, reporting_currency, failure) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26)",
    unique: &[],
    change: "UPDATE movements SET status = ?3, transfer_id = COALESCE(?4, transfer_id), \
     confirmed_at = COALESCE(?5, confirmed_at), updated_at = ?6, amount_usd = COALESCE(?7, amount_usd), \
     reporting_amount = COALESCE(?8, reporting_amount), reporting_currency = COALESCE(?9, reporting_currency), \
     failure = COALESCE(?10, failure) \
     WHERE org_id = ?1 AND id = ?2",
    changed: &[5, 19, 20, 18, 22, 23, 24, 25],
};

/// A change of a movement's status.
pub(crate) struct StatusChange<'a> {
    pub(crate) after: &'a MovementStatus,
    /// The ledger transfer; unchanged if `None`.
    pub(crate) transfer: Option<i64>,
    /// Why it failed.
    pub(crate) failure: Option<&'a MovementFailure>,
    /// Its worth, once booked; unchanged if `None`.
    pub(crate) worth: Option<&'a Worth>,
    pub(crate) now: Timestamp,
}

/// Changes a movement's status and returns the movement.
pub(crate) fn set_status(
    database: &mut dyn Database,
    organisation: OrganisationId,
    Booked { movement, seq }: Booked,
    change: &StatusChange<'_>,
) -> Result<Movement, StoreError> {
    let confirmed_at = (*change.after == MovementStatus::Confirmed).then_some(change.now);
    let reporting = change.worth.and_then(|worth| worth.reporting.as_ref());
    let values = [
        organisation.into(),
        movement.id.into(),
        change.after.as_str().into(),
        change.transfer.into(),
        confirmed_at.into(),
        change.now.into(),
        change.worth.and_then(|worth| worth.usd).into(),
        reporting.map(|(_, millionths)| *millionths).into(),
        reporting.map(|(currency, _)| currency.as_str()).into(),
        change.failure.map(MovementFailure::as_str).into(),
    ];
    database.change(&ADDED, &values)?;
    let keys = [&movement.status, change.after].map(|status| FilterKey::status(status.as_str()));
    MOVEMENTS.shift(database, organisation, (keys[0], keys[1]), seq)?;
    let movement = Movement {
        status: change.after.clone(),
        failure: change.failure.cloned(),
        confirmed_at: confirmed_at.or(movement.confirmed_at),
        ..movement
    };
    Ok(match change.worth {
        Some(worth) => worth.shown_in(movement),
        None => movement,
    })
}

/// Records who sent the money of a movement.
pub(crate) fn set_sender(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: MovementId,
    from: &str,
) -> Result<(), StoreError> {
    update!(database, "movements" [org_id: organisation, id: id] { from_address: from })
}

/// Records the entity that a movement belongs to.
pub(crate) fn set_entity(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: MovementId,
    entity: &str,
) -> Result<(), StoreError> {
    update!(database, "movements" [org_id: organisation, id: id] { entity_id: entity })
}

/// Records the transaction of a movement.
pub(crate) fn set_transaction(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: MovementId,
    chain: ChainId,
    hash: &str,
) -> Result<(), StoreError> {
    update!(database, "movements" [org_id: organisation, id: id] {
        chain_id: chain,
        transaction_hash: hash,
    })
}

const FIND: &str = concat!(
    "SELECT ",
    columns!(),
    ", m.seq FROM movements m LEFT JOIN chains c ON c.id = m.chain_id WHERE m.org_id = ?1 AND m.id = ?2"
);

/// The column of `seq` in [`FIND`].
const SEQ: usize = 26;

pub(crate) fn find_movement(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: MovementId,
) -> Result<Option<Movement>, StoreError> {
    ALL.first(database.query(FIND, &[organisation.into(), id.into()])?)
}

/// The movements of the service's fees for a payment or payout.
pub(crate) fn service_fees(
    database: &mut dyn Database,
    organisation: OrganisationId,
    payment: PaymentId,
) -> Result<Vec<Movement>, StoreError> {
    const FEES: &str = concat!(
        "SELECT ",
        own_columns!("l"),
        ", c.name, c.native_symbol FROM movements l LEFT JOIN chains c ON c.id = l.chain_id \
         WHERE l.org_id = ?1 AND l.entity_id = ?2 AND l.type = 'ServiceFee' ORDER BY l.seq"
    );
    let rows = database.query(FEES, &[organisation.into(), payment.into()])?;
    rows.iter().map(|row| Ok(read(row)?.0)).collect()
}

/// As [`find_movement`], with its `seq` in the organisation's list.
pub(crate) fn find_booked(
    database: &mut dyn Database,
    organisation: OrganisationId,
    id: MovementId,
) -> Result<Option<Booked>, StoreError> {
    let row = first(database.query(FIND, &[organisation.into(), id.into()])?);
    let booked = row.map(|row| {
        Ok(Booked {
            movement: read(&row)?.0,
            seq: row.int(SEQ)?,
        })
    });
    booked.transpose()
}

fn read(row: &Row) -> Result<(Movement, Timestamp), StoreError> {
    let amount = |units, scale| {
        Amount::from_units(units, scale)
            .map_err(|_| StoreError::Damaged("a movement's amount is malformed".into()))
    };
    let chain = match get(row, 23)? {
        Some(id) => Some(Chain {
            id,
            name: get(row, 24)?,
            native_currency_symbol: get(row, 25)?,
        }),
        None => None,
    };
    let fee = match (get(row, 9)?, get(row, 11)?) {
        (Some(units), Some(scale)) => Some(amount(units, scale)?),
        _ => None,
    };
    let usd: Option<i128> = get(row, 19)?;
    let reporting: Option<(Currency, i128)> = match (get(row, 21)?, get(row, 20)?) {
        (Some(currency), Some(millionths)) => Some((currency, millionths)),
        _ => None,
    };
    let worth = Worth { usd, reporting };
    let movement = Movement {
        id: get(row, 0)?,
        account_id: get(row, 1)?,
        account_reference: get(row, 2)?,
        amount: amount(get(row, 8)?, get(row, 7)?)?,
        currency: get(row, 6)?,
        amount_usd: None,
        reporting_amount: None,
        reporting_currency: None,
        direction: get(row, 3)?,
        r#type: get(row, 4)?,
        status: get(row, 5)?,
        failure: get(row, 22)?,
        fee,
        fee_currency: get(row, 10)?,
        entity_id: get(row, 12)?,
        chain,
        from_address: get(row, 13)?,
        to_address: get(row, 14)?,
        transaction_hash: get(row, 15)?,
        created_at: get(row, 16)?,
        confirmed_at: get(row, 17)?,
    };
    Ok((worth.shown_in(movement), get(row, 18)?))
}
