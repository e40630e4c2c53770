//! Reads the balances of exchange accounts, each at its own pace.

use std::time::Duration;

use settlekit_core::value::Timestamp;

use super::{Credentials, ExchangeError, SignedRequest, kraken};
use crate::Service;
use crate::mode::Mode;
use crate::money::web_answer::WebAnswer;
use crate::random::{Random, Seed};
use crate::secret::{context, master_key};
use crate::store::exchange::{self, Connected};
use crate::store::read_state::BACK_OFF_MAX;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;

/// The time from one success to the next round.
const READ_INTERVAL: Duration = Duration::from_secs(60);

/// A request of an exchange account to send now.
#[derive(Debug, Clone)]
pub struct BalanceRound {
    /// The account's name.
    pub account: String,
    /// When it is asked: names the round.
    pub asked_at: Timestamp,
    /// The request.
    pub request: SignedRequest,
}

impl Service {
    /// Whether balances are due. It only reads: check it before [`Service::exchange_rounds`].
    ///
    /// # Errors
    /// If the database failed.
    pub fn has_due_exchanges(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        if self.options().mode != Mode::Live {
            return Ok(false);
        }
        exchange::has_due(database, now)
    }

    /// The rounds to ask now, and what an operator has to look at, for the log. Each is asked again after a minute unless it is
    /// reported, so that of several servers one asks.
    ///
    /// # Errors
    /// If the database failed, or has another master key.
    pub fn exchange_rounds(
        &self,
        database: &mut dyn Database,
        now: Timestamp,
        seed: Seed,
    ) -> Result<(Vec<BalanceRound>, Vec<String>), StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let mut rounds = Vec::new();
            for account in exchange::all(unit.database)? {
                rounds.extend(round(&mut unit, &account.name)?);
            }
            Ok((rounds, unit.failures))
        })
    }

    /// Records what came of a round; returns what an operator has to look at, for the log.
    ///
    /// # Errors
    /// If the database failed; the balances are read again later.
    pub fn report_exchange(
        &self,
        database: &mut dyn Database,
        round: &BalanceRound,
        answer: &WebAnswer,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Vec<String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            report(&mut unit, round, answer)?;
            Ok(unit.failures)
        })
    }
}

fn round(unit: &mut Unit<'_>, name: &str) -> Result<Option<BalanceRound>, StoreError> {
    let now = unit.now;
    let account = exchange::lock(unit.database, name)?;
    let Some(account) = account.filter(|account| account.state.is_due(now)) else {
        return Ok(None);
    };
    // Also a server with another key comes here.
    master_key::require_current(unit.service, unit.database)?;
    let Some(credentials) = credentials_of(unit, &account) else {
        let error = ExchangeError::CredentialsDamaged;
        record_failure(unit, &account, (error, BACK_OFF_MAX))?;
        return Ok(None);
    };
    let nonce = next_nonce(now, account.nonce);
    exchange::set_nonce(unit.database, name, nonce)?;
    exchange::set_state(unit.database, name, &account.state.after_request(now))?;
    Ok(Some(BalanceRound {
        request: kraken::balances_request(&account.url, &credentials, nonce),
        account: account.name,
        asked_at: now,
    }))
}

/// The credentials of an account, if they can be unsealed.
pub(super) fn credentials_of(unit: &Unit<'_>, account: &Connected) -> Option<Credentials> {
    let context = context::exchange_account(&account.name);
    let text = unit.open(&context, &account.credentials)?;
    Credentials::parse(str::from_utf8(&text).ok()?).ok()
}

/// The next nonce: no two requests have the same, even if the clock stands still or goes back.
pub(super) fn next_nonce(now: Timestamp, last: u64) -> u64 {
    let by_clock = u64::try_from(now.micros()).unwrap_or(0);
    by_clock.max(last.saturating_add(1))
}

fn report(unit: &mut Unit<'_>, round: &BalanceRound, answer: &WebAnswer) -> Result<(), StoreError> {
    let account = exchange::lock(unit.database, &round.account)?;
    // Disconnected, replaced, or asked again.
    let Some(account) = account.filter(|account| account.state.asked_at == round.asked_at) else {
        return Ok(());
    };
    match kraken::parse_balances(answer) {
        Ok(balances) => {
            exchange::set_balances(unit.database, &account.name, &balances)?;
            let due_at = unit.now.plus(READ_INTERVAL);
            let state = account.state.after_success(unit.now, due_at, None);
            exchange::set_state(unit.database, &account.name, &state)
        }
        Err(error) => record_failure(unit, &account, (error, retry_delay(answer, error))),
    }
}

/// How long the exchange is not asked: as it wishes, and longer where repeated requests lock the account out.
pub(super) fn retry_delay(answer: &WebAnswer, error: ExchangeError) -> Duration {
    let retry_after = match answer {
        WebAnswer::Answer { retry_after, .. } => retry_after.unwrap_or_default(),
        WebAnswer::Failed(_) => Duration::ZERO,
    };
    let locks_out = matches!(
        error,
        ExchangeError::RateLimited
            | ExchangeError::KeyUnknown
            | ExchangeError::SignatureWrong
            | ExchangeError::PermissionMissing
    );
    match locks_out {
        true => BACK_OFF_MAX,
        false => retry_after,
    }
}

fn record_failure(
    unit: &mut Unit<'_>,
    account: &Connected,
    (error, pause): (ExchangeError, Duration),
) -> Result<(), StoreError> {
    let name = &account.name;
    let state = account
        .state
        .after_refusal(unit.now, &error.to_string(), pause);
    if state.failures == 1 {
        unit.failures
            .push(format!("the balances of {name} cannot be read: {error}"));
    }
    exchange::set_state(unit.database, name, &state)
}
