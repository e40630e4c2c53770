//! The payer's side of a paylink: no sign-in, only what a payer needs.

mod get_checkout;
mod get_checkout_payment;
mod pay_from_test_wallet;
mod qr;
mod start_checkout;

pub use get_checkout::{CheckoutPath, GetCheckout};
pub use get_checkout_payment::{CheckoutPaymentPath, GetCheckoutPayment};
pub use pay_from_test_wallet::{PayFromTestWallet, PayFromTestWalletBody, PayFromTestWalletPath};
pub use start_checkout::{StartCheckout, StartCheckoutBody, StartCheckoutPath};

use crate::chain::Chain;
use crate::paylink::{AfterCompletion, PaylinkState};
use crate::payment::{PaymentReason, PaymentStatus};
use crate::plan::RecurringInterval;
use crate::value::record::record;
use crate::value::{Amount, Currency, PaylinkId, PaymentId, Timestamp};

record! {
    /// What a payer sees of a paylink.
    Checkout {
        /// The paylink.
        paylink_id: PaylinkId,
        /// Whether it takes payments.
        state: PaylinkState,
        /// What is sold.
        name: String,
        /// More about it.
        description?: String,
        /// A picture.
        image_url?: String,
        /// The price.
        amount: Amount,
        /// The currency of the price.
        currency: Currency,
        /// How often the price is due again, of a recurring plan: whoever pays subscribes.
        recurring_interval?: RecurringInterval,
        /// How many intervals lie between two payments.
        recurring_interval_count?: i64,
        /// How long nothing is due at first, ISO 8601 (`P14D`); the payment to begin with is then over nothing.
        trial_period?: String,
        /// Who is paid.
        merchant: Merchant,
        /// The ways to pay.
        options: Vec<CheckoutOption>,
        /// What the payer is asked.
        collect: Collect,
        /// What happens after.
        after_completion?: AfterCompletion,
        /// When the link stops taking payments.
        expires_at?: Timestamp,
        /// Whether money here is play money.
        sandbox: bool,
    }
}

record! {
    /// Who is paid.
    Merchant {
        /// The organisation's name.
        name: String,
        /// A picture.
        logo_url?: String,
    }
}

record! {
    /// One way to pay.
    CheckoutOption {
        /// The chain.
        chain: Chain,
        /// The currency.
        currency: Currency,
        /// The price in that currency.
        amount: Amount,
    }
}

record! {
    /// What the payer is asked.
    Collect {
        /// Who they are.
        customer_ident: bool,
        /// Where to send goods.
        shipping_address: bool,
        /// Their tax number.
        tax_ident: bool,
    }
}

record! {
    /// A payment as its payer sees it.
    CheckoutPayment {
        /// The payment.
        payment_id: PaymentId,
        /// The link it was made from.
        paylink_id?: PaylinkId,
        /// Where it stands.
        status: PaymentStatus,
        /// What is out of the ordinary.
        reason?: PaymentReason,
        /// What is due.
        amount: Amount,
        /// The currency to send.
        currency: Currency,
        /// The chain to send it on.
        chain: Chain,
        /// Where to send it.
        address: String,
        /// The same as an address that wallets open.
        payment_uri: String,
        /// The same as a picture.
        qr: QrCode,
        /// What has arrived.
        paid_amount: Amount,
        /// Blocks on top of the payer's transaction, its own included.
        confirmations: u32,
        /// How many are needed.
        confirmations_required: u32,
        /// Until when the price holds.
        expires_at: Timestamp,
        /// The payer's transaction, once seen.
        transaction_hash?: String,
        /// What happens after.
        after_completion?: AfterCompletion,
        /// The server's clock, so that a countdown is right.
        server_time: Timestamp,
        /// Whether money here is play money.
        sandbox: bool,
    }
}

record! {
    /// A QR code as an SVG path in a box of `size` by `size`.
    QrCode {
        /// Modules on a side, the quiet zone included.
        size: u32,
        /// The dark modules as an SVG path.
        path: String,
    }
}
