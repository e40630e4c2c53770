//! Navigation. Filters, sort order, page and open record are stored in the URL only.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate, use_query_map};
use leptos_router::location::Location as RouterLocation;
use leptos_router::params::ParamsMap;
use settlekit_core::error::Reason;
use settlekit_core::page::{Limit, ListQuery, PageNumber, Sort};
use settlekit_core::value::Param;

use crate::address::strip_base_path;
use crate::query_errors;
use crate::shell::unsaved_changes::UnsavedChanges;
use crate::text;
use crate::ui::{after_paint, flush, local_day};

/// Default number of rows per page.
const ROWS: u32 = 25;

/// Overrides the number of rows, as context of a page.
#[derive(Clone, Copy)]
pub(crate) struct PageSize(pub(crate) u32);

/// Names of URL parameters.
pub(crate) mod name {
    pub(crate) const PAGE: &str = "page";
    pub(crate) const ROWS: &str = "rows";
    pub(crate) const SORT: &str = "sort";
    pub(crate) const ORDER_BY: &str = "order_by";
    pub(crate) const SINCE: &str = "since";
    pub(crate) const UNTIL: &str = "until";
    pub(crate) const SEARCH: &str = "search";
    pub(crate) const CURRENCY: &str = "currency";
    pub(crate) const AMOUNT_FROM: &str = "amount_from";
    pub(crate) const AMOUNT_TO: &str = "amount_to";
    pub(crate) const OPEN: &str = "open";
    /// Set after a record was created, so that its drawer shows a message.
    pub(crate) const MADE: &str = "made";
    /// Set while a record is being created in the drawer.
    pub(crate) const NEW: &str = "new";
    pub(crate) const REPLAY: &str = "replay";
    /// Action whose dialog the opened record shows.
    pub(crate) const ACT: &str = "act";
    pub(crate) const ACT_REFUND: &str = "refund";
    pub(crate) const ACT_CANCEL: &str = "cancel";
    /// Parameters that are not part of a shared view.
    pub(crate) const TRANSIENT: [&str; 6] = [PAGE, OPEN, MADE, NEW, REPLAY, ACT];
}

/// Sets parameters; none removes one.
fn change(query: &mut ParamsMap, changes: &[(&str, Option<String>)]) {
    for (name, value) in changes {
        query.remove(name);
        if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
            query.insert((*name).to_owned(), value.clone());
        }
    }
}

type Go = std::sync::Arc<dyn Fn(&str, NavigateOptions) + Send + Sync>;

/// Reads and changes the current URL.
#[derive(Clone, Copy)]
pub(crate) struct Location {
    query: Memo<ParamsMap>,
    rows: u32,
    location: StoredValue<RouterLocation>,
    go: StoredValue<Go>,
    changes: UnsavedChanges,
}

impl Location {
    /// The current location; only inside the router.
    pub(crate) fn from_context() -> Self {
        let navigate = use_navigate();
        Self {
            query: use_query_map(),
            rows: use_context::<PageSize>().map_or(ROWS, |rows| rows.0),
            location: StoredValue::new(use_location()),
            go: StoredValue::new(std::sync::Arc::new(move |to: &str, options| {
                navigate(to, options)
            })),
            changes: UnsavedChanges::from_context(),
        }
    }

    /// A parameter; none if absent or empty.
    pub(crate) fn get(self, name: &str) -> Option<String> {
        self.query
            .with(|query| query.get(name))
            .filter(|value| !value.is_empty())
    }

    /// A parameter as a value of the contract. An invalid one is reported to `query_errors` and read as none.
    pub(crate) fn param<T: Param>(self, name: &str) -> Option<T> {
        let read = T::from_text(&self.get(name)?);
        read.map_err(|(reason, message)| query_errors::report(name, reason, message))
            .ok()
    }

    /// A comma-separated parameter as values of the contract. An invalid one is reported to `query_errors`, and all are read as
    /// none.
    pub(crate) fn param_list<T: Param>(self, name: &str) -> Option<Vec<T>> {
        let written = self.get(name)?;
        let read: Result<Vec<T>, _> = written.split(',').map(T::from_text).collect();
        read.map_err(|(reason, message)| query_errors::report(name, reason, message))
            .ok()
    }

    /// Shared list parameters. Days are in the user's time zone: from the start of `since` to the end of `until`.
    pub(crate) fn list(self) -> ListQuery {
        let day = |name| {
            let day = self.get(name)?;
            let read = local_day(&day);
            if read.is_none() {
                query_errors::report(name, Reason::TimestampMalformed, text::NOT_A_DAY);
            }
            read
        };
        ListQuery {
            limit: self.param::<Limit>(name::ROWS).or(Limit::new(self.rows)),
            page: self.param::<PageNumber>(name::PAGE),
            since: day(name::SINCE).map(|(first, _)| first),
            until: day(name::UNTIL)
                .map(|(_, next)| next.minus(std::time::Duration::from_micros(1))),
            sort: self.param::<Sort>(name::SORT),
        }
    }

    /// Names and values of the filters in the URL. Tracked.
    pub(crate) fn filters(self) -> Vec<(String, String)> {
        let is_filter = |name: &str| {
            let is_order = [name::ROWS, name::SORT, name::ORDER_BY].contains(&name);
            !is_order && !name::TRANSIENT.contains(&name)
        };
        self.query.with(|query| {
            let all = query.into_iter();
            let set = all.filter(|(name, value)| is_filter(name) && !value.is_empty());
            set.map(|(name, value)| (name.to_string(), value.to_owned()))
                .collect()
        })
    }

    /// The current URL with changed parameters; none removes one.
    pub(crate) fn with(self, changes: &[(&str, Option<String>)]) -> String {
        // Run pending navigation first, so that changes apply to its target.
        flush();
        let mut query = self.query.get_untracked();
        change(&mut query, changes);
        let path = self
            .location
            .with_value(|location| location.pathname.get_untracked());
        format!("{}{}", strip_base_path(&path), query.to_query_string())
    }

    /// The current URL as a link with changed parameters, to the first page and without an open record. Tracked.
    pub(crate) fn link(self, changes: &[(&str, Option<String>)]) -> String {
        let mut query = self.query.get();
        change(&mut query, &name::TRANSIENT.map(|name| (name, None)));
        change(&mut query, changes);
        format!("{}{}", self.path(), query.to_query_string())
    }

    /// Path of the current URL. Tracked.
    pub(crate) fn path(self) -> String {
        self.location
            .with_value(|location| strip_base_path(&location.pathname.get()))
    }

    /// The current URL as a shared view, without transient parameters.
    pub(crate) fn view(self) -> String {
        self.with(&name::TRANSIENT.map(|name| (name, None)))
    }

    /// Changes a filter and goes to the first page. A single history step undoes all changes of a filter.
    pub(crate) fn filter(self, name: &str, value: Option<String>) {
        self.filter_all(&[(name, value)]);
    }

    /// [`Self::filter`] for filters that depend on each other.
    pub(crate) fn filter_all(self, changes: &[(&str, Option<String>)]) {
        let mut all = changes.to_vec();
        all.extend([(name::PAGE, None), (name::OPEN, None)]);
        let to = self.with(&all);
        let was_set = untrack(|| changes.iter().any(|(name, _)| self.get(name).is_some()));
        self.go(&to, was_set);
    }

    pub(crate) fn clear<N: AsRef<str>>(self, names: &[N]) {
        let mut changes: Vec<(&str, Option<String>)> =
            names.iter().map(|name| (name.as_ref(), None)).collect();
        changes.push((name::PAGE, None));
        self.go(&self.with(&changes), false);
    }

    /// URL of the list behind a missing record: without its drawer, else without filters. None if the URL has neither.
    pub(crate) fn back(self) -> Option<String> {
        let here = self.with(&[]);
        let shut = self.with(&[(name::OPEN, None), (name::MADE, None)]);
        let bare = untrack(|| self.path());
        [shut, bare].into_iter().find(|other| *other != here)
    }

    /// Opens a record in the drawer, or closes the drawer.
    pub(crate) fn open(self, id: Option<String>) {
        // Closing the drawer discards its edits deliberately; moving to another record asks first.
        let walks = id.is_some();
        let to = self.with(&[(name::OPEN, id), (name::MADE, None)]);
        self.turn(&to, false, false, walks);
    }

    pub(crate) fn open_new(self) {
        self.go(&self.with(&[(name::NEW, Some("1".to_owned()))]), false);
    }

    pub(crate) fn close_new(self) {
        if self.get(name::NEW).is_some() {
            self.go(&self.with(&[(name::NEW, None)]), true);
        }
    }

    /// Opens the created record in place of the drawer of the new one.
    pub(crate) fn open_created(self, id: String) {
        let changes = [(name::NEW, None), (name::OPEN, Some(id))];
        self.go(&self.with(&changes), true);
    }

    /// Navigates to a URL of the dashboard.
    pub(crate) fn go(self, to: &str, replace: bool) {
        self.turn(to, replace, false, false);
    }

    /// Follows a link and scrolls to the top.
    pub(crate) fn follow(self, to: &str) {
        self.turn(to, false, true, false);
    }

    /// Navigates after the press is painted, unless edits would be lost and the user declines.
    fn turn(self, to: &str, replace: bool, scroll: bool, over: bool) {
        let options = NavigateOptions {
            replace,
            scroll,
            ..NavigateOptions::default()
        };
        // This location may be gone by then.
        let (go, changes, to) = (self.go.get_value(), self.changes, to.to_owned());
        after_paint(move || {
            let address = to.clone();
            changes.go(&to, over, Box::new(move || go(&address, options.clone())));
        });
    }
}
