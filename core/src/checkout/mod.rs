//! The payer's view of a paylink: public, and limited to the data a payer needs.

mod authorize_payment;
mod get_checkout;
mod get_checkout_payment;
mod pay_from_test_wallet;
#[cfg(feature = "qr")]
mod qr;
mod start_checkout;

pub use authorize_payment::{AuthorizePayment, AuthorizePaymentBody, AuthorizePaymentPath};
pub use get_checkout::{CheckoutPath, GetCheckout, GetCheckoutQuery};
pub use get_checkout_payment::{CheckoutPaymentPath, GetCheckoutPayment};
pub use pay_from_test_wallet::{PayFromTestWallet, PayFromTestWalletBody, PayFromTestWalletPath};
pub use start_checkout::{StartCheckout, StartCheckoutBody, StartCheckoutPath};

use crate::chain::Chain;
use crate::organisation::ResolvedCheckoutStyle;
use crate::paylink::{AfterCompletion, PaylinkState};
use crate::payment::{PaymentReason, PaymentStatus};
use crate::plan::RecurringInterval;
use crate::value::open::open_enum;
use crate::value::record::record;
use crate::value::{Amount, Currency, PaylinkId, PaymentId, Timestamp};

/// Path of a payment as a stream of server-sent events, for its payer.
pub const PAYMENT_LIVE: &str = "/v1/checkout/payments/{payment_id}/live";

record! {
    /// A paylink as shown to the payer.
    Checkout {
        /// Paylink id.
        paylink_id: PaylinkId,
        /// State of the paylink.
        state: PaylinkState,
        /// Product name.
        name: String,
        /// Product description.
        description?: String,
        /// Image URL.
        image_url?: String,
        /// Price.
        amount: Amount,
        /// Currency of the price.
        currency: Currency,
        /// The price in the currencies that the query names, approximately. Currencies without a current price are missing.
        amounts_in?: Vec<ApproximateAmount>,
        /// Billing interval of a recurring plan; paying starts a subscription.
        recurring_interval?: RecurringInterval,
        /// Number of intervals in a billing period.
        recurring_interval_count?: i64,
        /// Free trial, ISO 8601 (`P14D`); the first payment then has amount 0.
        trial_period?: String,
        /// Payee.
        merchant: Merchant,
        /// Look and texts of the page; absent for the default ones.
        style?: ResolvedCheckoutStyle,
        /// Available chains and currencies. Those of test networks only if the paylink lists their accounts, or if the merchant has
        /// never had others.
        options: Vec<CheckoutOption>,
        /// Data requested from the payer.
        collect: Collect,
        /// What the payer sees after paying.
        after_completion?: AfterCompletion,
        /// The link stops accepting payments at this time.
        expires_at?: Timestamp,
        /// Whether the service runs in sandbox mode.
        sandbox: bool,
    }
}

record! {
    /// A price in the payer's own currency, only to be read: it is neither paid nor guaranteed.
    ApproximateAmount {
        /// Currency symbol.
        currency: Currency,
        /// Amount, rounded to two decimal places.
        amount: Amount,
    }
}

record! {
    /// Payee.
    Merchant {
        /// Organisation name.
        name: String,
        /// Logo URL.
        logo_url?: String,
    }
}

record! {
    /// A chain and currency to pay with.
    CheckoutOption {
        /// Chain.
        chain: Chain,
        /// Currency symbol.
        currency: Currency,
        /// Price in that currency.
        amount: Amount,
        /// True on a test network, whose money has no value.
        test_network?: bool,
    }
}

record! {
    /// Data requested from the payer.
    Collect {
        /// Whether to ask for the customer's identity.
        customer_ident: bool,
        /// Whether to ask for a shipping address.
        shipping_address: bool,
        /// Whether to ask for a tax number.
        tax_ident: bool,
    }
}

record! {
    /// A payment as shown to the payer.
    CheckoutPayment {
        /// Payment id.
        payment_id: PaymentId,
        /// Paylink that created it.
        paylink_id?: PaylinkId,
        /// Current status.
        status: PaymentStatus,
        /// Why the payment needs attention.
        reason?: PaymentReason,
        /// Amount due.
        amount: Amount,
        /// Currency to send.
        currency: Currency,
        /// Chain to send on.
        chain: Chain,
        /// Deposit address.
        address: String,
        /// Deposit as a URI that wallets open.
        payment_uri: String,
        /// Links that open a wallet on the payer's device, for a phone whose browser has none. Only on a real chain, while the payment
        /// awaits money.
        wallet_links?: Vec<WalletLink>,
        /// `payment_uri` as a QR code.
        qr: QrCode,
        /// `address` as a QR code, for wallets that do not read links.
        address_qr: QrCode,
        /// The amount due as a QR code, for the same.
        amount_qr: QrCode,
        /// The transaction that pays the amount due, for a wallet in the browser. Only on a real chain, while the payment awaits money.
        unsigned_transaction?: UnsignedTransaction,
        /// Transfer that the payer can sign to pay without network fee.
        authorization?: AuthorizationRequest,
        /// Status of the payer's latest authorization; absent when it has expired.
        authorization_status?: AuthorizationStatus,
        /// Amount received.
        paid_amount: Amount,
        /// Amount refunded.
        refunded_amount?: Amount,
        /// Time of confirmation, for the receipt.
        confirmed_at?: Timestamp,
        /// Confirmations of the payer's transaction.
        confirmations: u32,
        /// Confirmations required.
        confirmations_required: u32,
        /// The price is valid until this time.
        expires_at: Timestamp,
        /// Hash of the payer's transaction, once seen.
        transaction_hash?: String,
        /// Page of the transaction at a block explorer.
        transaction_url?: String,
        /// Block of the payer's transaction.
        block_number?: u64,
        /// Page of the deposit address at a block explorer.
        address_url?: String,
        /// Block explorer of the chain.
        explorer_url?: String,
        /// Public node of the chain, for a wallet that does not know the chain (EIP-3085).
        public_rpc_url?: String,
        /// True on a test network, whose money has no value.
        test_network?: bool,
        /// What the payer sees after paying.
        after_completion?: AfterCompletion,
        /// Server time, for the countdown.
        server_time: Timestamp,
        /// Whether the service runs in sandbox mode.
        sandbox: bool,
    }
}

record! {
    /// A link that opens a wallet on the payer's device.
    WalletLink {
        /// Name of the wallet.
        name: String,
        /// An https URL, or a URL with the wallet's own scheme.
        url: String,
    }
}

record! {
    /// A transaction for the payer's wallet to sign and send (EIP-1193, `eth_sendTransaction`).
    UnsignedTransaction {
        /// The deposit address, or the token's contract.
        to: String,
        /// Native coins to send, in wei, hexadecimal.
        value: String,
        /// The contract's call, hexadecimal; `0x` if none.
        data: String,
        /// The token's contract; absent for the native coin.
        token_address?: String,
        /// The amount due in the currency's smallest unit, decimal.
        units: String,
        /// Decimal places of the currency on the chain.
        decimals: u32,
    }
}

record! {
    /// A `TransferWithAuthorization` (EIP-3009, EIP-712) that pays the amount due. `validAfter` is 0.
    AuthorizationRequest {
        /// The receiver: the account's wallet, or the service's hot wallet.
        to: String,
        /// The amount due in the token's smallest unit, decimal.
        value: String,
        /// Decimal places of the token.
        decimals: u32,
        /// Valid before this time, in seconds since 1970.
        valid_before: i64,
        /// 32 bytes, hexadecimal.
        nonce: String,
        /// `verifyingContract` of the domain.
        token_address: String,
        /// `name` of the domain.
        domain_name: String,
        /// `version` of the domain.
        domain_version: String,
    }
}

open_enum! {
    /// Status of an authorization.
    AuthorizationStatus {
        /// To be sent.
        Accepted,
        /// Sent, or in a block.
        Sent,
        /// Not executed. Somebody may still send it until it expires: the payer signs again, and does not pay otherwise.
        Failed,
        /// A transfer in a block executed it.
        Executed,
    }
}

record! {
    /// A QR code as an SVG path with a view box of `size` by `size`.
    QrCode {
        /// Modules per side, quiet zone included.
        size: u32,
        /// Dark modules as an SVG path.
        path: String,
    }
}
