//! The rules of each operation: accepted and rejected requests, with all errors in field order.

use settlekit_core::account::{
    CreateAccountBody, CreateVirtualAccountBody, UpdateVirtualAccountBody,
};
use settlekit_core::automation::{ConvertBalanceBody, MaintainBalanceBody, UpdateAutomationBody};
use settlekit_core::customer::UpdateCustomerBody;
use settlekit_core::event::{CountReplayQuery, CreateReplayBody, CreateTestEventBody};
use settlekit_core::external_account::CreateExternalAccountBody;
use settlekit_core::invoice::CreateInvoiceBody;
use settlekit_core::note::{CreateNoteBody, ListNotesQuery};
use settlekit_core::paylink::UpdatePaylinksBody;
use settlekit_core::payment::RefundPaymentBody;
use settlekit_core::payout::{CreatePayoutBody, EstimatePayoutQuery};
use settlekit_core::plan::CreatePlanBody;
use settlekit_core::quote::RequestQuoteQuery;
use settlekit_core::sandbox::{
    CreateFaultBody, FailPayoutBody, RefuseOrderBody, ReorganiseChainBody,
};
use settlekit_core::saved_view::{CreateSavedViewBody, UpdateSavedViewBody};
use settlekit_core::subscription::{CreateSubscriptionBody, ListSubscriptionsQuery};
use settlekit_core::trade::{CreateQuickTradeBody, ListTradableAssetsQuery};

use crate::form::{check, check_query};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
use crate::test;

const WALLET: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/// A body with a case's fields appended to the required ones.
fn each<B: settlekit_core::field::Body>(needed: &str, cases: &[(&str, &str)]) {
    for (rest, expected) in cases {
        let comma = if needed.is_empty() || rest.is_empty() {
            ""
        } else {
            ","
        };
        check::<B>(&format!("{{{needed}{comma}{rest}}}"), expected);
    }
}

#[test]
fn a_settlement_account_needs_an_address_when_it_is_not_managed() {
    each::<CreateAccountBody>(
        r#""currencies":["USDC"],"chain_id":1"#,
        &[
            ("", ""),
            (r#""type":"CryptoPayIn""#, ""),
            (r#""type":"Virtual""#, "type UNKNOWN_VALUE"),
            (r#""managed_account":false"#, "address REQUIRED"),
            (
                &format!(r#""managed_account":false,"address":"{WALLET}""#),
                "",
            ),
            (
                &format!(r#""managed_account":true,"address":"{WALLET}""#),
                "address EXCLUDED",
            ),
            (
                r#""address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee""#,
                "address ADDRESS_MALFORMED",
            ),
            (r#""reference":"7""#, "reference REFERENCE_LOOKS_LIKE_ID"),
            (r#""reference":"virtual""#, "reference REFERENCE_RESERVED"),
        ],
    );
    each::<CreateAccountBody>(
        "",
        &[
            ("", "currencies REQUIRED, chain_id REQUIRED"),
            (r#""currencies":[],"chain_id":1"#, "currencies EMPTY"),
            (
                r#""currencies":["USDC","USDC"],"chain_id":1"#,
                "currencies REPEATED",
            ),
            (
                r#""currencies":["USDC"],"chain_id":0"#,
                "chain_id ID_MALFORMED",
            ),
        ],
    );
}

#[test]
fn a_virtual_account_has_unique_chains_and_at_most_100_percent_of_shares() {
    let base = r#""reference":"till","chains":[{"chain_id":1,"currencies":["USDC"]}]"#;
    each::<CreateVirtualAccountBody>(
        base,
        &[
            ("", ""),
            (
                r#""deposit_splits":[{"account_id":1,"pct":"60"},{"account_ref":"b","pct":"40.00"}]"#,
                "",
            ),
            (
                r#""deposit_splits":[{"account_id":1,"pct":"60"},{"account_ref":"b","pct":"40.01"}]"#,
                "deposit_splits OUT_OF_RANGE",
            ),
            (
                r#""deposit_splits":[{"pct":"1"},{"account_id":1,"address":"x","pct":"0"}]"#,
                "deposit_splits[0].account_id REQUIRED, deposit_splits[1].address EXCLUDED, deposit_splits[1].pct NOT_POSITIVE",
            ),
        ],
    );
    each::<CreateVirtualAccountBody>(
        r#""reference":"till""#,
        &[
            ("", "chains REQUIRED"),
            (r#""chains":[]"#, "chains EMPTY"),
            (
                r#""chains":[{"chain_id":1,"currencies":["USDC"]},{"chain_id":1,"currencies":[]}]"#,
                "chains[1].chain_id REPEATED, chains[1].currencies EMPTY",
            ),
        ],
    );
    each::<UpdateVirtualAccountBody>(
        "",
        &[
            ("", "chains REQUIRED"),
            (r#""disable_chains":[1]"#, ""),
            (r#""disable_chains":[1,1]"#, "disable_chains[1] REPEATED"),
            (
                r#""chains":[{"chain_id":1,"currencies":["USDC"]}],"disable_chains":[2,1]"#,
                "disable_chains[1] EXCLUDED",
            ),
            (r#""deposit_splits":[]"#, ""),
        ],
    );
}

#[test]
fn an_external_account_is_a_wallet_or_a_bank_account() {
    let wallet =
        format!(r#""type":"Digital","currencies":["USDC"],"address":"{WALLET}","chain_id":1"#);
    each::<CreateExternalAccountBody>(
        &wallet,
        &[
            ("", ""),
            (r#""country":"DE""#, "country EXCLUDED"),
            (
                r#""payment_rail":"SEPA","account_number":"DE1""#,
                "payment_rail EXCLUDED, account_number EXCLUDED, account_number ACCOUNT_NUMBER_MALFORMED",
            ),
        ],
    );
    let bank = r#""type":"Fiat","currencies":["EUR"],"payment_rail":"SEPA","country":"DE","beneficiary_type":"individual","account_holder_name":"Ada","account_number":"DE89370400440532013000""#;
    each::<CreateExternalAccountBody>(
        bank,
        &[
            ("", ""),
            (&format!(r#""address":"{WALLET}""#), "address EXCLUDED"),
        ],
    );
    each::<CreateExternalAccountBody>(
        r#""currencies":["EUR"]"#,
        &[
            ("", "type REQUIRED"),
            (
                r#""type":"Gold","payment_rail":"PIGEON""#,
                "type UNKNOWN_VALUE, payment_rail UNKNOWN_VALUE",
            ),
            (r#""type":"Digital""#, "address REQUIRED, chain_id REQUIRED"),
            (
                r#""type":"Fiat","country":"Germany""#,
                "payment_rail REQUIRED, country UNKNOWN_VALUE, beneficiary_type REQUIRED, account_holder_name REQUIRED, account_number REQUIRED",
            ),
        ],
    );
}

#[test]
fn a_conversion_has_two_currencies_and_a_cost_limit() {
    each::<ConvertBalanceBody>(
        "",
        &[
            (
                r#""currency":"USDC","to_currency":"EURC","threshold_amount":0,"max_cost_bps":1"#,
                "",
            ),
            (
                r#""currency":"USDC","to_currency":"USDC","threshold_amount":-1,"max_cost_bps":1001"#,
                "to_currency REPEATED, threshold_amount OUT_OF_RANGE, max_cost_bps OUT_OF_RANGE",
            ),
            (
                r#""currency":"USDC","to_currency":"EURC","threshold_amount":0.5,"max_cost_bps":0.5"#,
                "max_cost_bps WRONG_TYPE",
            ),
        ],
    );
}

#[test]
fn a_maintained_balance_has_its_thresholds_in_order() {
    let base = format!(r#""currency":"USDC","payout_address":"{WALLET}""#);
    each::<MaintainBalanceBody>(
        &base,
        &[
            (
                r#""minimum_threshold_amount":0,"payout_threshold_amount":0.01"#,
                "",
            ),
            (
                r#""minimum_threshold_amount":10,"payout_threshold_amount":10"#,
                "payout_threshold_amount OUT_OF_RANGE",
            ),
            (
                r#""minimum_threshold_amount":-1,"payout_threshold_amount":-2"#,
                "minimum_threshold_amount OUT_OF_RANGE, payout_threshold_amount OUT_OF_RANGE",
            ),
            (
                r#""minimum_threshold_amount":"10","payout_threshold_amount":20"#,
                "minimum_threshold_amount WRONG_TYPE",
            ),
        ],
    );
    each::<UpdateAutomationBody>(
        "",
        &[
            ("", "enabled REQUIRED"),
            (r#""enabled":false"#, ""),
            (r#""amount":"-1""#, "amount OUT_OF_RANGE"),
            (
                r#""schedule":{"frequency":"Weekly","offset":6,"time":"23:59"}"#,
                "",
            ),
            (
                r#""schedule":{"frequency":"Weekly","offset":7,"time":"24:00"}"#,
                "schedule.offset OUT_OF_RANGE, schedule.time TIMESTAMP_MALFORMED",
            ),
            (
                r#""schedule":{"frequency":"Sometimes"}"#,
                "schedule.frequency UNKNOWN_VALUE",
            ),
        ],
    );
}

#[test]
fn empty_texts_do_not_change_a_customer() {
    each::<UpdateCustomerBody>(
        "",
        &[
            ("", ""),
            (
                r#""email":"","name":"","number":"","wallet_address":"","discord":"","twitter":"","customer_ident":"""#,
                "",
            ),
            (r#""email":"ada@shop.example","number":"+4930123456""#, ""),
            (r#""number":"030 123-456""#, ""),
            (&format!(r#""wallet_address":"{WALLET}""#), ""),
            (
                r#""email":"ada","number":"call me","wallet_address":"0x00""#,
                "email EMAIL_MALFORMED, number PHONE_MALFORMED, wallet_address ADDRESS_MALFORMED",
            ),
            (r#""number":"+1234567890123456""#, "number PHONE_MALFORMED"),
        ],
    );
}

#[test]
fn batch_errors_name_their_item() {
    let id = "pl_019aa0b5c3f07c0d9f2e3b6a7d8c9e01";
    each::<UpdatePaylinksBody>(
        "",
        &[
            ("", "items REQUIRED"),
            (r#""items":[]"#, "items EMPTY"),
            (&format!(r#""items":[{{"id":"{id}","enabled":false}}]"#), ""),
            (r#""items":[{"enabled":false}]"#, "items[0].id REQUIRED"),
            (
                &format!(
                    r#""items":[{{"id":"{id}"}},{{"id":"{id}","plan":{{"name":"","image_url":"http://x.example/a.png"}},"metadata":{{"customer_fields":[""]}}}}]"#
                ),
                "items[1].id REPEATED, items[1].metadata.customer_fields[0] EMPTY, items[1].plan.image_url URL_NOT_HTTPS, items[1].plan.name EMPTY",
            ),
            (
                &format!(r#""items":[{{"id":"{id}","after_completion":{{"type":"redirect"}}}}]"#),
                "items[0].after_completion.redirect_url REQUIRED",
            ),
        ],
    );
    let item = |number: usize| format!(r#"{{"id":"pl_{number:032x}"}}"#);
    let many = |count: usize| {
        let items: Vec<String> = (0..count).map(item).collect();
        format!(r#"{{"items":[{}]}}"#, items.join(","))
    };
    check::<UpdatePaylinksBody>(&many(100), "");
    check::<UpdatePaylinksBody>(&many(101), "items TOO_LONG");
}

#[test]
fn a_recurring_plan_needs_an_interval() {
    each::<CreatePlanBody>(
        r#""name":"Box","price":"9.90","currency":"USDC""#,
        &[
            ("", ""),
            (r#""type":"Recurring""#, "recurring_interval REQUIRED"),
            (
                r#""type":"Recurring","recurring_interval":"Month","trial_period":"P14D""#,
                "",
            ),
            (
                r#""recurring_interval":"Month""#,
                "recurring_interval EXCLUDED",
            ),
            (
                r#""type":"Recurring","recurring_interval":"Moon","recurring_interval_count":"1""#,
                "recurring_interval UNKNOWN_VALUE, recurring_interval_count WRONG_TYPE",
            ),
            (r#""type":"Unknown""#, "type UNKNOWN_VALUE"),
            (
                r#""type":"Recurring","recurring_interval":"Month","trial_period":"14 days""#,
                "trial_period UNKNOWN_VALUE",
            ),
            (r#""trial_period":"P14D""#, "trial_period EXCLUDED"),
            (
                r#""type":"OneTime","recurring_interval_count":2"#,
                "recurring_interval_count EXCLUDED",
            ),
        ],
    );
}

#[test]
fn a_subscription_needs_a_customer_and_plans() {
    let customer = r#""customer_id":"cus_019aa0b5c3f07c0d9f2e3b6a7d8c9e01""#;
    let plan = r#""plan_019aa0b5c3f07c0d9f2e3b6a7d8c9e01""#;
    each::<CreateSubscriptionBody>(
        customer,
        &[
            (&format!(r#""plan_ids":[{plan}]"#), ""),
            ("", "plan_ids REQUIRED"),
            (r#""plan_ids":[]"#, "plan_ids EMPTY"),
            (
                &format!(r#""plan_ids":[{plan},{plan}]"#),
                "plan_ids[1] REPEATED",
            ),
            (r#""plan_ids":["box"]"#, "plan_ids[0] ID_MALFORMED"),
        ],
    );
    // A customer id may be a raw UUID.
    check::<CreateSubscriptionBody>(
        &format!(r#"{{"customer_id":"019aa0b5-c3f0-7c0d-9f2e-3b6a7d8c9e01","plan_ids":[{plan}]}}"#),
        "",
    );
    check_query::<ListSubscriptionsQuery>("status=Active", "");
    check_query::<ListSubscriptionsQuery>(
        "status=Asleep&limit=0",
        "limit OUT_OF_RANGE, status UNKNOWN_VALUE",
    );
    each::<CreateInvoiceBody>(
        "",
        &[
            ("", ""),
            (
                r#""due_date":"soon","title":"""#,
                "due_date TIMESTAMP_MALFORMED, title EMPTY",
            ),
            (r#""title":"""#, "title EMPTY"),
        ],
    );
}

#[test]
fn a_payout_has_one_destination() {
    let base = r#""account":"till","amount":"5","currency":"USDC""#;
    each::<CreatePayoutBody>(
        base,
        &[
            ("", "external_account_id REQUIRED"),
            (r#""external_account_id":3"#, ""),
            (&format!(r#""address":"{WALLET}""#), "chain_id REQUIRED"),
            (&format!(r#""address":"{WALLET}","chain_id":1"#), ""),
            (
                &format!(r#""external_account_id":3,"address":"{WALLET}""#),
                "address EXCLUDED",
            ),
        ],
    );
    each::<CreatePayoutBody>(
        r#""account":7,"currency":"USDC","external_account_id":3"#,
        &[
            (r#""amount":"0""#, "amount NOT_POSITIVE"),
            ("", "amount REQUIRED"),
        ],
    );
    each::<RefundPaymentBody>("", &[("", ""), (r#""amount":"-1""#, "amount NOT_POSITIVE")]);
    check_query::<EstimatePayoutQuery>("account=till&amount=5&currency=USDC&chain_id=1", "");
    check_query::<EstimatePayoutQuery>(
        "account=till&amount=0",
        "amount NOT_POSITIVE, currency REQUIRED, chain_id REQUIRED",
    );
}

#[test]
fn a_firm_quote_fixes_one_side() {
    for (query, expected) in [
        ("buy_currency=ETH&sell_currency=USDC&sell_amount=100", ""),
        ("buy_currency=ETH&sell_currency=USDC&buy_amount=1", ""),
        (
            "buy_currency=ETH&sell_currency=USDC",
            "sell_amount REQUIRED",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC&buy_amount=1&sell_amount=2",
            "sell_amount EXCLUDED",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC&buy_amount=1&sell_amount=2&estimate=true",
            "",
        ),
        (
            "sell_amount=1",
            "buy_currency REQUIRED, sell_currency REQUIRED",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC&buy_amount=0",
            "buy_amount NOT_POSITIVE",
        ),
        // Baskets: lists of equal length.
        (
            "buy_currency=ETH&sell_currency=USDC,EURC&sell_amount=1,2",
            "",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC,EURC&sell_amount=1",
            "sell_amount LENGTH_DIFFERS",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC,EURC&sell_amount=1,2&sell_chain_ids=1,&sell_token_addresses=,0xabc",
            "",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC,EURC&sell_amount=1,2&sell_chain_ids=1,8453,10",
            "sell_chain_ids LENGTH_DIFFERS",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC,EURC&buy_amount=1",
            "buy_amount EXCLUDED",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC,&sell_amount=1,2",
            "sell_currency[1] CURRENCY_MALFORMED",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC&sell_amount=1&settlement_account_id=1&settlement_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "settlement_address EXCLUDED",
        ),
        (
            "buy_currency=ETH&sell_currency=USDC&sell_amount=1&deposit_method=Pigeon&estimate=maybe",
            "deposit_method UNKNOWN_VALUE, estimate WRONG_TYPE",
        ),
    ] {
        check_query::<RequestQuoteQuery>(query, expected);
    }
    let many = |count: usize| {
        format!(
            "buy_currency=ETH&sell_currency={}&sell_amount={}",
            vec!["USDC"; count].join(","),
            vec!["1"; count].join(",")
        )
    };
    check_query::<RequestQuoteQuery>(&many(20), "");
    check_query::<RequestQuoteQuery>(&many(21), "sell_currency TOO_LONG");
    check_query::<RequestQuoteQuery>(&many(101), "sell_amount TOO_LONG, sell_currency TOO_LONG");
}

#[test]
fn a_quick_trade_changes_currency_or_chain_and_has_one_destination() {
    each::<CreateQuickTradeBody>(
        r#""amount":"5","currency":"USDC""#,
        &[
            (r#""to_currency":"ETH""#, ""),
            (r#""to_currency":"USDC""#, "to_currency REPEATED"),
            (r#""to_currency":"USDC","chain_id":1,"to_chain_id":10"#, ""),
            (
                r#""to_currency":"USDC","chain_id":1,"to_chain_id":1"#,
                "to_currency REPEATED",
            ),
            (
                r#""to_currency":"ETH","account_id":1,"account_reference":"till""#,
                "account_reference EXCLUDED",
            ),
            (
                &format!(
                    r#""to_currency":"ETH","settlement_account_id":1,"settlement_address":"{WALLET}""#
                ),
                "settlement_address EXCLUDED",
            ),
        ],
    );
    check_query::<ListTradableAssetsQuery>(
        "currency=ETH&amount=1&require_settlement_support=true",
        "",
    );
    check_query::<ListTradableAssetsQuery>("amount=0", "currency REQUIRED, amount NOT_POSITIVE");
    check_query::<ListTradableAssetsQuery>("currency=ETH&amount=0", "amount NOT_POSITIVE");
}

#[test]
fn a_note_names_a_record_of_a_known_type_and_has_a_text() {
    each::<CreateNoteBody>(
        r#""record_type":"Movement","record_id":"7""#,
        &[("", "text REQUIRED"), (r#""text":"two\nlines""#, "")],
    );
    let long = format!(r#""text":"{}""#, "é".repeat(2001));
    each::<CreateNoteBody>(
        r#""record_type":"Payment","record_id":"7""#,
        &[
            (r#""text":" ""#, "record_id ID_MALFORMED, text EMPTY"),
            (&long, "record_id ID_MALFORMED, text TOO_LONG"),
        ],
    );
    each::<CreateNoteBody>(
        r#""text":"Paid by cheque""#,
        &[
            ("", "record_type REQUIRED, record_id REQUIRED"),
            (
                r#""record_type":"Payout","record_id":"7""#,
                "record_type UNKNOWN_VALUE",
            ),
            (
                r#""record_type":"Account","record_id":7"#,
                "record_id WRONG_TYPE",
            ),
        ],
    );
    check_query::<ListNotesQuery>("", "record_type REQUIRED, record_id REQUIRED");
    check_query::<ListNotesQuery>("record_type=Account&record_id=7", "");
    check_query::<ListNotesQuery>(
        "record_type=Account&record_id=till",
        "record_id ID_MALFORMED",
    );
    check_query::<ListNotesQuery>("record_type=Plan&record_id=7", "record_type UNKNOWN_VALUE");
}

#[test]
fn a_replay_filter_has_known_values_and_an_ordered_range() {
    let reversed = r#""since":"2026-02-01T00:00:00Z","until":"2026-01-01T00:00:00Z""#;
    each::<CreateReplayBody>(
        "",
        &[
            ("", ""),
            (
                r#""type":"Payment","action":"Settled","delivery_status":"failed""#,
                "",
            ),
            (reversed, "since RANGE_REVERSED"),
            (
                r#""type":"Weather","action":"Rains""#,
                "type UNKNOWN_VALUE, action UNKNOWN_VALUE",
            ),
        ],
    );
    check_query::<CountReplayQuery>("type=Payment", "");
    check_query::<CountReplayQuery>(
        "since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z",
        "since RANGE_REVERSED",
    );
    each::<CreateTestEventBody>(
        "",
        &[
            ("", "type REQUIRED"),
            (r#""type":"Payment""#, ""),
            (r#""type":"Unknown""#, "type UNKNOWN_VALUE"),
        ],
    );
    each::<CreateSavedViewBody>(
        r#""page":"/payments","query":"""#,
        &[
            ("", "name REQUIRED"),
            (r#""name":"Failed","shared":true"#, ""),
            (r#""name":" ""#, "name EMPTY"),
            (r#""name":"a\nb""#, "name TEXT_MALFORMED"),
        ],
    );
    each::<UpdateSavedViewBody>(
        "",
        &[
            ("", ""),
            (r#""query":"status=Failed&search=a%20b""#, ""),
            (
                r##""name":"","query":"a#b""##,
                "name EMPTY, query URL_MALFORMED",
            ),
        ],
    );
    each::<CreateFaultBody>(
        "",
        &[
            ("", "reason REQUIRED"),
            (r#""reason":"INTERNAL","calls":1000"#, ""),
            (
                r#""reason":"BAD_LUCK","calls":0"#,
                "reason UNKNOWN_VALUE, calls OUT_OF_RANGE",
            ),
        ],
    );
    each::<FailPayoutBody>("", &[("", "payment_id REQUIRED")]);
    each::<RefuseOrderBody>("", &[("", "order_id REQUIRED")]);
    let long = format!(r#""transaction_hash":"{}""#, "a".repeat(129));
    each::<ReorganiseChainBody>(
        "",
        &[
            ("", "transaction_hash REQUIRED"),
            (r#""transaction_hash":"0xab","returns":true"#, ""),
            (r#""transaction_hash":" ""#, "transaction_hash EMPTY"),
            (&long, "transaction_hash TOO_LONG"),
        ],
    );
}
