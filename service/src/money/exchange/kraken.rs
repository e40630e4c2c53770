//! Kraken's private API, version 0: `POST /0/private/…` with a form, signed by `API-Sign`.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde::de::IgnoredAny;
use settlekit_core::value::Amount;
use sha2::{Digest, Sha256, Sha512};

use super::{ExchangeBalance, ExchangeError};
use crate::money::web_answer::WebAnswer;
use crate::store::poll_state::BACK_OFF_MAX;

/// The base URL.
pub const BASE_URL: &str = "https://api.kraken.com";

/// The longest API key, and the longest private key in bytes: real ones have 56 letters and 64 bytes.
const KEY_MAX: usize = 256;

/// An API key with its private key.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    key: String,
    secret: Vec<u8>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

/// Why a text is no API key with its private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialsError {
    /// It has not two lines.
    NotTwoLines,
    /// The first line is no API key.
    Key,
    /// The second line is no private key in base64.
    Secret,
}

impl fmt::Display for CredentialsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotTwoLines => "the API key and its private key are needed, one per line",
            Self::Key => "the first line is not an API key",
            Self::Secret => "the second line is not a private key in base64",
        })
    }
}

impl std::error::Error for CredentialsError {}

impl Credentials {
    /// Reads an API key and its private key, one per line.
    ///
    /// # Errors
    /// [`CredentialsError`].
    pub fn parse(text: &str) -> Result<Self, CredentialsError> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        let [key, secret] = lines.as_slice() else {
            return Err(CredentialsError::NotTwoLines);
        };
        if key.len() > KEY_MAX || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(CredentialsError::Key);
        }
        let secret = STANDARD.decode(secret).ok();
        let secret = secret.filter(|secret| (1..=KEY_MAX).contains(&secret.len()));
        Ok(Self {
            key: (*key).to_owned(),
            secret: secret.ok_or(CredentialsError::Secret)?,
        })
    }

    /// Whether the API key is the same.
    pub(super) fn has_same_api_key(&self, other: &Self) -> bool {
        self.key == other.key
    }

    /// As [`Credentials::parse`] reads it.
    pub(super) fn to_text(&self) -> String {
        format!("{}\n{}", self.key, STANDARD.encode(&self.secret))
    }
}

/// A request of an account, a `POST` with a form.
#[derive(Clone, PartialEq, Eq)]
pub struct SignedRequest {
    /// The URL.
    pub url: String,
    /// `API-Key` and `API-Sign`, with their values.
    pub headers: [(&'static str, String); 2],
    /// The body, `application/x-www-form-urlencoded`.
    pub body: String,
}

impl fmt::Debug for SignedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedRequest")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// A signed request: the signature is HMAC-SHA-512, by the private key, of the path and SHA-256 of nonce and form.
pub(super) fn sign_request(
    base: &str,
    credentials: &Credentials,
    path: &str,
    (nonce, fields): (u64, &[(&str, &str)]),
) -> SignedRequest {
    let nonce = nonce.to_string();
    let mut form = vec![("nonce", nonce.as_str())];
    form.extend_from_slice(fields);
    let body = serde_urlencoded::to_string(form).expect("pairs of texts");
    let digest = Sha256::new()
        .chain_update(&nonce)
        .chain_update(&body)
        .finalize();
    let mut mac = Hmac::<Sha512>::new_from_slice(&credentials.secret).expect("a key of any length");
    mac.update(path.as_bytes());
    mac.update(&digest);
    SignedRequest {
        url: format!("{base}{path}"),
        headers: [
            ("API-Key", credentials.key.clone()),
            ("API-Sign", STANDARD.encode(mac.finalize().into_bytes())),
        ],
        body,
    }
}

/// Asks for all balances, in full and what orders reserve.
pub fn balances_request(base: &str, credentials: &Credentials, nonce: u64) -> SignedRequest {
    sign_request(base, credentials, "/0/private/BalanceEx", (nonce, &[]))
}

#[derive(Deserialize)]
struct Answer<T> {
    error: Vec<String>,
    result: Option<T>,
}

/// The result of a request, or why there is none. An answer with warnings only, which begin with `W`, has one.
pub(super) fn parse_result<T: for<'a> Deserialize<'a>>(
    answer: &WebAnswer,
) -> Result<T, ExchangeError> {
    let body = match answer {
        WebAnswer::Failed(error) => return Err(ExchangeError::Web(*error)),
        WebAnswer::Answer { status: 429, .. } => return Err(ExchangeError::RateLimited),
        WebAnswer::Answer { status, .. } if *status != 200 => {
            return Err(ExchangeError::Status(*status));
        }
        WebAnswer::Answer { body, .. } => body,
    };
    let read: Answer<T> = serde_json::from_slice(body).map_err(|_| ExchangeError::Malformed)?;
    let errors = read.error.iter().filter(|error| !error.starts_with('W'));
    // Of several, the one that leaves a doubt.
    let error = errors
        .map(|error| error_of_code(error))
        .min_by_key(|error| error.is_final());
    match error {
        Some(error) => Err(error),
        None => read.result.ok_or(ExchangeError::Malformed),
    }
}

/// The longest text of a refusal.
const REFUSAL_MAX: usize = 100;

/// The exchange's own text of a refusal, if it is fit to be shown: `EFunding:Unknown withdraw key`.
pub(super) fn refusal_text(answer: &WebAnswer) -> Option<String> {
    let WebAnswer::Answer { body, .. } = answer else {
        return None;
    };
    let read: Answer<IgnoredAny> = serde_json::from_slice(body).ok()?;
    let refusal = read.error.into_iter().find(|error| error.starts_with('E'));
    let is_shown = |byte: u8| byte.is_ascii_alphanumeric() || b" :_.,'()-".contains(&byte);
    refusal.filter(|text| text.len() <= REFUSAL_MAX && text.bytes().all(is_shown))
}

/// Whether the exchange asks for fewer requests.
pub(super) fn is_rate_limited(answer: &WebAnswer) -> bool {
    matches!(
        parse_result::<IgnoredAny>(answer),
        Err(ExchangeError::RateLimited)
    )
}

/// How long the exchange is not asked the same: as it wishes, and longer where repeated requests lock the account out.
pub(super) fn retry_delay(answer: &WebAnswer, error: ExchangeError) -> Duration {
    let retry_after = match answer {
        WebAnswer::Answer { retry_after, .. } => retry_after.unwrap_or_default(),
        WebAnswer::Failed(_) => Duration::ZERO,
    };
    let locks_out = matches!(
        error,
        ExchangeError::RateLimited
            | ExchangeError::KeyUnknown
            | ExchangeError::SignatureWrong
            | ExchangeError::PermissionMissing
    );
    match locks_out {
        true => BACK_OFF_MAX,
        false => retry_after,
    }
}

fn error_of_code(error: &str) -> ExchangeError {
    match error {
        "EAPI:Invalid key" => ExchangeError::KeyUnknown,
        "EAPI:Invalid signature" => ExchangeError::SignatureWrong,
        "EAPI:Invalid nonce" => ExchangeError::NonceUsed,
        "EAPI:Rate limit exceeded"
        | "EGeneral:Temporary lockout"
        | "EOrder:Rate limit exceeded" => ExchangeError::RateLimited,
        "EOrder:Insufficient funds" => ExchangeError::FundsMissing,
        "EOrder:Order minimum not met" | "EOrder:Cost minimum not met" => {
            ExchangeError::BelowMinimum
        }
        "EOrder:Invalid price" | "EOrder:Tick size check failed" => ExchangeError::PriceInvalid,
        "EQuery:Unknown asset pair" => ExchangeError::MarketUnknown,
        "EService:Market in cancel_only mode" | "EService:Market in post_only mode" => {
            ExchangeError::MarketClosed
        }
        "EService:Deadline elapsed" => ExchangeError::DeadlinePassed,
        error if error.starts_with("EGeneral:Invalid arguments") => ExchangeError::ArgumentInvalid,
        error if error.starts_with("EGeneral:Permission denied") => {
            ExchangeError::PermissionMissing
        }
        error if error.starts_with("EService:") => ExchangeError::Unavailable,
        // It does not say why, nor that nothing was done.
        "EFunding:Failed" => ExchangeError::Refused,
        error if error.starts_with("EFunding:") => ExchangeError::WithdrawalRefused,
        _ => ExchangeError::Refused,
    }
}

#[derive(Deserialize)]
struct Balance {
    balance: String,
    #[serde(default = "zero")]
    hold_trade: String,
}

fn zero() -> String {
    "0".to_owned()
}

/// The most assets that an answer may name: Kraken has some hundred.
const ASSETS_MAX: usize = 2_000;

/// The longest name of an asset.
const ASSET_MAX: usize = 32;

/// The suffix of balances that earn rewards and can be spent. Those with other suffixes are ignored.
const REWARDS_SUFFIX: &str = ".F";

/// The balances that are not zero, by currency, without credit.
///
/// # Errors
/// [`ExchangeError`].
pub fn parse_balances(answer: &WebAnswer) -> Result<Vec<ExchangeBalance>, ExchangeError> {
    let read: BTreeMap<String, Balance> = parse_result(answer)?;
    if read.len() > ASSETS_MAX {
        return Err(ExchangeError::Malformed);
    }
    let mut balances = BTreeMap::new();
    for (name, balance) in read {
        let asset = name.strip_suffix(REWARDS_SUFFIX).unwrap_or(&name);
        if asset.contains('.') {
            continue;
        }
        let amount = |text: &str| text.parse::<Amount>().map_err(|_| ExchangeError::Malformed);
        let (total, reserved) = (amount(&balance.balance)?, amount(&balance.hold_trade)?);
        let is_name = asset.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_name || asset.len() > ASSET_MAX || reserved.is_negative() {
            return Err(ExchangeError::Malformed);
        }
        let sum = balances
            .entry(symbol(asset))
            .or_insert((Amount::ZERO, Amount::ZERO));
        let plus = |one: Amount, other| one.plus(other).map_err(|_| ExchangeError::Malformed);
        *sum = (plus(sum.0, total)?, plus(sum.1, reserved)?);
    }
    let not_zero = balances
        .into_iter()
        .filter(|(_, (total, reserved))| !total.is_zero() || !reserved.is_zero());
    let shown = not_zero.map(|(currency, (total, reserved))| {
        Ok(ExchangeBalance {
            currency,
            total: without_zeros(total)?,
            reserved: without_zeros(reserved)?,
        })
    });
    shown.collect()
}

/// An amount without the zeros that end it.
pub(super) fn without_zeros(amount: Amount) -> Result<Amount, ExchangeError> {
    let scale = amount.scale();
    let units = amount.to_units(scale);
    let short = units.and_then(|units| Amount::from_units(units, scale));
    short.map_err(|_| ExchangeError::Malformed)
}

/// The longest id that the exchange may give: real ones have 19 characters.
const ID_MAX: usize = 64;

/// Whether a text can be an id of the exchange.
pub(super) fn is_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    (1..=ID_MAX).contains(&text.len()) && text.bytes().all(is_allowed)
}

/// The exchange's name of a currency: bitcoin and dogecoin have names of their own.
pub(super) fn asset_name(symbol: &str) -> &str {
    match symbol {
        "BTC" => "XBT",
        "DOGE" => "XDG",
        other => other,
    }
}

/// The usual symbol of an asset. Old ones have a prefix, `X` or for fiat `Z`; bitcoin and dogecoin have names of their own.
pub(super) fn symbol(asset: &str) -> String {
    const PREFIXED: [&str; 17] = [
        "XXBT", "XETH", "XETC", "XLTC", "XXRP", "XXLM", "XZEC", "XXMR", "XMLN", "XREP", "XXDG",
        "ZUSD", "ZEUR", "ZGBP", "ZCAD", "ZJPY", "ZAUD",
    ];
    let name = match PREFIXED.contains(&asset) {
        true => &asset[1..],
        false => asset,
    };
    match name {
        "XBT" => "BTC",
        "XDG" => "DOGE",
        name => name,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The credentials of Kraken's documentation of its signature.
    fn documented() -> Credentials {
        let secret = "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==";
        Credentials::parse(&format!("key\n{secret}")).expect("credentials")
    }

    #[test]
    fn a_request_is_signed_as_the_documentation_of_kraken_shows() {
        let fields = [
            ("ordertype", "limit"),
            ("pair", "XBTUSD"),
            ("price", "37500"),
            ("type", "buy"),
            ("volume", "1.25"),
        ];
        let nonce = 1_616_492_376_594;
        let request = sign_request("", &documented(), "/0/private/AddOrder", (nonce, &fields));
        assert_eq!(
            request.headers[1].1,
            "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ=="
        );
    }

    #[test]
    fn credentials_are_two_lines_of_which_the_second_is_base64() {
        for (text, error) in [
            ("", CredentialsError::NotTwoLines),
            ("key", CredentialsError::NotTwoLines),
            ("key\nc2VjcmV0\nmore", CredentialsError::NotTwoLines),
            ("two words\nc2VjcmV0", CredentialsError::Key),
            ("key\nnot base64", CredentialsError::Secret),
        ] {
            assert_eq!(Credentials::parse(text), Err(error), "{text:?}");
        }
        let credentials = Credentials::parse(" key \r\n\r\nc2VjcmV0\r\n").expect("credentials");
        assert_eq!(credentials.to_text(), "key\nc2VjcmV0");
        assert_eq!(format!("{credentials:?}"), "Credentials { .. }");
    }
}
