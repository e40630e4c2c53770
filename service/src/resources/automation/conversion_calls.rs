//! Conversions that need a quote of an exchange on a chain: the host asks its nodes and brings the answers.
//!
//! A conversion without a report is asked for again.

use std::time::Duration;

use settlekit_core::value::{AutomationId, OrganisationId, Timestamp};

use super::run;
use crate::evm::node_calls::{ContractAnswers, NodeAnswers, NodeCalls};
use crate::mode::Mode;
use crate::random::{Random, Seed};
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Unit, due_job};
use crate::{Service, store};

/// How long a server has to ask before another one does.
const LEASE: Duration = Duration::from_secs(60);

/// The most conversions that are claimed at once.
const CLAIMED_MAX: u32 = 16;

/// A conversion, with the calls whose answers its quote needs.
#[derive(Debug, Clone)]
pub struct Conversion {
    organisation: OrganisationId,
    automation: AutomationId,
    /// The calls for the nodes of a chain.
    pub calls: Vec<NodeCalls>,
}

impl Service {
    /// Whether a conversion waits for answers of nodes. It only reads: check it before [`Service::claim_conversions`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn has_due_conversions(
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

    /// The conversions to ask nodes for now, and the failures to log. Each is claimed for a minute.
    ///
    /// # Errors
    /// If the database failed.
    pub fn claim_conversions(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<Conversion>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let mut conversions = Vec::new();
            let due = &store::due::CONVERSIONS;
            due_job::run_each(
                &mut unit,
                due,
                CLAIMED_MAX,
                |unit, organisation, automation| {
                    let calls = calls(unit, organisation, automation)?;
                    let id = (organisation, automation);
                    if calls.is_empty() {
                        // It converts, or says why not, without an answer of nodes.
                        store::automation::set_ask_at(unit.database, id, None)?;
                        return run::step(unit, organisation, automation);
                    }
                    let ask_at = Some(unit.now.plus(LEASE));
                    store::automation::set_ask_at(unit.database, id, ask_at)?;
                    conversions.push(Conversion {
                        organisation,
                        automation,
                        calls,
                    });
                    Ok(())
                },
            )?;
            Ok((conversions, unit.failures))
        })
    }

    /// Converts at the price that the nodes answered, those of a chain for each of its calls. Returns the failures to log.
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
                // Cleared first: a suspended organisation's automation does not run, and is not asked for again.
                store::automation::set_ask_at(unit.database, (organisation, id), None)?;
                run::step(unit, organisation, id)
            })?;
            Ok(unit.failures)
        })
    }
}

/// The calls that a conversion needs, by a run that is rolled back.
fn calls(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    automation: AutomationId,
) -> Outcome<Vec<NodeCalls>> {
    unit.contract_answers = ContractAnswers::default();
    unit.asked.clear();
    unit.dry_run(|unit| run::run(unit, organisation, automation))?;
    Ok(std::mem::take(&mut unit.asked))
}
