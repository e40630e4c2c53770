//! How PostgreSQL is connected to: in the clear, or encrypted and checked when the address asks for it.

use std::sync::Arc;

use postgres::config::SslMode;
use postgres::{Client, Config};
use rustls::ClientConfig;
use rustls::crypto::aws_lc_rs;
use rustls_platform_verifier::BuilderVerifierExt;
use settlekit_service::store::postgres::Postgres;
use settlekit_service::store::sql::StoreError;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Opens a connection. `?sslmode=require` in the address encrypts, and refuses a server whose certificate this machine
/// does not trust or that bears another name; without it the connection is in the clear, which is for private networks.
pub(crate) fn open(address: &str) -> Result<Postgres, StoreError> {
    let encrypt = address
        .parse::<Config>()
        .is_ok_and(|config| config.get_ssl_mode() == SslMode::Require);
    if !encrypt {
        return Postgres::open(address);
    }
    let tls =
        MakeRustlsConnect::new(trust().map_err(|error| {
            StoreError::Unreachable(format!("no encryption to be had: {error}"))
        })?);
    let connect =
        move |config: &Config| -> Result<Client, postgres::Error> { config.connect(tls.clone()) };
    Postgres::open_with(address, connect)
}

/// Trusts whom this machine trusts; `SSL_CERT_FILE` names others.
fn trust() -> Result<ClientConfig, rustls::Error> {
    Ok(
        ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_platform_verifier()?
            .with_no_client_auth(),
    )
}
