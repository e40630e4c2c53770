//! What the search says about a found record: title, amount and status.

use std::str::FromStr;

use settlekit_core::event::{DeliveryStatus, WebhookPayload};
use settlekit_core::find::{Found, FoundKind};
use settlekit_core::value::{Amount, Currency, OrganisationId};

use crate::resources::account;
use crate::store;
use crate::store::find::FoundKey;
use crate::store::listing::Listing;
use crate::store::sql::{StoreError, Value};
use crate::unit::Unit;

/// Reads a record by its id; `None` if the organisation has none.
fn read<T, Id>(
    unit: &mut Unit<'_>,
    listing: &Listing<T, Id>,
    organisation: OrganisationId,
    id: &str,
) -> Result<Option<T>, StoreError>
where
    Id: FromStr + for<'a> Into<Value<'a>>,
{
    match id.parse::<Id>() {
        Ok(id) => listing.find(unit.database, organisation, id),
        Err(_) => Ok(None),
    }
}

/// A record with its id only.
fn blank(kind: FoundKind, id: &str) -> Found {
    Found {
        kind,
        id: id.to_owned(),
        title: None,
        amount: None,
        currency: None,
        status: None,
        chain: None,
        account_id: None,
    }
}

/// The found record; `None` if the organisation has none with this id.
pub(super) fn describe(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    (kind, id): FoundKey,
) -> Result<Option<Found>, StoreError> {
    let of = blank(kind.clone(), &id);
    Ok(match kind {
        FoundKind::Account => {
            let found = read(unit, &store::account::LISTING, organisation, &id)?;
            let mut accounts: Vec<_> = found.into_iter().collect();
            account::set_worth(unit, organisation, &mut accounts)?;
            accounts.pop().map(|account| {
                let reference = account.reference.map(|reference| reference.to_string());
                Found {
                    title: account.name.or(reference),
                    currency: account.balance_usd.and_then(|_| "USD".parse().ok()),
                    amount: account.balance_usd,
                    status: Some(account.state.to_string()),
                    chain: account.chain,
                    ..of
                }
            })
        }
        FoundKind::Customer => {
            let found = read(unit, &store::customer::RECORDS, organisation, &id)?;
            found.map(|customer| Found {
                title: customer.name.or(customer.email).or(customer.reference),
                status: customer.deleted_at.map(|_| "Deleted".to_owned()),
                ..of
            })
        }
        FoundKind::Event => {
            let found = read(unit, &store::event::LISTING, organisation, &id)?;
            found.map(|event| Found {
                title: Some(WebhookPayload::type_of(&event.r#type, &event.action)),
                status: event
                    .delivery_status
                    .as_ref()
                    .map(DeliveryStatus::to_string),
                ..of
            })
        }
        FoundKind::ExternalAccount => {
            let found = read(unit, &store::external_account::LISTING, organisation, &id)?;
            found.map(|account| Found {
                title: account.name.or(account.reference).or(account.address),
                status: (!account.enabled).then(|| "Disabled".to_owned()),
                ..of
            })
        }
        FoundKind::Invoice => {
            let found = read(unit, &store::invoice::LISTING, organisation, &id)?;
            found.map(|invoice| Found {
                title: invoice.reference,
                status: Some(invoice.payment_status.to_string()),
                ..priced(of, invoice.amount, invoice.currency)
            })
        }
        FoundKind::Movement => {
            let found = read(unit, &store::movement::ALL, organisation, &id)?;
            found.map(|movement| Found {
                status: Some(movement.status.to_string()),
                account_id: Some(movement.account_id),
                ..priced(of, movement.amount, movement.currency)
            })
        }
        FoundKind::Order => {
            let found = read(unit, &store::order::LISTING, organisation, &id)?;
            found.map(|order| Found {
                title: order.reference,
                status: Some(order.status.to_string()),
                ..priced(of, order.from_amount, order.from_currency)
            })
        }
        FoundKind::Paylink => {
            let Some(paylink) = read(unit, &store::paylink::LISTING, organisation, &id)? else {
                return Ok(None);
            };
            let plan = store::plan::LISTING.find(unit.database, organisation, paylink.plan_id)?;
            plan.map(|plan| {
                let state = store::paylink::state_of(&paylink, &plan, unit.now);
                Found {
                    title: Some(plan.name),
                    status: Some(state.to_string()),
                    ..priced(of, plan.price, plan.currency)
                }
            })
        }
        FoundKind::Payment => {
            let found = read(unit, &store::payment::LISTING, organisation, &id)?;
            found.map(|payment| Found {
                title: payment.reference,
                status: Some(payment.status.to_string()),
                ..priced(of, payment.amount, payment.currency)
            })
        }
        FoundKind::Plan => {
            let found = read(unit, &store::plan::LISTING, organisation, &id)?;
            found.map(|plan| Found {
                title: Some(plan.name),
                ..priced(of, plan.price, plan.currency)
            })
        }
        FoundKind::Quote => {
            let found = read(unit, &store::quote::LISTING, organisation, &id)?;
            found.map(|quote| Found {
                status: Some(quote.status.to_string()),
                ..of
            })
        }
        FoundKind::Subscription => {
            let found = read(unit, &store::subscription::LISTING, organisation, &id)?;
            found.map(|subscription| Found {
                title: subscription.reference,
                status: Some(subscription.status.to_string()),
                ..of
            })
        }
        FoundKind::Other(_) => None,
    })
}

/// Sets the amount.
fn priced(found: Found, amount: Amount, currency: Currency) -> Found {
    Found {
        amount: Some(amount),
        currency: Some(currency),
        ..found
    }
}
