//! Why a payment is not accepted or settled.

/// Why a payment is not accepted or settled, with its code on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The version is not 1 or 2.
    Version,
    /// The payment is not as the specification says.
    Payload,
    /// The requirements are not as the specification says, or not the merchant's, or the payment is for others.
    Requirements,
    /// The scheme is not `exact`.
    Scheme,
    /// The network is not connected.
    Network,
    /// The token takes no signed transfers.
    Token,
    /// The transfer goes to another address.
    Receiver,
    /// The transfer is of another amount.
    Amount,
    /// The transfer is not valid yet.
    ValidAfter,
    /// The transfer is not valid any more, expires too soon, or is valid for too long.
    ValidBefore,
    /// The signature is not the payer's.
    Signature,
    /// The transfer was executed or canceled, or pays for something else.
    Used,
    /// The payer holds too little.
    Funds,
    /// The token would refuse the transfer.
    Refused,
    /// The transfer was sent, and the token refused it.
    Reverted,
    /// The service pays no more network fees for payers of this merchant today.
    FeeLimit,
    /// The payment was settled before, and that was told.
    Settled,
    /// The transfer is sent, and no block has it yet.
    Pending,
    /// The service refuses the payment for a reason of its own, which the message tells.
    State,
}

impl Failure {
    /// The code on the wire. Where the specification or its reference implementation has a code, it is that one.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Version => "invalid_x402_version",
            Self::Payload => "invalid_payload",
            Self::Requirements => "invalid_payment_requirements",
            Self::Scheme => "unsupported_scheme",
            Self::Network => "invalid_network",
            Self::Token => "invalid_exact_evm_eip3009_not_supported",
            Self::Receiver => "invalid_exact_evm_recipient_mismatch",
            Self::Amount => "invalid_exact_evm_authorization_value",
            Self::ValidAfter => "invalid_exact_evm_payload_authorization_valid_after",
            Self::ValidBefore => "invalid_exact_evm_payload_authorization_valid_before",
            Self::Signature => "invalid_exact_evm_signature",
            Self::Used => "invalid_exact_evm_nonce_already_used",
            Self::Funds => "invalid_exact_evm_insufficient_balance",
            Self::Refused => "invalid_exact_evm_transaction_simulation_failed",
            Self::Reverted => "invalid_exact_evm_transaction_failed",
            Self::FeeLimit => "fee_limit_reached",
            Self::Settled => "duplicate_settlement",
            Self::Pending => "settlement_pending",
            Self::State => "payment_refused",
        }
    }
}
