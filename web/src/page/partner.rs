//! Automations of an account of the organisation or of a sub-merchant, with a banner for the latter.

use leptos::prelude::*;
use settlekit_core::account::Account;
use settlekit_core::automation::{
    Automation, DeleteAutomation, ListAutomations, ListAutomationsPath, MaintainedBalance,
    UpdateAutomation,
};
use settlekit_core::partner::{
    Balance, GetPartnerAccount, ListPartnerBalances, ListPartnerBalancesPath, PartnerAccountPath,
};
use settlekit_core::value::{AccountKey, AccountReference};

use crate::api;
use crate::form::convert_balance::ConvertBalanceForm;
use crate::form::maintain_balance::MaintainBalanceForm;
use crate::form::{Fields, Form, accounts, form_failure, path_argument};
use crate::list::{Column, FilterBar, FilterSpec, Pager, Table, TableSpec, exact};
use crate::page::acting::{Acting, FOR, Page, SUB_MERCHANTS};
use crate::record::account::{BalanceRow, balance_rows, display_name, shared_references};
use crate::shell::{Failed, Location, load, load_failure};
use crate::text::{self, money as words};
use crate::ui::{
    Confirm, Dialog, Empty, Icon, PageHead, Toasts, dollars, icon, open_while, status_badge,
    timestamp,
};

/// URL parameter with the account.
const ACCOUNT: &str = "account";
const FILTERS: &[&str] = &[FOR, ACCOUNT];

fn balance_spec() -> TableSpec<BalanceRow<Balance>> {
    TableSpec {
        caption: text::balances(),
        columns: vec![
            Column::new(text::currency(), "title", |row| {
                row.title(&row.balance.currency, &row.balance.chain)
            }),
            Column::exact(
                text::available(),
                "end",
                |BalanceRow { balance, .. }| exact(balance.amount, balance.currency.as_str()),
            ),
            Column::exact(text::in_dollars(), "end second fit", |row| {
                exact(dollars(row.balance.amount_usd?), "USD")
            }),
        ],
        id: |BalanceRow { balance, .. }| format!("{} {}", balance.account_id, balance.currency),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum AutomationDialog {
    Switch(Automation),
    Delete(Automation),
}

fn automation_spec() -> TableSpec<Automation> {
    TableSpec {
        caption: words::automations(),
        columns: vec![
            Column::text(text::action(), "title", |automation| {
                Some(words::action(automation))
            }),
            Column::new(text::status(), "", |automation| {
                let word = match (automation.deleted_at, automation.enabled) {
                    (Some(_), _) => "Ended",
                    (None, true) => "Enabled",
                    (None, false) => "Disabled",
                };
                let reason = automation.reason.as_ref().map(|reason| reason.as_str());
                let paused = automation.paused_until.map(|until| {
                    view! { <small>{words::paused_until()} " " {timestamp(until)}</small> }
                });
                view! { {status_badge(word, reason)} {paused} }.into_any()
            }),
            Column::text(words::when_it_acts(), "named", |automation| {
                automation.condition.as_ref().map(words::condition)
            }),
            Column::new(words::schedule_word(), "quiet named", |automation| {
                let schedule = automation.schedule.as_ref().map(words::schedule);
                schedule
                    .unwrap_or_else(|| words::with_every_change().to_owned())
                    .into_any()
            }),
            Column::time(words::last_run(), "fit named", |automation| {
                automation.last_run_at
            }),
            Column::time(text::created(), "fit skip-narrow", |automation| {
                Some(automation.created_at)
            }),
            Column::new(text::actions(), "end last", |automation| {
                if automation.deleted_at.is_some() {
                    return ().into_any();
                }
                let act = expect_context::<RwSignal<Option<AutomationDialog>>>();
                let (one, other) = (automation.clone(), automation.clone());
                let word = if automation.enabled {
                    words::switch_off()
                } else {
                    words::switch_on()
                };
                view! {
                    <span class="row end-row">
                        <button data-scope="payout" type="button" class="button small" on:click=move |_| act.set(Some(AutomationDialog::Switch(one.clone())))>{word}</button>
                        <button data-scope="payout" type="button" class="button small danger" on:click=move |_| act.set(Some(AutomationDialog::Delete(other.clone())))>{words::end_automation()}</button>
                    </span>
                }
                .into_any()
            }),
        ],
        id: |automation| automation.id.to_string(),
    }
}

#[component]
pub(crate) fn Partner() -> impl IntoView {
    let (location, toasts) = (Location::from_context(), Toasts::from_context());
    let acting = Acting::from_address();
    let Acting { target, malformed } = acting;
    let own = accounts();
    let reference = Memo::new(move |_| {
        if malformed.get() {
            return None;
        }
        location.param::<AccountReference>(ACCOUNT)
    });
    let key = move || reference.get().map(AccountKey::Reference);
    let account = load::<GetPartnerAccount>(move || {
        let account_ref = key()?;
        Some(api::at(PartnerAccountPath { account_ref }))
    });
    let balances = load::<ListPartnerBalances>(move || {
        let account_ref = key()?;
        Some(api::at(ListPartnerBalancesPath { account_ref }))
    });
    let automations = load::<ListAutomations>(move || {
        let account_ref = key()?;
        let path = ListAutomationsPath { account_ref };
        Some(api::at_with_query(path, location.list()))
    });
    let held = Signal::derive(move || {
        account.state.with(|account| {
            let account = account.ready();
            balances.state.with(|state| {
                state.map(|all| {
                    balance_rows(&all.balances, account, |balance| {
                        (balance.account_id, &balance.currency, balance.chain.id)
                    })
                })
            })
        })
    });
    let ready = account.ready();
    let failed = account.failed();
    let maintaining = RwSignal::new(false);
    let converting = RwSignal::new(false);
    let close = Callback::new(move |()| {
        maintaining.set(false);
        converting.set(false);
    });
    let show_created = move || {
        close.run(());
        toasts.say(words::automation_made().to_owned());
        automations.reload();
    };
    let maintained = Callback::new(move |_: MaintainedBalance| show_created());
    let converted = Callback::new(move |_: Automation| show_created());
    let act: RwSignal<Option<AutomationDialog>> = RwSignal::new(None);
    provide_context(act);
    // A history step changes the account: close dialogs about the previous one.
    Effect::new(move |_| {
        target.track();
        reference.track();
        close.run(());
        act.set(None);
    });
    let changed = Callback::new(move |()| automations.reload());
    let suggestions = move || {
        own.read(|page| {
            // Omit references of several accounts.
            let several = shared_references(&page.items);
            let one = |account: &Account| {
                let reference = account.reference.as_ref()?;
                let is_one = !several.contains(reference);
                is_one.then(|| (reference.to_string(), display_name(account)))
            };
            let mut all: Vec<(String, String)> = page.items.iter().filter_map(one).collect();
            all.dedup_by(|one, other| one.0 == other.0);
            let links = all
                .into_iter()
                .map(|(reference, name)| view! { <li><a class="button small" href=location.with(&[(ACCOUNT, Some(reference))])>{name}</a></li> })
                .collect_view();
            view! { <ul class="row">{links}</ul> }
        })
    };
    let filters = vec![
        FilterSpec::text(words::account_reference(), ACCOUNT, text::reference()).always_shown(),
        FilterSpec::picker(words::sub_merchant(), FOR, SUB_MERCHANTS, Icon::Partner),
    ];
    view! {
        <div class="page">
            <PageHead title=words::automations() lead=words::automations_lead() />
            {acting.banner(Page::Automations, FILTERS)}
            <FilterBar filters=filters />
            <Show when=move || reference.with(Option::is_none) && !malformed.get()>
                <section class="panel"><Empty picture=Icon::Partner title=words::choose_account() hint=words::choose_account_hint()>
                    {move || target.with(Option::is_none).then(suggestions)}
                    {load_failure(own)}
                </Empty></section>
            </Show>
            {move || failed.get().filter(|_| reference.with(Option::is_some)).map(|failure| view! { <Failed failure=failure retry=Some(account.retry()) /> })}
            <Show when=move || reference.with(Option::is_some) && account.is_loading().get()>
                <section class="panel"><div class="panel-body stack"><span class="bone b3 tall"></span><span class="bone b4"></span></div></section>
            </Show>
            <Show when=move || ready.with(Option::is_some) && reference.with(Option::is_some)>
                <section class="panel">
                    <div class="panel-head"><h2>{move || ready.with(|account| account.as_ref().map(display_name))}</h2><p>{words::balances_of_reference()}</p></div>
                    <Table spec=balance_spec() rows=held busy=balances.busy retry=balances.retry() empty=ViewFn::from(|| view! { <Empty picture=Icon::Accounts title=text::no_balances() hint=text::no_balances_hint() /> }) />
                </section>
                <section class="panel">
                    <div class="panel-head">
                        <h2>{words::automations()}</h2>
                        <button data-scope="payout" type="button" class="button primary small push" on:click=move |_| maintaining.set(true)>{icon(Icon::Plus)}{words::maintain()}</button>
                        <button data-scope="payout" type="button" class="button small" on:click=move |_| converting.set(true)>{icon(Icon::Plus)}{words::convert()}</button>
                        <p>{words::automations_why()}</p>
                    </div>
                    <Table spec=automation_spec() rows=automations.items() busy=automations.busy retry=automations.retry() empty=ViewFn::from(|| view! { <Empty picture=Icon::Turning title=words::no_automations() hint=words::no_automations_hint() /> }) />
                    <Pager total=automations.total() shown=automations.shown() />
                </section>
            </Show>
            <Dialog open=maintaining close=close title=words::maintain()>
                {move || ready.get_untracked().map(|account| {
                    let currencies: Vec<String> = account.currencies.iter().map(ToString::to_string).collect();
                    let id = account.id.to_string();
                    view! { <MaintainBalanceForm account=id currencies=currencies cancel=close done=maintained /> }
                })}
            </Dialog>
            <Dialog open=converting close=close title=words::convert()>
                {move || ready.get_untracked().map(|account| {
                    let currencies: Vec<String> = account.currencies.iter().map(ToString::to_string).collect();
                    let id = account.id.to_string();
                    view! { <ConvertBalanceForm account=id currencies=currencies cancel=close done=converted /> }
                })}
            </Dialog>
            <AutomationActions act=act changed=changed />
        </div>
    }
}

/// Confirms and executes enabling, disabling and deleting an automation.
#[component]
fn AutomationActions(
    act: RwSignal<Option<AutomationDialog>>,
    changed: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let toasts = Toasts::from_context();
    let location = Location::from_context();
    // An automation has no name, so its account's is used.
    let name = Signal::derive(move || location.get(ACCOUNT).unwrap_or_default());
    let switching = open_while(act, |act| matches!(act, AutomationDialog::Switch(_)));
    let ending = open_while(act, |act| matches!(act, AutomationDialog::Delete(_)));
    let switch = Callback::new(move |()| {
        let Some(AutomationDialog::Switch(automation)) = act.get_untracked() else {
            return;
        };
        let arguments = Fields::default()
            .any_value("enabled", (!automation.enabled).into())
            .body_at("automation_id", automation.id);
        form.send::<UpdateAutomation>(arguments, move |_| {
            toasts.say(text::saved().to_owned());
            changed.run(());
        });
    });
    let end = Callback::new(move |()| {
        let Some(AutomationDialog::Delete(automation)) = act.get_untracked() else {
            return;
        };
        form.send::<DeleteAutomation>(path_argument("automation_id", automation.id), move |_| {
            toasts.say(words::automation_ended().to_owned());
            changed.run(());
        });
    });
    view! {
        {form_failure(form)}
        <Confirm open=switching title=words::switch_ask() consequence=words::switch_why() act=text::go_on() busy=form.busy on_confirm=switch />
        <Confirm
            open=ending title=words::end_automation_ask() consequence=words::end_automation_why()
            name=name act=words::end_automation() busy=form.busy on_confirm=end
        />
    }
}
