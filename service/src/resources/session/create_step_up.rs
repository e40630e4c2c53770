//! Confirms a signed-in member by the password.

use std::time::Duration;

use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::session::{CreateStepUp, StepUp};

use super::{current, judge_password};
use crate::secret::password::Prepared;
use crate::secret::{digest, generate};
use crate::store;
use crate::unit::caller::{Caller, session_over};
use crate::unit::{Outcome, Refusal, Unit};

/// The validity of a step-up.
const STEP_UP: Duration = Duration::from_secs(5 * 60);

pub(crate) fn create_step_up(
    unit: &mut Unit<'_>,
    _: Call<CreateStepUp>,
    caller: Option<Caller>,
    prepared: Prepared,
) -> Outcome<StepUp> {
    let caller = caller.ok_or_else(session_over)?;
    let wrong = || Refusal::field("password", Reason::SignInFailed, "is wrong");
    judge_password(unit, &prepared, wrong())?;
    // The password may have changed during the check, even by this session.
    let (person, _) = current(unit, &caller)?;
    if prepared.compared_with.as_ref() != Some(&person.password_hash) {
        return Err(wrong());
    }
    let token = generate("", &mut unit.random);
    let until = unit.now.plus(STEP_UP);
    store::session::step_up(unit.database, &caller.session()?, &digest(&token), until)?;
    Ok(StepUp {
        token,
        expires_at: until,
    })
}
