//! The wallets that payers on a phone are offered: the usual ones, until the operator changes the list.

use std::fmt;

use settlekit_core::error::Reason;
use settlekit_core::installation::{
    CreateWalletLink, CreateWalletLinkBody, DeleteWalletLink, ListWalletLinks, RestoreWalletLinks,
    WALLET_LINKS_MAX, WalletLinkTemplate, usual_wallet_links,
};
use settlekit_core::validate::{Report, Validate};

use crate::Service;
use crate::store;
use crate::store::sql::{Database, StoreError};
use crate::unit::{Outcome, Received, Refusal, Unit};

/// Why a change of the list was refused.
#[derive(Debug, Clone)]
pub enum WalletLinkError {
    /// The link cannot be offered to payers.
    Invalid(Report),
    /// The list has a link of this name, in this or another case.
    Exists(String),
    /// The list is full.
    Full,
    /// The list has no link of this name.
    Unknown(String),
    /// The database failed.
    Store(StoreError),
}

impl fmt::Display for WalletLinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(report) => {
                let sentences = report.errors().iter().map(|error| error.sentence());
                f.write_str(&sentences.collect::<Vec<_>>().join("; "))
            }
            Self::Exists(name) => write!(f, "there is a wallet link named {name} already"),
            Self::Full => write!(
                f,
                "there are {WALLET_LINKS_MAX} wallet links already: remove one first"
            ),
            Self::Unknown(name) => write!(f, "there is no wallet link named {name}"),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WalletLinkError {}

impl From<StoreError> for WalletLinkError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<WalletLinkError> for Refusal {
    fn from(error: WalletLinkError) -> Self {
        let message = error.to_string();
        match error {
            WalletLinkError::Invalid(report) => Self::Invalid(report),
            WalletLinkError::Exists(_) => Self::already_exists("name", message),
            WalletLinkError::Full => Self::field("name", Reason::TooLong, message),
            WalletLinkError::Unknown(_) => Self::not_found("wallet link"),
            WalletLinkError::Store(error) => Self::Store(error),
        }
    }
}

/// The links in the order of their buttons.
pub(crate) fn all(database: &mut dyn Database) -> Result<Vec<WalletLinkTemplate>, StoreError> {
    Ok(store::wallet_link::list(database)?.unwrap_or_else(usual_wallet_links))
}

fn add(
    database: &mut dyn Database,
    link: WalletLinkTemplate,
) -> Result<Vec<WalletLinkTemplate>, WalletLinkError> {
    let mut links = all(database)?;
    if links.iter().any(|known| is_named(known, &link.name)) {
        return Err(WalletLinkError::Exists(link.name));
    }
    if links.len() >= WALLET_LINKS_MAX {
        return Err(WalletLinkError::Full);
    }
    links.push(link);
    store::wallet_link::set(database, &links)?;
    Ok(links)
}

fn remove(
    database: &mut dyn Database,
    name: &str,
) -> Result<Vec<WalletLinkTemplate>, WalletLinkError> {
    let mut links = all(database)?;
    let before = links.len();
    links.retain(|link| !is_named(link, name));
    if links.len() == before {
        return Err(WalletLinkError::Unknown(name.to_owned()));
    }
    store::wallet_link::set(database, &links)?;
    Ok(links)
}

/// Payers cannot tell two wallets apart whose names differ in case only.
fn is_named(link: &WalletLinkTemplate, name: &str) -> bool {
    link.name.trim().to_lowercase() == name.trim().to_lowercase()
}

pub(crate) fn list_wallet_links(
    unit: &mut Unit<'_>,
    call: Received<ListWalletLinks>,
) -> Outcome<Vec<WalletLinkTemplate>> {
    call.caller.need_installation_operator()?;
    Ok(all(unit.database)?)
}

pub(crate) fn create_wallet_link(
    unit: &mut Unit<'_>,
    call: Received<CreateWalletLink>,
) -> Outcome<Vec<WalletLinkTemplate>> {
    call.caller.need_installation_operator()?;
    let CreateWalletLinkBody { name, template } = call.body;
    Ok(add(unit.database, WalletLinkTemplate { name, template })?)
}

pub(crate) fn delete_wallet_link(
    unit: &mut Unit<'_>,
    call: Received<DeleteWalletLink>,
) -> Outcome<Vec<WalletLinkTemplate>> {
    call.caller.need_installation_operator()?;
    Ok(remove(unit.database, &call.path.name)?)
}

pub(crate) fn restore_wallet_links(
    unit: &mut Unit<'_>,
    call: Received<RestoreWalletLinks>,
) -> Outcome<Vec<WalletLinkTemplate>> {
    call.caller.need_installation_operator()?;
    store::wallet_link::delete(unit.database)?;
    Ok(usual_wallet_links())
}

impl Service {
    /// The wallets that payers are offered.
    ///
    /// # Errors
    /// If the database failed.
    pub fn wallet_links(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<WalletLinkTemplate>, StoreError> {
        self.transact(database, all)
    }

    /// Adds a wallet at the end of the list.
    ///
    /// # Errors
    /// [`WalletLinkError`].
    pub fn add_wallet_link(
        &self,
        database: &mut dyn Database,
        link: &WalletLinkTemplate,
    ) -> Result<Vec<WalletLinkTemplate>, WalletLinkError> {
        let body = CreateWalletLinkBody {
            name: link.name.clone(),
            template: link.template.clone(),
        };
        let mut report = Report::default();
        body.validate(&mut report);
        if !report.is_clean() {
            return Err(WalletLinkError::Invalid(report));
        }
        self.change(database, |database| add(database, link.clone()))
    }

    /// Removes a wallet by its name.
    ///
    /// # Errors
    /// [`WalletLinkError::Unknown`].
    pub fn remove_wallet_link(
        &self,
        database: &mut dyn Database,
        name: &str,
    ) -> Result<Vec<WalletLinkTemplate>, WalletLinkError> {
        self.change(database, |database| remove(database, name))
    }

    /// Offers the usual wallets again.
    ///
    /// # Errors
    /// If the database failed.
    pub fn restore_wallet_links(
        &self,
        database: &mut dyn Database,
    ) -> Result<Vec<WalletLinkTemplate>, StoreError> {
        self.transact(database, |database| {
            store::wallet_link::delete(database)?;
            Ok(usual_wallet_links())
        })
    }

    /// Changes the list in a transaction, which only a failure of the database runs again.
    fn change(
        &self,
        database: &mut dyn Database,
        change: impl Fn(&mut dyn Database) -> Result<Vec<WalletLinkTemplate>, WalletLinkError>,
    ) -> Result<Vec<WalletLinkTemplate>, WalletLinkError> {
        self.transact(database, |database| match change(database) {
            Err(WalletLinkError::Store(error)) => Err(error),
            done => Ok(done),
        })?
    }
}
