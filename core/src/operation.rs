//! One typed description per HTTP operation: everything that client and server must agree on.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::field::{Body, Query};
use crate::validate::Report;

/// A type whose JSON Schema is known when the documents are printed (feature `schema`), and any type otherwise.
#[cfg(feature = "schema")]
pub trait Documented: schemars::JsonSchema {}
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> Documented for T {}

/// A type whose JSON Schema is known when the documents are printed (feature `schema`), and any type otherwise.
#[cfg(not(feature = "schema"))]
pub trait Documented {}
#[cfg(not(feature = "schema"))]
impl<T> Documented for T {}

/// How a caller proves who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// Nobody needs to: the payer's page, signing in.
    Public,
    /// The dashboard's session cookie, and nothing else.
    Session,
    /// The API key, or the dashboard's session.
    Key,
    /// The API key and a signature with a fresh nonce, or the dashboard's session.
    Signed,
}

impl Auth {
    /// The largest body of a request, in bytes. Where nobody proves who they are, nothing of the contract needs much.
    pub const fn body_bytes_max(self) -> usize {
        match self {
            Self::Public => 16 << 10,
            Self::Session | Self::Key | Self::Signed => 1 << 20,
        }
    }
}

/// The shape of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// `{data, error: false, message}`.
    Envelope,
    /// `{data: {items, total, …}, error: false}`: lists carry no message.
    List,
    /// The record itself, without envelope.
    Bare,
}

/// What a key must be allowed to do for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Look.
    Read,
    /// Change.
    Write,
    /// Send money out.
    Payout,
    /// Change keys, secrets and settings.
    Manage,
}

impl Scope {
    /// Every scope, in order of power.
    pub const ALL: &'static [Self] = &[Self::Read, Self::Write, Self::Payout, Self::Manage];

    /// The scope on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Payout => "payout",
            Self::Manage => "manage",
        }
    }

    /// The scope that a wire word stands for.
    pub fn from_wire(text: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|scope| scope.as_str() == text)
    }
}

/// One HTTP operation of the interface.
///
/// Implemented by uninhabited types: an operation is a name, never a value.
pub trait Operation: Sized + Send + Sync + 'static {
    /// The type's own name, `CreatePaylink`; files say `create_paylink`, JavaScript `paylinks.create`.
    const ID: &'static str;
    /// The resource it belongs to, and the domain of its errors.
    const ROOM: &'static str;
    /// What it does, in a sentence.
    const SUMMARY: &'static str;
    /// The method.
    const METHOD: http::Method;
    /// Below the version prefix, `/paylinks/{paylink_id}`.
    const PATH: &'static str;
    /// How the caller proves who they are.
    const AUTH: Auth = Auth::Key;
    /// The shape of the answer.
    const WIRE: Wire = Wire::Envelope;
    /// The status of success.
    const SUCCESS: http::StatusCode = http::StatusCode::OK;
    /// What the key must be allowed to do.
    const SCOPE: Scope = Scope::Read;
    /// Whether a partner may call it for a sub-merchant (`X-ORG-ID`).
    const DELEGATED: bool = false;
    /// Whether a session must prove afresh who it is.
    const STEP_UP: bool = false;
    /// Whether it exists in sandbox mode only.
    const SANDBOX: bool = false;
    /// Whether it writes though its method is GET.
    const WRITES: bool = false;
    /// Whether its content may send money to what the service does not hold. A call that does needs the scope `payout`, and a
    /// signature or a session's fresh proof; a client that has the signing secret signs every call of it.
    const OUTFLOW: bool = false;
    /// When it was deprecated, Unix seconds (RFC 9745).
    const DEPRECATED: Option<i64> = None;
    /// The path's parameters.
    type Path: PathParams;
    /// The query.
    type Query: Query + Documented;
    /// The body.
    type Body: Body + Documented;
    /// What `data` holds.
    type Response: Serialize + DeserializeOwned + Documented + Send + 'static;
}

/// The parameters of a path template.
pub trait PathParams: Sized + Clone + Send + Sync + 'static {
    /// The names, in the order of the template.
    const NAMES: &'static [&'static str];

    /// Reads decoded parameters; none when a complaint was made.
    fn from_texts(find: &dyn Fn(&str) -> Option<String>, report: &mut Report) -> Option<Self>;

    /// The parameters as decoded text, in the order of [`PathParams::NAMES`].
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

/// Reads one parameter of a path; complains when it is not of its form.
pub fn read_path_param<T: crate::value::Param>(
    name: &str,
    find: &dyn Fn(&str) -> Option<String>,
    report: &mut Report,
) -> Option<T> {
    T::from_text(&find(name).unwrap_or_default())
        .map_err(|(reason, message)| report.complain(name, reason, message))
        .ok()
}

/// Stops the build when a path template and its fields disagree.
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

/// A type, or the one to take when none is given.
macro_rules! type_or {
    ($default:ty) => {
        $default
    };
    ($default:ty, $given:ty) => {
        $given
    };
}
pub(crate) use type_or;

/// Declares an operation: its name and documentation, its line, its types, and the constants that differ from the default.
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

/// The type of each constant that an operation may set, under the constant's own name.
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
