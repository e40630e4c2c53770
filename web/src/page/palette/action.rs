//! Actions on a result: open it, copy its id or link, refund or cancel a payment.

use leptos::prelude::*;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{GetPayment, Payment, PaymentPath};
use settlekit_core::value::{Param, PaymentId};

use crate::api;
use crate::list::origin;
use crate::session::Session;
use crate::shell::{Loaded, load, name};
use crate::text::{self, money as words, timeline};

use super::entry::Entry;

/// What an action does.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Act {
    /// Goes to a path of the dashboard.
    Go(String),
    /// Copies a text, which is named for the announcement.
    Copy(String, &'static str),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Action {
    pub(super) words: &'static str,
    pub(super) act: Act,
}

/// The payment whose actions are shown: what it allows depends on the whole record.
pub(super) fn load_payment(of: RwSignal<Option<Entry>>) -> Loaded<Payment> {
    load::<GetPayment>(move || {
        let id = of.with(|entry| entry.as_ref()?.id.clone())?;
        let payment_id = PaymentId::from_text(&id).ok()?;
        Some(api::at(PaymentPath { payment_id }))
    })
}

/// The actions on a result. Tracked.
pub(super) fn actions_on(session: Session, entry: &Entry, payment: Loaded<Payment>) -> Vec<Action> {
    let action = |words, act| Action { words, act };
    let mut actions = vec![action(text::act_open(), Act::Go(entry.to.clone()))];
    let Some(id) = &entry.id else {
        return actions;
    };
    actions.push(action(
        text::act_copy_id(),
        Act::Copy(id.clone(), entry.kind),
    ));
    let link = format!("{}{}", origin(), entry.to);
    let link = Act::Copy(link, timeline::record_link());
    actions.push(action(timeline::copy_record_link(), link));
    let is_it = |payment: &Payment| payment.id.to_string() == *id;
    let allows = payment.read(|payment| {
        let refund = payment.refundable().is_some();
        let cancel = payment.cancel_obstacle().is_none() && !payment.is_unsent_payout();
        is_it(payment).then_some((refund, cancel))
    });
    let (may_refund, may_cancel) = allows.flatten().unwrap_or_default();
    let ask = |act: &str| Act::Go(format!("{}&{}={act}", entry.to, name::ACT));
    if may_refund && session.is_allowed(Scope::Payout) {
        actions.push(action(words::refund(), ask(name::ACT_REFUND)));
    }
    if may_cancel && session.is_allowed(Scope::Write) {
        actions.push(action(text::cancel_payment(), ask(name::ACT_CANCEL)));
    }
    actions
}
