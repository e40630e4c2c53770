//! The contract's core as a WebAssembly component: validates calls, builds and signs requests, reads responses, verifies webhooks.
//!
//! The interface is `wit/settlekit.wit`. The component imports nothing: the host gives the time and the random bytes.

/// Types and exports, generated from the interface.
mod bindings {
    #![allow(missing_docs, unreachable_pub, clippy::all, clippy::unwrap_used)]
    wit_bindgen::generate!({ path: "wit", world: "core" });
    export!(Core with_types_in self);
    use super::Core;
}
mod calls;
mod convert;
mod values;
mod webhooks;

/// The component.
struct Core;
