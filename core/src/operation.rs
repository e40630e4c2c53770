//! Typed description of an HTTP operation, shared by client and server.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::field::{Body, Query};
use crate::validate::Report;

/// A type with a JSON Schema (feature `schema`); any type without the feature.
#[cfg(feature = "schema")]
pub trait Documented: schemars::JsonSchema {}
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> Documented for T {}

/// A type with a JSON Schema (feature `schema`); any type without the feature.
#[cfg(not(feature = "schema"))]
pub trait Documented {}
#[cfg(not(feature = "schema"))]
impl<T> Documented for T {}

/// Required authentication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// None: the payer's page and signing in.
    Public,
    /// The dashboard's session cookie only.
    Session,
    /// An API key or the dashboard's session.
    Key,
    /// An API key and a signature with a fresh nonce, or the dashboard's session.
    Signed,
}

impl Auth {
    /// Maximum size of a request body, in bytes; small for unauthenticated requests, whose bodies are small in the contract.
    pub const fn body_bytes_max(self) -> usize {
        match self {
            Self::Public => 16 << 10,
            Self::Session | Self::Key | Self::Signed => 1 << 20,
        }
    }
}

/// Shape of a response body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// `{data, error: false, message}`.
    Envelope,
    /// `{data: {items, total, …}, error: false}`, without `message`.
    List,
    /// The bare record, without envelope.
    Bare,
}

/// Scope that an operation requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Read.
    Read,
    /// Write.
    Write,
    /// Send money out.
    Payout,
    /// Manage keys, secrets and settings.
    Manage,
}

impl Scope {
    /// All scopes, by increasing power.
    pub const ALL: &'static [Self] = &[Self::Read, Self::Write, Self::Payout, Self::Manage];

    /// The scope's word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Payout => "payout",
            Self::Manage => "manage",
        }
    }

    /// Looks up a scope by its word on the wire.
    pub fn from_wire(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|scope| scope.as_str() == text)
    }
}

/// An HTTP operation.
///
/// Implemented by uninhabited types: an operation has a name and no values.
pub trait Operation: Sized + Send + Sync + 'static {
    /// Type name, `CreatePaylink`; its file is `create_paylink`, its JavaScript method `paylinks.create`.
    const ID: &'static str;
    /// Resource, also the domain of its errors.
    const ROOM: &'static str;
    /// Description; its first line is the summary in the documents.
    const SUMMARY: &'static str;
    /// HTTP method.
    const METHOD: http::Method;
    /// Path below the version prefix, `/paylinks/{paylink_id}`.
    const PATH: &'static str;
    /// Required authentication.
    const AUTH: Auth = Auth::Key;
    /// Shape of the response body.
    const WIRE: Wire = Wire::Envelope;
    /// Status code on success.
    const SUCCESS: http::StatusCode = http::StatusCode::OK;
    /// Required scope.
    const SCOPE: Scope = Scope::Read;
    /// Whether a partner may call it for a sub-merchant (`X-ORG-ID`).
    const DELEGATED: bool = false;
    /// Whether a session needs a fresh step-up token.
    const STEP_UP: bool = false;
    /// Whether it exists in sandbox mode only.
    const SANDBOX: bool = false;
    /// Whether it writes although its method is GET.
    const WRITES: bool = false;
    /// Whether its content may send money to a destination outside the service. Such a call needs the scope `payout` and a signature
    /// or a step-up token. Clients with a signing secret sign every call of the operation.
    const OUTFLOW: bool = false;
    /// Deprecation date, Unix seconds (RFC 9745).
    const DEPRECATED: Option<i64> = None;
    /// Path parameters.
    type Path: PathParams;
    /// Query.
    type Query: Query + Documented;
    /// Body.
    type Body: Body + Documented;
    /// Type of `data`.
    type Response: Serialize + DeserializeOwned + Documented + Send + 'static;
}

/// The parameters of a path template.
pub trait PathParams: Sized + Clone + Send + Sync + 'static {
    /// Parameter names, in the order of the template.
    const NAMES: &'static [&'static str];

    /// Reads decoded parameters; none on a validation error.
    fn from_texts(find: &dyn Fn(&str) -> Option<String>, report: &mut Report) -> Option<Self>;

    /// Decoded values, in the order of [`PathParams::NAMES`].
    fn to_texts(&self) -> Vec<String>;
}

/// A path without parameters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoPath;

impl PathParams for NoPath {
    const NAMES: &'static [&'static str] = &[];

    fn from_texts(_: &dyn Fn(&str) -> Option<String>, _: &mut Report) -> Option<Self> {
        Some(Self)
    }

    fn to_texts(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Reads a path parameter; reports a malformed one.
#[inline(never)]
pub fn read_path_param<T: crate::value::Param>(
    name: &str,
    find: &dyn Fn(&str) -> Option<String>,
    report: &mut Report,
) -> Option<T> {
    let text = find(name).unwrap_or_default();
    report
        .foreign(&text)
        .map_or_else(|| T::from_text(&text), Ok)
        .map_err(|(reason, message)| report.add_error(name, reason, message))
        .ok()
}

/// Fails the build if a path template and its fields differ.
pub const fn check_path(template: &str, names: &[&str]) {
    let bytes = template.as_bytes();
    let (mut at, mut found) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'{' {
            let start = at + 1;
            while bytes[at] != b'}' {
                at += 1;
            }
            assert!(
                found < names.len(),
                "the path has a parameter without a field"
            );
            let name = names[found].as_bytes();
            assert!(
                name.len() == at - start,
                "a path parameter differs from its field"
            );
            let mut index = 0;
            while index < name.len() {
                assert!(
                    name[index] == bytes[start + index],
                    "a path parameter differs from its field"
                );
                index += 1;
            }
            found += 1;
        }
        at += 1;
    }
    assert!(found == names.len(), "a field is not in the path");
}

/// The given type, or the default.
macro_rules! type_or {
    ($default:ty) => {
        $default
    };
    ($default:ty, $given:ty) => {
        $given
    };
}
pub(crate) use type_or;

/// Declares an operation: name, documentation, method and path, types, and constants that differ from the default.
macro_rules! operation {
    (
        $(#[doc = $doc:literal])+
        $name:ident in $room:literal: $method:ident $path:literal,
        $(path: $path_type:ident { $($(#[$param_meta:meta])* $param:ident: $param_type:ty),+ $(,)? },)?
        $(query: $query:ty,)?
        $(body: $body:ty,)?
        response: $response:ty
        $(, $constant:ident: $value:expr)*
        $(,)?
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {}

        $(
            #[doc = concat!("The path of [`", stringify!($name), "`].")]
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $path_type {
                $($(#[$param_meta])* pub $param: $param_type,)+
            }

            impl $crate::operation::PathParams for $path_type {
                const NAMES: &'static [&'static str] = &[$(stringify!($param)),+];

                fn from_texts(find: &dyn Fn(&str) -> Option<String>, report: &mut $crate::validate::Report) -> Option<Self> {
                    $(let $param = $crate::operation::read_path_param(stringify!($param), find, report);)+
                    Some(Self { $($param: $param?,)+ })
                }

                fn to_texts(&self) -> Vec<String> {
                    vec![$($crate::value::Param::to_text(&self.$param)),+]
                }
            }
        )?

        impl $crate::operation::Operation for $name {
            const ID: &'static str = stringify!($name);
            const ROOM: &'static str = $room;
            const SUMMARY: &'static str = concat!($($doc, "\n"),+).trim_ascii();
            const METHOD: http::Method = http::Method::$method;
            const PATH: &'static str = $path;
            $(const $constant: $crate::operation::constants::$constant = $value;)*
            type Path = $crate::operation::type_or!($crate::operation::NoPath $(, $path_type)?);
            type Query = $crate::operation::type_or!($crate::field::Nothing $(, $query)?);
            type Body = $crate::operation::type_or!($crate::field::Nothing $(, $body)?);
            type Response = $response;
        }

        const _: () = $crate::operation::check_path(
            <$name as $crate::operation::Operation>::PATH,
            <<$name as $crate::operation::Operation>::Path as $crate::operation::PathParams>::NAMES,
        );
    };
}
pub(crate) use operation;

/// Types of the constants that an operation may set, named like the constants.
#[allow(
    non_camel_case_types,
    clippy::upper_case_acronyms,
    reason = "each type bears its constant's name"
)]
pub(crate) mod constants {
    pub(crate) type AUTH = super::Auth;
    pub(crate) type WIRE = super::Wire;
    pub(crate) type SUCCESS = http::StatusCode;
    pub(crate) type SCOPE = super::Scope;
    pub(crate) type DELEGATED = bool;
    pub(crate) type STEP_UP = bool;
    pub(crate) type SANDBOX = bool;
    pub(crate) type WRITES = bool;
    pub(crate) type OUTFLOW = bool;
    pub(crate) type DEPRECATED = Option<i64>;
}
