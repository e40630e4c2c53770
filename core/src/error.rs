//! Refusals: the closed list of reasons, the status of each, and the error a client reads.

use std::fmt;

use http::StatusCode;
use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident = $text:literal, $status:ident;)+) => {
        /// Why a request is refused: the closed list. `docs/errors.md` is printed from it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Reason {
            /// Every reason, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The stable word on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// The HTTP status that goes with the reason.
            pub const fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status,)+ }
            }

            /// When it happens, for the documents.
            pub const fn describe(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii(),)+ }
            }

            /// The reason a wire word stands for.
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
    /// A value of another JSON type than the field has.
    WrongType = "WRONG_TYPE", BAD_REQUEST;
    /// A value outside a closed list.
    UnknownValue = "UNKNOWN_VALUE", BAD_REQUEST;
    /// A number outside its range.
    OutOfRange = "OUT_OF_RANGE", BAD_REQUEST;
    /// Not a plain decimal.
    AmountMalformed = "AMOUNT_MALFORMED", BAD_REQUEST;
    /// A decimal with more digits than can be kept exactly.
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
    /// The session is unknown or over.
    SessionInvalid = "SESSION_INVALID", UNAUTHORIZED;
    /// E-mail and password do not belong together.
    SignInFailed = "SIGN_IN_FAILED", UNAUTHORIZED;
    /// The session's forgery token is missing or wrong.
    CsrfInvalid = "CSRF_INVALID", UNAUTHORIZED;
    /// The act needs a fresh proof of identity.
    StepUpRequired = "STEP_UP_REQUIRED", UNAUTHORIZED;
    /// The operation must be signed and is not.
    SignatureMissing = "SIGNATURE_MISSING", UNAUTHORIZED;
    /// The signature does not fit the request: another secret, body, query, path or organisation.
    SignatureInvalid = "SIGNATURE_INVALID", UNAUTHORIZED;
    /// The nonce is missing or not a UUIDv7.
    NonceMalformed = "NONCE_MALFORMED", UNAUTHORIZED;
    /// The nonce was used before with this key.
    NonceReused = "NONCE_REUSED", UNAUTHORIZED;
    /// The nonce lies more than five minutes from the server's time, which the answer carries.
    NonceOutOfWindow = "NONCE_OUT_OF_WINDOW", UNAUTHORIZED;

    /// The key or the member's role lacks the scope for the operation.
    ScopeMissing = "SCOPE_MISSING", FORBIDDEN;
    /// The organisation does not have the feature.
    FeatureMissing = "FEATURE_MISSING", FORBIDDEN;
    /// The organisation is suspended.
    Suspended = "SUSPENDED", FORBIDDEN;
    /// A browser sent the request for a page of another site.
    OriginForeign = "ORIGIN_FOREIGN", FORBIDDEN;
    /// The operation exists in sandbox mode only.
    SandboxOnly = "SANDBOX_ONLY", FORBIDDEN;

    /// There is no such thing, or it is somebody else's.
    NotFound = "NOT_FOUND", NOT_FOUND;
    /// There is no operation at this path.
    PathUnknown = "PATH_UNKNOWN", NOT_FOUND;
    /// The path exists, but not with this method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", METHOD_NOT_ALLOWED;

    /// The state of the thing forbids the act.
    StateForbids = "STATE_FORBIDS", CONFLICT;
    /// The payment is not a Processing proxy-wallet one-time payment with nothing paid.
    NotCancellable = "NOT_CANCELLABLE", CONFLICT;
    /// The account is a wallet of the merchant's own: nothing can be sent out of what the service does not hold.
    WalletNotHeld = "WALLET_NOT_HELD", CONFLICT;
    /// The challenge was used, replaced, or is no longer held.
    ChallengeExpired = "CHALLENGE_EXPIRED", CONFLICT;
    /// The account still holds money, or some of it is set aside.
    AccountNotEmpty = "ACCOUNT_NOT_EMPTY", CONFLICT;
    /// Something of the account is not finished: a payment or a movement.
    WorkUnderWay = "WORK_UNDER_WAY", CONFLICT;
    /// The paylink no longer takes payments.
    PaylinkClosed = "PAYLINK_CLOSED", CONFLICT;
    /// The quote is no longer held.
    QuoteExpired = "QUOTE_EXPIRED", CONFLICT;
    /// The invitation is no longer held.
    InvitationExpired = "INVITATION_EXPIRED", CONFLICT;
    /// Somebody must be able to do everything: the last owner stays one.
    LastOwner = "LAST_OWNER", CONFLICT;
    /// A reference of several accounts where one is needed.
    ReferenceAmbiguous = "REFERENCE_AMBIGUOUS", CONFLICT;
    /// The name, reference or e-mail is taken.
    AlreadyExists = "ALREADY_EXISTS", CONFLICT;

    /// The chain is not connected to this service: nothing is received or sent there until the operator connects it.
    ChainNotConnected = "CHAIN_NOT_CONNECTED", CONFLICT;
    /// No price source is connected, so an amount cannot be converted into another currency.
    RateUnavailable = "RATE_UNAVAILABLE", CONFLICT;
    /// No trading venue is connected.
    VenueUnavailable = "VENUE_UNAVAILABLE", CONFLICT;

    /// The body is larger than the limit.
    BodyTooLarge = "BODY_TOO_LARGE", PAYLOAD_TOO_LARGE;

    /// The body's Content-Type is not application/json where a browser could send it for another site.
    ContentTypeNotJson = "CONTENT_TYPE_NOT_JSON", UNSUPPORTED_MEDIA_TYPE;

    /// A field that the operation needs is absent.
    Required = "REQUIRED", UNPROCESSABLE_ENTITY;
    /// A text that must not be empty.
    Empty = "EMPTY", UNPROCESSABLE_ENTITY;
    /// A text or list longer than its limit.
    TooLong = "TOO_LONG", UNPROCESSABLE_ENTITY;
    /// A text shorter than its least.
    TooShort = "TOO_SHORT", UNPROCESSABLE_ENTITY;
    /// A text with the character NUL (U+0000) in it, which cannot be kept.
    TextMalformed = "TEXT_MALFORMED", UNPROCESSABLE_ENTITY;
    /// An amount that must be greater than nothing.
    NotPositive = "NOT_POSITIVE", UNPROCESSABLE_ENTITY;
    /// An amount finer than its currency's smallest unit.
    AmountTooManyDecimals = "AMOUNT_TOO_MANY_DECIMALS", UNPROCESSABLE_ENTITY;
    /// An amount or balance past what can be shown exactly.
    AmountTooLarge = "AMOUNT_TOO_LARGE", UNPROCESSABLE_ENTITY;
    /// Not a currency symbol.
    CurrencyMalformed = "CURRENCY_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A currency or chain that the account, link or organisation does not support.
    NotSupported = "NOT_SUPPORTED", UNPROCESSABLE_ENTITY;
    /// Not a reference.
    ReferenceMalformed = "REFERENCE_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A reference that could be taken for an id.
    ReferenceLooksLikeId = "REFERENCE_LOOKS_LIKE_ID", UNPROCESSABLE_ENTITY;
    /// A reference that has a meaning of its own in a path.
    ReferenceReserved = "REFERENCE_RESERVED", UNPROCESSABLE_ENTITY;
    /// Not an address of the form that the field needs.
    UrlMalformed = "URL_MALFORMED", UNPROCESSABLE_ENTITY;
    /// An address that must begin with https.
    UrlNotHttps = "URL_NOT_HTTPS", UNPROCESSABLE_ENTITY;
    /// Not an e-mail address.
    EmailMalformed = "EMAIL_MALFORMED", UNPROCESSABLE_ENTITY;
    /// Not a phone number.
    PhoneMalformed = "PHONE_MALFORMED", UNPROCESSABLE_ENTITY;
    /// Not the number of an account at a bank.
    AccountNumberMalformed = "ACCOUNT_NUMBER_MALFORMED", UNPROCESSABLE_ENTITY;
    /// Not a wallet address of the chain, or its checksum does not fit.
    AddressMalformed = "ADDRESS_MALFORMED", UNPROCESSABLE_ENTITY;
    /// A wallet that was not proven to be the merchant's: it is only watched, or the signature is not one of it.
    OwnershipUnproven = "OWNERSHIP_UNPROVEN", UNPROCESSABLE_ENTITY;
    /// A time that must lie in the future.
    NotInFuture = "NOT_IN_FUTURE", UNPROCESSABLE_ENTITY;
    /// A list that must be as long as another and is not.
    LengthDiffers = "LENGTH_DIFFERS", UNPROCESSABLE_ENTITY;
    /// Two fields that exclude each other.
    Excluded = "EXCLUDED", UNPROCESSABLE_ENTITY;
    /// The record named by the field does not exist.
    ReferenceUnknown = "REFERENCE_UNKNOWN", UNPROCESSABLE_ENTITY;
    /// The idempotency key was used before with another request.
    IdempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED", UNPROCESSABLE_ENTITY;
    /// An amount that every venue finds too small or too large.
    SizeNotTraded = "SIZE_NOT_TRADED", UNPROCESSABLE_ENTITY;
    /// The balance does not cover the amount.
    InsufficientFunds = "INSUFFICIENT_FUNDS", UNPROCESSABLE_ENTITY;

    /// More requests than the key may make; the answer says when to come back.
    RateLimited = "RATE_LIMITED", TOO_MANY_REQUESTS;
    /// The network has begun as many checkouts of a limited link without paying as it may; the answer says when to come back.
    TooManyCheckouts = "TOO_MANY_CHECKOUTS", TOO_MANY_REQUESTS;
    /// A fault of the service; the answer names the request.
    Internal = "INTERNAL", INTERNAL_SERVER_ERROR;
    /// The service cannot answer now; `Retry-After` says when to try again.
    Unavailable = "UNAVAILABLE", SERVICE_UNAVAILABLE;
}

impl Reason {
    /// Whether something is missing that the operator connects: the same request may succeed afterwards.
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

/// One complaint inside an error envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorDetail {
    /// The resource that the complaint is about.
    pub domain: String,
    /// The stable word that programs may match: one of `docs/errors.md`.
    pub reason: String,
    /// The field or parameter, as the caller wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
}

/// The error a client reads (contract, "Errors" 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ApiError {
    /// HTTP-style code, the same as the answer's status.
    pub code: u16,
    /// For people.
    pub message: String,
    /// Every complaint, in the order of the fields.
    #[serde(default)]
    pub errors: Vec<ErrorDetail>,
}

impl ApiError {
    /// The first complaint's reason, when it is one this version knows.
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
