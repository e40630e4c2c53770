//! The commands: output and exit codes.

mod books;
mod connect;
mod failure;
mod key_files;
mod member;
mod opening;
mod organisation;
mod output;
mod rotate_master;

use std::io;
use std::path::Path;
use std::process::ExitCode;

use failure::Failure;
use opening::{key, open, seed};
use output::{print, say};
use settlekit_core::operation::Scope;
use settlekit_core::value::{AccountId, Amount, Currency, OrganisationId};
use settlekit_service::admin::{NewPerson, Percent, Reviews};
use settlekit_service::store::migrate;

use settlekit_service::store::sql::{Database, StoreError};
use settlekit_service::store::sqlite::Sqlite;
use settlekit_service::{Mode, ledger};
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Account, Cli, Command, Key, Member, Org, Serve, Store};
use crate::engine::{Address, Kept};
use crate::key::KeyError;
use crate::{Host, Setup, build, demo, durable, edge, listen, log, private_file, tls};

/// Runs a command. A failure is one line on standard error and exit code 1.
pub fn run(cli: Cli) -> ExitCode {
    let done = match cli.command {
        Command::Serve(serve) => self::serve(&serve),
        Command::Org(Org::Create {
            store,
            sandbox,
            name,
            partner,
            otc,
            json,
        }) => organisation::create((&store, sandbox), name, partner, otc, json),
        Command::Org(Org::Suspend { store, org, kind }) => {
            organisation::suspend(&store, org, Some(&kind))
        }
        Command::Org(Org::Resume { store, org }) => organisation::suspend(&store, org, None),
        Command::Org(Org::Review {
            store,
            org,
            kyc,
            company,
            kyb,
        }) => {
            let reviews = Reviews {
                kyc_status: kyc,
                company_name: company,
                kyb_status: kyb,
            };
            organisation::review(&store, org, &reviews)
        }
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
        Command::Member(Member::Add {
            store,
            org,
            email,
            name,
            role,
            password_stdin,
            json,
        }) => member::password(password_stdin).and_then(|password| {
            let new = NewPerson {
                email,
                name,
                password,
                role,
            };
            member::add(&store, org, new, !password_stdin, json)
        }),
        Command::Member(Member::Password {
            store,
            email,
            password_stdin,
            json,
        }) => member::password(password_stdin).and_then(|password| {
            member::set_password(&store, &email, password, !password_stdin, json)
        }),
        Command::Backup { store, to } => backup(&store, &to),
        Command::Export { store, org, to } => books::export(&store, org, to.as_deref()),
        Command::Import {
            store,
            sandbox,
            from,
            json,
        } => books::import((&store, sandbox), from.as_deref(), json),
        Command::Verify(store) => verify(&store),
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
    let unknown = || {
        Failure::Other(format!(
            "organisation {organisation} has no account {account}"
        ))
    };
    let id = AccountId::new(account).ok_or_else(unknown)?;
    let (service, mut database) = open(store)?;
    let done = service.set_fees(
        database.as_mut(),
        (organisation, id),
        payin,
        payout,
        edge::now(),
        seed(store)?,
    );
    match done.map_err(|error| Failure::Store(store.database.clone(), error))? {
        true => Ok(ExitCode::SUCCESS),
        false => Err(unknown()),
    }
}

fn adjust(
    store: &Store,
    organisation: OrganisationId,
    account: i64,
    money: (Amount, &Currency),
) -> Result<ExitCode, Failure> {
    let id = AccountId::new(account).ok_or_else(|| {
        Failure::Other(format!(
            "organisation {organisation} has no account {account}"
        ))
    })?;
    let (service, mut database) = open(store)?;
    let done = service.adjust(
        database.as_mut(),
        (organisation, id),
        money,
        edge::now(),
        seed(store)?,
    );
    done.map_err(|error| Failure::Store(store.database.clone(), error))?
        .map(|()| ExitCode::SUCCESS)
        .map_err(Failure::Other)
}

fn create_key(
    store: &Store,
    organisation: OrganisationId,
    (name, scopes): (&str, &[Scope]),
    json: bool,
) -> Result<ExitCode, Failure> {
    let (service, mut database) = open(store)?;
    let made = service
        .create_key(
            database.as_mut(),
            organisation,
            (name, scopes),
            edge::now(),
            seed(store)?,
        )
        .map_err(|error| Failure::Store(store.database.clone(), error))?;
    let Some(made) = made else {
        return Err(Failure::Other(format!(
            "organisation {organisation} not found"
        )));
    };
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
    let failed = |error| Failure::Store(store.database.clone(), error);
    let Address::Sqlite(path) = &store.database else {
        return Err(Failure::Other(
            "backup copies SQLite only: use pg_dump for PostgreSQL".to_owned(),
        ));
    };
    let file = to
        .to_str()
        .ok_or_else(|| Failure::Other(format!("{} is not valid UTF-8", to.display())))?;
    let mut database = Sqlite::open_reader(path).map_err(failed)?;
    // SQLite copies into an empty file, whose mode is set from the start.
    private_file::create_new(to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::Other(format!(
            "{} already exists: choose another file",
            to.display()
        )),
        _ => Failure::Other(format!("{} cannot be written: {error}", to.display())),
    })?;
    if let Err(error) = settlekit_service::store::backup::copy(&mut database, file) {
        std::fs::remove_file(to)?;
        return Err(failed(error));
    }
    durable::sync(to)?;
    Ok(ExitCode::SUCCESS)
}

/// Audits the books: prints how much was checked, and each inconsistency on a line of its own.
fn verify(store: &Store) -> Result<ExitCode, Failure> {
    let failed = |error| Failure::Store(store.database.clone(), error);
    let mut database = match &store.database {
        // Read-only: verifying does not even migrate.
        Address::Sqlite(path) => {
            Sqlite::open_reader(path).map(|database| Box::new(database) as Box<dyn Database>)
        }
        Address::Postgres(address) => {
            tls::open(address).map(|database| Box::new(database) as Box<dyn Database>)
        }
    }
    .map_err(failed)?;
    let found = migrate::version(database.as_mut()).map_err(failed)?;
    let known = migrate::HISTORY.len();
    if found as usize != known {
        return Err(Failure::Other(format!(
            "the database has version {found}, verify needs version {known}: run `settlekit serve` once to upgrade it"
        )));
    }
    let audit = ledger::verify(database.as_mut()).map_err(failed)?;
    for difference in &audit.differences {
        say(&difference.to_string())?;
    }
    let count = audit.differences.len();
    say(&format!(
        "{} balances recomputed from {} postings: {}",
        audit.accounts,
        audit.postings,
        match count {
            0 => "no difference".to_owned(),
            1 => "1 difference".to_owned(),
            _ => format!("{count} differences"),
        }
    ))?;
    Ok(if count == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn openapi() -> Result<ExitCode, Failure> {
    say(&format!("{:#}", settlekit_core::openapi::document()))?;
    Ok(ExitCode::SUCCESS)
}

fn serve(serve: &Serve) -> Result<ExitCode, Failure> {
    log::start(&serve.log, serve.log_format).map_err(Failure::Other)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        // Bind first: a second server must not touch the first one's data.
        let listener = listen(serve.listen).await.map_err(Failure::Other)?;
        let metrics = match serve.metrics_listen {
            Some(address) => Some(listen(address).await.map_err(Failure::Other)?),
            None => None,
        };
        let mut interrupted = signal(SignalKind::interrupt())?;
        let mut terminated = signal(SignalKind::terminate())?;
        let setup = Setup {
            database: serve.store.database.clone(),
            master_key: {
                let store = serve.store.clone();
                let key = tokio::task::spawn_blocking(move || self::key(&store)).await;
                key.map_err(|error| Failure::Other(error.to_string()))??
            },
            public_url: serve.public_url(),
            mode: Mode::of_flag(serve.sandbox),
            allow_private_webhooks: serve.allow_private_webhooks,
            limits: serve.limits(),
            connections: serve.connections(),
            metrics_token: serve.metrics_token.clone(),
        };
        let mut server =
            build(&setup).map_err(|error| Failure::Store(setup.database.clone(), error))?;
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
            service.holds_master_key(database).map(Kept::Keep)
        };
        let known = server.host.engine.write(known).await;
        if !known.map_err(|error| Failure::Store(setup.database.clone(), error))? {
            return Err(KeyError::Other.into());
        }
        log_connections(&server.host, setup.mode)
            .await
            .map_err(|error| Failure::Store(setup.database.clone(), error))?;
        let mut demo = Vec::new();
        if serve.demo {
            tokio::select! {
                filled = demo::fill(&server.host, &setup.database) => {
                    let filled = filled.map_err(|error| Failure::Store(setup.database.clone(), error))?;
                    demo = filled.ok_or_else(|| Failure::Other("the demo data is incomplete: use an empty database".to_owned()))?;
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
    let named = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let chains: Vec<&str> = connected.chains.iter().map(String::as_str).collect();
    tracing::info!(
        %mode,
        chains = named(&chains),
        prices = if connected.prices { "connected" } else { "none" },
        venues = named(&connected.venues),
        "providers"
    );
    if chains.is_empty() {
        tracing::warn!(%mode, "no chain connected");
    }
    Ok(())
}
