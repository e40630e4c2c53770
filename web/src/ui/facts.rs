//! Description list of a record: names on the left, values on the right, absent values omitted.

use leptos::prelude::*;
use settlekit_core::value::Timestamp;

use crate::ui::copy::WholeId;
use crate::ui::timestamp::timestamp;

#[derive(Default)]
pub(crate) struct Facts(Vec<AnyView>);

impl Facts {
    pub(crate) fn with(mut self, name: &'static str, value: impl IntoView + 'static) -> Self {
        self.0
            .push(view! { <dt>{name}</dt><dd>{value.into_any()}</dd> }.into_any());
        self
    }

    pub(crate) fn maybe<T, V: IntoView + 'static>(
        self,
        name: &'static str,
        value: Option<T>,
        show: impl FnOnce(T) -> V,
    ) -> Self {
        match value {
            Some(value) => self.with(name, show(value)),
            None => self,
        }
    }

    pub(crate) fn text(self, name: &'static str, value: impl Into<Option<String>>) -> Self {
        self.maybe(name, value.into(), |value| value)
    }

    pub(crate) fn time(self, name: &'static str, at: impl Into<Option<Timestamp>>) -> Self {
        self.maybe(name, at.into(), timestamp)
    }

    /// A complete id with a copy button.
    pub(crate) fn id(self, name: &'static str, id: impl Into<Option<String>>) -> Self {
        self.maybe(name, id.into(), |id| view! { <WholeId id=id what=name /> })
    }

    /// An id as [`Self::id`], followed by a view of each id.
    pub(crate) fn id_with<V: IntoView + 'static>(
        self,
        name: &'static str,
        id: impl Into<Option<String>>,
        after: impl FnOnce(&str) -> V,
    ) -> Self {
        self.maybe(name, id.into(), |id| {
            let after = after(&id);
            view! { <span class="row tight"><WholeId id=id what=name />{after}</span> }
        })
    }

    pub(crate) fn view(self) -> impl IntoView {
        view! { <dl class="facts">{self.0}</dl> }
    }
}
