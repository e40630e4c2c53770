//! Random operations of several merchants against a small reference model, with a moving clock and injected faults.
//!
//! `SETTLEKIT_SEED=17 cargo test -p settlekit-tests --test it model` runs a single seed; `SETTLEKIT_STEPS` sets its steps.

mod act;
mod books;
mod check;
pub(crate) mod random;
mod run;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use run::Run;
use settlekit_service::Database;
use settlekit_tests::database;

pub(crate) fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().expect("a number"))
}

/// Runs a seed; a failure prints how to rerun it and the last actions.
fn play(kind: &str, seed: u64, steps: usize, database: Box<dyn Database>) {
    let mut run = Run::new(seed, database);
    let steps = number("SETTLEKIT_STEPS").map_or(steps, |steps| steps as usize);
    let mut step = 0;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        while step < steps {
            step += 1;
            run.act();
            run.check(step);
        }
        run.finish();
    }));
    if let Err(panic) = outcome {
        eprintln!("{}", run.log.join("\n"));
        eprintln!("{kind}: seed {seed} failed at step {step}; SETTLEKIT_SEED={seed} runs it alone");
        resume_unwind(panic);
    }
}

fn seeds(of: std::ops::Range<u64>) -> Vec<u64> {
    number("SETTLEKIT_SEED").map_or_else(|| of.collect(), |seed| vec![seed])
}

#[test]
fn random_merchants_and_the_model_agree_after_every_step_on_sqlite() {
    for seed in seeds(1..2) {
        play("SQLite", seed, 2000, database::sqlite());
    }
}

#[test]
fn random_merchants_and_the_model_agree_after_every_step_on_postgresql() {
    for seed in seeds(3..4) {
        play("PostgreSQL", seed, 2000, database::postgres());
    }
}
