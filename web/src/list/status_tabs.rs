//! Tabs above a list: all records, and those of each status, with their number. They are links that keep the other filters.

use leptos::html;
use leptos::prelude::*;
use settlekit_core::page::StatusCount;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::list::record_list::List;
use crate::shell::Location;
use crate::text;
use crate::ui::count_text;

/// Numbers of a list's records by status; none until they are known, and with filters that they do not cover.
pub(crate) type Counts = Signal<Option<Vec<StatusCount>>>;

/// The counts beside a list's page.
pub(crate) fn counts_of<T: Send + Sync + 'static>(list: &List<T>) -> Counts {
    let page = list.page;
    let counts =
        Memo::new(move |_| page.with(|page| page.ready().and_then(|page| page.counts.clone())));
    counts.into()
}

/// A tab.
#[derive(Clone)]
pub(crate) struct StatusTab {
    label: String,
    /// The filters that it sets, or removes.
    filters: Vec<(&'static str, Option<String>)>,
    /// Number of its records, if known.
    count: Signal<Option<u64>>,
}

impl StatusTab {
    pub(crate) fn new(
        label: impl Into<String>,
        filters: Vec<(&'static str, Option<String>)>,
        count: Signal<Option<u64>>,
    ) -> Self {
        Self {
            label: label.into(),
            filters,
            count,
        }
    }

    /// The tab of some statuses, separated by commas, in a filter of one name.
    pub(crate) fn of(
        name: &'static str,
        statuses: &'static str,
        label: String,
        counts: Counts,
    ) -> Self {
        let count = Signal::derive(move || {
            let has = |one: &&StatusCount| statuses.split(',').any(|status| status == one.status);
            let of_tab = |counts: &Vec<StatusCount>| {
                counts.iter().filter(has).map(|one| one.count).sum::<u64>()
            };
            counts.with(|counts| counts.as_ref().map(of_tab))
        });
        Self::new(label, vec![(name, Some(statuses.to_owned()))], count)
    }

    /// The tab of all records.
    pub(crate) fn all(label: &str, filters: &[&'static str], counts: Counts) -> Self {
        let count = Signal::derive(move || {
            let sum = |counts: &Vec<StatusCount>| counts.iter().map(|one| one.count).sum::<u64>();
            counts.with(|counts| counts.as_ref().map(sum))
        });
        let none = filters.iter().map(|name| (*name, None));
        Self::new(label, none.collect(), count)
    }

    /// The tabs of a filter: all records, then each entry of `statuses`.
    pub(crate) fn each(
        name: &'static str,
        statuses: &'static [&'static str],
        label: fn(&str) -> String,
        counts: Counts,
    ) -> Vec<Self> {
        let all = Self::all(text::all_records(), &[name], counts);
        let each = statuses.iter();
        let each = each.map(|one| Self::of(name, one, label(one), counts));
        std::iter::once(all).chain(each).collect()
    }

    /// Removes a filter that excludes the tab's.
    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.filters.push((name, None));
        self
    }
}

/// The tabs of a list. On narrow screens they scroll sideways.
#[component]
pub(crate) fn StatusTabs(
    /// Name of the landmark.
    label: &'static str,
    tabs: Vec<StatusTab>,
) -> impl IntoView {
    let location = Location::from_context();
    let nav = NodeRef::<html::Nav>::new();
    let show = move |tab: StatusTab| {
        let (label, count) = (tab.label, tab.count);
        let filters = StoredValue::new(tab.filters);
        let is_current = Memo::new(move |_| {
            filters.with_value(|filters| {
                let mut filters = filters.iter();
                filters.all(|(name, value)| location.get(name) == *value)
            })
        });
        let href = move || filters.with_value(|filters| location.link(filters));
        let number = move || {
            let count = count_text(count.get()?);
            Some(view! { " "<span class="count">{count}</span> })
        };
        view! { <a href=href aria-current=move || is_current.get().then_some("page")>{label}{number}</a> }
    };
    let counts: Vec<_> = tabs.iter().map(|tab| tab.count).collect();
    let links = tabs.into_iter().map(show).collect_view();
    Effect::new(move |_| {
        let _ = location.filters();
        // A number moves the tabs after it.
        for count in &counts {
            count.track();
        }
        request_animation_frame(move || {
            let Some(nav) = nav.try_get_untracked().flatten() else {
                return;
            };
            if let Ok(Some(tab)) = nav.query_selector("[aria-current]") {
                let tab: HtmlElement = tab.unchecked_into();
                nav.set_scroll_left(tab.offset_left() - nav.offset_left());
            }
        });
    });
    view! { <nav class="tabs" aria-label=label node_ref=nav>{links}</nav> }
}
