//! `settlekit wallet limits`: shows and sets the limits above which payouts wait for a second member.

use std::process::ExitCode;

use settlekit_core::value::{Amount, Currency, OrganisationId};
use settlekit_service::operator::{LimitScope, PayoutLimit, PayoutLimitUse};

use super::failure::{Failure, failure};
use super::opening::open;
use super::output::say;
use crate::config::{Limit, Store};
use crate::edge;

/// A limit to set; absent fields stay.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) currency: Currency,
    pub(super) organisation: Option<OrganisationId>,
    pub(super) per_payout: Option<Limit>,
    pub(super) per_day: Option<Limit>,
}

pub(super) fn run(store: &Store, change: Option<Change>, json: bool) -> Result<ExitCode, Failure> {
    let mut opened = open(store)?;
    let all = opened.call(|service, database, now, _| service.payout_limits(database, now))?;
    let Some(change) = change else {
        return show(&all, json);
    };
    if change.per_payout.is_none() && change.per_day.is_none() {
        return Err("a limit needs --per-payout or --per-day".into());
    }
    let scope = match change.organisation {
        Some(id) => LimitScope::Organisation(id),
        None => LimitScope::Installation,
    };
    let mut limits = all.into_iter().map(|used| used.limit);
    let before = limits.find(|limit| limit.scope == scope && limit.currency == change.currency);
    let set = |change: Option<Limit>, before: Option<Amount>| match change {
        Some(Limit(amount)) => amount,
        None => before,
    };
    let limit = PayoutLimit {
        per_payout: set(
            change.per_payout,
            before.as_ref().and_then(|before| before.per_payout),
        ),
        per_day: set(
            change.per_day,
            before.as_ref().and_then(|before| before.per_day),
        ),
        scope,
        currency: change.currency,
    };
    let done = opened
        .service
        .set_payout_limit(opened.database.as_mut(), &limit, edge::now());
    done.map_err(|error| failure(store, error))?;
    let all = opened.call(|service, database, now, _| service.payout_limits(database, now))?;
    show(&all, json)
}

fn show(all: &[PayoutLimitUse], json: bool) -> Result<ExitCode, Failure> {
    let organisation = |scope| match scope {
        LimitScope::Installation => None,
        LimitScope::Organisation(id) => Some(id),
    };
    if json {
        let list = all.iter().map(|used| {
            serde_json::json!({
                "org_id": organisation(used.limit.scope),
                "currency": used.limit.currency,
                "per_payout": used.limit.per_payout,
                "per_day": used.limit.per_day,
                "paid_out_today": used.paid_out,
            })
        });
        say(&serde_json::Value::Array(list.collect()).to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    if all.is_empty() {
        say("no limit is set: no payout waits for approval")?;
    }
    for used in all {
        let limit = &used.limit;
        let whose = organisation(limit.scope)
            .map_or_else(|| "all organisations".to_owned(), |id| id.to_string());
        let shown = |amount: Option<Amount>| {
            amount.map_or_else(|| "any".to_owned(), |amount| amount.to_string())
        };
        say(&format!(
            "{whose}: {} {} per payout, {} per day ({} paid out today)",
            shown(limit.per_payout),
            limit.currency,
            shown(limit.per_day),
            used.paid_out
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
