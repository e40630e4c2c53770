//! Appearance and time zone of the dashboard in this browser. Nothing is sent to the service.

use leptos::prelude::*;
use settlekit_core::organisation::GetOrganisation;

use crate::api;
use crate::shell::session_lock;
use crate::shell::{SingleKeysSwitch, Theme, contrast, load, set_contrast};
use crate::text::{self, Language};
use crate::ui::{Checkbox, Panel, Zone, choose, service_now, timestamp, zone};

#[component]
pub(crate) fn Appearance() -> impl IntoView {
    let more = RwSignal::new(contrast());
    Effect::new(move |_| set_contrast(more.get()));
    let now = service_now();
    let minutes = RwSignal::new(session_lock::minutes());
    let organisation = load::<GetOrganisation>(|| Some(api::plain()));
    // The organisation's time zone, and the chosen one if that was the organisation's earlier.
    let zones = move || {
        let theirs = organisation.read(|one| one.properties.as_ref()?.time_zone.clone());
        let theirs = theirs.flatten().map(Zone::Named);
        let named = theirs
            .into_iter()
            .chain(Some(zone()).filter(|zone| matches!(zone, Zone::Named(_))));
        let mut zones = vec![
            (Zone::Local, text::zone_local().to_owned()),
            (Zone::Utc, text::zone_utc().to_owned()),
        ];
        for zone in named {
            let words = text::zone_organisation(zone.name().unwrap_or_default());
            if zones.iter().all(|(known, _)| *known != zone) {
                zones.push((zone, words));
            }
        }
        zones
    };
    view! {
        <Panel title=text::appearance() why=text::look_why() class="panel-body stack">
            <div class="field"><span class="label">{text::theme()}</span><Theme words=true /></div>
            <Checkbox label=text::contrast() value=more />
        </Panel>
        <Panel title=text::language() why=text::language_why()>
            <div class="segments" role="group" aria-label=text::language()>
                {Language::ALL.map(|language| view! {
                    <button type="button" lang=language.tag aria-pressed=(text::chosen() == language).to_string() on:click=move |_| text::choose(language)>{language.name}</button>
                })}
            </div>
        </Panel>
        <Panel title=text::time_zone() why=text::time_why() class="panel-body stack">
            <div class="segments zones" role="group" aria-label=text::time_zone()>
                {move || zones().into_iter().map(|(one, words)| view! {
                    <button type="button" aria-pressed=(zone() == one).to_string() on:click=move |_| choose(&one)>{words}</button>
                }).collect_view()}
            </div>
            <p class="quiet">{text::time_now()}" "{timestamp(now)}</p>
        </Panel>
        <Panel title=text::lock() why=text::lock_why()>
            <div class="segments" role="group" aria-label=text::lock()>
                {session_lock::CHOICES.map(|choice| view! {
                    <button type="button" aria-pressed=move || (minutes.get() == choice).to_string() on:click=move |_| { session_lock::set_minutes(choice); minutes.set(choice); }>{text::lock_after(choice)}</button>
                })}
            </div>
        </Panel>
        <Panel title=text::keys() why=text::keys_why()><SingleKeysSwitch /></Panel>
    }
}
