//! The service's calls as data, for hosts in other languages and for recordings.
//!
//! A step holds everything that a call depends on, so the same steps give the same replies on every target.

use http::{HeaderName, HeaderValue, Method, Request, Response};
use serde::{Deserialize, Serialize};
use settlekit_core::member::Role;
use settlekit_core::value::{AccountId, ChainId, Currency, EventId, OrganisationId, Timestamp};

use crate::Service;
use crate::admin::{NewOrganisation, NewPerson, Percent, Reviews};
use crate::chains::observe::Observation;
use crate::due::delivery::{Message, Outbound, Outcome};
use crate::money::ledger;
use crate::random::Seed;
use crate::store::sql::{Database, StoreError};
use crate::store::transfer_index::TransferIndex;

/// One call with its time and its random bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The host's moment.
    pub now: Timestamp,
    /// 32 bytes in hex.
    pub seed: String,
    /// What is called.
    #[serde(flatten)]
    pub command: Command,
}

/// What can be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Command {
    /// Opens the database in the service's mode and brings it to the latest version.
    Migrate,
    /// Answers a request.
    Answer {
        /// The request.
        request: WireRequest,
    },
    /// Gives the calls that are due.
    Work,
    /// Tells from when on there is work.
    NextDue,
    /// Takes what came of a call.
    Report {
        /// Whose call.
        organisation: OrganisationId,
        /// The event that was delivered.
        event: EventId,
        /// Where it went.
        url: String,
        /// The body that was sent.
        body: String,
        /// What came of it.
        outcome: WireOutcome,
    },
    /// Takes what was seen on a chain.
    Observe {
        /// What was seen.
        observation: WireObservation,
    },
    /// Makes an organisation.
    CreateOrganisation {
        /// For people.
        name: String,
        /// The partner that manages it.
        #[serde(default)]
        partner: Option<OrganisationId>,
        /// Whether it may trade over the counter.
        #[serde(default)]
        otc: bool,
    },
    /// Lets a person sign in.
    CreatePerson {
        /// For whom.
        organisation: OrganisationId,
        /// E-mail address.
        email: String,
        /// For people.
        name: String,
        /// Password.
        password: String,
        /// What they may do; everything when none is given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<Role>,
    },
    /// Suspends an organisation, or without a kind lifts it.
    Suspend {
        /// Whom.
        organisation: OrganisationId,
        /// What people call it.
        #[serde(default)]
        kind: Option<String>,
    },
    /// Writes down what was found out about an organisation; what is not given stays.
    Review {
        /// Whom.
        organisation: OrganisationId,
        /// Where the check of its owner stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kyc_status: Option<String>,
        /// What its company is called.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        company_name: Option<String>,
        /// What the check of the company came to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kyb_status: Option<String>,
    },
    /// Agrees on what the service takes of an account's deposits and payouts, in percent.
    SetFees {
        /// Whose account.
        organisation: OrganisationId,
        /// Which.
        account: AccountId,
        /// Of deposits.
        #[serde(default)]
        payin: Option<String>,
        /// Of payouts.
        #[serde(default)]
        payout: Option<String>,
    },
    /// Computes every balance again.
    Verify,
}

/// A request as data; the body is text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireRequest {
    /// The method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Names in lower case, and values.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The body.
    #[serde(default)]
    pub body: String,
}

/// An answer as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireResponse {
    /// The status.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// What came of an outbound call, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireOutcome {
    /// The receiver answered.
    Answered {
        /// The status.
        status: u16,
        /// The headers.
        #[serde(default)]
        headers: Vec<(String, String)>,
        /// The body.
        #[serde(default)]
        body: String,
        /// How long it took, in milliseconds.
        #[serde(default)]
        duration_ms: u32,
    },
    /// There was no answer.
    Failed {
        /// Why.
        error: String,
        /// How long it took, in milliseconds.
        #[serde(default)]
        duration_ms: u32,
    },
}

/// What was seen on a chain, as data; the amount is in the currency's smallest unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireObservation {
    /// A transfer to an address.
    Deposit {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// Which of the transaction's transfers it is: `value`, `log:N` or `trace:N`.
        #[serde(default)]
        transfer: TransferIndex,
        /// The sender.
        #[serde(default)]
        from: Option<String>,
        /// The receiver.
        to: String,
        /// The currency.
        currency: Currency,
        /// How much, an integer as text.
        units: String,
        /// Blocks on top of it, its own included.
        confirmations: u32,
    },
    /// A transaction will never be confirmed.
    Failed {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// Which of its transfers; every one to the receiver when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transfer: Option<TransferIndex>,
        /// The receiver.
        to: String,
    },
    /// The chain took back the block that held a transaction, which lies in a new one now.
    Reorganised {
        /// The chain.
        chain: ChainId,
        /// The transaction's hash.
        hash: String,
        /// Which of its transfers; every one to the receiver when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        transfer: Option<TransferIndex>,
        /// The receiver.
        to: String,
    },
}

/// What a call gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The answer to a request.
    Response(WireResponse),
    /// From when on there is work; nothing when nothing waits.
    Due(Option<Timestamp>),
    /// The calls to make.
    Outbound(Vec<WireOutbound>),
    /// An organisation, with the secrets that are shown once.
    Organisation {
        /// Its id.
        org_id: OrganisationId,
        /// A key that may do everything.
        api_key: String,
        /// The secret that signs requests.
        signing_secret: String,
    },
    /// What the audit found; nothing when the books balance.
    Differences(Vec<String>),
    /// It is done.
    Done,
    /// It is not done.
    Failed(String),
}

/// A call to make, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireOutbound {
    /// Whose call.
    pub organisation: OrganisationId,
    /// The event that is delivered.
    pub event: EventId,
    /// Where it goes.
    pub url: String,
    /// How long the receiver may take, in milliseconds.
    pub timeout_ms: u64,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl WireRequest {
    fn to_http(&self) -> Result<Request<Vec<u8>>, http::Error> {
        let mut request = Request::builder()
            .method(Method::from_bytes(self.method.as_bytes())?)
            .uri(&self.target);
        for (name, value) in &self.headers {
            request = request.header(
                HeaderName::from_bytes(name.as_bytes())?,
                HeaderValue::from_str(value)?,
            );
        }
        request.body(self.body.clone().into_bytes())
    }
}

fn headers_of(headers: &http::HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            (
                name.to_string(),
                String::from_utf8_lossy(value.as_bytes()).into_owned(),
            )
        })
        .collect()
}

impl From<Response<Vec<u8>>> for WireResponse {
    fn from(response: Response<Vec<u8>>) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: headers_of(response.headers()),
            body: String::from_utf8_lossy(response.body()).into_owned(),
        }
    }
}

impl From<WireOutcome> for Outcome {
    fn from(outcome: WireOutcome) -> Self {
        match outcome {
            WireOutcome::Answered {
                status,
                headers,
                body,
                duration_ms,
            } => Self::Answered {
                status,
                headers,
                body: body.into_bytes(),
                duration_ms,
            },
            WireOutcome::Failed { error, duration_ms } => Self::Failed { error, duration_ms },
        }
    }
}

impl WireObservation {
    fn to_observation(&self) -> Option<Observation> {
        Some(match self.clone() {
            Self::Deposit {
                chain,
                hash,
                transfer,
                from,
                to,
                currency,
                units,
                confirmations,
            } => {
                let units = units.parse().ok()?;
                Observation::Deposit {
                    chain,
                    hash,
                    transfer,
                    from,
                    to,
                    currency,
                    units,
                    confirmations,
                    simulated: false,
                }
            }
            Self::Failed {
                chain,
                hash,
                transfer,
                to,
            } => Observation::Failed {
                chain,
                hash,
                transfer,
                to,
            },
            Self::Reorganised {
                chain,
                hash,
                transfer,
                to,
            } => Observation::Reorganised {
                chain,
                hash,
                transfer,
                to,
            },
        })
    }
}

fn wire_outbound(outbound: &Outbound) -> Result<WireOutbound, StoreError> {
    let request = outbound
        .to_http()
        .map_err(|error| StoreError::Broken(error.to_string()))?;
    Ok(WireOutbound {
        organisation: outbound.message.organisation,
        event: outbound.message.event,
        url: outbound.message.url.clone(),
        timeout_ms: u64::try_from(outbound.timeout.as_millis()).unwrap_or(u64::MAX),
        headers: headers_of(request.headers()),
        body: outbound.message.body.clone(),
    })
}

impl Service {
    /// Makes one call given as data.
    pub fn step(&self, database: &mut dyn Database, step: &Step) -> Reply {
        let Some(seed) = hex::decode(&step.seed)
            .ok()
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
        else {
            return Reply::Failed("the seed must be 32 bytes in hex".to_owned());
        };
        self.reply(database, &step.command, step.now, Seed(seed))
            .unwrap_or_else(|error| Reply::Failed(error.to_string()))
    }

    fn reply(
        &self,
        database: &mut dyn Database,
        command: &Command,
        now: Timestamp,
        seed: Seed,
    ) -> Result<Reply, StoreError> {
        Ok(match command {
            Command::Migrate => {
                crate::store::mode::open(database, self.options().mode)?;
                Reply::Done
            }
            Command::Answer { request } => match request.to_http() {
                Ok(request) => Reply::Response(self.answer(database, &request, now, seed).into()),
                Err(error) => Reply::Failed(format!("the request is malformed: {error}")),
            },
            Command::Work => {
                let due = self.work(database, now, seed)?;
                Reply::Outbound(due.iter().map(wire_outbound).collect::<Result<_, _>>()?)
            }
            Command::NextDue => Reply::Due(self.next_due(database, now)?),
            Command::Report {
                organisation,
                event,
                url,
                body,
                outcome,
            } => {
                let message = Message {
                    organisation: *organisation,
                    event: *event,
                    url: url.clone(),
                    body: body.clone(),
                };
                self.report(database, &message, &outcome.clone().into(), now, seed)?;
                Reply::Done
            }
            Command::Observe { observation } => match observation.to_observation() {
                Some(observation) => {
                    self.observe(database, &observation, now, seed)?;
                    Reply::Done
                }
                None => Reply::Failed("`units` must be an integer".to_owned()),
            },
            Command::CreateOrganisation { name, partner, otc } => {
                let new = NewOrganisation {
                    name: name.clone(),
                    partner: *partner,
                    otc: *otc,
                };
                let made = self.create_organisation(database, &new, now, seed)?;
                Reply::Organisation {
                    org_id: made.id,
                    api_key: made.api_key,
                    signing_secret: made.signing_secret,
                }
            }
            Command::CreatePerson {
                organisation,
                email,
                name,
                password,
                role,
            } => {
                let new = NewPerson {
                    email: email.clone(),
                    name: name.clone(),
                    password: password.clone(),
                    role: role.clone().unwrap_or(Role::Owner),
                };
                match self.create_person(database, *organisation, &new, now, seed)? {
                    Some(_) => Reply::Done,
                    None => Reply::Failed("there is no such organisation".to_owned()),
                }
            }
            Command::Suspend { organisation, kind } => {
                match self.suspend(database, *organisation, kind.as_deref(), now, seed)? {
                    true => Reply::Done,
                    false => Reply::Failed("there is no such organisation".to_owned()),
                }
            }
            Command::Review {
                organisation,
                kyc_status,
                company_name,
                kyb_status,
            } => {
                let reviews = Reviews {
                    kyc_status: kyc_status.clone(),
                    company_name: company_name.clone(),
                    kyb_status: kyb_status.clone(),
                };
                match self.set_reviews(database, *organisation, &reviews, now, seed)? {
                    true => Reply::Done,
                    false => Reply::Failed("there is no such organisation".to_owned()),
                }
            }
            Command::SetFees {
                organisation,
                account,
                payin,
                payout,
            } => {
                let percent = |text: &Option<String>| text.as_deref().map(str::parse).transpose();
                let (payin, payout): (Option<Percent>, Option<Percent>) =
                    match (percent(payin), percent(payout)) {
                        (Ok(payin), Ok(payout)) => (payin, payout),
                        (Err(complaint), _) | (_, Err(complaint)) => {
                            return Ok(Reply::Failed(complaint.to_owned()));
                        }
                    };
                match self.set_fees(
                    database,
                    (*organisation, *account),
                    payin,
                    payout,
                    now,
                    seed,
                )? {
                    true => Reply::Done,
                    false => Reply::Failed("there is no such account".to_owned()),
                }
            }
            Command::Verify => Reply::Differences(
                ledger::verify(database)?
                    .differences
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
            ),
        })
    }
}
