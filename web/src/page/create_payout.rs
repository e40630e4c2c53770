//! Creates a payout.

use leptos::prelude::*;
use settlekit_core::payment::Payment;

use crate::form::create_payout::CreatePayoutForm;
use crate::shell::Location;
use crate::text::money as words;
use crate::ui::{PageHead, Toasts};

#[component]
pub(crate) fn CreatePayout() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let done = Callback::new(move |payout: Payment| {
        toasts.say(words::payout_sent().to_owned());
        location.go(&format!("/payouts?open={}", payout.id), true);
    });
    view! {
        <div class="page">
            <PageHead title=words::create_payout() lead=words::create_payout_lead() />
            <CreatePayoutForm done=done />
        </div>
    }
}
