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
        toasts.say(words::payout_sent().to_owned());
        place.go(&format!("/payouts?open={}", payout.id), true);
    });
    view! {
        <div class="page">
            <PageHead title=words::create_payout() lead=words::create_payout_lead() />
            <CreatePayoutForm done=done />
        </div>
    }
}
