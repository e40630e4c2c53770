//! The tables of moves, every pair of states.

use std::collections::BTreeSet;

use settlekit_core::account::{MOVEMENT_MOVES, MovementStatus};
use settlekit_core::event::{DELIVERY_MOVES, DeliveryStatus};
use settlekit_core::invoice::{self, DunningStatus, InvoicePaymentStatus};
use settlekit_core::payment::{self, PaymentStatus};
use settlekit_core::quote::{self, QuoteStatus};
use settlekit_core::state::{Moves, Table};
use settlekit_core::subscription::{self, SubscriptionStatus};
use settlekit_core::trade::{ORDER_MOVES, OrderStatus};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

/// Holds a table to what every table must be, and to its final states.
fn check<S>(table: &'static Moves<S>, known: &[&str], last: &[&str])
where
    S: PartialEq + std::fmt::Display + for<'a> From<&'a str>,
{
    let printed = Table::from(table);
    let subject = table.subject;
    let listed: BTreeSet<(&str, &str)> = printed
        .moves
        .iter()
        .map(|(from, to, _)| (from.as_str(), to.as_str()))
        .collect();
    assert_eq!(listed.len(), printed.moves.len(), "{subject}: a move twice");
    let states: Vec<&str> = known
        .iter()
        .copied()
        .filter(|state| *state != "Unknown")
        .collect();
    for from in known.iter().chain(&["something new"]) {
        for to in known.iter().chain(&["something new"]) {
            let stands = listed.contains(&(*from, *to));
            let allowed = table.allow(&S::from(*from), &S::from(*to));
            assert_eq!(allowed, stands, "{subject}: {from} to {to}");
            assert!(!allowed || from != to, "{subject}: {from} stays");
        }
    }
    // Every state that we name is reached, and what nothing follows is final on purpose.
    let mut reached: BTreeSet<&str> = printed.begins.iter().map(String::as_str).collect();
    while let Some((_, to, _)) = printed
        .moves
        .iter()
        .find(|(from, to, _)| reached.contains(from.as_str()) && !reached.contains(to.as_str()))
    {
        reached.insert(to);
    }
    assert_eq!(reached, states.iter().copied().collect(), "{subject}");
    let final_states: Vec<&str> = states
        .iter()
        .copied()
        .filter(|state| table.ends_in(&S::from(state)))
        .collect();
    assert_eq!(final_states, last, "{subject}");
}

#[test]
fn a_payment_moves_by_its_table() {
    check(&payment::MOVES, PaymentStatus::KNOWN, &[]);
}

#[test]
fn a_movement_moves_by_its_table() {
    check(
        &MOVEMENT_MOVES,
        MovementStatus::KNOWN,
        &["Failed", "Refunded"],
    );
}

#[test]
fn a_delivery_moves_by_its_table() {
    check(&DELIVERY_MOVES, DeliveryStatus::KNOWN, &[]);
}

#[test]
fn a_quote_moves_by_its_table() {
    check(
        &quote::MOVES,
        QuoteStatus::KNOWN,
        &["Accepted", "Rejected", "Expired"],
    );
}

#[test]
fn an_order_moves_by_its_table() {
    check(
        &ORDER_MOVES,
        OrderStatus::KNOWN,
        &["Settled", "Failed", "Canceled"],
    );
}

#[test]
fn a_subscription_moves_by_its_table() {
    check(
        &subscription::MOVES,
        SubscriptionStatus::KNOWN,
        &["Expired", "Canceled"],
    );
}

#[test]
fn an_invoice_moves_by_its_tables() {
    check(
        &invoice::PAYMENT_MOVES,
        InvoicePaymentStatus::KNOWN,
        &["Succeeded"],
    );
    check(&invoice::DUNNING_MOVES, DunningStatus::KNOWN, &[]);
}
