//! `POST /checkout/payments/{payment_id}/authorizations`.

use super::CheckoutPayment;
use crate::error::Reason;
use crate::field::body;
use crate::operation::{Auth, operation};
use crate::validate::{Report, Validate};
use crate::value::{PaymentId, WalletAddress};

/// A signature in hexadecimal: `0x` and digits.
const SIGNATURE_CHARS: usize = 2 + 2 * 65;

body! {
    /// A transfer that the payer's wallet has signed (EIP-3009, `TransferWithAuthorization`), as the payment's `authorization` asks.
    AuthorizePaymentBody {
        /// The payer's address, which signed.
        from: WalletAddress,
        /// Amount in the token's smallest unit, decimal.
        value: String,
        /// Valid after this time, in seconds since 1970.
        valid_after: i64,
        /// Valid before this time, in seconds since 1970.
        valid_before: i64,
        /// The signature (EIP-712) of 65 bytes, hexadecimal.
        signature: String,
    }
}

impl Validate for AuthorizePaymentBody {
    fn validate(&self, report: &mut Report) {
        if !is_units(&self.value) {
            let message = "must be a positive whole number of the token's smallest unit";
            report.add_error("value", Reason::AmountMalformed, message);
        }
        for (field, seconds) in [
            ("valid_after", self.valid_after),
            ("valid_before", self.valid_before),
        ] {
            if seconds < 0 {
                report.add_error(field, Reason::OutOfRange, "must not be negative");
            }
        }
        if !is_hex(&self.signature, SIGNATURE_CHARS) {
            let message = format!("must be 0x and {} hexadecimal digits", SIGNATURE_CHARS - 2);
            report.add_error("signature", Reason::TextMalformed, message);
        }
    }
}

fn is_units(text: &str) -> bool {
    // The most digits of 256 bits.
    let is_short = text.len() <= 78;
    is_short
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && text.bytes().any(|byte| byte != b'0')
}

fn is_hex(text: &str, chars: usize) -> bool {
    let digits = text.strip_prefix("0x");
    let is_hex = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.len() == chars && digits.is_some_and(is_hex)
}

operation! {
    /// Pays by a transfer that the payer only signs. The service sends it and pays the network's fee. The same authorization pays
    /// once; sent again, it returns the payment.
    AuthorizePayment in "checkout": POST "/checkout/payments/{payment_id}/authorizations",
    path: AuthorizePaymentPath {
        /// The payment's id.
        payment_id: PaymentId,
    },
    body: AuthorizePaymentBody,
    response: CheckoutPayment,
    AUTH: Auth::Public,
    SUCCESS: http::StatusCode::ACCEPTED,
}
