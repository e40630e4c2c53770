//! Client-visible errors: the closed list of reasons, their status codes, and the error body.

use std::fmt;

use http::StatusCode;
use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $status:ident;)+) => {
        /// Reasons for refusing a request: a closed list. `docs/errors.md` is printed from it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Reason {
            /// All reasons, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Stable code on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// HTTP status.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)+ }
            }

            /// Description for the documents.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }

            /// Looks up a reason by its code on the wire.
            pub fn from_wire(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

reasons! {
    /// The body is not JSON, or not UTF-8.
    BodyMalformed = "BODY_MALFORMED", BAD_REQUEST;
    /// The body is not a JSON object.
    BodyNotAnObject = "BODY_NOT_AN_OBJECT", BAD_REQUEST;
    /// The request as a whole is not a well-formed HTTP request of this interface.
    RequestMalformed = "REQUEST_MALFORMED", BAD_REQUEST;
    /// A field or parameter that this operation does not have.
    UnknownField = "UNKNOWN_FIELD", BAD_REQUEST;
    /// A parameter given twice.
    Repeated = "REPEATED", BAD_REQUEST;
    /// A value with a different JSON type than the field.
    WrongType = "WRONG_TYPE", BAD_REQUEST;
    /// A value outside a closed list.
    UnknownValue = "UNKNOWN_VALUE", BAD_REQUEST;
    /// A number outside its range.
    OutOfRange = "OUT_OF_RANGE", BAD_REQUEST;
    /// Not a plain decimal.
    AmountMalformed = "AMOUNT_MALFORMED", BAD_REQUEST;
    /// A decimal with too many digits to store exactly.
    AmountTooPrecise = "AMOUNT_TOO_PRECISE", BAD_REQUEST;
    /// Not an RFC 3339 timestamp.
    TimestampMalformed = "TIMESTAMP_MALFORMED", BAD_REQUEST;
    /// Not an id of the expected form.
    IdMalformed = "ID_MALFORMED", BAD_REQUEST;
    /// A lower bound later than the upper bound.
    RangeReversed = "RANGE_REVERSED", BAD_REQUEST;
    /// An idempotency key that is empty, too long or not printable.
    IdempotencyKeyMalformed = "IDEMPOTENCY_KEY_MALFORMED", BAD_REQUEST;

    /// Neither an API key nor a session came with the request.
    CredentialsMissing = "CREDENTIALS_MISSING", UNAUTHORIZED;
    /// The API key is unknown, revoked or expired.
    KeyInvalid = "KEY_INVALID", UNAUTHORIZED;
    /// The session is unknown or has ended.
    SessionInvalid = "SESSION_INVALID", UNAUTHORIZED;
    /// E-mail and password do not match.
    SignInFailed = "SIGN_IN_FAILED", UNAUTHORIZED;
    /// The session's CSRF token is missing or wrong.
    CsrfInvalid = "CSRF_INVALID", UNAUTHORIZED;
    /// The operation needs a fresh step-up token.
    StepUpRequired = "STEP_UP_REQUIRED", UNAUTHORIZED;
    /// The operation requires a signature, and the request has none.
    SignatureMissing = "SIGNATURE_MISSING", UNAUTHORIZED;
    /// The signature does not match the request: different secret, body, query, path or organisation.
    SignatureInvalid = "SIGNATURE_INVALID", UNAUTHORIZED;
    /// The nonce is missing or not a UUIDv7.
    NonceMalformed = "NONCE_MALFORMED", UNAUTHORIZED;
    /// The nonce was already used with this key.
    NonceReused = "NONCE_REUSED", UNAUTHORIZED;
    /// The nonce differs from the server's time by more than five minutes. The answer carries the server's time.
    NonceOutOfWindow = "NONCE_OUT_OF_WINDOW", UNAUTHORIZED;

    /// The key or the member's role lacks the scope of the operation.
    ScopeMissing = "SCOPE_MISSING", FORBIDDEN;
    /// The organisation does not have the feature.
    FeatureMissing = "FEATURE_MISSING", FORBIDDEN;
    /// The organisation is suspended.
    Suspended = "SUSPENDED", FORBIDDEN;
    /// A browser sent the request from a page of another site.
    OriginForeign = "ORIGIN_FOREIGN", FORBIDDEN;
    /// The operation exists in sandbox mode only.
    SandboxOnly = "SANDBOX_ONLY", FORBIDDEN;

    /// The record does not exist or belongs to another organisation.
    NotFound = "NOT_FOUND", NOT_FOUND;
    /// No operation has this path.
    PathUnknown = "PATH_UNKNOWN", NOT_FOUND;
    /// The path exists, but not with this method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED;

    /// The current state of the record does not allow the operation.
    StateForbids = "STATE_FORBIDS", CONFLICT;
    /// The payment is not a Processing proxy-wallet one-time payment with nothing paid.
    NotCancellable = "NOT_CANCELLABLE", CONFLICT;
    /// The service does not hold the account's wallet and cannot send from it.
    WalletNotHeld = "WALLET_NOT_HELD", CONFLICT;
    /// The challenge was used or replaced, or has expired.
    ChallengeExpired = "CHALLENGE_EXPIRED", CONFLICT;
    /// The account still has a posted or reserved balance.
    AccountNotEmpty = "ACCOUNT_NOT_EMPTY", CONFLICT;
    /// The account has an open payment or movement.
    WorkUnderWay = "WORK_UNDER_WAY", CONFLICT;
    /// The paylink no longer accepts payments.
    PaylinkClosed = "PAYLINK_CLOSED", CONFLICT;
    /// An authorization that was used or canceled, or pays another payment.
    AuthorizationUsed = "AUTHORIZATION_USED", CONFLICT;
    /// The operator's limit of network fees for a merchant's payers is reached for today: the payer can still pay the fee.
    FeeLimitReached = "FEE_LIMIT_REACHED", CONFLICT;
    /// The quote has expired.
    QuoteExpired = "QUOTE_EXPIRED", CONFLICT;
    /// The invitation has expired.
    InvitationExpired = "INVITATION_EXPIRED", CONFLICT;
    /// An organisation needs at least one owner.
    LastOwner = "LAST_OWNER", CONFLICT;
    /// A reference of several accounts where a single account is needed.
    ReferenceAmbiguous = "REFERENCE_AMBIGUOUS", CONFLICT;
    /// The name, reference or e-mail is already in use.
    AlreadyExists = "ALREADY_EXISTS", CONFLICT;

    /// The chain is not connected to this service: it neither receives nor sends until the operator connects it.
    ChainNotConnected = "CHAIN_NOT_CONNECTED", CONFLICT;
    /// No price source is connected, so an amount cannot be converted into another currency.
    RateUnavailable = "RATE_UNAVAILABLE", CONFLICT;
    /// No trading venue is connected.
    VenueUnavailable = "VENUE_UNAVAILABLE", CONFLICT;

    /// The body is larger than the limit.
    BodyTooLarge = "BODY_TOO_LARGE", PAYLOAD_TOO_LARGE;

    /// The body's Content-Type must be application/json where a browser could send it from another site.
    ContentTypeNotJson = "CONTENT_TYPE_NOT_JSON", UNSUPPORTED_MEDIA_TYPE;

    /// A required field is absent.
    Required = "REQUIRED", UNPROCESSABLE_ENTITY;
    /// A text is empty.
    Empty = "EMPTY", UNPROCESSABLE_ENTITY;
    /// A text or list exceeds its maximum length.
    TooLong = "TOO_LONG", UNPROCESSABLE_ENTITY;
    /// A text is below its minimum length.
    TooShort = "TOO_SHORT", UNPROCESSABLE_ENTITY;
    /// A text contains the character NUL (U+0000), which cannot be stored, or a control character where none may be.
    TextMalformed = "TEXT_MALFORMED", UNPROCESSABLE_ENTITY;
    /// An amount that must be greater than zero.
    NotPositive = "NOT_POSITIVE", UNPROCESSABLE_ENTITY;
    /// An amount with more decimal places than its currency.
    AmountTooManyDecimals = "AMOUNT_TOO_MANY_DECIMALS", UNPROCESSABLE_ENTITY;
    /// An amount or balance too large to represent exactly.
    AmountTooLarge = "AMOUNT_TOO_LARGE", UNPROCESSABLE_ENTITY;
    /// Not a currency symbol.
    CurrencyMalformed = "CURRENCY_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A currency or chain that the account, link or organisation does not support.
    NotSupported = "NOT_SUPPORTED", UNPROCESSABLE_ENTITY;
    /// Not a valid reference.
    ReferenceMalformed = "REFERENCE_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A reference that looks like an id.
    ReferenceLooksLikeId = "REFERENCE_LOOKS_LIKE_ID", UNPROCESSABLE_ENTITY;
    /// A reference that is a reserved word in paths.
    ReferenceReserved = "REFERENCE_RESERVED", UNPROCESSABLE_ENTITY;
    /// Not a URL of the required form.
    UrlMalformed = "URL_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A URL that must start with https.
    UrlNotHttps = "URL_NOT_HTTPS", UNPROCESSABLE_ENTITY;
    /// Not a colour of the form `#rrggbb`.
    ColorMalformed = "COLOR_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A colour that cannot be read on the background of the page.
    ContrastTooLow = "CONTRAST_TOO_LOW", UNPROCESSABLE_ENTITY;
    /// Not an e-mail address.
    EmailMalformed = "EMAIL_MALFORMED", UNPROCESSABLE_ENTITY;
    /// Not a phone number.
    PhoneMalformed = "PHONE_MALFORMED", UNPROCESSABLE_ENTITY;
    /// Not a bank account number.
    AccountNumberMalformed = "ACCOUNT_NUMBER_MALFORMED", UNPROCESSABLE_ENTITY;
    /// Not a wallet address of the chain, or its checksum is wrong.
    AddressMalformed = "ADDRESS_MALFORMED", UNPROCESSABLE_ENTITY;
    /// The merchant's ownership of the wallet is not proven: the wallet is only watched, or the signature is not by it.
    OwnershipUnproven = "OWNERSHIP_UNPROVEN", UNPROCESSABLE_ENTITY;
    /// A time that must be in the future.
    NotInFuture = "NOT_IN_FUTURE", UNPROCESSABLE_ENTITY;
    /// A list that must have the same length as another.
    LengthDiffers = "LENGTH_DIFFERS", UNPROCESSABLE_ENTITY;
    /// Two mutually exclusive fields.
    Excluded = "EXCLUDED", UNPROCESSABLE_ENTITY;
    /// The record named by the field does not exist.
    ReferenceUnknown = "REFERENCE_UNKNOWN", UNPROCESSABLE_ENTITY;
    /// The idempotency key was already used with a different request.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", UNPROCESSABLE_ENTITY;
    /// An amount too small or too large for every venue.
    SizeNotTraded = "SIZE_NOT_TRADED", UNPROCESSABLE_ENTITY;
    /// The balance does not cover the amount.
    InsufficientFunds = "INSUFFICIENT_FUNDS", UNPROCESSABLE_ENTITY;
    /// An authorization that its `from` did not sign, for this token, receiver and amount.
    AuthorizationUnsigned = "AUTHORIZATION_UNSIGNED", UNPROCESSABLE_ENTITY;
    /// An authorization that has expired or soon does, is not valid yet, or is valid for too long.
    AuthorizationNotValidNow = "AUTHORIZATION_NOT_VALID_NOW", UNPROCESSABLE_ENTITY;
    /// An authorization for another amount than is due.
    AuthorizationAmount = "AUTHORIZATION_AMOUNT", UNPROCESSABLE_ENTITY;

    /// The key exceeded its rate limit; `Retry-After` says when to retry.
    RateLimited = "RATE_LIMITED", TOO_MANY_REQUESTS;
    /// The payer's network has too many unpaid checkouts of a limited link; `Retry-After` says when to retry.
    TooManyCheckouts = "TOO_MANY_CHECKOUTS", TOO_MANY_REQUESTS;
    /// An internal error of the service; the answer carries the request id.
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR;
    /// The service is temporarily unavailable; `Retry-After` says when to retry.
    Unavailable = "UNAVAILABLE", SERVICE_UNAVAILABLE;
}

impl Reason {
    /// Whether a connection is missing that the operator can set up; the same request may succeed afterwards.
    pub const fn is_not_connected(self) -> bool {
        matches!(
            self,
            Self::ChainNotConnected | Self::RateUnavailable | Self::VenueUnavailable
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One error inside an error envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorDetail {
    /// Resource that the error is about.
    pub domain: String,
    /// Stable code for programs, one of `docs/errors.md`.
    pub reason: String,
    /// Field or parameter, as written by the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Human-readable message.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// Error content of an envelope (contract, "Errors" 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiError {
    /// HTTP status code.
    pub code: u16,
    /// Human-readable message.
    pub message: String,
    /// All errors, in the order of the fields.
    #[serde(default)]
    pub errors: Vec<ErrorDetail>,
}

impl ApiError {
    /// Reason of the first error, if this version knows it.
    pub fn reason(&self) -> Option<Reason> {
        self.errors
            .first()
            .and_then(|detail| Reason::from_wire(&detail.reason))
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ApiError {}
