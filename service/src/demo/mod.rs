//! A plausible year of a merchant, as a demo.
//!
//! The service's own operations create it with a moving clock and a seed: no row bypasses the rules, and the same seed gives the
//! same year.

mod call;
mod catalogue;
mod club;
mod office;
mod story;

use std::time::Duration;

use serde_json::json;
use settlekit_core::member::Role;
use settlekit_core::sandbox::INBOX_URL;
use settlekit_core::value::Timestamp;

use crate::admin::{CreatedOrganisation, NewOrganisation, NewPerson, Reviews};
use crate::random::{Random, Seed};
use crate::store::sql::{Database, StoreError};
use crate::{Service, store};
use story::{LAST_MINUTES, Story};

/// The demo's sign-in. Sandbox mode only, so it protects nothing of value.
pub const EMAIL: &str = "demo@settlekit.test";

/// The demo's password.
pub const PASSWORD: &str = "settlekit demo";

/// A member with the role operator and the same password.
pub const OPERATOR: &str = "ines@settlekit.test";

/// A member with the role viewer and the same password.
pub const VIEWER: &str = "tom@settlekit.test";

/// The setting for the state of the demo in a database.
const DEMO: &str = "demo";
const BEGUN: &str = "begun";
const MADE: &str = "made";

/// Days of the demo.
const DAYS: u32 = 365;

/// The state of the demo in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoState {
    /// Not created.
    Absent,
    /// Created in part: interrupted.
    Begun,
    /// Complete.
    Made,
}

/// The created demo.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The merchant.
    pub merchant: CreatedOrganisation,
    /// The partner that manages the merchant.
    pub partner: CreatedOrganisation,
}

/// Creates the demo: the year before `now`, one transaction per day. Calls `progress` with the days done and in total.
///
/// # Errors
/// If the database failed. The days done stay, and [`state`] reports [`DemoState::Begun`].
pub fn fill(
    service: &Service,
    database: &mut dyn Database,
    now: Timestamp,
    seed: Seed,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Demo, StoreError> {
    if !service.options().mode.is_sandbox() {
        return Err(StoreError::NotConnected(
            "the demo is play money and needs a sandbox".to_owned(),
        ));
    }
    let day = Duration::from_secs(24 * 60 * 60);
    let start = Timestamp::from_day_number(now.minus(day * DAYS).day_number() + 1);
    let mut random = Random::new(seed);
    let new = |name: &str, partner| NewOrganisation {
        name: name.to_owned(),
        partner,
        otc: true,
        inbox: false,
    };
    service.transact(database, |database| {
        store::setting::write(database, DEMO, BEGUN)
    })?;
    let partner = service.create_organisation(
        database,
        &new("Meridian Partners", None),
        start,
        Seed(random.bytes()),
    )?;
    let merchant = service.create_organisation(
        database,
        &new("Northlight Coffee Roasters", Some(partner.id)),
        start,
        Seed(random.bytes()),
    )?;
    let mut people = Random::new(Seed(random.bytes()));
    let reviews = Reviews {
        kyc_status: Some("Approved".to_owned()),
        company_name: Some("Northlight Coffee Roasters Ltd".to_owned()),
        kyb_status: Some("Approved".to_owned()),
    };
    service.set_reviews(database, merchant.id, &reviews, start, Seed(people.bytes()))?;
    let mut story = Story::new(service, &mut *database, &merchant, &partner, start, random);
    story.within(Story::open_shop)?;
    let last = now.minus(LAST_MINUTES);
    for number in 0..DAYS {
        let begins = start.plus(day * number);
        if begins >= last {
            break;
        }
        let ends = begins.plus(day).min(last);
        story.within(|story| story.day(number, begins, ends))?;
        progress(number + 1, DAYS);
    }
    story.within(|story| {
        story.last_minutes(now)?;
        // The endpoint of the story does not exist. What is pending goes to the inbox.
        let settings = json!({ "webhook_url": INBOX_URL });
        story.call("PUT", "/v1/orgs", &settings).map(drop)
    })?;
    // Last, so that nobody can sign in to an incomplete demo.
    for (email, name, role) in [
        (EMAIL, "Robin Hale", Role::Owner),
        (OPERATOR, "Ines Duarte", Role::Operator),
        (VIEWER, "Tom Okafor", Role::Viewer),
    ] {
        let person = NewPerson {
            email: email.to_owned(),
            name: name.to_owned(),
            password: PASSWORD.to_owned(),
            role,
            installation_operator: false,
        };
        service.create_person(database, merchant.id, &person, now, Seed(people.bytes()))?;
    }
    service.transact(database, |database| {
        store::setting::write(database, DEMO, MADE)
    })?;
    Ok(Demo { merchant, partner })
}

/// As [`fill`], in one transaction: an interrupted demo leaves nothing.
///
/// # Errors
/// If the database failed.
pub fn fill_at_once(
    service: &Service,
    database: &mut dyn Database,
    now: Timestamp,
    seed: Seed,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Demo, StoreError> {
    service.transact(database, |database| {
        fill(service, database, now, seed, progress)
    })
}

/// The state of the demo in a database.
///
/// # Errors
/// If the database failed.
pub fn state(database: &mut dyn Database) -> Result<DemoState, StoreError> {
    Ok(match store::setting::read(database, DEMO)?.as_deref() {
        None => DemoState::Absent,
        Some(MADE) => DemoState::Made,
        Some(_) => DemoState::Begun,
    })
}
