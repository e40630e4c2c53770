//! Operations of the command line: organisations, keys, users.

use std::str::FromStr;

use settlekit_core::account::Account;
use settlekit_core::api_key::ApiKey;
use settlekit_core::error::Reason;
use settlekit_core::event::EventAction;
use settlekit_core::operation::Scope;
use settlekit_core::organisation::{
    Kyb, KybInfo, KybReview, KybReviewResult, Kyc, NamedCompany, Organisation,
    OrganisationProperties,
};
use settlekit_core::sandbox::INBOX_URL;
use settlekit_core::value::{
    AccountId, Amount, Currency, Number, OrganisationId, Timestamp, UserId,
};

use crate::random::{Random, Seed};
use crate::resources::account::book::{self, Money};
pub use crate::resources::member::NewPerson;
use crate::resources::{account, api_key, event, member, organisation, session};
use crate::secret::context;
use crate::store::sql::{Database, StoreError};
use crate::unit::Unit;
use crate::unit::refusal::{Outcome, Refusal};
use crate::{Service, secret, store};

/// A new organisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOrganisation {
    /// The display name.
    pub name: String,
    /// The partner that manages it, if any.
    pub partner: Option<OrganisationId>,
    /// Whether it may trade OTC.
    pub otc: bool,
    /// In a sandbox, whether its webhooks go to its inbox until it sets a URL.
    pub inbox: bool,
}

/// A created organisation, with secrets that are shown once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreatedOrganisation {
    /// The id.
    pub id: OrganisationId,
    /// A key with all scopes.
    pub api_key: String,
    /// A warning about the key's dangerous scopes.
    pub notice: Option<String>,
    /// The signing secret for requests.
    pub signing_secret: String,
}

/// A percentage from 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Percent(Number);

impl FromStr for Percent {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = "a percentage is a number from 0 to 100 with at most ten decimal places";
        let number: Number = text.parse().map_err(|_| error)?;
        let within = (Number::ZERO..=Number::HUNDRED).contains(&number);
        if within && number.to_units(10).is_ok() {
            Ok(Self(number))
        } else {
            Err(error)
        }
    }
}

impl Service {
    /// Creates an organisation with an API key, a signing secret and a webhook key.
    ///
    /// # Errors
    /// If the database failed, or the partner is unknown ([`StoreError::Constraint`]).
    pub fn create_organisation(
        &self,
        database: &mut dyn Database,
        new: &NewOrganisation,
        now: Timestamp,
        seed: Seed,
    ) -> Result<CreatedOrganisation, StoreError> {
        self.transact(database, |database| {
            create(&mut Unit::new(self, database, now, Random::new(seed)), new)
        })
    }

    /// Creates another API key of an organisation, by default with the scopes `read` and `write`; `None` for an unknown
    /// organisation.
    ///
    /// # Errors
    /// If the database failed.
    pub fn create_key(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        (name, scopes): (&str, &[Scope]),
        now: Timestamp,
        seed: Seed,
    ) -> Result<Option<ApiKey>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            if store::organisation::find(unit.database, organisation)?.is_none() {
                return Ok(None);
            }
            let scopes = match scopes {
                [] => api_key::default_scopes(),
                scopes => scopes
                    .iter()
                    .map(|scope| scope.as_str().to_owned())
                    .collect(),
            };
            api_key::create(&mut unit, organisation, name.to_owned(), scopes, None).map(Some)
        })
    }

    /// Suspends an organisation with a kind of suspension, as displayed, or lifts the suspension without one. False for an
    /// unknown organisation.
    ///
    /// A suspended organisation can read and manage settings and keys; it cannot sell, trade or send. Incoming money is still
    /// booked.
    ///
    /// # Errors
    /// If the database failed.
    pub fn suspend(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        kind: Option<&str>,
        now: Timestamp,
        seed: Seed,
    ) -> Result<bool, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            if kind.is_none() {
                // They were suspended too, and their triggers may not recur.
                store::automation::wake_all(unit.database, organisation, now)?;
            }
            change_properties(&mut unit, organisation, |properties| {
                OrganisationProperties {
                    is_suspended: Some(kind.is_some()),
                    suspension_type: kind.map(str::to_owned),
                    ..properties
                }
            })
        })
    }

    /// Records the reviews of an organisation; absent ones stay unchanged. False for an unknown organisation.
    ///
    /// # Errors
    /// If the database failed.
    pub fn set_reviews(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        reviews: &Reviews,
        now: Timestamp,
        seed: Seed,
    ) -> Result<bool, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            review(&mut unit, organisation, reviews)
        })
    }

    /// Sets the service's fees on an account's deposits and payouts, in percent from 0 to 100; an absent one stays unchanged.
    /// False for an unknown account.
    ///
    /// # Errors
    /// If the database failed.
    pub fn set_fees(
        &self,
        database: &mut dyn Database,
        (organisation, account): (OrganisationId, AccountId),
        payin: Option<Percent>,
        payout: Option<Percent>,
        now: Timestamp,
        seed: Seed,
    ) -> Result<bool, StoreError> {
        self.transact(database, |database| {
            let Some(before) = store::account::LISTING.lock(database, organisation, account)?
            else {
                return Ok(false);
            };
            let account = Account {
                payin_fee_pct: payin.map(|pct| pct.0).or(before.payin_fee_pct),
                payout_fee_pct: payout.map(|pct| pct.0).or(before.payout_fee_pct),
                updated_at: now,
                ..before
            };
            store::account::update(database, &account)?;
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            account::record_event(&mut unit, account, EventAction::Updated)?;
            Ok(true)
        })
    }

    /// Adjusts an account's balance against the service's revenue: a positive amount credits the account, a negative one debits
    /// it, as a movement. Returns the error of a refused adjustment.
    ///
    /// # Errors
    /// If the database failed.
    pub fn adjust(
        &self,
        database: &mut dyn Database,
        (organisation, account): (OrganisationId, AccountId),
        (amount, currency): (Amount, &Currency),
        now: Timestamp,
        seed: Seed,
    ) -> Result<Result<(), String>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            match adjust(&mut unit, (organisation, account), (amount, currency)) {
                Ok(()) => Ok(Ok(())),
                Err(refusal) => Ok(Err(refusal.into_error("account")?.message)),
            }
        })
    }

    /// Creates a user of an organisation; `None` for an unknown organisation.
    ///
    /// # Errors
    /// If the database failed, or the e-mail address is taken ([`StoreError::Constraint`]).
    pub fn create_person(
        &self,
        database: &mut dyn Database,
        organisation: OrganisationId,
        new: &NewPerson,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Option<UserId>, StoreError> {
        // Outside the transaction: slow by design.
        let password_hash = secret::hash_password(&new.password, &mut Random::second_stream(seed));
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            if store::organisation::lock(unit.database, organisation)?.is_none() {
                return Ok(None);
            }
            member::add(&mut unit, organisation, new, &password_hash).map(Some)
        })
    }

    /// Lets a member operate the installation, or no longer, with immediate effect; `None` for an unknown e-mail address.
    ///
    /// # Errors
    /// If the database failed.
    pub fn set_installation_operator(
        &self,
        database: &mut dyn Database,
        email: &str,
        operates: bool,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Option<UserId>, StoreError> {
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            member::set_installation_operator(&mut unit, email, operates)
        })
    }

    /// Sets a user's password and ends their sessions; `None` for an unknown e-mail address.
    ///
    /// # Errors
    /// If the database failed.
    pub fn set_password(
        &self,
        database: &mut dyn Database,
        email: &str,
        password: &str,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Option<(OrganisationId, UserId)>, StoreError> {
        // Outside the transaction: slow by design.
        let password_hash = secret::hash_password(password, &mut Random::second_stream(seed));
        self.transact(database, |database| {
            let mut unit = Unit::new(self, database, now, Random::new(seed));
            let email = email.to_lowercase();
            let Some(person) = store::person::by_email(unit.database, &email)? else {
                return Ok(None);
            };
            session::set_password(&mut unit, &person, &password_hash, None)?;
            Ok(Some((person.organisation, person.id)))
        })
    }
}

/// Records the reviews of an organisation; false for an unknown one.
pub(crate) fn review(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    reviews: &Reviews,
) -> Result<bool, StoreError> {
    let now = unit.now;
    change_properties(unit, organisation, |properties| OrganisationProperties {
        kyc: reviews.owner(properties.kyc, now),
        kyb: reviews.company(properties.kyb, now),
        ..properties
    })
}

fn change_properties(
    unit: &mut Unit<'_>,
    organisation: OrganisationId,
    change: impl FnOnce(OrganisationProperties) -> OrganisationProperties,
) -> Result<bool, StoreError> {
    let Some(before) = store::organisation::lock(unit.database, organisation)? else {
        return Ok(false);
    };
    let record = Organisation {
        properties: Some(change(before.properties.unwrap_or_default())),
        updated_at: unit.now,
        ..before
    };
    store::organisation::update(unit.database, &record)?;
    event::record(unit, organisation, EventAction::Updated, &record)?;
    Ok(true)
}

/// The operator's reviews of an organisation, in their own words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviews {
    /// The KYC status of the owner.
    pub kyc_status: Option<String>,
    /// The company's name.
    pub company_name: Option<String>,
    /// The KYB status of the company.
    pub kyb_status: Option<String>,
}

impl Reviews {
    fn owner(&self, before: Option<Kyc>, now: Timestamp) -> Option<Kyc> {
        let Some(status) = &self.kyc_status else {
            return before;
        };
        let begun = before.unwrap_or_else(|| Kyc {
            created_at: Some(now.to_string()),
            ..Kyc::default()
        });
        Some(Kyc {
            status: Some(status.clone()),
            ..begun
        })
    }

    fn company(&self, before: Option<Kyb>, now: Timestamp) -> Option<Kyb> {
        if self.company_name.is_none() && self.kyb_status.is_none() {
            return before;
        }
        let begun = before.unwrap_or_else(|| Kyb {
            created_at: Some(now.to_string()),
            ..Kyb::default()
        });
        let info = self.company_name.clone().map(|name| KybInfo {
            company_info: Some(NamedCompany {
                company_name: Some(name),
            }),
        });
        let review = self.kyb_status.clone().map(|answer| KybReview {
            review_date: Some(now.to_string()),
            review_result: Some(KybReviewResult {
                review_answer: Some(answer),
                ..KybReviewResult::default()
            }),
            ..KybReview::default()
        });
        Some(Kyb {
            info: info.or(begun.info),
            review: review.or(begun.review),
            ..begun
        })
    }
}

fn create(unit: &mut Unit<'_>, new: &NewOrganisation) -> Result<CreatedOrganisation, StoreError> {
    let id = OrganisationId::new(unit.now, unit.id_bytes());
    let signing_secret = secret::generate("ss_", &mut unit.random);
    let context = context::signing_secret(id);
    let sealed = unit.seal(&context, signing_secret.as_bytes())?;
    let has_inbox = new.inbox && unit.options().mode.is_sandbox();
    let record = Organisation {
        id,
        name: new.name.clone(),
        logo_url: None,
        owner_user_id: None,
        partner_id: new.partner,
        webhook_url: has_inbox.then(|| INBOX_URL.to_owned()),
        webhook_paused_at: None,
        webhook_public_key: None,
        webhook_key_overlap_until: None,
        signing_secret_overlap_until: None,
        v1: None,
        properties: Some(OrganisationProperties {
            currency: "USD".parse().ok(),
            fee_payer: Some("merchant".to_owned()),
            is_suspended: Some(false),
            ..OrganisationProperties::default()
        }),
        created_at: unit.now,
        updated_at: unit.now,
    };
    store::organisation::insert(unit.database, &record, new.otc, &sealed)?;
    let public_key = organisation::add_webhook_key(unit, id)?;
    let record = Organisation {
        webhook_public_key: Some(public_key),
        ..record
    };
    store::organisation::update(unit.database, &record)?;
    event::record(unit, id, EventAction::Created, &record)?;
    let key = api_key::create(
        unit,
        id,
        "first key".to_owned(),
        api_key::every_scope(),
        None,
    )?;
    Ok(CreatedOrganisation {
        id,
        api_key: key.key.unwrap_or_default(),
        notice: key.notice,
        signing_secret,
    })
}

fn adjust(
    unit: &mut Unit<'_>,
    (organisation, id): (OrganisationId, AccountId),
    (amount, currency): (Amount, &Currency),
) -> Outcome<()> {
    let account = store::account::LISTING
        .lock(unit.database, organisation, id)?
        .filter(|account| account.deleted_at.is_none())
        .ok_or_else(|| Refusal::not_found("account"))?;
    let chain = account.chain_id.ok_or_else(|| {
        Refusal::because(
            Reason::NotSupported,
            "a virtual account holds nothing itself: name the account of one of its chains",
        )
    })?;
    let asset = store::chain::asset(unit.database, chain, currency)?.ok_or_else(|| {
        Refusal::field(
            "currency",
            Reason::NotSupported,
            "is not an asset of the account's chain",
        )
    })?;
    let units = amount
        .to_units(asset.scale)
        .map_err(|error| Refusal::field("amount", error.reason(), error.to_string()))?;
    if units == 0 {
        return Err(Refusal::field(
            "amount",
            Reason::NotPositive,
            "must not be zero",
        ));
    }
    let money = Money {
        currency: currency.clone(),
        units,
    };
    match book::adjust(unit, &account, &money) {
        Err(Refusal::Because {
            reason: Reason::InsufficientFunds,
            ..
        }) if units > 0 => Err(Refusal::because(
            Reason::InsufficientFunds,
            "the service has taken less than that from the organisation in this currency on this chain",
        )),
        outcome => outcome,
    }
}
