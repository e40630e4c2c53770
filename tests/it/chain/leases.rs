//! Several servers on one database: each chain is read by one of them, and by another within half a minute after its end.

use std::time::Duration;

use settlekit_core::value::{ChainId, Timestamp};
use settlekit_tests::chain::Connected;

/// The chains that a server has after it has taken what is due.
fn held(connected: &mut Connected, server: &str, now: Timestamp) -> Vec<ChainId> {
    let (service, database) = connected.world.parts();
    let leases = service.leases(database, server, now).expect("leases");
    let taken = service.take_leases(database, server, &leases.due, now);
    let mut held = [leases.held, taken.expect("leases")].concat();
    held.dedup();
    held
}

#[test]
fn a_chain_is_read_by_one_server_until_that_is_gone_for_half_a_minute() {
    Connected::each(|kind, mut connected| {
        let (chain, mut now) = (connected.chain.id, connected.world.now);
        assert_eq!(held(&mut connected, "one", now), [chain], "{kind}");
        assert_eq!(held(&mut connected, "other", now), [], "{kind}");
        // As long as it goes on, it keeps the chain.
        for _ in 0..20 {
            now = now.plus(Duration::from_secs(10));
            assert_eq!(held(&mut connected, "one", now), [chain], "{kind}");
            assert_eq!(held(&mut connected, "other", now), [], "{kind}");
        }
        // Killed.
        now = now.plus(Duration::from_secs(30));
        assert_eq!(held(&mut connected, "other", now), [chain], "{kind}");
        assert_eq!(held(&mut connected, "one", now), [], "{kind}");
    });
}

#[test]
fn a_server_that_stops_lets_another_read_at_once() {
    Connected::each(|kind, mut connected| {
        let (chain, now) = (connected.chain.id, connected.world.now);
        held(&mut connected, "one", now);
        let (service, database) = connected.world.parts();
        service.end_leases(database, "other").expect("an end");
        assert_eq!(held(&mut connected, "other", now), [], "{kind}");
        let (service, database) = connected.world.parts();
        service.end_leases(database, "one").expect("an end");
        assert_eq!(held(&mut connected, "other", now), [chain], "{kind}");
    });
}

#[test]
fn of_two_servers_that_take_a_lease_at_once_one_gets_it() {
    Connected::each(|kind, mut connected| {
        let (chain, now) = (connected.chain.id, connected.world.now);
        let (service, database) = connected.world.parts();
        // Both have seen that nobody has it.
        let one = service.take_leases(database, "one", &[chain], now);
        let other = service.take_leases(database, "other", &[chain], now);
        assert_eq!(one, Ok(vec![chain]), "{kind}");
        assert_eq!(other, Ok(vec![]), "{kind}");
    });
}

#[test]
fn a_clock_that_jumps_a_year_ahead_and_back_locks_no_server_out() {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    Connected::each(|kind, mut connected| {
        let (chain, now) = (connected.chain.id, connected.world.now);
        assert_eq!(
            held(&mut connected, "one", now.plus(YEAR)),
            [chain],
            "{kind}"
        );
        // It ended there, and the clock is right again.
        assert_eq!(held(&mut connected, "other", now), [chain], "{kind}");
        assert_eq!(held(&mut connected, "one", now), [], "{kind}");
    });
}

#[test]
fn a_paused_chain_is_leased_to_nobody() {
    Connected::each(|kind, mut connected| {
        let (chain, now) = (connected.chain.id, connected.world.now);
        let (service, database) = connected.world.parts();
        let paused = service.set_chain_paused(database, chain, true, now);
        paused.expect("a connected chain");
        assert_eq!(held(&mut connected, "one", now), [], "{kind}");
    });
}
