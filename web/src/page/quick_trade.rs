//! Quick trade: estimate, then trade, and a comparison of both.

use leptos::prelude::*;

use crate::form::create_quick_trade::CreateQuickTradeForm;

#[component]
pub(crate) fn QuickTrade() -> impl IntoView {
    view! { <CreateQuickTradeForm /> }
}
