//! Lists the proxies with money that was not swept, for operators of the installation.

use settlekit_core::error::Reason;
use settlekit_core::installation::{ListUnsweptProxies, UnsweptProxy, UnsweptProxyList};
use settlekit_core::value::Timestamp;

use super::shown;
use crate::store;
use crate::store::holding::ProxyHolding;
use crate::unit::{Outcome, Received, Refusal, Unit};

pub(crate) fn list_unswept_proxies(
    unit: &mut Unit<'_>,
    call: Received<ListUnsweptProxies>,
) -> Outcome<UnsweptProxyList> {
    call.caller.need_installation_operator()?;
    let chain = call.path.chain_id;
    store::connection::find(unit.database, chain)?.ok_or_else(|| Refusal::not_found("chain"))?;
    let query = call.query;
    let limit = query.limit.unwrap_or_default().get();
    let after = match &query.after {
        None => (Timestamp::from_micros(0), "", ""),
        Some(cursor) => parse(cursor).ok_or_else(|| {
            let message = "must be the `next` of the part before";
            Refusal::field("after", Reason::UnknownValue, message)
        })?,
    };
    // One more says whether there are more.
    let mut found =
        store::holding::page_at_proxies(unit.database, chain, after, limit.saturating_add(1))?;
    let has_more = found.len() > limit as usize;
    found.truncate(limit as usize);
    let next = found.last().map(cursor).filter(|_| has_more);
    let mut items = Vec::with_capacity(found.len());
    for held in found {
        items.push(UnsweptProxy {
            address: held.address.to_string(),
            destination: held.destination.to_string(),
            amount: shown(unit.database, chain, (&held.currency, held.units))?,
            currency: held.currency,
            // A sweep at once has no time of its own.
            sweep_at: match held.sweep_at == store::holding::at_once() {
                true => unit.now,
                false => held.sweep_at,
            },
        });
    }
    Ok(UnsweptProxyList { items, next })
}

/// The place of a holding in the order of the sweeps.
fn cursor(held: &ProxyHolding) -> String {
    let (at, address) = (held.sweep_at.micros(), held.address);
    format!("{at}.{address:#x}.{}", held.currency)
}

fn parse(cursor: &str) -> Option<(Timestamp, &str, &str)> {
    let (at, rest) = cursor.split_once('.')?;
    let (address, currency) = rest.split_once('.')?;
    Some((Timestamp::from_micros(at.parse().ok()?), address, currency))
}
