//! For whom a page acts: the organisation itself, or the sub-merchant that the address names; and loudly which.

use leptos::prelude::*;
use settlekit_core::value::OrganisationId;

use crate::session::Session;
use crate::shell::navigation::Location;
use crate::text;
use crate::text::money as words;
use crate::ui::icon::{Icon, icon};
use crate::ui::notice::{Notice, Tone};

/// The sub-merchant in the dashboard's own URL.
pub(super) const FOR: &str = "for";

/// The pages that act for a sub-merchant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Page {
    Movements,
    Automations,
    Desk,
}

impl Page {
    const ALL: [Self; 3] = [Self::Movements, Self::Automations, Self::Desk];

    fn link(self) -> (&'static str, &'static str) {
        match self {
            Self::Movements => ("/movements", text::movements()),
            Self::Automations => ("/automations", words::automations()),
            Self::Desk => ("/trade/rfq", words::rfq_desk()),
        }
    }
}

/// For whom a page acts, as its address says it.
#[derive(Clone, Copy)]
pub(super) struct Acting {
    /// What stands there.
    pub(super) target: Memo<Option<String>>,
    /// Whether that is the id of no organisation.
    pub(super) malformed: Memo<bool>,
}

impl Acting {
    /// Acts for whom the address names: before the first question is asked, with every change, and never beyond this page.
    pub(super) fn from_address() -> Self {
        let (location, session) = (Location::from_context(), Session::from_context());
        let target = Memo::new(move |_| location.get(FOR));
        let malformed = Memo::new(move |_| {
            target.with(|target| {
                let id = target.as_ref().map(|id| id.parse::<OrganisationId>());
                id.is_some_and(|id| id.is_err())
            })
        });
        let acting = Self { target, malformed };
        session.acting_for.set(untrack(|| acting.known()));
        // The page before this one may end only after this one has begun.
        Effect::new(move |_| {
            let known = acting.known();
            if session.acting_for.get() != known {
                session.acting_for.set(known);
            }
        });
        on_cleanup(move || session.acting_for.set(None));
        acting
    }

    /// The organisation that is acted for. Tracked.
    pub(super) fn known(self) -> Option<String> {
        self.target.get().filter(|_| !self.malformed.get())
    }

    /// Says it, with the ways to the other pages about the same organisation, and the way back to oneself.
    pub(super) fn banner(self, here: Page, filters: &'static [&'static str]) -> AnyView {
        let location = Location::from_context();
        let shown = move |id: String| {
            let others = Page::ALL.into_iter().filter(|page| *page != here);
            let others = others.map(|page| {
                let (page, name) = page.link();
                view! { <a class="button small" href=format!("{page}?{FOR}={id}")>{name}</a> }
            });
            let others = others.collect_view();
            view! {
                <div class="acting" role="status">
                    {icon(Icon::Alert)}<span>{words::acting_for()} " " <span class="mono">{id}</span></span>
                    <span class="row push">{others}</span>
                    <button type="button" class="button small" on:click=move |_| location.clear(filters)>{words::stop_acting()}</button>
                </div>
            }
        };
        view! {
            {move || self.known().map(shown)}
            <Show when=move || self.malformed.get()>
                <Notice tone=Tone::Bad title=words::not_an_organisation()>{words::not_an_organisation_why()}</Notice>
            </Show>
        }
        .into_any()
    }
}
