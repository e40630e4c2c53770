//! How the dashboard looks and tells the time in this browser. Nothing here reaches the service.

use leptos::prelude::*;
use settlekit_core::value::Timestamp;

use crate::part::field::Tick;
use crate::part::moment::{in_utc, moment};
use crate::part::nav::KeysOff;
use crate::part::theme::{Theme, contrast, set_contrast};
use crate::part::zone;
use crate::text;

#[component]
pub(crate) fn Appearance() -> impl IntoView {
    let more = RwSignal::new(contrast());
    Effect::new(move |_| set_contrast(more.get()));
    let now = Timestamp::from_millis(js_sys::Date::now() as i64);
    let zones = [(false, text::ZONE_LOCAL), (true, text::ZONE_UTC)];
    view! {
        <section class="panel">
            <div class="panel-head"><h2>{text::LOOK}</h2><p>{text::LOOK_WHY}</p></div>
            <div class="panel-body stack">
                <div class="field"><span class="label">{text::THEME}</span><Theme words=true /></div>
                <Tick label=text::CONTRAST value=more />
            </div>
        </section>
        <section class="panel">
            <div class="panel-head"><h2>{text::TIME}</h2><p>{text::TIME_WHY}</p></div>
            <div class="panel-body stack">
                <div class="segments zones" role="group" aria-label=text::TIME>
                    {zones.map(|(utc, words)| view! {
                        <button type="button" aria-pressed=(in_utc() == utc).to_string() on:click=move |_| zone::choose(utc)>{words}</button>
                    })}
                </div>
                <p class="quiet">{text::TIME_NOW}" "{moment(now)}</p>
            </div>
        </section>
        <section class="panel">
            <div class="panel-head"><h2>{text::KEYS}</h2><p>{text::KEYS_WHY}</p></div>
            <div class="panel-body"><KeysOff /></div>
        </section>
    }
}
