//! Conversions that need a quote of an exchange on a chain: the host asks its nodes and brings the answers.
//!
//! A conversion without a report is asked for again.

use std::time::Duration;

use settlekit_core::value::{AutomationId, OrganisationId, Timestamp};

use super::run;
use crate::evm::node_calls::{ContractAnswers, NodeAnswers, NodeCalls};
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store::sql::{Access, Database, StoreError};
use crate::unit::{Outcome, Unit, due_job};
use crate::{Service, store};

/// How long a server has to ask before another one does.
const LEASE: Duration = Duration::from_secs(60);

/// The most conversions that are asked for at once.
const LIMIT: u32 = 16;

/// A conversion, with the calls whose answers its quote needs.
#[derive(Debug, Clone)]
pub struct Conversion {
    organisation: OrganisationId,
    automation: AutomationId,
    /// The calls for the nodes of a chain.
    pub calls: Vec<NodeCalls>,
}

impl Service {
    /// Whether nodes are to be asked for conversions. To be asked for before [`Service::conversions`], which writes.
    ///
    /// # Errors
    /// If the database failed.
    pub fn has_conversions(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if self.options().mode != Mode::Live {
            return Ok(false);
        }
        let due = store::due::CONVERSIONS.due::<AutomationId>(database, now, 1)?;
        Ok(!due.is_empty())
    }

    /// The conversions to ask nodes for now, and what an operator has to look at, for the log.
    ///
    /// # Errors
    /// If the database failed.
    pub fn conversions(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<Conversion>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let mut conversions = Vec::new();
            let due = &store::due::CONVERSIONS;
            due_job::run_each(&mut unit, due, LIMIT, |unit, organisation, automation| {
                let calls = calls(unit, organisation, automation)?;
                let ask_at = (!calls.is_empty()).then(|| unit.now.plus(LEASE));
                store::automation::ask_at(unit.database, organisation, automation, ask_at)?;
                if ask_at.is_some() {
                    conversions.push(Conversion {
                        organisation,
                        automation,
                        calls,
                    });
                }
                Ok(())
            })?;
            Ok((conversions, unit.failures))
        })
    }

    /// Converts at the price that the nodes answered, those of a chain for each of its calls; returns what an operator has to look at.
    ///
    /// # Errors
    /// If the database failed; the nodes are asked again later.
    pub fn report_conversion(
        &self,
        database: &mut dyn Database,
        conversion: &Conversion,
        answers: &[Vec<NodeAnswers>],
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let calls = conversion.calls.iter().cloned();
            for (calls, answers) in calls.zip(answers) {
                unit.contract_answers.add(calls, answers.clone());
            }
            let (organisation, id) = (conversion.organisation, conversion.automation);
            let what = format!("conversion of automation {id} of {organisation}");
            due_job::run(&mut unit, &what, |unit| {
                // Of a suspended organisation nothing runs, and nothing is asked again.
                store::automation::ask_at(unit.database, organisation, id, None)?;
                run::step(unit, organisation, id)
            })?;
            Ok(unit.failures)
        })
    }
}

/// The calls that a conversion needs. Nothing that it writes stays.
fn calls(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    automation: AutomationId,
) -> Outcome<Vec<NodeCalls>> {
    unit.contract_answers = ContractAnswers::default();
    unit.asked.clear();
    unit.database.begin(Access::Write)?;
    let ran = run::run(unit, organisation, automation);
    unit.database.rollback()?;
    ran?;
    Ok(std::mem::take(&mut unit.asked))
}
