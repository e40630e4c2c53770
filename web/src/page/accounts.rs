//! Accounts as a tree: each parent followed by its sub-accounts.

use leptos::prelude::*;
use settlekit_core::account::{Account, ListAccounts};
use settlekit_core::page::{LIMIT_MAX, ListQuery, Sort};
use settlekit_core::value::AccountId;

use crate::api;
use crate::form::currency_list;
use crate::list::{Column, Exporter, Pager, Table, TableSpec, exact};
use crate::record::account::{display_name, status};
use crate::shell::{LiveBadge, Location, PageSize, load};
use crate::text::{self, money as words};
use crate::ui::{Empty, Icon, PageHead, dollars, icon, status_badge};

/// An account and its depth in the tree.
#[derive(Debug, Clone, PartialEq)]
struct AccountRow {
    account: Account,
    depth: usize,
}

/// Each parent followed by its sub-accounts. If the parent is on another page, they are shown at the top level.
fn tree(accounts: &[Account]) -> Vec<AccountRow> {
    fn add_rows(
        all: &[Account],
        below: Option<AccountId>,
        depth: usize,
        rows: &mut Vec<AccountRow>,
    ) {
        for account in all {
            let known = account
                .parent_id
                .filter(|parent| all.iter().any(|other| other.id == *parent));
            if known == below {
                rows.push(AccountRow {
                    account: account.clone(),
                    depth,
                });
                add_rows(all, Some(account.id), depth + 1, rows);
            }
        }
    }
    let mut rows = Vec::with_capacity(accounts.len());
    add_rows(accounts, None, 0, &mut rows);
    rows
}

fn table_spec() -> TableSpec<AccountRow> {
    TableSpec {
        caption: words::accounts(),
        columns: vec![
            Column::new(text::name(), "grow title", |row| {
                let class = match row.depth {
                    0 => "leaf-0",
                    1 => "leaf-1",
                    _ => "leaf-2",
                };
                let reference = row.account.reference.as_ref().map(ToString::to_string);
                view! { <span class=class>{display_name(&row.account)}<small>{reference}</small></span> }
                    .into_any()
            }),
            Column::exact(text::balance(), "end", |row| {
                exact(dollars(row.account.balance_usd?), "USD")
            }),
            Column::exact(text::reserved(), "end quiet skip-narrow", |row| {
                exact(dollars(row.account.reserved_usd?), "USD")
            }),
            Column::text(text::type_(), "second", |row| {
                Some(words::account_type(&row.account.account_type).to_owned())
            }),
            Column::text(text::chain(), "quiet second", |row| {
                row.account.chain.as_ref().map(|chain| chain.name.clone())
            }),
            Column::text(words::currencies(), "quiet skip-narrow", |row| {
                Some(currency_list(&row.account.currencies))
            }),
            Column::new(text::status(), "second fit", |row| {
                status_badge(status(&row.account), None).into_any()
            }),
            Column::id(words::address(), "skip-narrow", |row| {
                row.account.address.clone()
            }),
            Column::time(text::created(), "fit skip-narrow", |row| {
                Some(row.account.created_at)
            }),
        ],
        id: |row| row.account.id.to_string(),
    }
}

#[component]
pub(crate) fn Accounts() -> impl IntoView {
    // Show as much of the tree as fits on a page.
    provide_context(PageSize(LIMIT_MAX));
    let location = Location::from_context();
    // Oldest first, so that parents come before their sub-accounts.
    let ask = move |list: ListQuery| {
        Some(api::with_query::<ListAccounts>(ListQuery {
            sort: Some(Sort::Ascending),
            ..list
        }))
    };
    let accounts = load(move || ask(location.list()));
    let state = accounts.state;
    let rows = Signal::derive(move || state.with(|page| page.map(|page| tree(&page.items))));
    view! {
        <div class="page">
            <PageHead title=words::accounts() lead=words::accounts_lead()>
                <LiveBadge />
                <a data-scope="write" class="button primary" href="/accounts/new">{icon(Icon::Plus)}{words::create_account()}</a>
            </PageHead>
            <section class="panel" aria-label=words::accounts()>
                <Table
                    spec=table_spec() rows=rows busy=accounts.busy retry=accounts.retry()
                    open=Callback::new(move |id| location.go(&format!("/accounts/{id}"), false))
                    empty=ViewFn::from(|| view! {
                        <Empty picture=Icon::Accounts title=words::no_accounts() hint=words::no_accounts_hint()>
                            <a data-scope="write" class="button primary" href="/accounts/new">{words::create_account()}</a>
                        </Empty>
                    })
                />
                <Pager total=accounts.total() shown=accounts.shown() export=Some((Exporter::of(ask), "accounts")) />
            </section>
        </div>
    }
}
