//! Changes the password of a signed-in member.

use settlekit_core::call::Call;
use settlekit_core::session::{Session, UpdatePassword};

use super::{current, session_of, set_password};
use crate::secret::password::Prepared;
use crate::unit::caller::{Caller, session_over};
use crate::unit::{Outcome, Unit};

pub(crate) fn update_password(
    unit: &mut Unit<'_>,
    _: Call<UpdatePassword>,
    caller: Option<Caller>,
    prepared: Prepared,
) -> Outcome<Session> {
    let caller = caller.ok_or_else(session_over)?;
    let (person, stored) = current(unit, &caller)?;
    let password_hash = prepared.password_hash.ok_or_else(session_over)?;
    set_password(unit, &person, &password_hash, Some(&caller.session()?))?;
    session_of(unit, person, &stored)
}
