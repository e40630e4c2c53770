//! Updates several paylinks atomically.

use serde_json::Value;
use settlekit_core::error::Reason;
use settlekit_core::paylink::{
    Paylink, PaylinkMetadata, PaylinkPlanUpdate, PaylinkUpdate, UpdatePaylinks, UpdatePaylinksBody,
};
use settlekit_core::plan::Plan;
use settlekit_core::validate::Report;
use settlekit_core::value::OrganisationId;

use super::{CollectionSettings, is_paid, store_state, whole};
use crate::resources::{event, plan};
use crate::store;
use crate::store::sql::StoreError;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn update_paylinks(
    unit: &mut Unit<'_>,
    call: Received<UpdatePaylinks>,
) -> Outcome<Vec<Paylink>> {
    let organisation = call.caller.organisation;
    let by = call.caller.name();
    let UpdatePaylinksBody { items } = call.body;
    let mut items: Vec<(usize, PaylinkUpdate)> = items.into_iter().enumerate().collect();
    // Locked in the order of their ids: two batches on the same paylinks cannot deadlock.
    items.sort_by_key(|(_, item)| item.id);
    let mut report = Report::default();
    let mut found = Vec::with_capacity(items.len());
    for (place, item) in items {
        match store::paylink::LISTING.lock(unit.database, organisation, item.id)? {
            Some(before) if before.deleted_at.is_none() => {
                if item.enabled == Some(true) && is_paid(unit, organisation, &before)? {
                    report.add_error(
                        &format!("items[{place}].enabled"),
                        Reason::StateForbids,
                        "must not be true: the paylink's invoice is paid",
                    );
                }
                found.push((place, before, item));
            }
            _ => report.add_error(
                &format!("items[{place}].id"),
                Reason::ReferenceUnknown,
                "is not a known paylink",
            ),
        }
    }
    Refusal::reported(report)?;
    found.sort_by_key(|(place, ..)| *place);
    let mut changed = Vec::with_capacity(found.len());
    for (_, before, item) in found {
        changed.push(update(unit, organisation, before, item, &by)?);
    }
    Ok(changed)
}

fn update(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    before: Paylink,
    item: PaylinkUpdate,
    author: &str,
) -> Outcome<Paylink> {
    let PaylinkUpdate {
        id: _,
        after_completion,
        enabled,
        metadata: given,
        plan: words,
    } = item;
    let enabled = enabled.unwrap_or(before.enabled);
    let action = event::action_of_switch(before.enabled, enabled);
    let mut metadata = before.metadata.clone().unwrap_or_default();
    let mut asked = None;
    let mut after_completion = after_completion;
    if let Some(said) = given {
        metadata.extend(keys_of(&said)?);
        asked = said
            .customer_fields
            .as_deref()
            .map(CollectionSettings::of_fields);
        after_completion = after_completion.or(said.after_completion);
    }
    let asked = asked.unwrap_or(CollectionSettings {
        customer_ident: before.customer_ident_collection,
        shipping_address: before.shipping_address_collection,
        tax_ident: before.tax_ident_collection,
    });
    let after = Paylink {
        enabled,
        after_completion: after_completion.or(before.after_completion),
        customer_ident_collection: asked.customer_ident,
        shipping_address_collection: asked.shipping_address,
        tax_ident_collection: asked.tax_ident,
        metadata: (!metadata.is_empty()).then_some(metadata),
        updated_at: unit.now,
        updated_by: Some(author.to_owned()),
        plan: None,
        ..before
    };
    store::paylink::update(unit.database, organisation, &after)?;
    store_state(unit, organisation, &after)?;
    if let Some(PaylinkPlanUpdate {
        description,
        image_url,
        name,
    }) = words
    {
        let plan = store::plan::LISTING
            .lock(unit.database, organisation, after.plan_id)?
            .ok_or_else(|| StoreError::Damaged("a paylink sells no plan".into()))?;
        let plan = Plan {
            description: description.or(plan.description),
            image_url: image_url.or(plan.image_url),
            name: name.unwrap_or(plan.name),
            ..plan
        };
        plan::changed(unit, plan)?;
    }
    plan::follow_link(unit, organisation, after.plan_id, enabled)?;
    let after = whole(unit, organisation, after)?;
    event::record(unit, organisation, action, &after)?;
    Ok(after)
}

/// The given keys of the metadata.
fn keys_of(said: &PaylinkMetadata) -> Result<settlekit_core::value::Object, Refusal> {
    match serde_json::to_value(said) {
        Ok(Value::Object(keys)) => Ok(keys),
        _ => Err(StoreError::Broken("metadata cannot be written".into()).into()),
    }
}
