//! All texts of the dashboard, one file per family of pages.
//!
//! Texts are written in English and translated by `language`. A missing translation falls back to English; a test lists them.

#[macro_use]
mod language;

mod automation;
mod bulk_action;
mod commerce;
mod daily;
pub(crate) mod home;
mod hooks;
pub(crate) mod inbox;
pub(crate) mod installation;
mod links;
mod members;
pub(crate) mod money;
pub(crate) mod notes;
mod own;
mod pages;
pub(crate) mod payout;
pub(crate) mod rates;
mod refusal;
pub(crate) mod sandbox;
mod tables;
pub(crate) mod timeline;
mod words;

pub(crate) use bulk_action::*;
pub(crate) use commerce::*;
pub(crate) use daily::*;
pub(crate) use hooks::*;
pub(crate) use language::{Language, choose, chosen, file, load, locales};
pub(crate) use links::*;
pub(crate) use members::*;
pub(crate) use own::*;
pub(crate) use pages::*;
pub(crate) use refusal::*;
pub(crate) use tables::*;
pub(crate) use words::*;
