//! Texts of accounts, payouts, trading and partners.

use settlekit_core::account::{AccountProvider, AccountType};
use settlekit_core::external_account::ExternalAccountType;
use settlekit_core::payment::CancelObstacle;
use settlekit_core::quote::{DepositMethod, QuoteMode};

use crate::text::language::{filled, said};
use crate::text::words::words;

pub(crate) use crate::text::automation::*;

// --- Every act on money ---

texts! {
    choose = "Choose…";
    coming = "Loading…";
    type_to_confirm = "To go on, type";
    outcome_unknown = "The outcome is unknown";
    outcome_unknown_why = "It may have happened, or not. Asking again sends the same request under the same key, so that it happens once at most.";
    ask_again = "Ask again";
    own_name_hint = "Your own name for it.";
    address = "Address";
    sender = "Sender’s address";
    address_hint = "Copy it whole: what is sent to a wrong address is gone.";
    currencies = "Currencies";
    choose_chain_first = "Choose the chain first.";
    choose_account_first = "Choose the account first";

    // --- Accounts ---

    accounts = "Accounts";
    accounts_lead = "Where your money is: virtual accounts, the wallets below them, and settlement accounts.";
    account_name = "Name";
    account_id = "Account number";
    no_accounts = "No accounts yet";
    account_first = "An account comes first";
    account_first_why = "Money needs somewhere to arrive and to leave from: make an account, then come back here.";
    no_accounts_lesson = "An account is a wallet that takes payments. A virtual account is one name over a wallet on each chain: the best beginning.";
    create_account = "Create account";
    create_account_lead = "It takes payments as soon as it is made.";
    account_made = "Account created";
    virtual_account = "Virtual account";
    virtual_account_why = "One reference over a wallet on each chain. Chains and currencies can be added later.";
    virtual_reference_hint = "Your own name for it in requests. Every chain’s account bears it.";
    settlement_account = "Settlement account";
    settlement_account_why = "One wallet on one chain. Without an address of your own the service keeps its keys.";
    parent = "Below";
    no_parent = "No other account";
    below = "Accounts below";
    own_wallet = "Your own wallet’s address";
    own_wallet_hint = "Leave it empty to let the service make a wallet and keep its keys. Your own is only watched until proven.";
    keys_kept = "Keys kept by";
    ownership = "Ownership proven";
    ownership_prove = "Prove ownership";
    ownership_why = "Only watched: payments can go there once a signature proves it. Signing moves no money.";
    ownership_sign = "Sign this message with the wallet (personal_sign) within 15 minutes.";
    ownership_message = "Message";
    ownership_copy = "Copy message";
    ownership_signature = "Signature";
    ownership_signature_hint = "0x and 130 hex digits";
    ownership_verify = "Verify signature";
    ownership_proven = "Payments can go to this wallet now.";
    payin_fee = "Fee on payments in";
    payout_fee = "Fee on payments out";
    fee_standard = "None of its own";
    chains = "Chains and currencies";
    chains_hint = "A chain is added with its first currency.";
    chains_why = "Tick what is to be taken on which chain. A currency that was added stays; a chain can be switched off and on.";
    takes_payments = "Takes payments";
    what_will_change = "What will change";
    nothing_changes = "Nothing yet: tick a currency or switch a chain.";
    apply_changes = "Apply changes";
    apply_changes_ask = "Apply these changes?";
    chains_changed = "Chains changed";
    deposit_splits = "Deposit splits";
    deposit_splits_why = "A share of every deposit is sent on at once. What is left over stays here.";
    split_kind = "Kind of destination";
    split_to = "Destination";
    split_percent = "Share in percent";
    split_account = "Account";
    split_reference = "Reference";
    split_address = "Address";
    add_share = "Add a share";
    remove_share = "Remove this share";
    splits_unreadable = "One of the shares is not a number.";
    splits_changed = "Deposit splits saved";
    pay_in_addresses = "Pay-in addresses";
    pay_in_addresses_why = "Permanent addresses: whatever arrives there is booked to this account, without a payment link.";
    pay_in_customer_hint = "The id of the customer whose payments it takes: cus_…";
    create_address = "Create address";
    address_made = "The address is ready";
    no_pay_in_addresses = "No permanent addresses";
    no_pay_in_addresses_lesson = "Make one for a customer who pays again and again, and print it on their contract.";
    delete_account = "Delete account";
    delete_account_why = "Only an account that holds nothing and has nothing under way can be deleted, together with the accounts below it.";
    delete_account_consequence = "Its addresses stop taking payments, and what is sent there afterwards is not booked. Its movements stay. This cannot be undone.";
    account_deleted = "Account deleted";
}

pub(crate) fn account_type(kind: &AccountType) -> &str {
    match kind {
        AccountType::CryptoPayIn => said("Settlement"),
        AccountType::Virtual => said("Virtual"),
        AccountType::Other(word) => word,
    }
}

pub(crate) fn provider(provider: &AccountProvider) -> String {
    match provider {
        AccountProvider::External => said("You").to_owned(),
        AccountProvider::Managed => said("The service").to_owned(),
        AccountProvider::Other(word) => word.clone(),
    }
}

pub(crate) fn takes_payments_on(chain: &str) -> String {
    say!("Takes payments on {chain}", chain)
}

pub(crate) fn currency_on(currency: &str, chain: &str) -> String {
    say!("{currency} on {chain}", currency, chain)
}

pub(crate) fn change_add(chain: &str, currencies: &str) -> String {
    say!(
        "{chain} is added with {currencies}, with a new wallet.",
        chain,
        currencies
    )
}

pub(crate) fn change_more(chain: &str, currencies: &str) -> String {
    say!("{chain} takes {currencies} as well.", chain, currencies)
}

pub(crate) fn change_enable(chain: &str, currencies: &str) -> String {
    if currencies.is_empty() {
        say!("{chain} takes payments again.", chain)
    } else {
        say!(
            "{chain} takes payments again, {currencies} as well.",
            chain,
            currencies
        )
    }
}

pub(crate) fn change_disable(chain: &str) -> String {
    say!("{chain} stops taking payments; what it holds stays.", chain)
}

pub(crate) fn share_number(number: u32) -> String {
    say!("Share {number}", number)
}

pub(crate) fn splits_sum(sum: &str, stays: &str) -> String {
    say!("Sent on: {sum} %. Stays here: {stays} %.", sum, stays)
}

pub(crate) fn splits_too_much(sum: &str) -> String {
    say!("The shares add up to {sum} %: more than there is.", sum)
}

pub(crate) fn first_offered(shown: usize, total: u64) -> String {
    say!(
        "Only the first {shown} of {total} are offered here.",
        shown,
        total
    )
}

pub(crate) fn newest_of(shown: usize, total: u64) -> String {
    say!("The newest {shown} of {total}.", shown, total)
}

pub(crate) fn delete_account_of(name: &str) -> String {
    say!("Delete the account “{name}”?", name)
}

// --- Payouts ---

texts! {
    payout = "Payout";
    payouts = "Payouts";
    payouts_lead = "What was sent out of your accounts, and where each stands.";
    no_payouts = "No payouts yet";
    no_payouts_lesson = "A payout sends money from an account to a wallet of yours or of a supplier. The fee is shown before anything leaves.";
    create_payout = "New payout";
    create_payout_lead = "Nothing leaves before you have seen the fee and said yes.";
    pay_out = "Pay out";
    from_account = "From account";
    other_address = "Another address";
    payout_amount_hint = "How much arrives. The network’s fee is taken on top.";
    review_payout = "Review payout";
    send_payout = "Send payout";
    payout_ask_word = "Send this payout?";
    payout_sent = "The payout is on its way";
    look_in_payouts = "Look in payouts";
    estimate = "Estimate";
    estimate_needs = "Choose an account and a destination and enter an amount: the fee appears here.";
    arrives = "Arrives";
    network_fee = "Network fee";
    not_covered = "The account does not cover this";
    not_covered_why = "Amount and fee together are more than is available. The service would refuse it.";
}

pub(crate) fn payout_ask(money: &str, from: &str, to: &str) -> String {
    say!(
        "{money} leave {from} for {to}. A payout that is on a chain cannot be called back.",
        money,
        from,
        to
    )
}

// --- External accounts ---

texts! {
    external_account = "External account";
    external_accounts = "External accounts";
    external_accounts_lead = "Where payouts may go: wallets and accounts at banks. Of names and numbers only hints are shown.";
    external_id = "External account";
    destination = "Destination";
    add_external = "Add external account";
    external_made = "External account added";
    external_removed = "External account removed";
    no_external = "No external accounts yet";
    no_external_lesson = "Put the wallets you pay out to on record once, so that nobody types an address twice.";
    remove_external = "Remove";
    remove_external_ask = "Remove this external account?";
    remove_external_why = "New payouts can no longer name it. Payouts that are under way go on.";
    wallet = "Wallet";
    bank_account = "Account at a bank";
    rail = "Payment rail";
    bank = "Bank";
    country = "Country";
    country_hint = "Two capital letters: DE";
    beneficiary = "Belongs to";
    holder = "Holder";
    holder_hint = "The whole name. Afterwards only a hint of it is shown.";
    account_number = "Bank account number";
    account_number_hint = "IBAN or number without spaces. Afterwards only its end is shown.";
    bank_currencies_hint = "Separated by commas: EUR, USD";
    only_hints = "Holder and number are kept whole by the service and never shown whole.";
}

pub(crate) fn external_type(kind: &ExternalAccountType) -> &str {
    match kind {
        ExternalAccountType::Digital => wallet(),
        ExternalAccountType::Fiat => bank_account(),
        ExternalAccountType::Other(word) => word,
    }
}

// --- One payment ---

texts! {
    create_payment = "Request payment";
    create_payment_why = "An address is made for this amount alone. Pass it on: what arrives there settles the payment.";
    payment_made = "The payment waits for its money";
    payment_customer_hint = "The id of the customer who pays.";
    qr_of_address = "QR code of the deposit address";
    transactions = "Transactions on the chain";
    token_transfers = "Token transfers";
    token = "Token";
    smallest_units = "Smallest units";
    settlement_transaction = "Settled by";
    payout_splits = "How it is paid out";
    sent = "Sent";
    refunded = "Sent back";
    refund = "Refund";
    refund_title = "Send this payment back";
    refund_to = "To another address";
    refund_to_hint = "Leave it empty to send it to whoever paid.";
    refund_reason = "Reason";
    refund_reason_hint = "For your own books. Who paid does not see it.";
    refund_sent = "The refund is on its way";
    review_refund = "Review refund";
    refund_ask_word = "Send this refund?";
    refund_to_whom = "is needed: who paid is not known";
    look_in_payments = "Look in payments";
}

pub(crate) fn refund_left(whole: &str) -> String {
    say!("{whole} can still be sent back.", whole)
}

pub(crate) fn refund_sentence(money: &str, to: Option<&str>) -> String {
    match to {
        Some(to) => say!("{money} go back to {to}. This cannot be undone.", money, to),
        None => say!(
            "{money} go back. Who paid is not known: name the address.",
            money
        ),
    }
}

pub(crate) fn cancel_obstacle(obstacle: CancelObstacle) -> &'static str {
    match obstacle {
        CancelObstacle::Status => {
            said("It cannot be canceled yet: only a payment that is Processing can be.")
        }
        CancelObstacle::Method => {
            said("It cannot be canceled: it is not paid to an address of its own.")
        }
        CancelObstacle::Scheduled => said("It cannot be canceled: it runs by a schedule."),
        CancelObstacle::Paid => {
            said("It cannot be canceled: money has arrived. Refund it once it is confirmed.")
        }
    }
}

// --- Trading ---

texts! {
    trading = "Trading";
    trading_lead = "One currency for another, at a price you have seen.";
    quick_trade = "Quick trade";
    quick_trade_why = "At the price of the moment. An estimate comes first; nothing is traded by it.";
    rfq_desk = "Quote desk";
    quote = "Quote";
    quotes = "Quotes";
    order = "Order";
    orders = "Orders";
    markets = "Markets";
    not_otc = "Only for trading over the counter";
    not_otc_lesson = "Your organisation does not have this feature: whoever runs the service can switch it on. Quick trades and quotes work without it.";
    no_orders = "No orders yet";
    no_orders_lesson = "An order is made when a quote is accepted or a quick trade is done.";
    no_quotes = "No quotes yet";
    no_quotes_lesson = "Ask for a price at the quote desk: every quote is kept here, whatever came of it.";
    sold = "Sold";
    bought = "Bought";
    rate = "Effective rate";
    what_for_what = "What trades for what";
    what_for_what_why = "What stands at the left is priced in what stands above: at how many venues, and from which spread on.";
    side = "Side";
    fees = "Fees";
    worth = "Worth";
    funded_by = "Funded by";
    from_chain = "From chain";
    to_chain = "To chain";
    open_quote = "Open the quote";
    open_order = "Open the order";
    look_in_orders = "Look in orders";
    exact_side = "Exact side";
    sell_exact = "Sell an exact amount";
    buy_exact = "Buy an exact amount";
    you_sell = "You sell";
    you_buy = "You buy";
    you_have = "You have";
    sell_amount = "Amount to sell";
    buy_amount = "Amount to buy";
    add_leg = "Sell another currency too";
    remove_leg = "Remove this currency";
    primary_account = "Primary virtual account";
    same_account = "The funding account";
    settled_to = "Settled to";
    outside_wallet = "A wallet outside";
    settled_by_number = "The number of an account of the sub-merchant; the funding account when empty";
    account_id_hint = "The number of an account of the sub-merchant; its primary virtual account when empty";
    handed_over = "Handed over";
    request_quote = "Ask for a price";
    request_quote_why = "A quote is held for a short while and can be accepted once. An estimate is held by nobody.";
    get_quote = "Get quote";
    get_estimate = "Get estimate";
    quote_of_another_why = "It is the sub-merchant’s: whoever signs in there accepts or rejects it while it is held.";
    estimate_why = "What a quote would say now. It cannot be accepted.";
    no_quote_yet = "No price asked for";
    no_quote_yet_lesson = "The quote appears here with its rate, its fees and the time it is held.";
    time_left = "Time the quote is held";
    accept = "Accept";
    reject = "Reject";
    accept_ask_word = "Accept this quote?";
    reject_ask = "Reject this quote?";
    reject_why = "It can no longer be accepted. Another one can be asked for.";
    quote_accepted = "Quote accepted";
    quote_rejected = "Quote rejected";
    accepted = "Accepted";
    rejected = "Rejected";
    fund_until = "To be funded until";
    buyable_hint = "What the account can take and a venue trades.";
    trade_reference_hint = "By this the order is found again if no answer comes.";
    no_estimate_yet = "No estimate yet";
    no_estimate_yet_lesson = "Say what you sell and what you buy. The estimate appears here, and the trade can be made from it.";
    estimate_not_held = "The price is not held: the trade is made at the price of its moment and shown beside this.";
    trade_now = "Trade now";
    trade_ask_word = "Make this trade?";
    traded = "Traded";
    result = "Result";
    trade_again = "Another trade";
    order_found = "The order was made";
    instruments = "Instruments";
    tradable_assets = "Tradable assets";
    pair_word = "Pair";
    venue = "Venue";
    priced = "Priced";
    priced_in = "Priced in";
    last_price = "Last price";
    min_size = "Smallest trade";
    max_size = "Largest trade";
    spread = "Spread, bps";
    cost = "Cost, bps";
    delay = "Delay";
    no_instruments_lesson = "No venue trades this. Clear a filter to see more.";
    exchanged_into = "Can be exchanged into";
    choose_currency = "Choose what you have";
    choose_currency_lesson = "Every currency and chain it can be exchanged into is listed here.";
    not_tradable = "Nothing to exchange it into";
    not_tradable_lesson = "No venue trades it on the chains of this account. Another account may have other chains.";
    places = "Decimal places";
    on_chains = "Chains";
}

pub(crate) fn pair(base: &str, quote: &str) -> String {
    format!("{base} / {quote}")
}

pub(crate) fn for_one(currency: &str) -> String {
    say!("for 1 {currency}", currency)
}

pub(crate) fn mode(mode: &QuoteMode) -> &str {
    match mode {
        QuoteMode::SellExact => said("What is sold"),
        QuoteMode::BuyExact => said("What is bought"),
        QuoteMode::Other(word) => word,
    }
}

pub(crate) fn deposit_method(method: &DepositMethod) -> String {
    match method {
        DepositMethod::Balance => said("From the balance").to_owned(),
        DepositMethod::Deposit => said("By a deposit").to_owned(),
        other => words(other.as_str()),
    }
}

pub(crate) fn deposit_methods() -> Vec<(String, String)> {
    [DepositMethod::Balance, DepositMethod::Deposit]
        .iter()
        .map(|method| (method.as_str().to_owned(), deposit_method(method)))
        .collect()
}

pub(crate) fn handed_over_by(methods: &str) -> String {
    format!(
        "What is sold can be handed over: {}.",
        methods.to_lowercase()
    )
}

pub(crate) fn any_chain(currency: &str) -> String {
    say!("{currency}, any chain", currency)
}

pub(crate) fn leg_number(number: u32) -> String {
    say!("Currency {number} to sell", number)
}

pub(crate) fn held_for(seconds: i64) -> String {
    match seconds {
        0 => said("No longer held").to_owned(),
        1 => said("Held for 1 more second").to_owned(),
        _ => say!("Held for {seconds} more seconds", seconds),
    }
}

pub(crate) fn accept_ask(sold: &str, bought: &str) -> String {
    say!(
        "You sell {sold} and get {bought}. An accepted quote cannot be taken back.",
        sold,
        bought
    )
}

pub(crate) fn trade_ask(sold: &str, bought: &str) -> String {
    say!(
        "You sell {sold} for about {bought}, at the price of the moment. A trade cannot be taken back.",
        sold,
        bought
    )
}

/// A confirmation question, extended by the external wallet that receives the bought asset, if any.
pub(crate) fn and_outside(asked: String, address: Option<&str>) -> String {
    match address {
        Some(address) => {
            let leaves = say!("What is bought leaves for {address}.", address);
            format!("{asked} {leaves}")
        }
        None => asked,
    }
}

pub(crate) fn order_not_found(reference: &str, looked: usize) -> String {
    say!(
        "No order with the reference {reference} among the newest {looked}. This page goes on looking.",
        reference,
        looked
    )
}

pub(crate) fn milliseconds(count: &str) -> String {
    say!("{count} ms", count)
}

/// `2 from 8 bps`: how many, and the smallest spread.
pub(crate) fn spread_from(count: usize, spread: &str) -> String {
    say!("{count} from {spread} bps", count, spread)
}
