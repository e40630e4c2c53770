//! Connections to PostgreSQL, in the clear or with verified TLS.

use std::net::IpAddr;
use std::sync::Arc;

use postgres::config::{Host, SslMode};
use postgres::{Client, Config};
use rustls::ClientConfig;
use rustls::crypto::aws_lc_rs;
use rustls_platform_verifier::BuilderVerifierExt;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sql::StoreError;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Opens a connection. `?sslmode=require` encrypts it, and refuses a server whose certificate is not trusted or has another name.
/// Without encryption only a PostgreSQL on this machine is accepted, unless `?sslmode=disable` asks for it: the connection
/// carries secrets too.
pub(crate) fn open(address: &str) -> Result<Postgres, StoreError> {
    let config = address.parse::<Config>();
    let config = config.map_err(|error| StoreError::Unreachable(error.to_string()))?;
    match config.get_ssl_mode() {
        SslMode::Require => {}
        SslMode::Disable => return Postgres::open(address),
        _ if is_on_this_machine(&config) => return Postgres::open(address),
        _ => {
            return Err(StoreError::Unreachable(
                "this PostgreSQL is on another machine and the connection would not be encrypted: add ?sslmode=require to \
                 its address, or ?sslmode=disable where the network between is private"
                    .to_owned(),
            ));
        }
    }
    let tls =
        MakeRustlsConnect::new(trust().map_err(|error| {
            StoreError::Unreachable(format!("no encryption to be had: {error}"))
        })?);
    let connect =
        move |config: &Config| -> Result<Client, postgres::Error> { config.connect(tls.clone()) };
    Postgres::open_with(address, connect)
}

/// Whether all servers of an address are on this machine.
fn is_on_this_machine(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    let is_local = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) if name.eq_ignore_ascii_case("localhost") => true,
        Host::Tcp(name) => name
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback()),
    };
    // Addresses, if given, are used to connect; names then only verify certificates.
    if addresses.is_empty() {
        config.get_hosts().iter().all(is_local)
    } else {
        addresses.iter().all(IpAddr::is_loopback)
    }
}

/// Trusts the system's certificates, or those of `SSL_CERT_FILE`.
fn trust() -> Result<ClientConfig, rustls::Error> {
    Ok(
        ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_platform_verifier()?
            .with_no_client_auth(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_local_server_is_reached_without_tls() {
        for (address, is_local) in [
            ("postgres://u@localhost/db", true),
            ("postgres://u@127.0.0.1:5433/db", true),
            ("postgres://u@127.9.9.9/db", true),
            ("postgres://u@[::1]/db", true),
            ("postgres://u@%2Fvar%2Frun/db", true),
            ("host=localhost user=u", true),
            ("postgres://u@db.example/db", false),
            ("postgres://u@10.0.0.7/db", false),
            ("postgres://u@localhost.example/db", false),
            ("postgres://u@localhost,db.example/db", false),
            ("host=localhost hostaddr=10.0.0.7 user=u", false),
            ("host=db.example hostaddr=127.0.0.1 user=u", true),
        ] {
            let config: Config = address.parse().expect(address);
            assert_eq!(is_on_this_machine(&config), is_local, "{address}");
        }
    }

    #[test]
    fn a_remote_server_without_tls_is_refused_before_anything_is_sent() {
        for address in [
            "postgres://u:secret@192.0.2.1/db",
            "postgres://u:secret@192.0.2.1/db?sslmode=prefer",
        ] {
            let error = open(address).expect_err("it is refused").to_string();
            assert!(error.contains("sslmode=require"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
