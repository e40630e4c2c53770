//! The limit of open files and sockets.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More connections are of no use to one process.
const CONNECTIONS_MAX: u64 = 16_384;

/// Reserved for database, outgoing webhooks and files.
const RESERVE: u64 = 768;

/// Raises the open-file limit to its hard maximum and returns it.
pub(crate) fn raise() -> u64 {
    let limits = getrlimit(Resource::Nofile);
    let now = limits.current.unwrap_or(u64::MAX);
    let most = limits.maximum.unwrap_or(u64::MAX);
    if now >= most {
        return now;
    }
    let raised = Rlimit {
        current: limits.maximum,
        maximum: limits.maximum,
    };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => most,
        Err(error) => {
            tracing::warn!(%error, soft_limit = now, hard_limit = most, "open file limit not raised");
            now
        }
    }
}

/// The number of connections that an open-file limit permits.
pub(crate) fn connections(open_files: u64) -> usize {
    let room = open_files - RESERVE.min(open_files / 2);
    usize::try_from(room.min(CONNECTIONS_MAX)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_to_its_maximum_and_leaves_a_reserve() {
        let raised = raise();
        let limits = getrlimit(Resource::Nofile);
        assert_eq!(limits.current, limits.maximum);
        assert_eq!(limits.current.unwrap_or(u64::MAX), raised);
        assert_eq!(connections(1_024), 512);
        assert_eq!(connections(4_096), 4_096 - 768);
        assert_eq!(connections(u64::MAX), 16_384);
    }
}
