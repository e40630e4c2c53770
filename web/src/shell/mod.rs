//! Shell around every page: navigation, palette, session lock, live connection, failures, unsaved changes.

pub(crate) mod export_jobs;
pub(crate) mod failure;
pub(crate) mod frame;
pub(crate) mod live;
pub(crate) mod load;
pub(crate) mod navigation;
pub(crate) mod palette;
pub(crate) mod session_lock;
pub(crate) mod shortcuts;
pub(crate) mod theme;
pub(crate) mod unsaved_changes;

pub(crate) use export_jobs::*;
pub(crate) use failure::*;
pub(crate) use frame::*;
pub(crate) use live::*;
pub(crate) use load::*;
pub(crate) use navigation::*;
pub(crate) use palette::*;
pub(crate) use session_lock::*;
pub(crate) use shortcuts::*;
pub(crate) use theme::*;
pub(crate) use unsaved_changes::*;
