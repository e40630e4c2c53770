//! The wallets that payers on a phone are offered: list, add, remove, restore.

use leptos::prelude::*;
use settlekit_core::call::Arguments;
use settlekit_core::installation::{
    DeleteWalletLink, ListWalletLinks, RestoreWalletLinks, WalletLinkTemplate,
};

use crate::api;
use crate::form::wallet_link::CreateWalletLinkForm;
use crate::form::{Form, form_failure, path_argument};
use crate::list::{Column, Table, TableSpec};
use crate::shell::load;
use crate::text::{self, installation as words};
use crate::ui::{Confirm, Dialog, Empty, Icon, Toasts, icon, open_while};

fn spec() -> TableSpec<WalletLinkTemplate> {
    TableSpec {
        caption: words::wallet_links(),
        columns: vec![
            Column::text(words::wallet(), "title", |link| Some(link.name.clone())),
            Column::new(words::link_template(), "grow named", |link| {
                view! { <span class="wrap mono">{link.template.clone()}</span> }.into_any()
            }),
            Column::new(text::actions(), "end last", |link| {
                let removed = expect_context::<RwSignal<Option<WalletLinkTemplate>>>();
                let link = link.clone();
                let label = words::remove_link_of(&link.name);
                view! { <button data-scope="manage" type="button" class="button small danger" aria-label=label on:click=move |_| removed.set(Some(link.clone()))>{text::remove()}</button> }
                    .into_any()
            }),
        ],
        id: |link| link.name.clone(),
    }
}

#[component]
pub(super) fn WalletLinks() -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let links = load::<ListWalletLinks>(|| Some(api::plain()));
    let removed: RwSignal<Option<WalletLinkTemplate>> = RwSignal::new(None);
    provide_context(removed);
    let adding = RwSignal::new(false);
    let restoring = RwSignal::new(false);
    let removing = open_while(removed, |_| true);
    let title = Signal::derive(move || {
        let name = removed.with(|link| link.as_ref().map(|link| link.name.clone()));
        words::remove_link_ask(&name.unwrap_or_default())
    });
    let remove = Callback::new(move |()| {
        let Some(link) = removed.get_untracked() else {
            return;
        };
        form.send::<DeleteWalletLink>(path_argument("name", link.name), move |list| {
            toasts.say(words::link_removed().to_owned());
            links.put(list);
        });
    });
    let restore = Callback::new(move |()| {
        form.send::<RestoreWalletLinks>(Arguments::default(), move |list| {
            toasts.say(words::links_restored().to_owned());
            links.put(list);
        });
    });
    let close = Callback::new(move |()| adding.set(false));
    let added = Callback::new(move |list: Vec<WalletLinkTemplate>| {
        adding.set(false);
        toasts.say(words::link_added().to_owned());
        links.put(list);
    });
    let rows = Signal::derive(move || links.state.with(|state| state.map(Vec::clone)));
    let empty = || view! { <Empty picture=Icon::Key title=words::no_links() hint=words::no_links_hint() /> };
    view! {
        {form_failure(form)}
        <section class="panel" aria-labelledby="wallet-links">
            <div class="panel-head">
                <h2 id="wallet-links">{words::wallet_links()}</h2>
                <span class="push row">
                    <button data-scope="manage" type="button" class="button small" disabled=form.busy on:click=move |_| restoring.set(true)>{words::restore_links()}</button>
                    <button data-scope="manage" type="button" class="button small" on:click=move |_| adding.set(true)>{icon(Icon::Plus)}{words::add_link()}</button>
                </span>
                <p>{words::wallet_links_why()}</p>
            </div>
            <Table spec=spec() rows=rows busy=links.busy retry=links.retry() empty=ViewFn::from(empty) />
        </section>
        <Dialog open=adding close=close title=words::add_link()>
            {move || adding.get().then(|| view! { <CreateWalletLinkForm added=added close=close /> })}
        </Dialog>
        <Confirm open=removing title=title consequence=words::remove_link_why() act=text::remove() busy=form.busy on_confirm=remove />
        <Confirm open=restoring title=words::restore_links_ask() consequence=words::restore_links_why() act=words::restore_links() busy=form.busy on_confirm=restore />
    }
}
