//! Whether a page acts for the organisation itself or for the sub-merchant in the URL, with a prominent banner.

use leptos::prelude::*;
use settlekit_core::page::{Limit, ListQuery};
use settlekit_core::partner::{ListSubMerchants, ListSubMerchantsQuery, SubMerchant};
use settlekit_core::value::{OrganisationId, Param};

use crate::api;
use crate::list::{Choice, Found, OFFERED, PickerSource};
use crate::session::Session;
use crate::shell::{Location, load};
use crate::text::{self, money as words};
use crate::ui::{Icon, Notice, Tone, amount_text, icon};

/// Finds sub-merchants by name or id.
pub(super) const SUB_MERCHANTS: PickerSource = PickerSource {
    hint: words::search_sub_merchants,
    none: words::no_sub_merchant_found,
    search: search_sub_merchants,
    find: find_sub_merchant,
};

fn choice(shop: &SubMerchant) -> Choice {
    let balance = shop.balance_usd.as_ref();
    Choice {
        id: shop.id.to_string(),
        name: shop.name.clone(),
        more: balance.map(|balance| amount_text(balance, "USD")),
    }
}

fn found(asked: impl Fn() -> Option<String> + Send + Sync + 'static) -> Found {
    let shops = load::<ListSubMerchants>(move || {
        let search = asked()?;
        Some(api::with_query(ListSubMerchantsQuery {
            list: ListQuery {
                limit: Limit::new(OFFERED),
                ..ListQuery::default()
            },
            search: (!search.is_empty()).then_some(search),
        }))
    });
    Found::of(shops, |page| page.items.iter().map(choice).collect())
}

fn search_sub_merchants(asked: Signal<Option<String>>) -> Found {
    found(move || asked.get())
}

fn find_sub_merchant(id: Signal<Option<String>>) -> Found {
    // Only an id: a name would find others.
    found(move || id.get().filter(|id| OrganisationId::from_text(id).is_ok()))
}

/// URL parameter with the sub-merchant.
pub(super) const FOR: &str = "for";

/// Pages that can act for a sub-merchant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Page {
    Movements,
    Automations,
    Desk,
}

impl Page {
    const ALL: [Self; 3] = [Self::Movements, Self::Automations, Self::Desk];

    fn link(self) -> (&'static str, Icon, &'static str) {
        match self {
            Self::Movements => ("/movements", Icon::Movements, text::movements()),
            Self::Automations => ("/automations", Icon::Bolt, words::automations()),
            Self::Desk => ("/trade/rfq", Icon::Trade, words::rfq_desk()),
        }
    }
}

/// Links to the pages that act for a sub-merchant.
pub(super) fn links_for(id: &str) -> Vec<(String, Icon, &'static str)> {
    let link = |page: Page| {
        let (path, picture, name) = page.link();
        (format!("{path}?{FOR}={id}"), picture, name)
    };
    Page::ALL.into_iter().map(link).collect()
}

/// The sub-merchant of a page, from its URL.
#[derive(Clone, Copy)]
pub(super) struct Acting {
    /// Value of the URL parameter.
    pub(super) target: Memo<Option<String>>,
    /// Whether the value is not an organisation id.
    pub(super) malformed: Memo<bool>,
}

impl Acting {
    /// Acts for the sub-merchant in the URL: before the first request, after every change, and only on this page.
    pub(super) fn from_address() -> Self {
        Self::from_parameter(FOR)
    }

    /// [`Self::from_address`], with the name of the URL parameter.
    pub(super) fn from_parameter(name: &'static str) -> Self {
        let (location, session) = (Location::from_context(), Session::from_context());
        let target = Memo::new(move |_| location.get(name));
        let malformed = Memo::new(move |_| {
            target.with(|target| {
                let id = target.as_ref().map(|id| id.parse::<OrganisationId>());
                id.is_some_and(|id| id.is_err())
            })
        });
        let acting = Self { target, malformed };
        session.acting_for.set(untrack(|| acting.known()));
        // The previous page may be cleaned up only after this one has started.
        Effect::new(move |_| {
            let known = acting.known();
            if session.acting_for.get() != known {
                session.acting_for.set(known);
            }
        });
        on_cleanup(move || session.acting_for.set(None));
        acting
    }

    /// The sub-merchant, if valid. Tracked.
    pub(super) fn known(self) -> Option<String> {
        self.target.get().filter(|_| !self.malformed.get())
    }

    /// Banner with links to other pages for the same sub-merchant and a stop button.
    pub(super) fn banner(self, here: Page, filters: &'static [&'static str]) -> AnyView {
        let location = Location::from_context();
        let shown = move |id: String| {
            let others = Page::ALL.into_iter().filter(|page| *page != here);
            let others = others.map(|page| {
                let (path, _, name) = page.link();
                view! { <a class="button small" href=format!("{path}?{FOR}={id}")>{name}</a> }
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
