//! Declaration of records: `name: Type` is required, `name?: Type` optional.

/// A free-form JSON object, stored as sent.
pub type Object = serde_json::Map<String, serde_json::Value>;

/// Declares a record of the contract. Reading ignores unknown fields; writing omits absent ones.
macro_rules! record {
    ($(#[$meta:meta])* $name:ident { $($body:tt)* }) => {
        $crate::value::record::record!(@fields [$(#[$meta])* $name] [] $($body)*);
    };
    (@fields [$($head:tt)*] [$($done:tt)*] $(#[$meta:meta])* $field:ident ?: $type:ty, $($rest:tt)*) => {
        $crate::value::record::record!(@fields [$($head)*] [
            $($done)* $(#[$meta])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,
        ] $($rest)*);
    };
    (@fields [$($head:tt)*] [$($done:tt)*] $(#[$meta:meta])* $field:ident : $type:ty, $($rest:tt)*) => {
        $crate::value::record::record!(@fields [$($head)*] [$($done)* $(#[$meta])* pub $field: $type,] $($rest)*);
    };
    (@fields [$(#[$meta:meta])* $name:ident] [$($fields:tt)*]) => {
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        $(#[$meta])*
        pub struct $name { $($fields)* }
    };
}
pub(crate) use record;
