//! Payouts that wait for a member or a wallet.

use settlekit_core::payment::{PayoutApproval, PayoutLimitScope, PayoutLimitType};

use crate::text::language::{filled, translate};

// --- Approval ---

texts! {
    all = "All payouts";
    waiting = "Awaiting approval";
    refused = "Refused approval";
    nothing_waiting = "Nothing awaits approval";
    nothing_waiting_hint = "Payouts above a limit appear here until a second member decides.";
    nothing_refused = "No refused payouts";
    nothing_refused_hint = "Payouts that a second member refused appear here.";
    waiting_title = "This payout waits for approval";
    requested_by = "Requested by";
    requested_at = "Requested";
    not_a_member = "API key or automation";
    is_own = "You requested this payout, so another member has to decide.";
    needs_scope = "A member who may send payouts has to decide.";
    approve = "Approve payout";
    approve_ask = "Approve this payout?";
    approved = "Payout approved";
    approved_by = "Approved by";
    refuse = "Refuse payout";
    refuse_ask = "Refuse this payout?";
    refuse_why = "Nothing is sent, and all of its money is available again. This can’t be undone.";
    refused_now = "Payout refused";
    refused_by = "Refused by";
    awaits_approval = "The payout waits for another member’s approval";

    awaiting_of(count: &str) = "{count} payouts await approval", "1" = "1 payout awaits approval";
    awaiting_why = "Above a payout limit, a second member approves or refuses.";
    review = "Review payouts";
    approve_why(money: &str, to: &str) = "{money} will be sent to {to}. Payouts can’t be reversed.";
}

/// The limit that a payout is above, and by how much.
pub(crate) fn above_limit(approval: &PayoutApproval, limit: &str, excess: Option<&str>) -> String {
    let is_own = approval.limit_scope == PayoutLimitScope::Organisation;
    let is_day = approval.limit_type == PayoutLimitType::PerDay;
    let above = match (is_own, is_day) {
        (true, false) => say!(
            "Above your organisation’s limit of {limit} per payout.",
            limit
        ),
        (true, true) => say!(
            "Above your organisation’s limit of {limit} per day (UTC).",
            limit
        ),
        (false, false) => say!("Above the operator’s limit of {limit} per payout.", limit),
        (false, true) => say!(
            "Above the operator’s limit of {limit} per day (UTC), which counts all organisations.",
            limit
        ),
    };
    match excess {
        Some(excess) => {
            let by = say!("It exceeds the limit by {excess}.", excess);
            format!("{above} {by}")
        }
        None => above,
    }
}

// --- Signing with the merchant's own wallet ---

texts! {
    to_sign = "Sign this payout with your wallet";
    fee_in_wallet = "Shown by your wallet";
    in_wallet = "In your wallet";
    at_one_address = "Most at one address";
    not_at_one_address = "No address has that much";
    not_at_one_address_why = "A wallet sends from one address at a time. Enter a smaller amount, or move the money to one address first.";
    to_sign_why = "Nothing is sent until the wallet signs. Your wallet shows the network fee first.";
    signing_wallet = "Signing wallet";
    address_number = "Address number";
    recipient = "Recipient";
    contract = "Token contract";
    network = "Network";
    sign = "Sign with browser wallet";
    no_wallet = "No browser wallet found";
    no_wallet_why = "Enable your wallet’s extension, then look again. Or use the link with another wallet.";
    look_again = "Look again";
    asking = "Continue in your wallet";
    asking_why = "Check recipient, amount and network there before you sign.";
    other_wallet = "Use another wallet";
    qr_of_transfer = "QR code of the transfer";
    link = "Payment request link (EIP-681)";
    link_why = "Scan it with the wallet that holds the money. Check recipient and amount there.";
    link_of_key = "Choose the signing address in the wallet first: the link doesn’t name it.";
    copy_link = "Copy link";
    handed_over = "Signed. Waiting for the chain";
    handed_over_why = "Your wallet reports this transaction. The payout is processing once a block has it.";
    maybe_handed_over = "Your wallet may have sent it";
    maybe_handed_over_why = "Your wallet gave no clear answer. Look at its activity before you sign again.";
    sign_again = "Sign again";
    sign_again_ask = "Sign this payout again?";
    sign_again_why = "If the first transaction is sent too, the recipient is paid twice. Sign again only if your wallet shows that it was not sent.";
    not_signed = "Not signed";
    declined = "You declined it in your wallet. Nothing was sent.";
    already_asked = "Your wallet shows an earlier request. Answer it there, then try again.";
    unknown_chain = "Your wallet doesn’t know this network. Add it there, then try again. Nothing was sent.";
    other_chain = "Your wallet is still on another network. Switch it, then try again. Nothing was sent.";
    no_account = "Your wallet doesn’t offer the account that holds the money. Nothing was sent.";
    wallet_failed = "Your wallet reported an error. Nothing was sent.";
    changed = "The payout has changed. Nothing was signed.";
    cancel_payout = "Cancel payout";
    cancel_payout_ask = "Cancel this payout?";
    cancel_payout_why = "It can’t be signed here any more. If a wallet has signed it already, the money still leaves and is booked as a withdrawal.";
    cancel_unsent_why = "Nothing has left yet. The full amount and the fees return to the account.";
    canceled = "Payout canceled";
    prepared = "Sign the payout to send it";
    prepare_ask = "Prepare this payout?";
    prepare = "Prepare payout";

    address_number_of(number: &str) = "{number} (…/{number} of the extended public key)";
    sign_with(name: &str) = "Sign with {name}";
    other_account(wallet: &str, needed: &str) = "Your wallet offers {wallet}, but {needed} holds the money. Choose that account in the wallet. Nothing was sent.";
    prepare_why(money: &str, from: &str, to: &str) = "{money} from {from} to {to}. Nothing is sent until your wallet signs it.";
}
