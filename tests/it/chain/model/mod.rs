//! Random payers, merchants, blocks and forks on a chain that executes what is sent to it. After every step the books are those of the
//! chain at the latest settled block, to the last unit.
//!
//! `SETTLEKIT_SEED=17 cargo test -p settlekit-tests --test it chain::model` runs a single seed; `SETTLEKIT_STEPS` sets its steps.

pub(crate) mod exchange;
mod key;
pub(crate) mod node;
pub(crate) mod prices;
pub(crate) mod run;
mod trader;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use run::{Kind, Run};
use settlekit_service::Database;
use settlekit_tests::database;

use crate::model::number;

/// Steps per run.
const STEPS: u64 = 300;

/// Plays a run.
fn play(engine: &str, seed: u64, kind: Kind, database: Box<dyn Database>) -> Run {
    let steps = number("SETTLEKIT_STEPS").unwrap_or(STEPS);
    let mut run = Run::new(seed, kind, database);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        for _ in 0..steps {
            run.act();
            run.check();
        }
        run.finish();
    }));
    if let Err(panic) = outcome {
        eprintln!("{}", run.log.join("\n"));
        eprintln!("{engine}: SETTLEKIT_SEED={seed} runs it alone");
        resume_unwind(panic);
    }
    run
}

fn seeds(of: std::ops::Range<u64>) -> Vec<u64> {
    number("SETTLEKIT_SEED").map_or_else(|| of.collect(), |seed| vec![seed])
}

#[test]
fn the_books_are_those_of_a_chain_with_forks_after_every_step_on_sqlite() {
    for seed in seeds(1..7) {
        play("SQLite", seed, Kind::Factory, database::sqlite());
    }
}

#[test]
fn the_books_are_those_of_a_chain_with_forks_after_every_step_on_postgresql() {
    for seed in seeds(7..9) {
        play("PostgreSQL", seed, Kind::Factory, database::postgres());
    }
}

#[test]
fn the_books_are_those_of_a_chain_without_the_factory_after_every_step_on_sqlite() {
    for seed in seeds(1..6) {
        play("SQLite", seed, Kind::Derived, database::sqlite());
    }
}

#[test]
fn the_books_are_those_of_a_chain_without_the_factory_after_every_step_on_postgresql() {
    for seed in seeds(7..9) {
        play("PostgreSQL", seed, Kind::Derived, database::postgres());
    }
}

#[test]
fn the_books_are_those_of_an_extended_public_key_after_every_step_on_sqlite() {
    let mut paid = [0, 0];
    for seed in seeds(41..47) {
        let payouts = play("SQLite", seed, Kind::Key, database::sqlite()).key_payouts;
        paid = [paid[0] + payouts[0], paid[1] + payouts[1]];
    }
    assert!(paid.iter().all(|count| *count > 0), "{paid:?}");
}

#[test]
fn the_books_are_those_of_an_extended_public_key_after_every_step_on_postgresql() {
    for seed in seeds(47..49) {
        play("PostgreSQL", seed, Kind::Key, database::postgres());
    }
}

#[test]
fn every_order_of_an_exchange_is_swapped_once_or_not_at_all_on_sqlite() {
    let mut ended = [0, 0];
    for seed in seeds(1..9) {
        let orders = play("SQLite", seed, Kind::Exchange, database::sqlite()).orders;
        ended = [ended[0] + orders[0], ended[1] + orders[1]];
    }
    assert!(ended.iter().all(|count| *count > 0), "{ended:?}");
}

#[test]
fn every_order_of_an_exchange_is_swapped_once_or_not_at_all_on_postgresql() {
    for seed in seeds(13..15) {
        play("PostgreSQL", seed, Kind::Exchange, database::postgres());
    }
}

#[test]
fn every_part_of_a_basket_is_swapped_once_or_not_at_all_on_sqlite() {
    let mut ended = [0, 0];
    for seed in seeds(21..29) {
        let orders = play("SQLite", seed, Kind::Baskets, database::sqlite()).orders;
        ended = [ended[0] + orders[0], ended[1] + orders[1]];
    }
    assert!(ended.iter().all(|count| *count > 0), "{ended:?}");
}

#[test]
fn every_part_of_a_basket_is_swapped_once_or_not_at_all_on_postgresql() {
    for seed in seeds(31..33) {
        play("PostgreSQL", seed, Kind::Baskets, database::postgres());
    }
}
