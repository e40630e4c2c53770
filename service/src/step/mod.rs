//! The service's calls as data, for hosts in other languages and for recordings.
//!
//! A step holds all inputs of a call, so the same steps give the same replies on every target. Two recordings show it on
//! SQLite, PostgreSQL and WebAssembly: a payment (`tests/vectors/one_payment.jsonl`) and a real chain
//! (`tests/vectors/one_chain.jsonl`).

#[cfg_attr(
    all(target_family = "wasm", not(feature = "chain-steps")),
    allow(dead_code)
)]
mod chain;
mod chain_reply;

pub use chain::{
    WireAsset, WireBalance, WireBalances, WireBlock, WireBlockId, WireBroadcast, WireConnection,
    WireEstimate, WireMined, WireNodeRequest, WireObserved, WirePendingTransfer, WireTransfer,
};

use http::{HeaderName, HeaderValue, Method, Request, Response};
use serde::{Deserialize, Serialize};
use settlekit_core::member::Role;
use settlekit_core::value::{AccountId, ChainId, EventId, OrganisationId, Timestamp};

use crate::Service;
use crate::admin::{NewOrganisation, NewPerson, Percent, Reviews};
use crate::due::delivery::{DeliveryOutcome, Message, Outbound};
use crate::money::ledger;
use crate::random::Seed;
use crate::store::sql::{Database, StoreError};

/// One call with its time and random bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The host's time.
    pub now: Timestamp,
    /// 32 bytes in hex.
    pub seed: String,
    /// The call.
    #[serde(flatten)]
    pub command: Command,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Command {
    /// Opens the database in the service's mode and migrates it.
    Migrate,
    /// Answers a request.
    Answer {
        /// The request.
        request: WireRequest,
    },
    /// Runs due work and returns the webhook calls to make.
    Work,
    /// The time of the next due work.
    NextDue,
    /// Records the result of a webhook call.
    Report {
        /// The organisation.
        organisation: OrganisationId,
        /// The delivered event.
        event: EventId,
        /// The endpoint.
        url: String,
        /// The sent body.
        body: String,
        /// The result.
        outcome: WireOutcome,
    },
    /// Creates an organisation.
    CreateOrganisation {
        /// The display name.
        name: String,
        /// The partner that manages it.
        #[serde(default)]
        partner: Option<OrganisationId>,
        /// Whether it may trade OTC.
        #[serde(default)]
        otc: bool,
        /// Whether its webhooks go to the sandbox's inbox until it sets a URL.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        inbox: bool,
    },
    /// Creates a user.
    CreatePerson {
        /// The organisation.
        organisation: OrganisationId,
        /// E-mail address.
        email: String,
        /// The display name.
        name: String,
        /// Password.
        password: String,
        /// The role; owner by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<Role>,
    },
    /// Suspends an organisation, or lifts the suspension without a kind.
    Suspend {
        /// The organisation.
        organisation: OrganisationId,
        /// The kind of suspension, as displayed.
        #[serde(default)]
        kind: Option<String>,
    },
    /// Records the reviews of an organisation; absent fields stay unchanged.
    Review {
        /// The organisation.
        organisation: OrganisationId,
        /// The KYC status of its owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kyc_status: Option<String>,
        /// The company's name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        company_name: Option<String>,
        /// The KYB status of the company.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kyb_status: Option<String>,
    },
    /// Sets the service's fees on an account's deposits and payouts, in percent.
    SetFees {
        /// The organisation.
        organisation: OrganisationId,
        /// The account.
        account: AccountId,
        /// On deposits.
        #[serde(default)]
        payin: Option<String>,
        /// On payouts.
        #[serde(default)]
        payout: Option<String>,
    },
    /// Creates the hot wallet from its words, in live mode.
    ImportWallet {
        /// The BIP 39 words.
        words: String,
    },
    /// Connects a chain, in live mode.
    ConnectChain {
        /// The chain.
        connection: WireConnection,
    },
    /// Records a block of a connected chain.
    ObserveBlock {
        /// The block.
        block: WireBlock,
    },
    /// Records the transfers that a node shows in its mempool now.
    ObservePending {
        /// The chain.
        chain: ChainId,
        /// The transfers to watched addresses.
        transfers: Vec<WirePendingTransfer>,
    },
    /// Goes back to a recorded block, which a reorganisation forked from.
    Rewind {
        /// The chain.
        chain: ChainId,
        /// The block.
        to: WireBlockId,
    },
    /// The requests to make to a chain's nodes now.
    NodeRequests {
        /// The chain.
        chain: ChainId,
    },
    /// Records a node's estimate.
    ReportEstimate {
        /// The transaction.
        id: i64,
        /// The answer.
        estimate: WireEstimate,
    },
    /// Records an external signer's answer.
    ReportSignature {
        /// The transaction.
        id: i64,
        /// Its form.
        number: u32,
        /// The signed bytes; absent if it refused.
        #[serde(default)]
        signed: Option<String>,
    },
    /// Records a node's answer to a broadcast.
    ReportBroadcast {
        /// The transaction.
        id: i64,
        /// The hash of its form.
        hash: String,
        /// The answer.
        answer: WireBroadcast,
    },
    /// Records the balances of a merchant's own wallet.
    ReportBalances {
        /// The chain.
        chain: ChainId,
        /// The balances.
        balances: WireBalances,
    },
    /// Audits the books.
    Verify,
}

/// A request as data; the body is text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireRequest {
    /// The method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers; names in lower case.
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
    /// Headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

/// The result of a webhook call, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WireOutcome {
    /// The endpoint responded.
    Answered {
        /// The status.
        status: u16,
        /// The headers.
        #[serde(default)]
        headers: Vec<(String, String)>,
        /// The body.
        #[serde(default)]
        body: String,
        /// The duration in milliseconds.
        #[serde(default)]
        duration_ms: u32,
    },
    /// No response.
    Failed {
        /// The error.
        error: String,
        /// The duration in milliseconds.
        #[serde(default)]
        duration_ms: u32,
    },
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The answer to a request.
    Response(WireResponse),
    /// The time of the next due work; `None` if nothing is scheduled.
    Due(Option<Timestamp>),
    /// The webhook calls to make.
    Outbound(Vec<WireOutbound>),
    /// A new organisation, with secrets that are shown once.
    Organisation {
        /// Its id.
        org_id: OrganisationId,
        /// A key with all scopes.
        api_key: String,
        /// The signing secret for requests.
        signing_secret: String,
    },
    /// The inconsistencies found by the audit; empty if the books balance.
    Differences(Vec<String>),
    /// The address of a new hot wallet.
    Wallet(String),
    /// The outcome of a block, and the failures to log.
    Observed {
        /// The outcome.
        outcome: WireObserved,
        /// For the log.
        failures: Vec<String>,
    },
    /// The requests to make to nodes, and the failures to log.
    NodeRequests {
        /// The requests.
        requests: Vec<WireNodeRequest>,
        /// For the log.
        failures: Vec<String>,
    },
    /// Success, with the failures to log.
    Reported(Vec<String>),
    /// Success.
    Done,
    /// The error.
    Failed(String),
}

/// A webhook call to make, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireOutbound {
    /// The organisation.
    pub organisation: OrganisationId,
    /// The delivered event.
    pub event: EventId,
    /// The endpoint.
    pub url: String,
    /// The timeout in milliseconds.
    pub timeout_ms: u64,
    /// Headers; names in lower case.
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

impl From<WireOutcome> for DeliveryOutcome {
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
    /// Runs one step.
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
            Command::CreateOrganisation {
                name,
                partner,
                otc,
                inbox,
            } => {
                let new = NewOrganisation {
                    name: name.clone(),
                    partner: *partner,
                    otc: *otc,
                    inbox: *inbox,
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
                    installation_operator: false,
                };
                match self.create_person(database, *organisation, &new, now, seed)? {
                    Some(_) => Reply::Done,
                    None => Reply::Failed("no organisation with this id".to_owned()),
                }
            }
            Command::Suspend { organisation, kind } => {
                match self.suspend(database, *organisation, kind.as_deref(), now, seed)? {
                    true => Reply::Done,
                    false => Reply::Failed("no organisation with this id".to_owned()),
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
                    false => Reply::Failed("no organisation with this id".to_owned()),
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
                        (Err(error), _) | (_, Err(error)) => {
                            return Ok(Reply::Failed(error.to_owned()));
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
                    false => Reply::Failed("no account with this id".to_owned()),
                }
            }
            Command::Verify => Reply::Differences(
                ledger::verify(database)?
                    .differences
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
            ),
            command => self.reply_to_chain(database, command, now, seed)?,
        })
    }
}
