//! Quick trade: an estimate first, then the trade, and both beside each other.

use leptos::prelude::*;

use crate::form::create_quick_trade::CreateQuickTradeForm;

#[component]
pub(crate) fn QuickTrade() -> impl IntoView {
    view! { <CreateQuickTradeForm /> }
}
