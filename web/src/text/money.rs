//! Texts of accounts, payouts, trading and partners.

use settlekit_core::account::{AccountProvider, AccountType};
use settlekit_core::external_account::ExternalAccountType;
use settlekit_core::payment::CancelObstacle;
use settlekit_core::quote::{DepositMethod, QuoteMode};

use crate::text::language::{filled, translate};
use crate::text::words::words;

pub(crate) use crate::text::automation::*;

// --- Every act on money ---

texts! {
    choose = "Choose…";
    coming = "Loading…";
    type_to_confirm = "To confirm, type";
    outcome_unknown = "Outcome unknown";
    outcome_unknown_why = "It may or may not have gone through. Retrying is safe: the same request is never carried out twice.";
    ask_again = "Retry";
    own_name_hint = "For your records.";
    address = "Address";
    sender = "Sender address";
    address_hint = "Double-check this address. Payouts can’t be reversed.";
    currencies = "Currencies";
    choose_chain_first = "Choose a chain first.";
    choose_account_first = "Choose an account first";

    // --- Accounts ---

    accounts = "Accounts";
    accounts_lead = "Where your money is: virtual accounts with their wallets, and settlement accounts.";
    account_id = "Account number";
    no_accounts = "No accounts yet";
    account_first = "Create an account first";
    account_first_why = "Money needs an account to arrive in and leave from. Create one, then come back.";
    no_accounts_hint = "An account is a wallet that accepts payments. Start with a virtual account: one reference for a wallet on each chain.";
    create_account = "Create account";
    account_made = "Account created";
    virtual_account = "Virtual account";
    virtual_account_why = "One reference for a wallet on each chain. Add chains and currencies at any time.";
    virtual_reference_hint = "Names the account in requests, on every chain.";
    settlement_account = "Settlement account";
    settlement_account_why = "One wallet on one chain: managed by the service, or your own.";
    parent = "Parent";
    no_parent = "No parent";
    below = "Sub-accounts";
    own_wallet = "Your wallet address";
    own_wallet_hint = "Watch-only until you prove that it is yours.";
    own_key = "Extended public key";
    own_key_hint = "Starts with xpub: the account key (m/44’/60’/0’) of a wallet account that nobody has paid. Never enter a private key or words.";
    wallet_kind = "Wallet";
    managed = "Managed";
    managed_why = "The service holds the keys: it can move the money, within the limits that the operator sets.";
    own_by_address = "Own wallet (address)";
    own_by_address_why = "Only you can move the money: you sign each payout with your wallet.";
    own_by_key = "Own wallet (extended public key)";
    own_by_key_why = "Only you can move the money, with your wallet alone. Each payment gets an address of its own.";
    first_address = "First address";
    derived_why = "Each payment has an address of its own, derived from this key. A payout is signed from one of them.";
    keys_kept = "Keys held by";
    ownership = "Ownership proven";
    ownership_prove = "Prove ownership";
    ownership_why = "Watch only: prove ownership to receive payments here. Signing moves no money.";
    ownership_sign = "Sign this message with the wallet (personal_sign) within 15 minutes.";
    ownership_message = "Message";
    ownership_copy = "Copy message";
    ownership_signature = "Signature";
    ownership_signature_hint = "0x and 130 hex digits";
    ownership_verify = "Verify signature";
    ownership_proven = "This wallet accepts payments now.";
    payin_fee = "Pay-in fee";
    payout_fee = "Payout fee";
    fee_standard = "Standard";
    chains = "Chains and currencies";
    chains_hint = "A chain is added with its first currency.";
    chains_why = "Choose which currencies to accept on each chain. Currencies can’t be removed; chains can be turned off and on.";
    takes_payments = "Accepts payments";
    what_will_change = "Pending changes";
    nothing_changes = "None yet: choose a currency or switch a chain.";
    apply_changes = "Apply changes";
    apply_changes_ask = "Apply these changes?";
    chains_changed = "Chains updated";
    deposit_splits = "Deposit splits";
    deposit_splits_why = "Forwards a share of every deposit. The rest stays here.";
    split_kind = "Destination type";
    split_percent = "Share (%)";
    add_share = "Add share";
    remove_share = "Remove share";
    splits_unreadable = "Each share must be a number.";
    splits_changed = "Deposit splits saved";
    pay_in_addresses = "Pay-in addresses";
    pay_in_addresses_why = "Permanent addresses: whatever arrives is credited to this account, without a payment link.";
    pay_in_customer_hint = "ID of the customer who pays to it: cus_…";
    create_address = "Create address";
    address_made = "Address created";
    no_pay_in_addresses = "No pay-in addresses yet";
    no_pay_in_addresses_hint = "Create one for a customer who pays regularly.";
    delete_account = "Delete account";
    delete_account_why = "Only an empty account with nothing in progress can be deleted. Its sub-accounts are deleted too.";
    delete_account_consequence = "Its addresses stop accepting payments; money sent there later isn’t credited. Its movements stay. This can’t be undone.";
    account_deleted = "Account deleted";
}

pub(crate) fn account_type(kind: &AccountType) -> &str {
    match kind {
        AccountType::CryptoPayIn => translate("Settlement"),
        AccountType::Virtual => translate("Virtual"),
        AccountType::Other(word) => word,
    }
}

pub(crate) fn provider(provider: &AccountProvider) -> String {
    match provider {
        AccountProvider::External => translate("You").to_owned(),
        AccountProvider::Managed => translate("The service").to_owned(),
        AccountProvider::Other(word) => word.clone(),
    }
}

pub(crate) fn change_enable(chain: &str, currencies: &str) -> String {
    if currencies.is_empty() {
        say!("Turn {chain} back on.", chain)
    } else {
        say!(
            "Turn {chain} back on and accept {currencies}.",
            chain,
            currencies
        )
    }
}

// --- Payouts ---

texts! {
    payout = "Payout";
    payouts = "Payouts";
    payouts_lead = "Money sent out of your accounts, and its status.";
    no_payouts = "No payouts yet";
    no_payouts_hint = "A payout sends money from an account to a payout destination. You review the fee before you send.";
    create_payout = "New payout";
    create_payout_lead = "Review the fee before you send.";
    pay_out = "Pay out";
    from_account = "From account";
    other_address = "Different address";
    payout_amount_hint = "What the recipient gets. Network fees are extra.";
    review_payout = "Review payout";
    send_payout = "Send payout";
    payout_ask_word = "Send this payout?";
    payout_sent = "The payout is on its way";
    look_in_payouts = "View payouts";
    estimate = "Estimate";
    estimate_needs = "Choose an account, a destination and an amount to see the fee.";
    arrives = "Recipient gets";
    network_fee = "Network fee";
    service_fee = "Service fee";
    total_debit = "Total";
    balance_after = "Remaining balance";
    not_covered = "Insufficient balance";
    not_covered_why = "Amount and fee exceed the available balance.";
    payout_costs(fees: &str, total: &str, rest: &str) = "With fees of {fees}, the account is charged {total}. {rest} remain available.";
    payout_costs_and_gas(total: &str, gas: &str, rest: &str) = "The account is charged {total}, and {gas} for the network. {rest} remain available.";
    payout_exceeds(available: &str) = "and the fees exceed the available balance of {available}";
}

// --- External accounts ---

texts! {
    external_account = "Payout destination";
    external_accounts = "Payout destinations";
    external_accounts_lead = "Wallets and bank accounts you pay out to. Names and numbers are masked.";
    destination = "Destination";
    add_external = "Add payout destination";
    external_made = "Payout destination added";
    external_removed = "Payout destination removed";
    no_external = "No payout destinations yet";
    no_external_hint = "Save the wallets you pay out to, so nobody types an address twice.";
    remove_external_ask = "Remove this payout destination?";
    remove_external_why = "New payouts can’t use it. Payouts in progress continue.";
    bank_account = "Bank account";
    rail = "Payment rail";
    bank = "Bank";
    country = "Country";
    country_hint = "Two-letter code: DE";
    beneficiary = "Beneficiary";
    holder = "Account holder";
    holder_hint = "Full name. Masked once saved.";
    account_number = "Bank account number";
    account_number_hint = "IBAN or number without spaces. Masked once saved.";
    bank_currencies_hint = "Separated by commas: EUR, USD";
    only_hints = "Name and number are stored in full, but never shown in full.";
}

pub(crate) fn external_type(kind: &ExternalAccountType) -> &str {
    match kind {
        ExternalAccountType::Digital => translate("Wallet"),
        ExternalAccountType::Fiat => bank_account(),
        ExternalAccountType::Other(word) => word,
    }
}

// --- One payment ---

texts! {
    create_payment = "Request payment";
    create_payment_why = "Creates an address for this amount. Share it: what arrives there settles the payment.";
    payment_made = "Payment requested";
    payment_customer_hint = "ID of the paying customer.";
    qr_of_address = "QR code of the deposit address";
    transactions = "On-chain transactions";
    token_transfers = "Token transfers";
    token = "Token";
    smallest_units = "Smallest units";
    settlement_transaction = "Settlement transaction";
    payout_splits = "Payout splits";
    sent = "Sent";
    refunded = "Refunded";
    refunding = "Refund in progress";
    paid_by_operator = "Paid by the operator of this service, not by you.";
    refund = "Refund";
    refund_record = "Refund|noun";
    refund_title = "Refund payment";
    refund_to = "Refund to a different address";
    refund_to_hint = "Leave empty to refund the payer.";
    refund_reason = "Reason";
    refund_reason_hint = "For your records. Payers don’t see it.";
    refund_sent = "The refund is on its way";
    review_refund = "Review refund";
    refund_ask_word = "Send this refund?";
    refund_to_whom = "is required: the payer is unknown";
    look_in_payments = "View payments";
}

pub(crate) fn refund_sentence(money: &str, to: Option<&str>) -> String {
    match to {
        Some(to) => say!(
            "You’ll refund {money} to {to}. This can’t be undone.",
            money,
            to
        ),
        None => say!(
            "You’ll refund {money}. The payer is unknown: enter an address.",
            money
        ),
    }
}

pub(crate) fn cancel_obstacle(obstacle: CancelObstacle) -> &'static str {
    match obstacle {
        CancelObstacle::Status => {
            translate("It can’t be canceled yet: only Processing payments can.")
        }
        CancelObstacle::Method => translate("It can’t be canceled: it has no address of its own."),
        CancelObstacle::Scheduled => translate("It can’t be canceled: it is scheduled."),
        CancelObstacle::Paid => {
            translate("It can’t be canceled: money was received. Refund it once confirmed.")
        }
    }
}

// --- Trading ---

texts! {
    trading = "Trading";
    trading_lead = "Exchange currencies at a price you review first.";
    quick_trade = "Quick trade";
    quick_trade_why = "At the current price. Get an estimate first, then trade.";
    rfq_desk = "Quote desk";
    quote = "Quote";
    quotes = "Quotes";
    order = "Order";
    orders = "Orders";
    markets = "Markets";
    rates = "Rates";
    not_otc = "OTC trading only";
    not_otc_hint = "Your organisation doesn’t have this feature. Ask the operator to turn it on. Quick trades and quotes work without it.";
    no_orders = "No orders yet";
    no_orders_hint = "An order is created by an accepted quote or a quick trade.";
    no_quotes = "No quotes yet";
    no_quotes_hint = "Request a quote at the quote desk. Every quote is listed here.";
    sold = "Sold";
    bought = "Bought";
    rate = "Effective rate";
    what_for_what = "Trading pairs";
    what_for_what_why = "Venues and lowest spread per pair.";
    fees = "Fees";
    worth = "Value";
    funded_by = "Funded by";
    from_chain = "From chain";
    to_chain = "To chain";
    open_quote = "View quote";
    open_order = "View order";
    look_in_orders = "View orders";
    exact_side = "Fixed amount";
    expected_amount = "Expected amount";
    slippage = "Slippage (bps)";
    price_impact = "Price impact (bps)";
    at_most(value: &str) = "At most {value}";
    fee_of_service(fee: &str) = "Up to {fee}, paid by the service";
    offers = "Offers";
    offer_less(amount: &str) = "{amount} less";
    offer_more(amount: &str) = "{amount} more";
    sell_exact = "Sell an exact amount";
    buy_exact = "Buy an exact amount";
    you_sell = "You sell";
    you_buy = "You buy";
    you_have = "You have";
    sell_amount = "Amount to sell";
    buy_amount = "Amount to buy";
    add_leg = "Add currency";
    remove_leg = "Remove currency";
    primary_account = "Primary virtual account";
    same_account = "Funding account";
    settled_to = "Settled to";
    outside_wallet = "External wallet";
    settled_by_number = "Account number of the sub-merchant. Empty: the funding account.";
    account_id_hint = "Account number of the sub-merchant. Empty: its primary virtual account.";
    handed_over = "Funding method";
    request_quote = "Request a quote";
    request_quote_why = "Quotes lock a price for 30 seconds. Estimates don’t.";
    get_quote = "Get quote";
    get_estimate = "Get estimate";
    quote_of_another_why = "This quote is the sub-merchant’s: its members accept or reject it.";
    estimate_why = "What a quote would say now. It can’t be accepted.";
    no_quote_yet = "No quote yet";
    no_quote_yet_hint = "The quote appears here with its rate, fees and expiry.";
    time_left = "Time left";
    accept = "Accept";
    reject = "Reject";
    accept_ask_word = "Accept this quote?";
    reject_ask = "Reject this quote?";
    reject_why = "It can no longer be accepted. You can request another.";
    quote_accepted = "Quote accepted";
    quote_rejected = "Quote rejected";
    accepted = "Accepted";
    rejected = "Rejected";
    fund_until = "Fund by";
    buyable_hint = "Currencies the account accepts and a venue trades.";
    trade_reference_hint = "Finds the order again if the connection drops.";
    no_estimate_yet = "No estimate yet";
    no_estimate_yet_hint = "Enter what you sell and buy. The estimate appears here, and you can trade from it.";
    estimate_not_held = "The price isn’t locked: the trade uses the price at that time, shown beside this.";
    trade_now = "Trade now";
    trade_ask_word = "Make this trade?";
    traded = "Traded";
    trade_again = "New trade";
    order_found = "Order created";
    instruments = "Instruments";
    tradable_assets = "Tradable assets";
    pair_word = "Pair";
    venue = "Venue";
    priced = "Base currency";
    priced_in = "Quote currency";
    last_price = "Last price";
    min_size = "Smallest trade";
    max_size = "Largest trade";
    liquidity = "Liquidity";
    spread = "Spread (bps)";
    cost = "Cost (bps)";
    delay = "Latency";
    no_instruments_hint = "No venue trades this. Clear a filter to see more.";
    exchanged_into = "Can be exchanged into";
    choose_currency = "Choose a currency";
    choose_currency_hint = "Currencies and chains you can exchange it into appear here.";
    not_tradable = "No exchange available";
    not_tradable_hint = "No venue trades it on this account’s chains. Another account may have other chains.";
    places = "Decimal places";
    on_chains = "Chains";

    takes_payments_on(chain: &str) = "Accepts payments on {chain}";
    currency_on(currency: &str, chain: &str) = "{currency} on {chain}";
    change_add(chain: &str, currencies: &str) = "Add {chain} with {currencies} and a new wallet.";
    change_more(chain: &str, currencies: &str) = "Also accept {currencies} on {chain}.";
    change_disable(chain: &str) = "Turn {chain} off; its balance stays.";
    share_number(number: u32) = "Share {number}";
    splits_sum(sum: &str, stays: &str) = "Forwarded: {sum}%. Stays here: {stays}%.";
    splits_too_much(sum: &str) = "The shares add up to {sum}%: more than 100%.";
    first_offered(shown: usize, total: u64) = "Showing the first {shown} of {total}.";
    newest_of(shown: usize, total: u64) = "Newest {shown} of {total}.";
    delete_account_of(name: &str) = "Delete the account “{name}”?";
    payout_ask(money: &str, from: &str, to: &str) = "You’ll send {money} from {from} to {to}. Payouts can’t be reversed.";
    refund_rest(rest: &str) = "{rest} remain refundable.";
    refund_left(whole: &str) = "Refundable: {whole}.";
    refund_at_most(whole: &str) = "must be at most {whole}";
    for_one(currency: &str) = "for 1 {currency}";
    handed_over_by(methods: &str) = "Funding methods: {methods}.";
    any_chain(currency: &str) = "{currency}, any chain";
    leg_number(number: u32) = "Currency {number} to sell";
    accept_ask(sold: &str, bought: &str) = "You’ll sell {sold} for {bought}. This can’t be undone.";
    trade_ask(sold: &str, bought: &str) = "You’ll sell {sold} for about {bought}, at the current price. This can’t be undone.";
    order_not_found(reference: &str, looked: usize) = "No order with the reference {reference} among the newest {looked}. Still looking.";
    valid_for(seconds: i64) = "Expires in {seconds} seconds", 0 = "Expired", 1 = "Expires in 1 second";
    /// `2 from 8 bps`: how many, and the smallest spread.
    count_and_spread(count: usize, spread: &str) = "{count} from {spread} bps";
}

pub(crate) fn pair(base: &str, quote: &str) -> String {
    format!("{base} / {quote}")
}

pub(crate) fn mode(mode: &QuoteMode) -> &str {
    match mode {
        QuoteMode::SellExact => translate("Sell amount"),
        QuoteMode::BuyExact => translate("Buy amount"),
        QuoteMode::Other(word) => word,
    }
}

pub(crate) fn deposit_method(method: &DepositMethod) -> String {
    match method {
        DepositMethod::Balance => translate("From balance").to_owned(),
        DepositMethod::Deposit => translate("By deposit").to_owned(),
        other => words(other.as_str()),
    }
}

pub(crate) fn deposit_methods() -> Vec<(String, String)> {
    [DepositMethod::Balance, DepositMethod::Deposit]
        .iter()
        .map(|method| (method.as_str().to_owned(), deposit_method(method)))
        .collect()
}

/// A confirmation question, extended by the external wallet that receives the bought asset, if any.
pub(crate) fn and_outside(question: String, address: Option<&str>) -> String {
    match address {
        Some(address) => {
            let leaves = say!("Proceeds go to {address}.", address);
            format!("{question} {leaves}")
        }
        None => question,
    }
}
