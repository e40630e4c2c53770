//! A chain: head, lag, nodes, money at payment addresses, comparison with the books.

use leptos::prelude::*;
use settlekit_core::installation::{
    ChainComparison, InstallationChain, ProviderReport, UnconfiguredToken, UpdateInstallationChain,
};
use settlekit_core::value::ChainId;

use crate::form::{Fields, Form, form_failure};
use crate::list::{Column, Table, TableSpec};
use crate::page::installation::chains::{Chains, find};
use crate::remote::Remote;
use crate::text::{self, installation as words};
use crate::ui::{
    Confirm, Element, Empty, Facts, Icon, Notice, Toasts, Tone, WholeId, amount, block_gauge,
    count_text, icon, service_now, status_badge_as, test_money, timestamp,
};

/// Maximum age of a report of a server that watches the chain.
const REPORT_SECONDS_MAX: u64 = 60;

/// Number of unconfigured tokens listed.
const UNCONFIGURED_SHOWN: usize = 5;

/// Blocks behind the nodes that are no lag: a block is recorded a moment after it is mined.
const LAG_BLOCKS_MIN: u64 = 3;

/// What a chain does now: the word of its tone, and its label.
fn state(chain: &InstallationChain) -> (&'static str, &'static str) {
    let report = chain.report.as_ref();
    match report {
        _ if chain.paused => ("Pending", words::paused()),
        None => ("Pending", words::not_reported()),
        Some(report) if service_now().since(report.reported_at).as_secs() > REPORT_SECONDS_MAX => {
            ("Failed", words::not_watched())
        }
        Some(report) if report.problem.is_some() => ("Failed", words::halted()),
        Some(_) if chain.lag.is_some_and(|lag| lag > LAG_BLOCKS_MIN) => {
            ("Processing", words::catching_up())
        }
        Some(_) => ("Active", words::following()),
    }
}

fn provider_spec() -> TableSpec<ProviderReport> {
    TableSpec {
        caption: words::nodes(),
        columns: vec![
            Column::text(words::node(), "title", |one| Some(one.host.clone())),
            Column::new(text::status(), "second", |one| {
                let (word, label) = match one.ready {
                    true => ("Active", words::node_ready()),
                    false => ("Failed", words::node_silent()),
                };
                status_badge_as(word, label.to_owned()).into_any()
            }),
            Column::text(words::latest_block(), "end named", |one| {
                one.head.map(count_text)
            }),
            Column::text(words::behind(), "end named", |one| one.lag.map(count_text)),
            Column::time(words::last_answer(), "fit named", |one| one.last_success_at),
            Column::new(words::last_error(), "grow named", |one| {
                let at = one.last_error_at.map(timestamp);
                let error = one.last_error.clone();
                error
                    .map(|error| view! { <span class="wrap"><span lang="en">{error}</span>" "<span class="quiet">{at}</span></span> })
                    .into_any()
            }),
        ],
        id: |one| one.host.clone(),
    }
}

#[component]
pub(super) fn ChainPanel(
    id: ChainId,
    chains: Chains,
    proxies: RwSignal<Option<ChainId>>,
) -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let chain = Memo::new(move |_| find(chains, id));
    let read = move |read: fn(&InstallationChain) -> AnyView| {
        move || chain.with(|chain| chain.as_ref().map(read))
    };
    let name = Signal::derive(move || {
        let name = chain.with(|chain| chain.as_ref().map(|chain| chain.name.clone()));
        name.unwrap_or_default()
    });
    let is_paused =
        Memo::new(move |_| chain.with(|chain| chain.as_ref().is_some_and(|chain| chain.paused)));
    let confirming = RwSignal::new(false);
    let set_paused = move |paused: bool| {
        let arguments = Fields::default()
            .any_value("paused", paused.into())
            .body_at("chain_id", id);
        form.send::<UpdateInstallationChain>(arguments, move |_| {
            let said = match paused {
                true => words::paused_now(),
                false => words::resumed_now(),
            };
            toasts.say(said.to_owned());
            chains.reload();
        });
    };
    let pause = Callback::new(move |()| set_paused(true));
    let rows = Signal::derive(move || {
        let rows = chain.with(|chain| {
            let report = chain.as_ref()?.report.as_ref()?;
            Some(report.providers.clone())
        });
        Remote::Ready(rows.unwrap_or_default())
    });
    let no_nodes = || view! { <Empty picture=Icon::Clock title=words::no_nodes() hint=words::no_nodes_hint() /> };
    let title = format!("chain-{id}");
    let labelled = title.clone();
    view! {
        <section class="panel" aria-labelledby=labelled>
            <div class="panel-head">
                <h2 id=title>{name}</h2>
                {read(badges)}
                <span class="push">
                    <Show
                        when=move || is_paused.get()
                        fallback=move || view! { <button data-scope="manage" type="button" class="button small" disabled=form.busy on:click=move |_| confirming.set(true)>{words::pause()}</button> }
                    >
                        <button data-scope="manage" type="button" class="button small primary" disabled=form.busy on:click=move |_| set_paused(false) aria-label=move || words::resume_of(&name.get())>{words::resume()}</button>
                    </Show>
                </span>
            </div>
            <div class="panel-body stack">
                {form_failure(form)}
                {read(problem)}
                {read(blocks)}
                {read(facts)}
                {move || chain.with(|chain| chain.as_ref().is_some_and(|chain| !chain.unswept.is_empty())).then(|| view! {
                    <div class="row"><button type="button" class="button small" on:click=move |_| proxies.set(Some(id))>{icon(Icon::Eye)}{words::show_proxies()}</button></div>
                })}
                {read(differences)}
                <h3 class="section-title">{words::nodes()}</h3>
            </div>
            <Table spec=provider_spec() rows=rows busy=chains.busy retry=chains.retry() empty=ViewFn::from(no_nodes) />
            <Confirm
                open=confirming title=Signal::derive(move || words::pause_of(&name.get())) consequence=words::pause_why()
                act=words::pause() busy=form.busy on_confirm=pause
            />
        </section>
    }
}

fn badges(chain: &InstallationChain) -> AnyView {
    let (word, label) = state(chain);
    let is_test = chain.test_network == Some(true);
    view! { {status_badge_as(word, label.to_owned())}{is_test.then(test_money)} }.into_any()
}

fn problem(chain: &InstallationChain) -> AnyView {
    let problem = chain
        .report
        .as_ref()
        .and_then(|report| report.problem.clone());
    let problem = problem.filter(|_| !chain.paused);
    problem
        .map(|problem| view! { <Notice tone=Tone::Bad title=words::halted()><span lang="en">{problem}</span></Notice> })
        .into_any()
}

/// The blocks between the latest settled one and the head of the nodes.
fn blocks(chain: &InstallationChain) -> AnyView {
    let depth = u64::from(chain.confirmations_required.max(1)) - 1;
    let settled = chain
        .settled_block
        .unwrap_or(chain.head.saturating_sub(depth));
    let lag = chain.lag.unwrap_or(0);
    let nodes = chain.head.saturating_add(lag);
    let label = words::block_gauge(
        &count_text(settled),
        &count_text(chain.head),
        &count_text(nodes),
    );
    let standing = match (chain.lag, lag) {
        (None, _) => None,
        (Some(_), 0) => Some(words::up_to_date().to_owned()),
        (Some(_), lag) => Some(words::blocks_behind(&count_text(lag))),
    };
    let figure = |name: &'static str, block: u64| {
        view! { <div><span class="label">{name}</span><strong class="figure">{count_text(block)}</strong></div> }
    };
    view! {
        <div class="stack-tight">
            <div class="sides">
                {figure(words::settled_block(), settled)}
                {figure(words::latest_block(), chain.head)}
                {chain.lag.map(|_| figure(words::nodes_at(), nodes))}
            </div>
            {block_gauge(chain.head.saturating_sub(settled).max(1), lag, label)}
            <p class="quiet">{standing}</p>
        </div>
    }
    .into_any()
}

fn facts(chain: &InstallationChain) -> AnyView {
    let tokens: Vec<&str> = chain
        .assets
        .iter()
        .map(|asset| asset.symbol.as_str())
        .collect();
    let unswept: Vec<AnyView> = chain
        .unswept
        .iter()
        .map(|sum| {
            let count = words::proxies_of(&count_text(sum.proxies));
            view! { <li class="row tight">{amount(&sum.amount, sum.currency.as_str())}<span class="quiet">{count}</span></li> }
                .into_any()
        })
        .collect();
    let unswept = match unswept.is_empty() {
        true => view! { <span class="quiet">{words::nothing_unswept()}</span> }.into_any(),
        false => view! { <ul class="stack-tight">{unswept}</ul> }.into_any(),
    };
    let head_at = chain.report.as_ref().map(|report| report.head_at);
    Facts::default()
        .with(
            text::confirmations(),
            match chain.finality {
                true => words::finality_rule(chain.block_seconds),
                false => {
                    let count = words::confirmation_count(chain.confirmations_required);
                    words::confirmations_rule(&count, chain.block_seconds)
                }
            },
        )
        .time(words::last_change(), head_at)
        .maybe(words::base_fee(), chain.base_fee_gwei, |fee| {
            amount(&fee, "gwei")
        })
        .with(words::tokens(), tokens.join(", "))
        .with(words::unswept(), unswept)
        .maybe(
            words::unconfigured(),
            Some(&chain.unconfigured_tokens).filter(|seen| !seen.is_empty()),
            |seen| unconfigured(seen),
        )
        .with(words::comparison(), comparison(chain.comparison.as_ref()))
        .view()
        .into_any()
}

/// The latest tokens that the chain does not take.
fn unconfigured(seen: &[UnconfiguredToken]) -> AnyView {
    let lines = seen.iter().take(UNCONFIGURED_SHOWN).map(|token| {
        let transfers = words::transfers_of(&count_text(token.transfers));
        let last = words::last_in(&count_text(token.last_block));
        view! { <li class="stack-tight"><WholeId id=token.contract.clone() what=words::unconfigured() /><span class="quiet">{transfers}", "{last}</span></li> }
            .into_any()
    });
    let lines: Vec<AnyView> = lines.collect();
    let more = seen.len().saturating_sub(UNCONFIGURED_SHOWN);
    let more = (more > 0).then(|| words::more_tokens(&count_text(more as u64)));
    view! {
        <div class="stack-tight">
            <span class="quiet">{words::unconfigured_why()}</span>
            <ul class="stack-tight">{lines}</ul>
            {more.map(|more| view! { <span class="quiet">{more}</span> })}
        </div>
    }
    .into_any()
}

fn comparison(found: Option<&ChainComparison>) -> AnyView {
    let Some(found) = found else {
        return view! {
            <span class="quiet">
                {words::never_compared()}" "<code>"settlekit verify "<span class="unbroken">"--chain"</span></code>
            </span>
        }
        .into_any();
    };
    let (word, label) = match found.difference_count {
        0 => ("Active", words::no_difference().to_owned()),
        count => ("Failed", words::differences_of(&count_text(count))),
    };
    let what = match found.block {
        Some(block) => words::compared_at_block(&count_text(found.balances), &count_text(block)),
        None => words::sums_only().to_owned(),
    };
    view! { <span class="row tight">{status_badge_as(word, label)}<span class="quiet">{what}</span><span class="quiet">{timestamp(found.compared_at)}</span></span> }
        .into_any()
}

fn differences(chain: &InstallationChain) -> AnyView {
    let found = chain.comparison.as_ref();
    let found = found.filter(|found| found.difference_count > 0);
    found
        .map(|found| {
            let lines: Vec<Element> = found
                .differences
                .iter()
                .map(|line| crate::ui::element("li", "").words(line.clone()))
                .collect();
            let title = words::differences_of(&count_text(found.difference_count));
            view! { <Notice tone=Tone::Bad title=title><ul lang="en">{lines}</ul></Notice> }
        })
        .into_any()
}
