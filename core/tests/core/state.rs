//! Transition tables, checked for every pair of states.

use std::collections::BTreeSet;

use settlekit_core::account::{MOVEMENT_TRANSITIONS, MovementStatus};
use settlekit_core::event::{DELIVERY_TRANSITIONS, DeliveryStatus};
use settlekit_core::invoice::{self, DunningStatus, InvoicePaymentStatus};
use settlekit_core::payment::{self, PaymentStatus};
use settlekit_core::quote::{self, QuoteStatus};
use settlekit_core::state::{Table, Transitions};
use settlekit_core::subscription::{self, SubscriptionStatus};
use settlekit_core::trade::{ORDER_TRANSITIONS, OrderStatus};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

/// Checks the invariants of every table, and a table's final states.
fn check<S>(table: &'static Transitions<S>, known: &[&str], final_states: &[&str])
where
    S: PartialEq + std::fmt::Display + for<'a> From<&'a str>,
{
    let printed = Table::from(table);
    let subject = table.subject;
    let listed: BTreeSet<(&str, &str)> = printed
        .transitions
        .iter()
        .map(|(from, to, _)| (from.as_str(), to.as_str()))
        .collect();
    assert_eq!(
        listed.len(),
        printed.transitions.len(),
        "{subject}: a transition twice"
    );
    let states: Vec<&str> = known
        .iter()
        .copied()
        .filter(|state| *state != "Unknown")
        .collect();
    for from in known.iter().chain(&["something new"]) {
        for to in known.iter().chain(&["something new"]) {
            let is_listed = listed.contains(&(*from, *to));
            let allowed = table.allows(&S::from(*from), &S::from(*to));
            assert_eq!(allowed, is_listed, "{subject}: {from} to {to}");
            assert!(
                !allowed || from != to,
                "{subject}: {from} has a transition to itself"
            );
        }
    }
    // Every known state is reachable, and final states are listed.
    let mut reached: BTreeSet<&str> = printed.initial.iter().map(String::as_str).collect();
    while let Some((_, to, _)) = printed
        .transitions
        .iter()
        .find(|(from, to, _)| reached.contains(from.as_str()) && !reached.contains(to.as_str()))
    {
        reached.insert(to);
    }
    assert_eq!(reached, states.iter().copied().collect(), "{subject}");
    let found: Vec<&str> = states
        .iter()
        .copied()
        .filter(|state| table.is_final(&S::from(state)))
        .collect();
    assert_eq!(found, final_states, "{subject}");
}

#[test]
fn a_payment_changes_state_only_as_listed() {
    check(&payment::TRANSITIONS, PaymentStatus::KNOWN, &[]);
}

#[test]
fn a_movement_changes_state_only_as_listed() {
    check(
        &MOVEMENT_TRANSITIONS,
        MovementStatus::KNOWN,
        &["Failed", "Refunded"],
    );
}

#[test]
fn a_delivery_changes_state_only_as_listed() {
    check(&DELIVERY_TRANSITIONS, DeliveryStatus::KNOWN, &[]);
}

#[test]
fn a_quote_changes_state_only_as_listed() {
    check(
        &quote::TRANSITIONS,
        QuoteStatus::KNOWN,
        &["Accepted", "Rejected", "Expired"],
    );
}

#[test]
fn an_order_changes_state_only_as_listed() {
    check(
        &ORDER_TRANSITIONS,
        OrderStatus::KNOWN,
        &["Settled", "Failed", "Canceled"],
    );
}

#[test]
fn a_subscription_changes_state_only_as_listed() {
    check(
        &subscription::TRANSITIONS,
        SubscriptionStatus::KNOWN,
        &["Expired", "Canceled"],
    );
}

#[test]
fn an_invoice_changes_state_only_as_listed() {
    check(
        &invoice::PAYMENT_TRANSITIONS,
        InvoicePaymentStatus::KNOWN,
        &["Succeeded"],
    );
    check(&invoice::DUNNING_TRANSITIONS, DunningStatus::KNOWN, &[]);
}
