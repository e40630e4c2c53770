//! Why a payment is not accepted or settled.

/// Why a payment is not accepted or settled, with its code on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The version is not 1 or 2.
    UnsupportedVersion,
    /// The payment is not as the specification says.
    MalformedPayload,
    /// The requirements are not as the specification says, or not the merchant's, or the payment is for others.
    RequirementsMismatch,
    /// The scheme is not `exact`.
    UnsupportedScheme,
    /// The network is not connected.
    UnknownNetwork,
    /// The token takes no signed transfers.
    UnsupportedToken,
    /// The transfer goes to another address.
    ReceiverMismatch,
    /// The transfer is of another amount.
    AmountMismatch,
    /// The transfer is not valid yet.
    NotYetValid,
    /// The transfer is not valid any more, expires too soon, or is valid for too long.
    Expired,
    /// The signature is not the payer's.
    InvalidSignature,
    /// The transfer was executed or canceled, or pays for something else.
    NonceUsed,
    /// The payer holds too little.
    InsufficientBalance,
    /// The token would refuse the transfer.
    SimulationFailed,
    /// The transfer was sent, and the token refused it.
    TransactionFailed,
    /// The service pays no more network fees for payers of this merchant today.
    FeeLimitReached,
    /// The payment was settled before, and an earlier answer said so.
    DuplicateSettlement,
    /// The transfer is sent, and no block has it yet.
    SettlementPending,
    /// The service refuses the payment for a reason of its own, named in the message.
    PaymentRefused,
}

impl Failure {
    /// The code on the wire. Where the specification or its reference implementation has a code, it is that one.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UnsupportedVersion => "invalid_x402_version",
            Self::MalformedPayload => "invalid_payload",
            Self::RequirementsMismatch => "invalid_payment_requirements",
            Self::UnsupportedScheme => "unsupported_scheme",
            Self::UnknownNetwork => "invalid_network",
            Self::UnsupportedToken => "invalid_exact_evm_eip3009_not_supported",
            Self::ReceiverMismatch => "invalid_exact_evm_recipient_mismatch",
            Self::AmountMismatch => "invalid_exact_evm_authorization_value",
            Self::NotYetValid => "invalid_exact_evm_payload_authorization_valid_after",
            Self::Expired => "invalid_exact_evm_payload_authorization_valid_before",
            Self::InvalidSignature => "invalid_exact_evm_signature",
            Self::NonceUsed => "invalid_exact_evm_nonce_already_used",
            Self::InsufficientBalance => "invalid_exact_evm_insufficient_balance",
            Self::SimulationFailed => "invalid_exact_evm_transaction_simulation_failed",
            Self::TransactionFailed => "invalid_exact_evm_transaction_failed",
            Self::FeeLimitReached => "fee_limit_reached",
            Self::DuplicateSettlement => "duplicate_settlement",
            Self::SettlementPending => "settlement_pending",
            Self::PaymentRefused => "payment_refused",
        }
    }
}
