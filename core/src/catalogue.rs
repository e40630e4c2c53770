//! List of all operations. Router, clients, documents and generic tests are derived from it.

use http::{Method, Response, StatusCode};
use serde_json::Value;

use crate::call::{Failure, Outline, read};
use crate::field::{Body, Query};
use crate::operation::{Auth, Operation, PathParams, Scope, Wire};
use crate::{
    account, api_key, automation, chain, checkout, customer, event, external_account, find,
    installation, invoice, member, note, organisation, overview, partner, paylink, payment, payout,
    plan, quote, rate, sandbox, saved_view, session, subscription, trade, x402,
};

/// Decodes a response and returns its record as JSON.
pub type Check = fn(&Response<Vec<u8>>) -> Result<Value, Failure>;

/// An operation without its types.
#[derive(Debug, Clone)]
pub struct Description {
    /// Type name, `CreatePaylink`.
    pub id: &'static str,
    /// Resource.
    pub room: &'static str,
    /// Description; its first line is the summary.
    pub summary: &'static str,
    /// HTTP method.
    pub method: Method,
    /// Path below the version prefix.
    pub path: &'static str,
    /// Required authentication.
    pub auth: Auth,
    /// Shape of the response body.
    pub wire: Wire,
    /// Status code on success.
    pub success: StatusCode,
    /// Required scope.
    pub scope: Scope,
    /// Whether a partner may call it for a sub-merchant.
    pub delegated: bool,
    /// Whether a session needs a fresh step-up token.
    pub step_up: bool,
    /// Whether it exists in sandbox mode only.
    pub sandbox: bool,
    /// Whether it writes although its method is GET.
    pub writes: bool,
    /// Whether its content may send money to a destination outside the service.
    pub outflow: bool,
    /// Deprecation date, Unix seconds.
    pub deprecated: Option<i64>,
    /// Path parameters.
    pub path_params: &'static [&'static str],
    /// Query parameters.
    pub query_params: &'static [&'static str],
    /// Body fields.
    pub body_fields: &'static [&'static str],
    /// Builds requests from loosely typed arguments.
    pub outline: Outline,
    /// Decodes a response; fails if the record cannot be read.
    pub check: Check,
    /// JSON Schemas for the documents.
    #[cfg(feature = "schema")]
    pub schemas: fn(&mut schemars::SchemaGenerator) -> crate::openapi::schemas::Schemas,
}

const fn describe<O: Operation>() -> Description {
    Description {
        id: O::ID,
        room: O::ROOM,
        summary: O::SUMMARY,
        method: O::METHOD,
        path: O::PATH,
        auth: O::AUTH,
        wire: O::WIRE,
        success: O::SUCCESS,
        scope: O::SCOPE,
        delegated: O::DELEGATED,
        step_up: O::STEP_UP,
        sandbox: O::SANDBOX,
        writes: O::WRITES,
        outflow: O::OUTFLOW,
        deprecated: O::DEPRECATED,
        path_params: O::Path::NAMES,
        query_params: O::Query::FIELDS,
        body_fields: O::Body::FIELDS,
        outline: Outline::of::<O>(),
        check: |response| {
            let record = read::<O>(response)?;
            serde_json::to_value(record).map_err(|error| Failure::Unreadable {
                status: response.status().as_u16(),
                message: error.to_string(),
            })
        },
        #[cfg(feature = "schema")]
        schemas: crate::openapi::schemas::schemas::<O>,
    }
}

macro_rules! catalogue {
    ($($room:ident::$operation:ident),+ $(,)?) => {
        /// All operations, grouped by room.
        pub static CATALOGUE: &[Description] = &[$(describe::<$room::$operation>()),+];

        /// Runs code once per operation, with `$operation` as the type.
        #[macro_export]
        macro_rules! for_each_operation {
            ($visit:ident) => { $($visit!($crate::$room::$operation);)+ };
        }
    };
}

catalogue![
    account::CreateAccount,
    account::CreateOwnershipChallenge,
    account::CreatePayInAddress,
    account::CreateVirtualAccount,
    account::DeleteAccount,
    account::GetAccount,
    account::GetMovement,
    account::ListAccounts,
    account::ListAllMovements,
    account::ListBalances,
    account::ListMovements,
    account::ListPayInAddresses,
    account::ProveOwnership,
    account::UpdateVirtualAccount,
    api_key::CreateApiKey,
    api_key::ListApiKeys,
    api_key::RevokeApiKey,
    automation::ConvertBalance,
    automation::DeleteAutomation,
    automation::ListAutomations,
    automation::MaintainBalance,
    automation::UpdateAutomation,
    chain::ListChains,
    checkout::GetCheckout,
    checkout::GetCheckoutPayment,
    checkout::PayFromTestWallet,
    checkout::AuthorizePayment,
    checkout::StartCheckout,
    customer::GetCustomer,
    customer::ListCustomers,
    customer::UpdateCustomer,
    event::CancelReplay,
    event::CountReplay,
    event::CreateReplay,
    event::CreateTestEvent,
    event::GetEvent,
    event::GetReplay,
    event::ListAttempts,
    event::ListEvents,
    event::RetryEvent,
    external_account::CreateExternalAccount,
    external_account::DeleteExternalAccount,
    external_account::GetExternalAccount,
    external_account::ListExternalAccounts,
    find::FindRecords,
    installation::CreateWalletLink,
    installation::DeleteWalletLink,
    installation::ListHotWallets,
    installation::ListInstallationChains,
    installation::ListOutgoingTransactions,
    installation::ListUnsweptProxies,
    installation::ListWalletLinks,
    installation::RaiseTransactionFee,
    installation::RestoreWalletLinks,
    installation::UpdateInstallationChain,
    invoice::CreateInvoice,
    invoice::GetInvoice,
    invoice::ListInvoices,
    member::AcceptInvitation,
    member::InviteMember,
    member::InviteMemberAgain,
    member::ListMembers,
    member::OpenInvitation,
    member::RemoveMember,
    member::UpdateMember,
    note::CreateNote,
    note::DeleteNote,
    note::ListNotes,
    organisation::GetOrganisation,
    organisation::GetSigningSecret,
    organisation::RotateSigningSecret,
    organisation::RotateWebhookKey,
    organisation::UpdateOrganisation,
    overview::GetOverview,
    overview::GetOverviewBusiness,
    overview::GetOverviewSeries,
    partner::GetPartnerAccount,
    partner::ListPartnerBalances,
    partner::ListSubMerchants,
    paylink::CreatePaylink,
    paylink::DeletePaylink,
    paylink::GetPaylink,
    paylink::ListPaylinks,
    paylink::UpdatePaylinks,
    payment::CancelPayment,
    payment::CreatePayment,
    payment::GetPayment,
    payment::GetPaymentTimeline,
    payment::ListPayments,
    payment::RefundPayment,
    payout::ApprovePayout,
    payout::CreatePayout,
    payout::EstimatePayout,
    payout::ListPayouts,
    payout::RefusePayout,
    plan::CreatePlan,
    plan::GetPlan,
    plan::ListPlans,
    quote::AcceptQuote,
    quote::GetQuote,
    quote::ListQuotes,
    quote::RejectQuote,
    quote::RequestQuote,
    rate::ListRateHistory,
    rate::ListRates,
    sandbox::AdvanceClock,
    sandbox::CreateDeposit,
    sandbox::CreateFault,
    sandbox::EmptyInbox,
    sandbox::FailPayout,
    sandbox::ListInbox,
    sandbox::RefuseOrder,
    sandbox::ReorganiseChain,
    sandbox::SetPrice,
    saved_view::CreateSavedView,
    saved_view::DeleteSavedView,
    saved_view::ListSavedViews,
    saved_view::UpdateSavedView,
    session::CreateSession,
    session::CreateStepUp,
    session::DeleteSession,
    session::GetSession,
    session::SwitchOrganisation,
    session::UpdatePassword,
    subscription::CancelSubscription,
    subscription::CreateSubscription,
    subscription::GetSubscription,
    subscription::ListSubscriptions,
    subscription::PauseSubscription,
    subscription::ResumeSubscription,
    trade::CreateQuickTrade,
    trade::GetCurrencies,
    trade::GetOrder,
    trade::ListInstruments,
    trade::ListOrders,
    trade::ListTradableAssets,
];

/// The endpoints of x402, whose shapes are not the contract's: documents and clients leave them out.
pub static X402: &[Description] = &[
    describe::<x402::GetX402Resource>(),
    describe::<x402::PreflightX402Resource>(),
    describe::<x402::VerifyX402>(),
    describe::<x402::SettleX402>(),
    describe::<x402::ListX402Kinds>(),
];

/// Finds an operation by its type name.
pub fn find(id: &str) -> Option<&'static Description> {
    CATALOGUE.iter().find(|description| description.id == id)
}
