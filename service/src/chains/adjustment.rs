//! Adjusts the books of merchants' own wallets to the balances of the wallets.

use settlekit_core::account::{Account, Direction, MovementStatus, MovementType};
use settlekit_core::value::ChainId;

use crate::money::ledger::{self, Holder, Leg};
use crate::resources::account;
use crate::resources::account::book::Money;
use crate::store;
use crate::store::movement::{NewMovement, ShownMoney};
use crate::store::sql::StoreError;
use crate::unit::{Refusal, Unit};

/// Adjusts the books of a merchant's own wallet to the settled balances of its addresses.
pub(crate) fn book_holdings(
    unit: &mut Unit<'_>,
    account: &Account,
    chain: ChainId,
) -> Result<(), StoreError> {
    let owner = (account.org_id, account.id);
    for booked in store::ledger::balances(unit.database, owner.0, Some(owner.1))? {
        let held = store::holding::of_account(unit.database, chain, owner, &booked.currency)?;
        let missing = held - booked.posted;
        if missing != 0 {
            book(unit, account, &Money::new(&booked.currency, missing))?;
        }
    }
    Ok(())
}

/// Books a surplus or a deficit of a merchant's own wallet that no seen transfer explains.
pub(super) fn book(
    unit: &mut Unit<'_>,
    account: &Account,
    money: &Money,
) -> Result<(), StoreError> {
    let damaged = |what: &str| StoreError::Damaged(format!("an own wallet has no {what}"));
    let chain = account.chain.clone().ok_or_else(|| damaged("chain"))?;
    let asset = store::chain::asset(unit.database, chain.id, &money.currency)?;
    let scale = asset.ok_or_else(|| damaged("asset"))?.scale;
    let leg = |holder, units| Leg {
        holder,
        chain: chain.id,
        currency: money.currency.clone(),
        units,
    };
    let legs = [
        leg(Holder::Chain, -money.units),
        leg(Holder::Merchant(account.id), money.units),
    ];
    let transfer = match ledger::post(unit, account.org_id, "adjustment", None, &legs) {
        Ok(transfer) => transfer,
        Err(Refusal::Store(error)) => return Err(error),
        // The balance would have no exact decimal form: the books stay, and the comparison with the chain names the difference.
        Err(_) => return Ok(()),
    };
    let shown = ShownMoney::new(money.currency.clone(), money.units.saturating_abs(), scale);
    let new = NewMovement {
        organisation: account.org_id,
        account_id: account.id,
        account_reference: account.reference.clone(),
        direction: match money.units {
            ..0 => Direction::Out,
            _ => Direction::In,
        },
        r#type: MovementType::Adjustment,
        status: MovementStatus::Processing,
        money: shown.ok_or_else(|| StoreError::Broken("an adjustment is too large".to_owned()))?,
        fee: None,
        entity_id: None,
        chain: Some(chain),
        from_address: None,
        to_address: None,
        transaction_hash: None,
    };
    let booked = account::book_movement(unit, account, new)?;
    let after = MovementStatus::Confirmed;
    account::move_movement_on(unit, account.org_id, booked, &after, Some(transfer)).map(drop)
}
