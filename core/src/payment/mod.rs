//! Payments (contract, "Payment").

mod cancel_payment;
mod create_payment;
mod get_payment;
mod get_payment_timeline;
mod list_payments;
mod refund_payment;
mod state;

pub use cancel_payment::{CancelPayment, CancelPaymentPath};
pub use create_payment::{CreatePayment, CreatePaymentBody};
pub use get_payment::{GetPayment, PaymentPath};
pub use get_payment_timeline::{
    GetPaymentTimeline, GetPaymentTimelinePath, PaymentTimelineEntry, TIMELINE_ENTRIES_MAX,
    TimelineEvent, TimelineRefund, TimelineTransaction, TimelineType,
};
pub use list_payments::{ListPayments, ListPaymentsQuery};
pub use refund_payment::{RefundPayment, RefundPaymentBody, RefundPaymentPath};
pub use state::TRANSITIONS;

use crate::account::AccountSummary;
use crate::customer::Customer;
use crate::paylink::{Paylink, Source};
use crate::plan::PlanType;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, Amount, ChainId, Currency, CustomerId, InvoiceId, Object, OrderId, OrganisationId,
    PaymentId, Timestamp, UserId,
};

open_enum! {
    /// Status of a payment.
    PaymentStatus { Pending, Processing, Confirmed, Failed, Expired, Canceled, Refunded, PartialRefunded }
}

open_enum! {
    /// Why a payment needs attention.
    PaymentReason {
        /// Less was paid than is due.
        Underpaid,
        /// More was paid than is due.
        Overpaid,
        /// It was paid after its time.
        PaidLate,
        /// A payout above a limit waits for a second member.
        ApprovalRequired,
        /// A second member refused the payout.
        ApprovalRefused,
    }
}

open_enum! {
    /// Payouts that a limit counts.
    PayoutLimitType {
        /// One payout.
        PerPayout,
        /// The payouts of a day (UTC).
        PerDay,
    }
}

open_enum! {
    /// Whose payouts a limit counts.
    PayoutLimitScope {
        /// Those of the organisation.
        Organisation,
        /// Those of all organisations of the installation.
        Installation,
    }
}

open_enum! {
    /// Payment method.
    PaymentMethod {
        /// To a deposit address created for this payment.
        ProxyWallet,
        /// To the account's own address.
        Direct,
        /// From an account to an external destination.
        Payout,
    }
}

open_enum! {
    /// Next step for the payer.
    NextAction { ChooseMethod, SendFunds, SignTransaction, Wait, None }
}

open_enum! {
    /// Status of an on-chain transaction.
    TransactionStatus { Pending, Success, Failed }
}

open_enum! {
    /// Purpose of an on-chain transaction.
    TransactionType { Unknown, Payment, Settlement, Payout }
}

open_enum! {
    /// Reporter of a transaction.
    TransactionSource { Unknown, Observed, Simulated }
}

record! {
    /// The transaction of a payout from the merchant's own wallet: the fields of `eth_sendTransaction`, to be signed there.
    PreparedTransaction {
        /// EIP-155 chain id.
        chain_id: ChainId,
        /// The wallet that signs.
        from: String,
        /// Number of `from` below the account's extended public key, from 0; absent for a wallet connected by its address.
        derivation_index?: u32,
        /// The receiver, or the token's contract.
        to: String,
        /// Native coins to send, in wei, hexadecimal.
        value: String,
        /// The contract's call, hexadecimal; `0x` if none.
        data: String,
        /// Link that opens a wallet with the transfer (EIP-681).
        link: String,
    }
}

record! {
    /// A payment.
    Payment {
        /// Unique id.
        id: PaymentId,
        /// Merchant-defined reference.
        reference?: String,
        /// Parent payment; absent if none.
        parent_id?: PaymentId,
        /// Organisation that receives the payment.
        org_id: OrganisationId,
        /// Invoice it pays; absent if none.
        invoice_id?: InvoiceId,
        /// Paying customer.
        customer_id?: CustomerId,
        /// Amount due, in `currency`.
        amount: Amount,
        /// Amount due in US dollars, at the rate at creation; absent without a price, and on a test network.
        amount_usd?: Amount,
        /// Currency the payer sends.
        currency: Currency,
        /// Chain it is sent on.
        chain_id?: ChainId,
        /// True on a test network, whose money has no value.
        test_network?: bool,
        /// Current status.
        status: PaymentStatus,
        /// Why the payment needs attention.
        reason?: PaymentReason,
        /// Payment method.
        payment_method: PaymentMethod,
        /// Origin of the record.
        source?: Source,
        /// Next step: for the payer, or for the merchant whose own wallet pays out.
        next_action?: NextAction,
        /// Scheduled execution time, Unix seconds.
        scheduled_time?: i64,
        /// Payer's address, once seen.
        sender_address?: String,
        /// Address to pay to.
        deposit_address?: String,
        /// Amount received, confirmed or pending.
        paid_amount: Amount,
        /// Amount refunded.
        refunded_amount?: Amount,
        /// Amount of refunds under way: not confirmed yet.
        refunding_amount?: Amount,
        /// Amount confirmed, in `currency`; for a payout, what left the account for it. With `fee_amount` and `net_amount` only where one
        /// payment is read, and absent before a confirmation.
        gross_amount?: Amount,
        /// Fees of it in `currency`: that of the service, and for a payout that of the network if it was paid in `currency`.
        fee_amount?: Amount,
        /// `gross_amount` without `fee_amount`.
        net_amount?: Amount,
        /// The price is valid until this time.
        expires_at?: Timestamp,
        /// Paying customer.
        customer?: Customer,
        /// Paylink that created it.
        payment_link?: Paylink,
        /// Sending account, if it belongs to the organisation.
        from_account?: AccountSummary,
        /// Receiving account.
        to_account?: AccountSummary,
        /// Destinations of a payout.
        payout_splits?: Vec<PayoutSplit>,
        /// Network fee that the operator of the service paid for the payer's signed transfers (EIP-3009), in all their transactions that
        /// are in a block. Neither payer nor merchant pays it.
        network_fee?: Amount,
        /// Currency of `network_fee`: the native coin of the chain.
        network_fee_currency?: Currency,
        /// Worth of `network_fee` in US dollars when its block was read, to the millionth; absent if there was no price, and on a
        /// test network.
        network_fee_usd?: Amount,
        /// Approval of a payout above a limit.
        approval?: PayoutApproval,
        /// Transaction to be signed by the merchant's own wallet, while `next_action` is `SignTransaction`.
        prepared_transaction?: PreparedTransaction,
        /// Transaction that paid it.
        crypto_transaction?: TransactionSummary,
        /// Transaction that settled it.
        settlement_transaction?: TransactionSummary,
        /// All transactions of the payment.
        crypto_transactions?: Vec<CryptoTransaction>,
        /// Status changes with their times.
        timeline?: Vec<TimelineEntry>,
        /// Free-form JSON object.
        cf_headers?: Object,
        /// Free-form JSON object.
        metadata?: Object,
        /// Free-form JSON object.
        properties?: Object,
        /// Creation time.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

record! {
    /// A destination of a payout.
    PayoutSplit {
        /// Receiving address.
        address?: String,
        /// Amount, in `currency`.
        amount: Amount,
        /// Chain it is sent on.
        chain_id?: ChainId,
        /// Currency of `amount`.
        currency: Currency,
        /// Receiving account.
        destination_account_id?: AccountId,
        /// Merchant-defined reference.
        reference?: String,
    }
}

record! {
    /// Why a payout waits for a second member, and who decided.
    PayoutApproval {
        /// Limit that the payout is above, in its currency.
        limit: Amount,
        /// Payouts that the limit counts.
        limit_type: PayoutLimitType,
        /// Whose payouts the limit counts.
        limit_scope: PayoutLimitScope,
        /// Amount above the limit. Absent if it would reveal payouts of other organisations.
        excess?: Amount,
        /// Member who created the payout, who can't decide; absent for an API key or an automation.
        requested_by?: UserId,
        /// Member who approved or refused it.
        decided_by?: UserId,
        /// Time of the decision.
        decided_at?: Timestamp,
    }
}

record! {
    /// A transaction, as embedded in a payment.
    TransactionSummary {
        /// Chain id.
        chain_id: ChainId,
        /// Time it was first seen.
        created_at: Timestamp,
        /// Payment it belongs to.
        payment_id: PaymentId,
        /// Current status.
        status: TransactionStatus,
        /// Transaction hash.
        transaction_hash: String,
        /// Purpose.
        r#type: TransactionType,
        /// Number of confirmations: its own block and the blocks on top.
        confirmations?: u32,
        /// Confirmations required.
        confirmations_required?: u32,
        /// Block that it is in; absent before, and for payouts of a sandbox.
        block_number?: u64,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

record! {
    /// An on-chain transaction (contract, "CryptoTransaction").
    CryptoTransaction {
        /// Unique id.
        id: i64,
        /// Chain id.
        chain_id: ChainId,
        /// Payment it belongs to.
        payment_id?: PaymentId,
        /// Id of the object it belongs to.
        entity_id?: String,
        /// Sending address.
        from?: String,
        /// Receiving address, of a payment or an account.
        to?: String,
        /// Amount transferred, in `currency`.
        value: Amount,
        /// Currency of `value`.
        currency?: Currency,
        /// Network fee paid by the sender.
        fee_amount?: Amount,
        /// Currency of the fee.
        fee_currency?: Currency,
        /// Sequence number among the sender's transactions.
        sequence?: i64,
        /// Transaction hash.
        transaction_hash: String,
        /// Raw transaction, as on the chain.
        raw?: String,
        /// Reporter.
        source: TransactionSource,
        /// Current status.
        status: TransactionStatus,
        /// Purpose.
        r#type: TransactionType,
        /// Number of confirmations: its own block and the blocks on top.
        confirmations?: u32,
        /// Confirmations required.
        confirmations_required?: u32,
        /// Block that it is in; absent before.
        block_number?: u64,
        /// Token transfers of the transaction.
        transfer_logs?: Vec<TransferLog>,
        /// Time it was first seen.
        created_at: Timestamp,
        /// Time of the last change.
        updated_at: Timestamp,
    }
}

record! {
    /// A token transfer of a transaction.
    TransferLog {
        /// Contract address of the token.
        address: String,
        /// Recipient.
        recipient: String,
        /// Sender.
        sender: String,
        /// Amount, in the token's smallest unit.
        value: String,
    }
}

record! {
    /// A status change of a payment.
    TimelineEntry {
        /// New status.
        status: PaymentStatus,
        /// Time of the change.
        at: Timestamp,
    }
}

/// The property of a payout that sends the proceeds of an order.
pub const ORDER_ID: &str = "order_id";

/// Why a payment can't be canceled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelObstacle {
    /// The status is not Processing.
    Status,
    /// The payment has no deposit address of its own.
    Method,
    /// The payment is scheduled.
    Scheduled,
    /// Something has been paid.
    Paid,
}

impl Payment {
    /// Whether the payment can be canceled: Processing, proxy-wallet, one-time, nothing paid (contract, "Errors" 6); or a payout that
    /// is not sent. The service refuses one whose transaction is signed by then.
    pub fn may_cancel(&self) -> bool {
        self.cancel_obstacle().is_none()
    }

    /// Whether it is the first payment of a subscription, made from the link of a recurring plan.
    pub fn is_recurring(&self) -> bool {
        let plan = self
            .payment_link
            .as_ref()
            .and_then(|link| link.plan.as_ref());
        plan.is_some_and(|plan| plan.r#type == PlanType::Recurring)
    }

    /// Whether it is a payout that the merchant's own wallet has not signed.
    pub fn is_unsigned(&self) -> bool {
        self.status == PaymentStatus::Pending
            && self.next_action == Some(NextAction::SignTransaction)
    }

    /// Whether it is a payout that is not sent, and not that of an order.
    pub fn is_unsent_payout(&self) -> bool {
        self.status == PaymentStatus::Pending
            && self.payment_method == PaymentMethod::Payout
            && self.order_id().is_none()
    }

    /// The order whose proceeds a payout sends.
    pub fn order_id(&self) -> Option<OrderId> {
        let properties = self.properties.as_ref()?;
        properties.get(ORDER_ID)?.as_str()?.parse().ok()
    }

    /// Why the payment can't be canceled; none if it can.
    pub fn cancel_obstacle(&self) -> Option<CancelObstacle> {
        if self.is_unsigned() || self.is_unsent_payout() {
            None
        } else if self.status != PaymentStatus::Processing {
            Some(CancelObstacle::Status)
        } else if self.payment_method != PaymentMethod::ProxyWallet {
            Some(CancelObstacle::Method)
        } else if self.scheduled_time.is_some() || self.is_recurring() {
            Some(CancelObstacle::Scheduled)
        } else if !self.paid_amount.is_zero() {
            Some(CancelObstacle::Paid)
        } else {
            None
        }
    }

    /// Amount that can still be refunded; none if nothing can.
    pub fn refundable(&self) -> Option<Amount> {
        let refunded = self.refunded_amount.unwrap_or(Amount::ZERO);
        let refunding = self.refunding_amount.unwrap_or(Amount::ZERO);
        let left = self
            .paid_amount
            .minus(refunded)
            .ok()?
            .minus(refunding)
            .ok()?;
        Some(left).filter(|left| self.may_refund() && left.is_positive())
    }

    /// Whether its method and status allow a refund; open payments may still be paid in full.
    pub fn may_refund(&self) -> bool {
        self.payment_method != PaymentMethod::Payout
            && !matches!(
                self.status,
                PaymentStatus::Pending | PaymentStatus::Processing
            )
    }
}
