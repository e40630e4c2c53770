//! The component run by wasmtime.
