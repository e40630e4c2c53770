//! Columns of exports: the fields of each list's records, and presets of the lists of money.
//!
//! A column is named as its field in the contract, so that files and API can be compared. `customer.*` stands for all fields of an
//! object, which differ from row to row. `tests/browser/specs/exports.spec.mjs` compares the columns with the contract.

/// What a movement changes the balance of its account by: the only column that is no field of its record.
pub(crate) const NET: &str = "net";

/// The columns of a list. Lists without money have no presets.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ExportColumns {
    /// Those that can be chosen, in the order of the file.
    pub(crate) all: &'static str,
    pub(crate) accounting: &'static str,
    pub(crate) reconciliation: &'static str,
}

/// The columns of a list, by the name of its file.
pub(crate) fn columns_of(list: &str) -> ExportColumns {
    match list {
        "movements" => MOVEMENTS,
        "payments" => PAYMENTS,
        "payouts" => PAYOUTS,
        "invoices" => INVOICES,
        "orders" => ORDERS,
        other => ExportColumns {
            all: fields_of(other),
            ..ExportColumns::default()
        },
    }
}

const MOVEMENTS: ExportColumns = ExportColumns {
    all: "id account_id account_reference amount currency direction type status failure amount_usd \
         reporting_amount reporting_currency fee fee_currency net entity_id chain.id chain.name chain.* from_address to_address \
         transaction_hash created_at confirmed_at",
    accounting: "created_at confirmed_at type direction entity_id account_reference account_id currency amount fee \
         fee_currency net amount_usd reporting_amount reporting_currency status transaction_hash",
    reconciliation: "id entity_id account_id account_reference chain.id chain.name transaction_hash from_address \
         to_address direction currency amount status failure created_at confirmed_at",
};

const PAYMENTS: ExportColumns = ExportColumns {
    all: PAYMENT,
    accounting: "created_at payment_method reference id customer.name customer.email to_account.name to_account.id \
         currency amount paid_amount refunded_amount amount_usd status crypto_transaction.transaction_hash",
    reconciliation: "id reference parent_id invoice_id customer_id to_account.id chain_id \
         crypto_transaction.transaction_hash settlement_transaction.transaction_hash sender_address \
         deposit_address currency amount paid_amount refunded_amount status reason created_at updated_at",
};

const PAYOUTS: ExportColumns = ExportColumns {
    all: PAYMENT,
    accounting: "created_at payment_method reference id from_account.name from_account.id currency amount amount_usd \
         status crypto_transaction.transaction_hash",
    reconciliation: "id reference parent_id from_account.id to_account.id chain_id crypto_transaction.transaction_hash \
         deposit_address payout_splits currency amount status reason created_at updated_at",
};

const INVOICES: ExportColumns = ExportColumns {
    all: "id reference customer_id org_id amount currency status payment_status dunning_status due_at \
         issuing_at source properties.* created_at updated_at",
    accounting: "issuing_at due_at reference customer_id currency amount status payment_status",
    reconciliation: "id reference customer_id currency amount status payment_status dunning_status created_at issuing_at \
         due_at updated_at",
};

const ORDERS: ExportColumns = ExportColumns {
    all: "order_id quote_id reference account_id side status reason from_currency from_amount from_chain_id \
         to_currency to_amount to_chain_id effective_rate fees.total_fee fees.fee_currency fees.* deposit_instruction.* \
         settlement_instruction.* properties.* created_at",
    accounting: "created_at side reference account_id from_currency from_amount to_currency to_amount effective_rate \
         fees.total_fee fees.fee_currency status",
    reconciliation: "order_id quote_id reference account_id from_chain_id from_currency from_amount to_chain_id \
         to_currency to_amount status reason created_at",
};

/// Columns of payments and payouts.
const PAYMENT: &str = "id reference parent_id org_id invoice_id customer_id customer.name customer.email customer.* amount \
         amount_usd currency chain_id test_network status reason payment_method source next_action \
         scheduled_time sender_address deposit_address paid_amount refunded_amount refunding_amount \
         gross_amount fee_amount net_amount expires_at payment_link.id payment_link.* from_account.id from_account.name from_account.* \
         to_account.id to_account.name to_account.* payout_splits network_fee network_fee_currency \
         network_fee_usd approval.* prepared_transaction.* crypto_transaction.transaction_hash \
         crypto_transaction.* settlement_transaction.transaction_hash settlement_transaction.* \
         crypto_transactions timeline cf_headers.* metadata.* properties.* created_at updated_at";

/// Columns of a list without presets.
fn fields_of(list: &str) -> &'static str {
    match list {
        "accounts" => {
            "id reference name account_type address xpub chain_id chain.* currencies enabled state provider \
         ownership_proven_at org_id parent_id parent.* sub_accounts deposit_splits payin_fee_pct \
         payout_fee_pct balance_usd reserved_usd account_number sort_code properties.* created_at created_by \
         updated_at deleted_at"
        }
        "pay-in-addresses" => {
            "address chain_id account_id currencies customer_id reference created_at"
        }
        "external-accounts" => {
            "id reference name type address chain_id currencies enabled payment_rail bank_name country \
         beneficiary_type account_holder_name_hint account_number_hint created_at"
        }
        "paylinks" => {
            "id plan_id plan.name plan.price plan.currency plan.* url enabled state statistics.* \
         after_completion.* customer_ident_collection shipping_address_collection tax_ident_collection \
         invoice_id metadata.* properties.* source created_at created_by updated_at updated_by deleted_at"
        }
        "plans" => {
            "id name reference description image_url org_id currency price available_quantity held_quantity \
         billing_scheme type recurring_interval recurring_interval_count recurring_usage_type trial_period \
         enabled expires_at payment_link.* metadata.* properties.* source created_at created_by updated_at \
         deleted_at"
        }
        "subscriptions" => {
            "id reference customer_id customer.name customer.email customer.* currency status payment_method \
         cancel_at_period_end is_overdue start_at period_end trial_ends_at org_id source metadata.* \
         properties.* items v1.* created_at updated_at"
        }
        "customers" => {
            "id customer_ident name email phone wallet_address guest is_deleted last_payment_date payments_count \
         spent_usd organisation_id metadata.* properties.* created_at updated_at"
        }
        "quotes" => {
            "id org_id account_id mode type status source buy_asset.* sell_assets deposit_instruction.* \
         settlement_instruction.* fees.* rate.* internal.* properties.* created_at updated_at accepted_at \
         rejected_at expires_at ttl_at"
        }
        "events" => {
            "id display_id event_id type action timestamp data.* delivery_status webhook_url webhook_request \
         webhook_response webhook_response_error webhook_response_status webhook_sent_at next_attempt_at test"
        }
        "inbox" => "id event_id type headers body received_at",
        "sub-merchants" => "id name suspended balance_usd reserved_usd created_at",
        _ => "",
    }
}

/// How a spreadsheet stores a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    Text,
    Number,
    Time,
}

/// Objects whose fields merchants and programs name: `metadata.amount` may be a telephone number.
const FREE_FORM: [&str; 6] = [
    "metadata",
    "properties",
    "data",
    "cf_headers",
    "internal",
    "v1",
];

impl ColumnKind {
    /// The kind of a field. Ids are texts, whether they have letters or not.
    pub(crate) fn of(column: &str) -> Self {
        if column.split('.').any(|part| FREE_FORM.contains(&part)) {
            return Self::Text;
        }
        let field = column.rsplit('.').next().unwrap_or(column);
        let is_number = field.ends_with("amount")
            || field.ends_with("_usd")
            || field.ends_with("_pct")
            || field.ends_with("_quantity")
            || field.ends_with("_count")
            || matches!(
                field,
                NET | "fee"
                    | "network_fee"
                    | "total_fee"
                    | "price"
                    | "effective_rate"
                    | "limit"
                    | "excess"
                    | "confirmations"
                    | "confirmations_required"
            );
        if is_number {
            Self::Number
        } else if field.ends_with("_at")
            || matches!(field, "timestamp" | "last_payment_date" | "period_end")
        {
            Self::Time
        } else {
            Self::Text
        }
    }
}
