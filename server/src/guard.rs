//! SSRF guard: webhooks reach public Internet addresses only.
//!
//! Merchants choose webhook URLs. Without the guard, they could make the server call what only it can reach: its own machine, its
//! network, the metadata service of its cloud. The addresses that a name resolves to are checked, and the connection uses exactly
//! those.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// A resolver that refuses names with non-public addresses.
#[derive(Debug)]
pub(crate) struct PublicResolver;

impl Resolve for PublicResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            // A single public address is not enough: the connection might use another one.
            let is_trusted = |found: &Vec<SocketAddr>| {
                !found.is_empty() && found.iter().all(|address| is_public(address.ip()))
            };
            match found.map(Vec::from_iter) {
                Ok(found) if is_trusted(&found) => Ok(Box::new(found.into_iter()) as Addrs),
                // The merchant reads this error. It is the same for unknown and internal names, so it reveals nothing about the
                // internal network.
                refused => {
                    tracing::info!(host = name.as_str(), reason = ?refused, "webhook host rejected");
                    Err(NO_PUBLIC_ADDRESS.into())
                }
            }
        })
    }
}

/// Checks a host given as an address, which is never resolved.
pub(crate) fn check_host(url: &reqwest::Url) -> Result<(), String> {
    let host = url.host_str().unwrap_or_default();
    match host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<IpAddr>()
    {
        Ok(address) if !is_public(address) => Err(refusal(address)),
        _ => Ok(()),
    }
}

const NO_PUBLIC_ADDRESS: &str =
    "the host has no public address, and webhooks go to public addresses only";

fn refusal(address: IpAddr) -> String {
    format!("{address} is not a public address, and webhooks go to public addresses only")
}

/// Whether an address is globally reachable (IANA's special-purpose registries).
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => is_public_v4(address),
            None => is_public_v6(address),
        },
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        // "This network", private, shared (carrier-grade NAT), loopback, link-local.
        [0 | 10 | 127, ..] | [100, 64..=127, ..] | [169, 254, ..] | [172, 16..=31, ..] | [192, 168, ..]
        // Protocol assignments, documentation, the former 6to4 relay, benchmarks.
        | [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _]
        // Multicast, reserved, broadcast.
        | [224..=255, ..]
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Teredo and other protocol assignments, documentation, 6to4: some embed an IPv4 address.
        [0x2001, 0..=0x01ff, ..]
        | [0x2001, 0xdb8, ..]
        | [0x2002, ..]
        | [0x3fff, 0..=0x0fff, ..] => false,
        // Global unicast: all that IANA has allocated.
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_refused() {
        for inside in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "64:ff9b::7f00:1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "100::1",
        ] {
            assert!(!is_public(inside.parse().expect(inside)), "{inside}");
        }
    }

    #[test]
    fn public_addresses_are_allowed() {
        for outside in [
            "1.1.1.1",
            "93.184.216.34",
            "100.63.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "::ffff:8.8.8.8",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(is_public(outside.parse().expect(outside)), "{outside}");
        }
    }

    #[test]
    fn ip_hosts_are_checked_in_every_spelling() {
        for inside in [
            "http://127.0.0.1/x",
            "https://[::1]:8443/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://[::ffff:a00:1]/",
        ] {
            assert!(
                check_host(&inside.parse().expect(inside)).is_err(),
                "{inside}"
            );
        }
        for outside in ["https://example.com/", "https://1.1.1.1/"] {
            assert!(
                check_host(&outside.parse().expect(outside)).is_ok(),
                "{outside}"
            );
        }
    }

    #[tokio::test]
    async fn private_and_unknown_host_names_are_refused_alike() {
        for name in ["localhost", "nobody-has-this-name.invalid"] {
            let refused = PublicResolver.resolve(name.parse().expect("a name")).await;
            let Err(refused) = refused else {
                panic!("{name} was resolved")
            };
            assert_eq!(refused.to_string(), NO_PUBLIC_ADDRESS, "{name}");
        }
    }
}
