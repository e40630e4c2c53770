//! Description list of a record: names on the left, values on the right, absent values omitted.

use leptos::prelude::*;

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

    pub(crate) fn view(self) -> impl IntoView {
        view! { <dl class="facts">{self.0}</dl> }
    }
}
