//! Signs a member in.

use settlekit_core::call::Call;
use settlekit_core::error::Reason;
use settlekit_core::session::{CreateSession, Session};

use super::{begin, judge_password};
use crate::secret::password::Prepared;
use crate::store;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, Refusal, Unit};

fn refused() -> Refusal {
    Refusal::because(
        Reason::SignInFailed,
        "the e-mail address or the password is wrong",
    )
}

pub(crate) fn create_session(
    unit: &mut Unit<'_>,
    call: Call<CreateSession>,
    _: Option<Caller>,
    prepared: Prepared,
) -> Outcome<Session> {
    judge_password(unit, &prepared, refused())?;
    let person = store::person::by_email(unit.database, &call.body.email.to_lowercase())?
        .ok_or_else(refused)?;
    // The password may have changed during the check.
    if prepared.compared_with.as_ref() != Some(&person.password_hash) {
        return Err(refused());
    }
    begin(unit, person)
}
