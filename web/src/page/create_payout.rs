//! A page for a new payout.

use leptos::prelude::*;
use settlekit_core::payment::Payment;

use crate::form::create_payout::CreatePayoutForm;
use crate::part::PageHead;
use crate::part::notice::Toasts;
use crate::place::Place;
use crate::text::money as words;

#[component]
pub(crate) fn CreatePayout() -> impl IntoView {
    let (place, toasts) = (Place::here(), Toasts::here());
    let done = Callback::new(move |payout: Payment| {
        toasts.say(words::PAYOUT_SENT.to_owned());
        place.go(&format!("/payouts?open={}", payout.id), true);
    });
    view! {
        <div class="page">
            <PageHead title=words::CREATE_PAYOUT lead=words::CREATE_PAYOUT_LEAD />
            <CreatePayoutForm done=done />
        </div>
    }
}
