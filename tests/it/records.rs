//! Every record of the contract, with every field present, survives a round trip through JSON.
//!
//! The samples come from the records' own schemas, so new fields are included.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use settlekit_core::account::{
    Account, AccountBalance, AccountSummary, DepositSplit, Movement, OwnershipChallenge,
    PayInAddress, VirtualChain,
};
use settlekit_core::api_key::ApiKey;
use settlekit_core::automation::{
    Automation, AutomationCondition, AutomationSchedule, MaintainedBalance,
};
use settlekit_core::chain::{Asset, Chain, ChainDetail, PayerFees};
use settlekit_core::checkout::{
    ApproximateAmount, AuthorizationRequest, Checkout, CheckoutOption, CheckoutPayment, Collect,
    Merchant, QrCode, UnsignedTransaction, WalletLink,
};
use settlekit_core::customer::{Customer, CustomerItem};
use settlekit_core::envelope::ErrorEnvelope;
use settlekit_core::error::{ApiError, ErrorDetail};
use settlekit_core::event::{Attempt, Event, Replay, ReplayCount};
use settlekit_core::external_account::ExternalAccount;
use settlekit_core::find::Found;
use settlekit_core::installation::{
    ChainComparison, ChainReport, GasMoney, HotWallet, HotWalletHolding, InstallationChain,
    OutgoingTransaction, OutgoingTransactionList, ProviderReport, UnconfiguredToken, Unswept,
    UnsweptProxy, UnsweptProxyList, WalletLinkTemplate,
};
use settlekit_core::invoice::Invoice;
use settlekit_core::member::{Invitation, Member};
use settlekit_core::note::Note;
use settlekit_core::openapi;
use settlekit_core::organisation::{
    CheckoutStyle, Kyb, KybInfo, KybReview, KybReviewResult, Kyc, LocalizedText, NamedCompany,
    Organisation, OrganisationProperties, ResolvedCheckoutStyle, SigningSecret, UnderpayThresholds,
};
use settlekit_core::overview::{
    CurrencyTotal, DayVolume, Overview, OverviewAccount, OverviewBalance, OverviewBusiness,
    OverviewSeries, SeriesPart, SeriesPoint,
};
use settlekit_core::page::StatusCount;
use settlekit_core::partner::{Balance, Balances, SubMerchant};
use settlekit_core::paylink::{
    AfterCompletion, Paylink, PaylinkDay, PaylinkMetadata, PaylinkPlanUpdate, PaylinkStatistics,
    PaylinkUpdate,
};
use settlekit_core::payment::{
    CryptoTransaction, Payment, PaymentTimelineEntry, PayoutApproval, PayoutSplit,
    PreparedTransaction, TimelineEntry, TimelineEvent, TimelineRefund, TimelineTransaction,
    TransactionSummary, TransferLog,
};
use settlekit_core::payout::PayoutEstimate;
use settlekit_core::plan::Plan;
use settlekit_core::quote::{
    DepositInstruction, Quote, QuoteAsset, QuoteFees, QuoteRate, SettlementInstruction,
};
use settlekit_core::rate::{HourlyRate, Rate, RateList, RateSource, SourceRate};
use settlekit_core::sandbox::{
    Clock, Deposit, EmptiedInbox, Fault, InboxHeader, InboxMessage, SimulatedPrice,
};
use settlekit_core::saved_view::SavedView;
use settlekit_core::session::{Membership, Session, StepUp, User};
use settlekit_core::subscription::{Subscription, SubscriptionItem};
use settlekit_core::trade::{
    Instrument, QuickTrade, TradableAsset, TradeCurrencies, TradeCurrency,
};

use crate::documents::current;

/// Records nest recursively: below this depth only required fields are set.
const DEPTH_MAX: u32 = 4;

/// A value with every field of a schema set.
fn sample(schema: &Value, definitions: &Map<String, Value>, depth: u32) -> Value {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.strip_prefix("#/$defs/").unwrap_or(path);
        return sample(&definitions[name], definitions, depth);
    }
    if let Some(example) = schema["examples"].get(0).or_else(|| schema["enum"].get(0)) {
        return example.clone();
    }
    for choice in ["anyOf", "oneOf", "allOf"] {
        let choices = schema[choice].as_array().into_iter().flatten();
        if let Some(chosen) = choices.into_iter().find(|choice| choice["type"] != "null") {
            return sample(chosen, definitions, depth);
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| **kind != "null").cloned(),
        kind => Some(kind.clone()),
    };
    match kind.as_ref().and_then(Value::as_str) {
        Some("object") => {
            let empty = Map::new();
            let properties = schema["properties"].as_object().unwrap_or(&empty);
            if properties.is_empty() {
                return json!({ "free": { "of": ["form", 1, null] } });
            }
            let required: Vec<&str> = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            properties
                .iter()
                .filter(|(name, _)| depth < DEPTH_MAX || required.contains(&name.as_str()))
                .map(|(name, schema)| (name.clone(), sample(schema, definitions, depth + 1)))
                .collect()
        }
        Some("array") => json!([sample(&schema["items"], definitions, depth)]),
        Some("string") if schema["format"] == "date-time" => json!("2026-11-21T09:30:00.123456Z"),
        Some("string") if schema["format"] == "decimal" => json!("1234567890.50"),
        Some("string") => json!("text"),
        Some("integer") => json!(7),
        Some("number") => serde_json::from_str("0.10").expect("a number"),
        Some("boolean") => json!(true),
        _ => json!({ "anything": ["at", "all"] }),
    }
}

/// The sample with its name.
fn check<T: JsonSchema + Serialize + DeserializeOwned>() -> Value {
    let name = T::schema_name();
    let mut generator = SchemaGenerator::default();
    let schema = serde_json::to_value(generator.root_schema_for::<T>()).expect("JSON");
    let mut definitions = schema["$defs"].as_object().cloned().unwrap_or_default();
    // A recursive record refers to the root.
    definitions.insert("#".to_owned(), schema.clone());
    let given = sample(&schema, &definitions, 0);
    let known = schema["properties"].as_object().expect("properties").len();
    assert_eq!(
        given.as_object().map(Map::len),
        Some(known),
        "{name}: a field is not in the sample"
    );
    let read: T = serde_json::from_value(given.clone())
        .unwrap_or_else(|error| panic!("{name} cannot be read: {error}\n{given}"));
    assert_eq!(serde_json::to_value(&read).expect("JSON"), given, "{name}");

    let mut newer = given.clone();
    newer["a_field_of_a_later_version"] = json!([1]);
    let read: T = serde_json::from_value(newer).expect("what is not known is no hindrance");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), given, "{name}");

    // Each required field is really required.
    for field in schema["required"].as_array().into_iter().flatten() {
        let mut less = given.clone();
        less.as_object_mut()
            .expect("an object")
            .remove(field.as_str().expect("a name"));
        assert!(
            serde_json::from_value::<T>(less).is_err(),
            "{name} without {field}"
        );
    }
    json!({ "record": name, "sample": given })
}

macro_rules! check_each {
    ($($record:ty),+ $(,)?) => { [$(check::<$record>()),+] };
}

#[test]
fn every_record_survives_a_round_trip_with_all_fields() {
    let samples = check_each![
        Account,
        AccountBalance,
        AccountSummary,
        AfterCompletion,
        ApiError,
        ApiKey,
        ApproximateAmount,
        Asset,
        Attempt,
        AuthorizationRequest,
        Automation,
        AutomationCondition,
        AutomationSchedule,
        Balance,
        Balances,
        Chain,
        ChainComparison,
        ChainDetail,
        ChainReport,
        Checkout,
        CheckoutOption,
        CheckoutPayment,
        CheckoutStyle,
        Clock,
        Collect,
        CryptoTransaction,
        CurrencyTotal,
        Customer,
        CustomerItem,
        DayVolume,
        Deposit,
        DepositInstruction,
        DepositSplit,
        EmptiedInbox,
        ErrorDetail,
        ErrorEnvelope,
        Event,
        ExternalAccount,
        Fault,
        Found,
        GasMoney,
        HotWallet,
        HotWalletHolding,
        HourlyRate,
        InboxHeader,
        InboxMessage,
        InstallationChain,
        Instrument,
        Invitation,
        Invoice,
        Kyb,
        KybInfo,
        KybReview,
        KybReviewResult,
        Kyc,
        LocalizedText,
        MaintainedBalance,
        Member,
        Membership,
        Merchant,
        Movement,
        NamedCompany,
        Note,
        Organisation,
        OrganisationProperties,
        OutgoingTransaction,
        OutgoingTransactionList,
        Overview,
        OverviewAccount,
        OverviewBalance,
        OverviewBusiness,
        OverviewSeries,
        OwnershipChallenge,
        PayInAddress,
        Paylink,
        PaylinkDay,
        PaylinkMetadata,
        PaylinkPlanUpdate,
        PaylinkStatistics,
        PaylinkUpdate,
        PayerFees,
        Payment,
        PaymentTimelineEntry,
        PayoutApproval,
        PayoutEstimate,
        PayoutSplit,
        PreparedTransaction,
        Plan,
        ProviderReport,
        QrCode,
        QuickTrade,
        Quote,
        QuoteAsset,
        QuoteFees,
        QuoteRate,
        Rate,
        RateList,
        RateSource,
        Replay,
        ReplayCount,
        ResolvedCheckoutStyle,
        SavedView,
        SeriesPart,
        SeriesPoint,
        Session,
        SettlementInstruction,
        SigningSecret,
        SimulatedPrice,
        SourceRate,
        StatusCount,
        StepUp,
        SubMerchant,
        Subscription,
        SubscriptionItem,
        TimelineEntry,
        TimelineEvent,
        TimelineRefund,
        TimelineTransaction,
        TradableAsset,
        TradeCurrencies,
        TradeCurrency,
        TransactionSummary,
        TransferLog,
        UnderpayThresholds,
        UnsignedTransaction,
        UnconfiguredToken,
        Unswept,
        UnsweptProxy,
        UnsweptProxyList,
        User,
        VirtualChain,
        WalletLink,
        WalletLinkTemplate,
    ];
    let lines = samples.clone().map(|sample| format!("{sample}\n"));
    current("tests/vectors/records.jsonl", &lines.concat());

    // All records of the interface are covered. Pages and bodies are covered by operation.
    let document = openapi::document();
    let schemas = document["components"]["schemas"].as_object();
    for (name, schema) in schemas.expect("schemas") {
        let is_record = schema["properties"].is_object();
        let by_operation = name.ends_with("Page") || name.ends_with("Body");
        let has_line = samples.iter().any(|sample| sample["record"] == *name);
        assert!(
            !is_record || by_operation || has_line,
            "{name} has no golden line"
        );
    }
}
