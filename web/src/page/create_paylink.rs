//! Creates a payment link.

use leptos::prelude::*;
use settlekit_core::paylink::Paylink;

use crate::form::create_paylink::CreatePaylinkForm;
use crate::shell::{Live, Location};
use crate::text;
use crate::ui::PageHead;

#[component]
pub(crate) fn CreatePaylink() -> impl IntoView {
    let (location, live) = (Location::from_context(), Live::from_context());
    let done = Callback::new(move |paylink: Paylink| {
        live.refresh();
        location.go(&format!("/paylinks?made=1&open={}", paylink.id), false);
    });
    view! {
        <div class="page">
            <PageHead title=text::create_paylink() lead=text::create_paylink_lead() />
            <CreatePaylinkForm done=done />
        </div>
    }
}
