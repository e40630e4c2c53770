//! Lists of records: table, filters and pages in the URL, saved views, export, and the open record.

pub(crate) mod column_widths;
pub(crate) mod columns;
pub(crate) mod export;
pub(crate) mod export_choice;
pub(crate) mod export_columns;
pub(crate) mod export_table;
pub(crate) mod filter;
pub(crate) mod filter_field;
pub(crate) mod pager;
pub(crate) mod picker;
pub(crate) mod record_head;
pub(crate) mod record_list;
pub(crate) mod rows;
pub(crate) mod saved_views;
pub(crate) mod selection;
pub(crate) mod static_table;
pub(crate) mod status_tabs;
pub(crate) mod table;
pub(crate) mod xlsx;

pub(crate) use export::*;
pub(crate) use filter::*;
pub(crate) use pager::*;
pub(crate) use picker::*;
pub(crate) use record_head::*;
pub(crate) use record_list::*;
pub(crate) use selection::*;
pub(crate) use static_table::*;
pub(crate) use status_tabs::*;
pub(crate) use table::*;
