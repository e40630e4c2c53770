//! Names of payment links, and the picker of one.

use leptos::prelude::*;
use settlekit_core::page::{Limit, ListQuery};
use settlekit_core::paylink::{
    GetPaylink, ListPaylinks, ListPaylinksQuery, Paylink, PaylinkPath, PaylinkState,
};
use settlekit_core::value::{Param, PaylinkId};

use crate::api;
use crate::list::{Choice, Found, OFFERED, PickerSource};
use crate::shell::load;
use crate::text;

/// Finds payment links by name or reference.
pub(crate) const PAYLINKS: PickerSource = PickerSource {
    hint: text::search_paylinks,
    none: text::no_paylink_found,
    search: search_paylinks,
    find: find_paylink,
};

/// Product name of a link, else its id.
pub(crate) fn display_name(paylink: &Paylink) -> String {
    paylink
        .plan
        .as_ref()
        .map_or_else(|| paylink.id.to_string(), |plan| plan.name.clone())
}

fn choice(paylink: &Paylink) -> Choice {
    let state = paylink.state.as_ref();
    let closed = state.filter(|state| **state != PaylinkState::Open);
    Choice {
        id: paylink.id.to_string(),
        name: display_name(paylink),
        more: closed.map(|state| text::words(state.as_str())),
    }
}

fn search_paylinks(asked: Signal<Option<String>>) -> Found {
    let found = load::<ListPaylinks>(move || {
        let search = asked.get()?;
        Some(api::with_query(ListPaylinksQuery {
            list: ListQuery {
                limit: Limit::new(OFFERED),
                ..ListQuery::default()
            },
            status: None,
            search: (!search.is_empty()).then_some(search),
            counts: None,
        }))
    });
    Found::of(found, |page| page.items.iter().map(choice).collect())
}

fn find_paylink(id: Signal<Option<String>>) -> Found {
    let record = load::<GetPaylink>(move || {
        let paylink_id = PaylinkId::from_text(&id.get()?).ok()?;
        Some(api::at(PaylinkPath { paylink_id }))
    });
    Found::of(record, |paylink| vec![choice(paylink)])
}
