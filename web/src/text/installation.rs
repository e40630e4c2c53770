//! Chains, nodes and hot wallets, for the members who operate the installation.

use settlekit_core::installation::{OutgoingPurpose, OutgoingStatus};

use crate::text::language::{filled, translate};
use crate::text::words::words;

texts! {
    chains_and_wallet = "Chains and wallet";
    lead = "The connected chains and the hot wallet of this installation, for all organisations.";
    no_chains = "No chain is connected";
    no_chains_hint = "Run “settlekit chain connect” on the server. Blocks, nodes and transactions appear here.";
    no_wallet = "No hot wallet";
    no_wallet_hint = "Run “settlekit wallet create” on the server. It holds the money of managed accounts and pays the network.";

    // --- Wallets ---

    hot_wallet = "Hot wallet";
    hot_wallet_why = "Holds the money of all managed accounts. Its gas money is your own and pays the network.";
    retired_wallet = "Retired hot wallet";
    retired_wallet_why = "Signs nothing. Still watched until it is empty.";
    holdings = "Balances";
    no_holdings = "Nothing here yet";
    no_holdings_hint = "Send gas money to this address. It appears when its block is settled.";
    gas_money = "Gas money";
    gas_low = "Low: top up";
    gas_enough = "Enough";

    // --- Chains ---

    following = "Following";
    catching_up = "Catching up";
    paused = "Paused";
    halted = "Halted";
    not_watched = "No server watches it";
    not_reported = "Waiting for a server";
    latest_block = "Latest block";
    settled_block = "Settled up to";
    nodes_at = "Nodes at";
    last_change = "Last block";
    base_fee = "Base fee";
    tokens = "Tokens";
    unswept = "Not swept yet";
    nothing_unswept = "Nothing";
    unconfigured = "Tokens not accepted";
    unconfigured_why = "Sent to your payment addresses and not booked. Anybody can create such tokens. Add one only if you know who issues it.";
    comparison = "Last comparison";
    never_compared = "Never. Run every night:";
    no_difference = "No difference";
    sums_only = "sums only";
    nodes = "Nodes";
    node = "Node";
    no_nodes = "No report yet";
    no_nodes_hint = "A server reports its nodes a few seconds after it starts.";
    node_ready = "Ready";
    node_silent = "No answer";
    behind = "Behind";
    last_answer = "Last answer";
    last_error = "Last error";
    pause = "Pause";
    pause_why = "Nothing is read from the chain and nothing is sent on it. Payments wait: transfers mined during the pause are booked after you resume. No money moves.";
    resume = "Resume";
    paused_now = "Chain paused";
    resumed_now = "Chain resumed";
    show_proxies = "Show addresses";
    proxies = "Addresses that are not swept";
    proxies_why = "Swept every hour, or when a payout needs the money.";
    no_proxies = "Everything is swept";
    no_proxies_hint = "Money that payers send to payment addresses appears here until it is moved to the hot wallet.";
    swept_at = "Next sweep";
    more = "Show more";

    // --- Transactions ---

    in_progress = "Transactions in progress";
    in_progress_why = "Sent by the hot wallet and not settled yet, oldest first.";
    no_transactions = "Nothing in progress";
    no_transactions_hint = "Payouts and sweeps appear here from the queue to their last confirmation.";
    purpose = "Purpose";
    nonce = "Nonce";
    fee_offered = "Highest fee";
    age = "Started";
    raise_fee = "Raise fee";
    raise_fee_why = "The transaction is replaced by one with the same nonce and a fee an eighth higher. Only one of them can be mined, so nothing is paid twice.";
    fee_raised = "Fee raised. The replacement is sent now.";
    payout = "Payout";
    sweep = "Sweep";
    deployment = "Deployment";
    wallet_move = "Move to the new hot wallet";
    token_approval = "Token approval";
    swap = "Swap";
    revocation = "Revocation of a token approval";
    operator_withdrawal = "Operator withdrawal";
    foreign = "Not signed here";
    to_sign = "Waits for the signer";
    abandoned = "Given up";
    to_broadcast = "Signed";
    in_mempool = "Sent";
    in_block = "Confirming";

    // --- Wallet links ---

    wallet_links = "Payers’ wallets";
    wallet_links_why = "On a phone without a wallet in the browser, payers choose from these wallets, in this order.";
    wallet = "Wallet";
    wallet_name = "Name of the wallet";
    link_template = "Link";
    link_template_hint = "An https URL, or a URL with the wallet’s own scheme. Placeholders in braces: page_address, only at the end of the path, is the page’s address without https://, page_url its encoded URL, page_url_twice the same encoded twice, payment_uri the encoded EIP-681 link.";
    add_link = "Add wallet";
    link_added = "Wallet added";
    remove_link_why = "Payers are not offered this wallet any more. You can add it again.";
    link_removed = "Wallet removed";
    restore_links = "Restore usual wallets";
    restore_links_ask = "Restore the usual wallets?";
    restore_links_why = "Your own list is deleted.";
    links_restored = "Usual wallets restored";
    no_links = "No wallet is offered";
    no_links_hint = "Payers on a phone still see the QR code and the address. Add a wallet, or restore the usual ones.";

    remove_link_of(name: &str) = "Remove {name}";
    remove_link_ask(name: &str) = "Remove {name}?";
    pause_of(chain: &str) = "Pause {chain}?";
    resume_of(chain: &str) = "Resume {chain}";
    raise_fee_of(nonce: &str) = "Raise the fee of nonce {nonce}?";
    blocks_behind(count: &str) = "{count} blocks behind", "1" = "1 block behind";
    up_to_date = "Up to date";
    oldest_shown(count: &str) = "The {count} oldest are shown.";
    transfers_of(count: &str) = "{count} transfers", "1" = "1 transfer";
    last_in(block: &str) = "latest in block {block}";
    more_tokens(count: &str) = "and {count} more tokens", "1" = "and 1 more token";
    proxies_of(count: &str) = "{count} addresses", "1" = "1 address";
    block_gauge(settled: &str, head: &str, nodes: &str) = "Settled up to block {settled}, recorded up to {head}, nodes at {nodes}";
    gas_gauge(available: &str, mark: &str) = "{available} available, top up below {mark}";
    gas_payouts(count: &str) = "About {count} payouts at today’s fees", "1" = "About 1 payout at today’s fees";
    gas_reserved(amount: &str) = "{amount} reserved by transactions in progress";
    differences_of(count: &str) = "{count} differences", "1" = "1 difference";
    compared_at_block(balances: &str, block: &str) = "{balances} balances at block {block}";
    finality_rule(seconds: u32) = "When the nodes call a block final, a block every {seconds} s";
    confirmation_count(count: u32) = "{count} confirmations", 1 = "1 confirmation";
    confirmations_rule(confirmations: &str, seconds: u32) = "{confirmations}, a block every {seconds} s";
    proxies_on(chain: &str) = "Addresses on {chain} that are not swept";
}

pub(crate) fn purpose_of(purpose: &OutgoingPurpose) -> String {
    match purpose {
        OutgoingPurpose::Payout => payout().to_owned(),
        OutgoingPurpose::Sweep => sweep().to_owned(),
        OutgoingPurpose::Deploy => deployment().to_owned(),
        OutgoingPurpose::Move => wallet_move().to_owned(),
        OutgoingPurpose::GasMoney => gas_money().to_owned(),
        OutgoingPurpose::Approval => token_approval().to_owned(),
        OutgoingPurpose::Swap => swap().to_owned(),
        OutgoingPurpose::Revocation => revocation().to_owned(),
        OutgoingPurpose::OperatorWithdrawal => operator_withdrawal().to_owned(),
        OutgoingPurpose::Unknown => foreign().to_owned(),
        OutgoingPurpose::Other(word) => words(word),
    }
}

pub(crate) fn status_of(status: &OutgoingStatus) -> String {
    match status {
        OutgoingStatus::Unsigned => to_sign().to_owned(),
        OutgoingStatus::Abandoned => abandoned().to_owned(),
        OutgoingStatus::Signed => to_broadcast().to_owned(),
        OutgoingStatus::Sent => in_mempool().to_owned(),
        OutgoingStatus::Mined => in_block().to_owned(),
        other => words(other.as_str()),
    }
}
