//! Payments (contract, "Payment").

mod cancel_payment;
mod create_payment;
mod get_payment;
mod list_payments;
mod refund_payment;
mod state;

pub use cancel_payment::{CancelPayment, CancelPaymentPath};
pub use create_payment::{CreatePayment, CreatePaymentBody};
pub use get_payment::{GetPayment, PaymentPath};
pub use list_payments::{ListPayments, ListPaymentsQuery};
pub use refund_payment::{RefundPayment, RefundPaymentBody, RefundPaymentPath};
pub use state::MOVES;

use crate::account::AccountSummary;
use crate::customer::Customer;
use crate::paylink::{Paylink, Source};
use crate::plan::PlanType;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{
    AccountId, Amount, ChainId, Currency, CustomerId, InvoiceId, Object, OrganisationId, PaymentId,
    Timestamp,
};

open_enum! {
    /// Where a payment stands.
    PaymentStatus { Pending, Processing, Confirmed, Failed, Expired, Canceled, Refunded, PartialRefunded }
}

open_enum! {
    /// What is out of the ordinary about a payment.
    PaymentReason { Underpaid, Overpaid, PaidLate }
}

open_enum! {
    /// How a payment is made.
    PaymentMethod {
        /// To an address made for this payment alone.
        ProxyWallet,
        /// To the account's own address.
        Direct,
        /// Out of an account, to somebody else.
        Payout,
    }
}

open_enum! {
    /// What the payer has to do.
    NextAction { ChooseMethod, SendFunds, Wait, None }
}

open_enum! {
    /// Where a transaction on a chain stands.
    TransactionStatus { Pending, Success, Failed }
}

open_enum! {
    /// What a transaction on a chain is for.
    TransactionType { Unknown, Payment, Settlement, Payout }
}

open_enum! {
    /// Who reported a transaction.
    TransactionSource { Unknown, Observed, Simulated }
}

record! {
    /// A payment.
    Payment {
        /// Unique id.
        id: PaymentId,
        /// The merchant's own name for it.
        reference?: String,
        /// The payment it belongs to, if any.
        parent_id?: PaymentId,
        /// The organisation that is paid.
        org_id: OrganisationId,
        /// The invoice it pays, if any.
        invoice_id?: InvoiceId,
        /// Who pays.
        customer_id?: CustomerId,
        /// What is due, in `currency`.
        amount: Amount,
        /// What is due in US dollars at the rate of its creation.
        amount_usd?: Amount,
        /// The currency the payer sends.
        currency: Currency,
        /// The chain it is sent on.
        chain_id?: ChainId,
        /// Where it stands.
        status: PaymentStatus,
        /// What is out of the ordinary.
        reason?: PaymentReason,
        /// How it is made.
        payment_method: PaymentMethod,
        /// Where it came from.
        source?: Source,
        /// What the payer has to do.
        next_action?: NextAction,
        /// When it is to run, Unix seconds.
        scheduled_time?: i64,
        /// The payer's address, once seen.
        sender_address?: String,
        /// The address to pay to.
        deposit_address?: String,
        /// What has arrived and is confirmed or on its way.
        paid_amount: Amount,
        /// What of it has been sent back.
        refunded_amount?: Amount,
        /// Until when the price holds.
        expires_at?: Timestamp,
        /// Who pays.
        customer?: Customer,
        /// The link it was made from.
        payment_link?: Paylink,
        /// Where the money comes from, when it is one of ours.
        from_account?: AccountSummary,
        /// Where the money goes.
        to_account?: AccountSummary,
        /// How it is paid out.
        payout_splits?: Vec<PayoutSplit>,
        /// The transaction that paid it.
        crypto_transaction?: TransactionSummary,
        /// The transaction that settled it.
        settlement_transaction?: TransactionSummary,
        /// Every transaction seen for it.
        crypto_transactions?: Vec<CryptoTransaction>,
        /// Each change of status with its time.
        timeline?: Vec<TimelineEntry>,
        /// Free-form.
        cf_headers?: Object,
        /// Free-form.
        metadata?: Object,
        /// Free-form.
        properties?: Object,
        /// When it was made.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

record! {
    /// A share of a payout.
    PayoutSplit {
        /// The receiving address.
        address?: String,
        /// The share.
        amount: Amount,
        /// The chain it is sent on.
        chain_id?: ChainId,
        /// The currency of the share.
        currency: Currency,
        /// The receiving account.
        destination_account_id?: AccountId,
        /// The merchant's own name for it.
        reference?: String,
    }
}

record! {
    /// A transaction as embedded in a payment.
    TransactionSummary {
        /// The chain.
        chain_id: ChainId,
        /// When it was first seen.
        created_at: Timestamp,
        /// The payment it belongs to.
        payment_id: PaymentId,
        /// Where it stands.
        status: TransactionStatus,
        /// Its hash.
        transaction_hash: String,
        /// What it is for.
        r#type: TransactionType,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

record! {
    /// A transaction on a chain (contract, "CryptoTransaction").
    CryptoTransaction {
        /// Unique id.
        id: i64,
        /// The chain.
        chain_id: ChainId,
        /// The payment it belongs to.
        payment_id?: PaymentId,
        /// The object it belongs to.
        entity_id?: String,
        /// The sender.
        from?: String,
        /// The receiver: the address of a payment, of an account, or a permanent one of it.
        to?: String,
        /// What it carries.
        value: Amount,
        /// The currency of `value`.
        currency?: Currency,
        /// The fee its sender paid.
        fee_amount?: Amount,
        /// The currency of the fee.
        fee_currency?: Currency,
        /// Its place among the sender's transactions.
        sequence?: i64,
        /// Its hash.
        transaction_hash: String,
        /// The transaction as the chain has it.
        raw?: String,
        /// Who reported it.
        source: TransactionSource,
        /// Where it stands.
        status: TransactionStatus,
        /// What it is for.
        r#type: TransactionType,
        /// Blocks on top of it, its own included.
        confirmations?: u32,
        /// Token transfers inside it.
        transfer_logs?: Vec<TransferLog>,
        /// When it was first seen.
        created_at: Timestamp,
        /// When it last changed.
        updated_at: Timestamp,
    }
}

record! {
    /// A token transfer inside a transaction.
    TransferLog {
        /// The token's contract.
        address: String,
        /// Who received.
        recipient: String,
        /// Who sent.
        sender: String,
        /// How much, in the token's smallest unit.
        value: String,
    }
}

record! {
    /// One change of a payment's status.
    TimelineEntry {
        /// The status reached.
        status: PaymentStatus,
        /// When.
        at: Timestamp,
    }
}

/// What stands in the way of canceling a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelObstacle {
    /// It is not Processing.
    Status,
    /// It is not made to an address of its own.
    Method,
    /// It runs by a schedule.
    Scheduled,
    /// Something has been paid.
    Paid,
}

impl Payment {
    /// Whether it may be canceled: Processing, proxy-wallet, one-time, nothing paid (contract, "Errors" 6).
    pub fn may_cancel(&self) -> bool {
        self.cancel_obstacle().is_none()
    }

    /// Whether it is the first of a subscription: made from the link of a recurring plan.
    pub fn is_recurring(&self) -> bool {
        let plan = self
            .payment_link
            .as_ref()
            .and_then(|link| link.plan.as_ref());
        plan.is_some_and(|plan| plan.r#type == PlanType::Recurring)
    }

    /// Why it may not be canceled; none when it may.
    pub fn cancel_obstacle(&self) -> Option<CancelObstacle> {
        if self.status != PaymentStatus::Processing {
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

    /// How much of it can still be sent back; none when nothing can.
    pub fn refundable(&self) -> Option<Amount> {
        let refunded = self.refunded_amount.unwrap_or(Amount::ZERO);
        let left = self.paid_amount.minus(refunded).ok()?;
        Some(left).filter(|left| self.may_refund() && left.is_positive())
    }

    /// Whether its status lets what was paid go back: what is open may yet be paid in full.
    pub fn may_refund(&self) -> bool {
        self.payment_method != PaymentMethod::Payout
            && !matches!(
                self.status,
                PaymentStatus::Pending | PaymentStatus::Processing
            )
    }
}
