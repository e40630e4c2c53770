//! The routing table: every operation of the API with its handler.

use std::sync::{Arc, OnceLock};

use http::{Method, Request};
use matchit::Router as Paths;
use serde_json::Value;
use settlekit_core::PREFIX;
use settlekit_core::call::Call;
use settlekit_core::catalogue::{self, Description};
use settlekit_core::envelope::wrap;
use settlekit_core::error::Reason;
use settlekit_core::operation::Operation;
use settlekit_core::validate::Report;
use settlekit_core::x402::{
    GetX402Resource, ListX402Kinds, PreflightX402Resource, SettleX402, VerifyX402,
};

use crate::resources::{
    account, api_key, automation, chain, checkout, customer, event, external_account, find,
    installation, invoice, member, note, organisation, overview, partner, paylink, payment, payout,
    plan, quote, rate, saved_view, session, subscription, trade, x402,
};
use crate::sandbox;
use crate::secret::password::{PasswordTask, Prepared};
use crate::store::sql::StoreError;
use crate::unit::caller::Caller;
use crate::unit::{Outcome, PasswordLookup, Received, Refusal, Unit};

/// Finds the stored hash for a request's password.
type FindPassword<O> = fn(PasswordLookup<'_>, &Call<O>) -> Result<PasswordTask, StoreError>;

/// The handler of an operation with a password.
type Slow<O> =
    fn(&mut Unit<'_>, Call<O>, Option<Caller>, Prepared) -> Outcome<<O as Operation>::Response>;

type Run = Box<dyn Fn(&mut Unit<'_>, Option<Caller>, Prepared) -> Outcome<Vec<u8>> + Send + Sync>;

type Find = Box<dyn Fn(PasswordLookup<'_>) -> Result<PasswordTask, StoreError> + Send + Sync>;

/// A decoded call with its handler, which may run again with its transaction.
pub(crate) struct Action {
    pub(crate) run: Run,
    /// For an operation with a password.
    pub(crate) find_password: Option<Find>,
    /// Whether it writes, if its description does not say.
    pub(crate) writes: Option<bool>,
}

type Decode = Box<dyn Fn(&Request<Vec<u8>>, &Params) -> Result<Action, Report> + Send + Sync>;

pub(crate) type Params = Vec<(String, String)>;

/// An operation with its decoder.
pub(crate) struct Route {
    pub(crate) description: &'static Description,
    pub(crate) hashes_password: bool,
    /// Decodes the request's path, query and body.
    pub(crate) decode: Decode,
}

/// A matched route with its decoded path parameters.
pub(crate) struct Found {
    pub(crate) route: &'static Route,
    pub(crate) params: Params,
}

struct Table {
    paths: Paths<Vec<Route>>,
}

impl Table {
    /// Adds an operation by id.
    fn add(mut self, id: &'static str, hashes_password: bool, decode: Decode) -> Self {
        let mut x402 = catalogue::X402.iter();
        let description = catalogue::find(id).or_else(|| x402.find(|known| known.id == id));
        let description = description.expect("every operation is in the catalogue");
        let path = format!("{PREFIX}{}", description.path);
        let route = Route {
            description,
            hashes_password,
            decode,
        };
        match self.paths.at_mut(&path) {
            // The template matches itself only if it was inserted before.
            Ok(found)
                if found
                    .value
                    .first()
                    .is_some_and(|first| first.description.path == description.path) =>
            {
                found.value.push(route)
            }
            _ => self
                .paths
                .insert(path, vec![route])
                .expect("paths do not contradict each other"),
        }
        self
    }

    /// Adds an operation with an authenticated caller.
    fn serve<O: Operation>(
        self,
        run: fn(&mut Unit<'_>, Received<O>) -> Outcome<O::Response>,
    ) -> Self {
        let decode = move |request: &Request<Vec<u8>>, params: &Params| {
            let call = decode::<O>(request, params)?;
            let run = move |unit: &mut Unit<'_>, caller: Option<Caller>, _| {
                let caller = caller.ok_or_else(missing_credentials)?;
                let Call { path, query, body } = copy(&call);
                let received = Received {
                    caller,
                    path,
                    query,
                    body,
                };
                encode::<O>(&run(unit, received)?)
            };
            Ok(Action {
                run: Box::new(run),
                find_password: None,
                writes: None,
            })
        };
        self.add(O::ID, false, Box::new(decode))
    }

    /// Adds a public operation.
    fn serve_public<O: Operation>(
        self,
        run: fn(&mut Unit<'_>, Call<O>) -> Outcome<O::Response>,
    ) -> Self {
        let decode = move |request: &Request<Vec<u8>>, params: &Params| {
            let call = decode::<O>(request, params)?;
            let run = move |unit: &mut Unit<'_>, _, _| encode::<O>(&run(unit, copy(&call))?);
            Ok(Action {
                run: Box::new(run),
                find_password: None,
                writes: None,
            })
        };
        self.add(O::ID, false, Box::new(decode))
    }

    /// Adds the paylink as a resource of x402, whose payment is a header.
    fn serve_resource(self) -> Self {
        let decode = |request: &Request<Vec<u8>>, params: &Params| {
            let paylink = decode::<GetX402Resource>(request, params)?.path.paylink_id;
            let payment = x402::payment_header(request.headers());
            let writes = Some(payment.is_some());
            let run = move |unit: &mut Unit<'_>, _, _| {
                x402::get_resource(unit, paylink, payment.as_deref())
            };
            Ok(Action {
                run: Box::new(run),
                find_password: None,
                writes,
            })
        };
        self.add(GetX402Resource::ID, false, Box::new(decode))
    }

    /// Adds the answer to browsers whose pages want to pay a paylink.
    fn serve_preflight(self) -> Self {
        let decode = |request: &Request<Vec<u8>>, params: &Params| {
            decode::<PreflightX402Resource>(request, params)?;
            Ok(Action {
                run: Box::new(|unit, _, _| x402::preflight(unit)),
                find_password: None,
                writes: Some(false),
            })
        };
        self.add(PreflightX402Resource::ID, false, Box::new(decode))
    }

    /// Adds an endpoint of the facilitator of x402.
    fn serve_facilitator<O: Operation>(
        self,
        writes: bool,
        run: fn(&mut Unit<'_>, &Caller, &Value) -> Outcome<Vec<u8>>,
    ) -> Self {
        let decode = move |request: &Request<Vec<u8>>, _: &Params| {
            check_size(request.body(), O::AUTH.body_bytes_max())?;
            let body = match O::METHOD {
                Method::GET => Value::Null,
                _ => read_json(request.body())?,
            };
            let run = move |unit: &mut Unit<'_>, caller: Option<Caller>, _| {
                let caller = caller.ok_or_else(missing_credentials)?;
                run(unit, &caller, &body)
            };
            Ok(Action {
                run: Box::new(run),
                find_password: None,
                writes: Some(writes),
            })
        };
        self.add(O::ID, false, Box::new(decode))
    }

    /// Adds an operation with a password, which is hashed before the writer's turn.
    fn serve_slow<O: Operation>(self, find: FindPassword<O>, run: Slow<O>) -> Self {
        let decode = move |request: &Request<Vec<u8>>, params: &Params| {
            let call = Arc::new(decode::<O>(request, params)?);
            let asked = Arc::clone(&call);
            let find_password = move |lookup: PasswordLookup<'_>| find(lookup, &asked);
            let run = move |unit: &mut Unit<'_>, caller: Option<Caller>, prepared: Prepared| {
                encode::<O>(&run(unit, copy(&call), caller, prepared)?)
            };
            Ok(Action {
                run: Box::new(run),
                find_password: Some(Box::new(find_password)),
                writes: None,
            })
        };
        self.add(O::ID, true, Box::new(decode))
    }
}

fn decode<O: Operation>(
    request: &Request<Vec<u8>>,
    params: &[(String, String)],
) -> Result<Call<O>, Report> {
    check_size(request.body(), O::AUTH.body_bytes_max())?;
    Call::from_http(request, &|name| param(params, name))
}

fn check_size(body: &[u8], bytes_max: usize) -> Result<(), Report> {
    let mut report = Report::default();
    if body.len() > bytes_max {
        let message = format!("the body is larger than {bytes_max} bytes");
        report.refuse(Reason::BodyTooLarge, message);
        return Err(report);
    }
    Ok(())
}

fn read_json(body: &[u8]) -> Result<Value, Report> {
    serde_json::from_slice(body).map_err(|error| {
        let mut report = Report::default();
        report.refuse(
            Reason::RequestMalformed,
            format!("the body is not JSON: {error}"),
        );
        report
    })
}

fn param(params: &[(String, String)], name: &str) -> Option<String> {
    let mut params = params.iter();
    let found = params.find(|(given, _)| given == name);
    found.map(|(_, value)| value.clone())
}

// Not repeated in the code of each operation.
#[cold]
fn missing_credentials() -> Refusal {
    Refusal::because(Reason::CredentialsMissing, "credentials are missing")
}

#[cold]
fn unwritable(operation: &str, error: &serde_json::Error) -> Refusal {
    let reason = format!("{operation} cannot be written: {error}");
    Refusal::Store(crate::StoreError::Broken(reason))
}

fn copy<O: Operation>(call: &Call<O>) -> Call<O> {
    Call {
        path: call.path.clone(),
        query: call.query.clone(),
        body: call.body.clone(),
    }
}

fn encode<O: Operation>(response: &O::Response) -> Outcome<Vec<u8>> {
    wrap(O::WIRE, response, "ok").map_err(|error| unwritable(O::ID, &error))
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        Table {
            paths: Paths::new(),
        }
        .serve(account::create_account)
        .serve(account::get_account)
        .serve(account::list_accounts)
        .serve(account::list_balances)
        .serve(account::get_movement)
        .serve(account::list_all_movements)
        .serve(account::list_movements)
        .serve(account::create_pay_in_address)
        .serve(account::create_virtual_account)
        .serve(account::delete_account)
        .serve(account::list_pay_in_addresses)
        .serve(account::create_ownership_challenge)
        .serve(account::prove_ownership)
        .serve(account::update_virtual_account)
        .serve(api_key::create_api_key)
        .serve(api_key::list_api_keys)
        .serve(api_key::revoke_api_key)
        .serve(automation::convert_balance)
        .serve(automation::delete_automation)
        .serve(automation::list_automations)
        .serve(automation::maintain_balance)
        .serve(automation::update_automation)
        .serve(chain::list_chains)
        .serve_public(checkout::get_checkout)
        .serve_public(checkout::get_checkout_payment)
        .serve_public(checkout::start_checkout)
        .serve_public(checkout::pay_from_test_wallet)
        .serve_public(checkout::authorize_payment)
        .serve(customer::list_customers)
        .serve(customer::get_customer)
        .serve(customer::update_customer)
        .serve(event::get_event)
        .serve(event::list_attempts)
        .serve(event::list_events)
        .serve(event::retry_event)
        .serve(event::cancel_replay)
        .serve(event::count_replay)
        .serve(event::create_replay)
        .serve(event::create_test_event)
        .serve(event::get_replay)
        .serve(external_account::create_external_account)
        .serve(external_account::delete_external_account)
        .serve(external_account::get_external_account)
        .serve(external_account::list_external_accounts)
        .serve(find::find_records)
        .serve(installation::create_wallet_link)
        .serve(installation::delete_wallet_link)
        .serve(installation::list_hot_wallets)
        .serve(installation::list_installation_chains)
        .serve(installation::list_outgoing_transactions)
        .serve(installation::list_unswept_proxies)
        .serve(installation::list_wallet_links)
        .serve(installation::raise_transaction_fee)
        .serve(installation::restore_wallet_links)
        .serve(installation::update_installation_chain)
        .serve(invoice::create_invoice)
        .serve(invoice::get_invoice)
        .serve(invoice::list_invoices)
        .serve_slow(member::find_new_password, member::accept_invitation)
        .serve(member::invite_member)
        .serve(member::invite_member_again)
        .serve(member::list_members)
        .serve_public(member::open_invitation)
        .serve(member::remove_member)
        .serve(member::update_member)
        .serve(note::create_note)
        .serve(note::delete_note)
        .serve(note::list_notes)
        .serve(organisation::get_organisation)
        .serve(organisation::get_signing_secret)
        .serve(organisation::rotate_signing_secret)
        .serve(organisation::rotate_webhook_key)
        .serve(organisation::update_organisation)
        .serve(overview::get_overview)
        .serve(overview::get_overview_business)
        .serve(overview::get_overview_series)
        .serve(partner::get_partner_account)
        .serve(partner::list_partner_balances)
        .serve(partner::list_sub_merchants)
        .serve(paylink::create_paylink)
        .serve(paylink::delete_paylink)
        .serve(paylink::get_paylink)
        .serve(paylink::list_paylinks)
        .serve(paylink::update_paylinks)
        .serve(payment::cancel_payment)
        .serve(payment::create_payment)
        .serve(payment::get_payment)
        .serve(payment::get_payment_timeline)
        .serve(payment::list_payments)
        .serve(payment::refund_payment)
        .serve(payout::approve_payout)
        .serve(payout::create_payout)
        .serve(payout::estimate_payout)
        .serve(payout::list_payouts)
        .serve(payout::refuse_payout)
        .serve(plan::list_plans)
        .serve(plan::create_plan)
        .serve(plan::get_plan)
        .serve(quote::accept_quote)
        .serve(quote::get_quote)
        .serve(quote::list_quotes)
        .serve(quote::reject_quote)
        .serve(quote::request_quote)
        .serve(rate::list_rate_history)
        .serve(rate::list_rates)
        .serve(sandbox::advance_clock)
        .serve(sandbox::create_deposit)
        .serve(sandbox::create_fault)
        .serve(sandbox::empty_inbox)
        .serve(sandbox::fail_payout)
        .serve(sandbox::list_inbox)
        .serve(sandbox::refuse_order)
        .serve(sandbox::reorganise_chain)
        .serve(sandbox::set_price)
        .serve(saved_view::create_saved_view)
        .serve(saved_view::delete_saved_view)
        .serve(saved_view::list_saved_views)
        .serve(saved_view::update_saved_view)
        .serve_slow(session::find_to_sign_in, session::create_session)
        .serve_slow(session::find_to_step_up, session::create_step_up)
        .serve_slow(session::find_to_change, session::update_password)
        .serve(session::delete_session)
        .serve(session::get_session)
        .serve(session::switch_organisation)
        .serve_resource()
        .serve_preflight()
        .serve_facilitator::<VerifyX402>(false, x402::verify)
        .serve_facilitator::<SettleX402>(true, x402::settle)
        .serve_facilitator::<ListX402Kinds>(false, x402::list_kinds)
        .serve(trade::create_quick_trade)
        .serve(trade::get_currencies)
        .serve(trade::get_order)
        .serve(trade::list_instruments)
        .serve(trade::list_orders)
        .serve(trade::list_tradable_assets)
        .serve(subscription::cancel_subscription)
        .serve(subscription::create_subscription)
        .serve(subscription::get_subscription)
        .serve(subscription::list_subscriptions)
        .serve(subscription::pause_subscription)
        .serve(subscription::resume_subscription)
    })
}

/// Whether an operation has a handler, for the test that compares the router with the catalogue.
pub fn routed(description: &Description) -> bool {
    let path = format!("{PREFIX}{}", description.path);
    table().paths.at(&path).is_ok_and(|found| {
        found
            .value
            .iter()
            .any(|route| route.description.id == description.id)
    })
}

fn methods(routes: &[Route]) -> String {
    let methods: Vec<&str> = routes
        .iter()
        .map(|route| route.description.method.as_str())
        .collect();
    methods.join(", ")
}

/// The methods of a path for `Allow` (RFC 9110, section 10.2.1); `None` if the request's method is one of them, or the path is
/// unknown.
pub(crate) fn allowed(method: &Method, path: &str) -> Option<String> {
    let matched = table().paths.at(path).ok()?;
    let is_one = |route: &Route| route.description.method == method;
    (!matched.value.iter().any(is_one)).then(|| methods(matched.value))
}

/// The route of a request.
pub(crate) fn find(method: &Method, path: &str) -> Result<Found, Refusal> {
    let unknown = || Refusal::because(Reason::PathUnknown, "no operation has this path");
    let matched = table().paths.at(path).map_err(|_| unknown())?;
    let Some(route) = matched
        .value
        .iter()
        .find(|route| route.description.method == method)
    else {
        let message = match method {
            &Method::OPTIONS => "cross-origin requests are not supported".to_owned(),
            _ => format!("this path supports {}", methods(matched.value)),
        };
        return Err(Refusal::because(Reason::MethodNotAllowed, message));
    };
    let params = matched
        .params
        .iter()
        .map(|(name, value)| {
            let text = percent_encoding::percent_decode_str(value).decode_utf8();
            text.map(|text| (name.to_owned(), text.into_owned()))
                .map_err(|_| {
                    Refusal::because(Reason::RequestMalformed, format!("`{name}` is not UTF-8"))
                })
        })
        .collect::<Result<_, _>>()?;
    Ok(Found { route, params })
}
