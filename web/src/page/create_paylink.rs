//! Making a payment link.

use leptos::prelude::*;
use settlekit_core::paylink::Paylink;

use crate::form::create_paylink::CreatePaylinkForm;
use crate::live::Live;
use crate::part::PageHead;
use crate::place::Place;
use crate::text;

#[component]
pub(crate) fn CreatePaylink() -> impl IntoView {
    let (place, live) = (Place::here(), Live::here());
    let done = Callback::new(move |paylink: Paylink| {
        live.poke();
        place.go(&format!("/paylinks?made=1&open={}", paylink.id), false);
    });
    view! {
        <div class="page">
            <PageHead title=text::create_paylink() lead=text::create_paylink_lead() />
            <CreatePaylinkForm done=done />
        </div>
    }
}
