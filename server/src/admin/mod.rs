//! The commands: output and exit codes.

mod add_token;
mod agreed_balances;
mod agreed_chain;
mod books;
mod chain;
mod connect;
mod connect_chain;
mod connect_chainlink;
mod connect_venue;
mod exchange;
mod exchange_market;
mod exchange_order;
mod exchange_withdrawal;
mod failure;
mod key_files;
mod limits;
mod member;
mod opening;
mod organisation;
mod output;
mod price;
mod rotate_master;
mod rotate_wallet;
mod venue;
mod verify;
mod wallet;
mod wallet_key;
mod wallet_link;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use failure::Failure;
use opening::{key, open};
use output::{print, say};
use settlekit_core::operation::Scope;
use settlekit_core::value::{AccountId, Amount, Currency, OrganisationId};
use settlekit_service::Mode;
use settlekit_service::admin::Percent;
use settlekit_service::store::sql::{Database, StoreError};
use settlekit_service::store::sqlite::Sqlite;
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Account, Cli, Command, Key, Serve, Store};
use crate::engine::{Address, Ending};
use crate::key::KeyError;
use crate::{Host, Setup, build, demo, durable, listen, log, private_file};

/// Runs a command. A failure is one line on standard error and exit code 1.
pub fn run(cli: Cli) -> ExitCode {
    let done = match cli.command {
        Command::Serve(serve) => self::serve(&serve),
        Command::Org(command) => organisation::run(command),
        Command::Account(Account::Fees {
            store,
            org,
            account,
            payin,
            payout,
        }) => set_fees(&store, org, account, payin, payout),
        Command::Account(Account::Adjust {
            store,
            org,
            account,
            amount,
            currency,
        }) => adjust(&store, org, account, (amount, &currency)),
        Command::Key(Key::Create {
            store,
            org,
            name,
            scope,
            json,
        }) => create_key(&store, org, (&name, &scope), json),
        Command::Key(Key::RotateMaster {
            store,
            new_master_key,
        }) => rotate_master::rotate(&store, new_master_key),
        Command::Member(command) => member::run(command),
        Command::Chain(command) => chain::run(command),
        Command::Wallet(command) => wallet::run(command),
        Command::WalletLink(command) => wallet_link::run(command),
        Command::Price(command) => price::run(command),
        Command::Venue(command) => venue::run(command),
        Command::Exchange(command) => exchange::run(command),
        Command::Backup { store, to } => backup(&store, &to),
        Command::Export { store, org, to } => books::export(&store, org, to.as_deref()),
        Command::Import {
            store,
            sandbox,
            from,
            json,
        } => books::import((&store, sandbox), from.as_deref(), json),
        Command::Verify {
            store,
            chain,
            complete,
            json,
        } => verify::run(&store, (chain, complete), json),
        Command::Openapi => openapi(),
    };
    done.unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        ExitCode::FAILURE
    })
}

fn set_fees(
    store: &Store,
    organisation: OrganisationId,
    account: i64,
    payin: Option<Percent>,
    payout: Option<Percent>,
) -> Result<ExitCode, Failure> {
    let id = account_id(organisation, account)?;
    let is_known = open(store)?.call(|service, database, now, seed| {
        service.set_fees(database, (organisation, id), payin, payout, now, seed)
    })?;
    match is_known {
        true => Ok(ExitCode::SUCCESS),
        false => Err(unknown_account(organisation, account)),
    }
}

fn adjust(
    store: &Store,
    organisation: OrganisationId,
    account: i64,
    money: (Amount, &Currency),
) -> Result<ExitCode, Failure> {
    let id = account_id(organisation, account)?;
    open(store)?.call(|service, database, now, seed| {
        service.adjust(database, (organisation, id), money, now, seed)
    })??;
    Ok(ExitCode::SUCCESS)
}

fn account_id(organisation: OrganisationId, account: i64) -> Result<AccountId, Failure> {
    AccountId::new(account).ok_or_else(|| unknown_account(organisation, account))
}

fn unknown_account(organisation: OrganisationId, account: i64) -> Failure {
    format!("organisation {organisation} has no account {account}").into()
}

fn create_key(
    store: &Store,
    organisation: OrganisationId,
    (name, scopes): (&str, &[Scope]),
    json: bool,
) -> Result<ExitCode, Failure> {
    let made = open(store)?.call(|service, database, now, seed| {
        service.create_key(database, organisation, (name, scopes), now, seed)
    })?;
    let made = made.ok_or_else(|| Failure::unknown_organisation(organisation))?;
    let mut fields = vec![
        ("org_id", organisation.to_string()),
        ("key_id", made.id.to_string()),
        ("api_key", made.key.unwrap_or_default()),
        ("scopes", made.scopes.join(",")),
    ];
    fields.extend(made.notice.map(|notice| ("notice", notice)));
    print(json, &fields)
}

/// Copies an SQLite database into a new file, synced to disk.
fn backup(store: &Store, to: &Path) -> Result<ExitCode, Failure> {
    let failed = Failure::of(&store.database);
    let Address::Sqlite(path) = &store.database else {
        return Err("backup copies SQLite only: use pg_dump for PostgreSQL".into());
    };
    let shown = to.display();
    let file = to.to_str();
    let file = file.ok_or_else(|| format!("{shown} is not valid UTF-8"))?;
    let mut database = Sqlite::open_reader(path).map_err(failed)?;
    // SQLite copies into an empty file, whose mode is set from the start.
    private_file::create_new(to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{shown} already exists: choose another file"),
        _ => format!("{shown} cannot be written: {error}"),
    })?;
    if let Err(error) = settlekit_service::store::backup::copy(&mut database, file) {
        std::fs::remove_file(to)?;
        return Err(failed(error));
    }
    durable::sync(to)?;
    Ok(ExitCode::SUCCESS)
}

fn openapi() -> Result<ExitCode, Failure> {
    say(&format!("{:#}", settlekit_core::openapi::document()))?;
    Ok(ExitCode::SUCCESS)
}

fn serve(serve: &Serve) -> Result<ExitCode, Failure> {
    log::start(&serve.log, serve.log_format)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        // Bind first: a second server must not touch the first one's data.
        let listener = listen(serve.listen).await?;
        let metrics = match serve.metrics_listen {
            Some(address) => Some(listen(address).await?),
            None => None,
        };
        let mut interrupted = signal(SignalKind::interrupt())?;
        let mut terminated = signal(SignalKind::terminate())?;
        let setup = Setup {
            database: serve.store.database.clone(),
            master_key: {
                let store = serve.store.clone();
                let key = tokio::task::spawn_blocking(move || self::key(&store)).await;
                key.map_err(|error| error.to_string())??
            },
            public_url: serve.public_url(),
            mode: Mode::of_flag(serve.sandbox),
            allow_private_webhooks: serve.allow_private_webhooks,
            limits: serve.limits(),
            connections: serve.connections(),
            metrics_token: serve.metrics_token.clone(),
        };
        let failed = Failure::of(&setup.database);
        let mut server = build(&setup).map_err(failed)?;
        if let Address::Sqlite(path) = &setup.database {
            for (path, mode) in private_file::readable_by_others(path) {
                let path = path.display();
                tracing::warn!(
                    %path,
                    mode = format!("{mode:o}"),
                    fix = "chmod 600",
                    "database readable by others"
                );
            }
        }
        if let Some(metrics) = metrics {
            tracing::info!(address = %metrics.local_addr()?, "metrics listening");
            server = server.with_metrics_on(metrics);
        }
        let address = listener.local_addr()?;
        let mut stop = Box::pin(async move {
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
            tracing::info!("server stopping");
        });
        let service = server.host.service.clone();
        let known = move |database: &mut dyn Database| {
            service.holds_master_key(database).map(Ending::Commit)
        };
        let known = server.host.engine.write(known).await;
        if !known.map_err(failed)? {
            return Err(KeyError::Other.into());
        }
        let logged = log_connections(&server.host, setup.mode).await;
        logged.map_err(failed)?;
        let mut demo = Vec::new();
        if serve.demo {
            tokio::select! {
                filled = demo::fill(&server.host, &setup.database) => {
                    let filled = filled.map_err(failed)?;
                    demo = filled.ok_or("the demo data is incomplete: use an empty database")?;
                }
                () = &mut stop => return Ok(ExitCode::SUCCESS),
            }
        }
        say(&format!("Settlekit is at http://{address}"))?;
        for line in demo {
            say(&line)?;
        }
        server.serve(listener, stop).await;
        tracing::info!("server stopped");
        Ok(ExitCode::SUCCESS)
    })
}

/// Logs the connected chains, prices and venues: everything else is refused to all callers.
async fn log_connections(host: &Host, mode: Mode) -> Result<(), StoreError> {
    let service = host.service.clone();
    let connected = host
        .engine
        .read(move |database| service.connections(database))
        .await?;
    let named = |names: &[String]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    tracing::info!(
        %mode,
        chains = named(&connected.chains),
        prices = if connected.prices { "connected" } else { "none" },
        venues = named(&connected.venues),
        "providers"
    );
    if connected.chains.is_empty() {
        tracing::warn!(%mode, "no chain connected");
    }
    Ok(())
}
