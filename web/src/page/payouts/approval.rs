//! The approval of a payout above a limit: why it waits, and the decision of a second member.

use leptos::prelude::*;
use settlekit_core::member::ListMembers;
use settlekit_core::operation::Scope;
use settlekit_core::page::{LIMIT_MAX, Limit, ListQuery};
use settlekit_core::payment::{Payment, PaymentReason, PayoutApproval};
use settlekit_core::payout::{ApprovePayout, RefusePayout};
use settlekit_core::value::{PaymentId, UserId};

use crate::api;
use crate::form::{Form, MoneyFailure, path_argument};
use crate::record::payout::destination;
use crate::session::Session;
use crate::shell::{Live, Loaded, load};
use crate::text::{money, payout as words};
use crate::ui::{Confirm, Facts, Notice, Toasts, Tone, amount_text};

/// Whether the payout waits for a second member.
fn needs_approval(payout: &Payment) -> bool {
    payout.reason == Some(PaymentReason::ApprovalRequired)
}

/// Names of members; their ids until they are loaded.
#[derive(Clone, Copy)]
struct MemberNames(Memo<Vec<(UserId, String)>>);

impl MemberNames {
    fn load(wanted: Memo<Option<PayoutApproval>>) -> Self {
        let members = load::<ListMembers>(move || {
            wanted.get()?;
            Some(api::with_query(ListQuery {
                limit: Limit::new(LIMIT_MAX),
                ..ListQuery::default()
            }))
        });
        Self(Memo::new(move |_| {
            let named = members.read(|page| {
                let members = page.items.iter();
                members
                    .map(|member| {
                        let name = member.name.clone();
                        (member.id, name.unwrap_or_else(|| member.email.clone()))
                    })
                    .collect()
            });
            named.unwrap_or_default()
        }))
    }

    fn of(self, id: UserId) -> String {
        let name = self.0.with(|all| {
            let known = all.iter().find(|(known, _)| *known == id);
            known.map(|(_, name)| name.clone())
        });
        name.unwrap_or_else(|| id.to_string())
    }
}

#[component]
pub(super) fn Approval(id: PaymentId, payout: Loaded<Payment>) -> impl IntoView {
    let (form, toasts, live) = (Form::new(), Toasts::from_context(), Live::from_context());
    let session = Session::from_context();
    let approval = Memo::new(move |_| payout.read(|payout| payout.approval.clone()).flatten());
    let waiting = Memo::new(move |_| payout.read(needs_approval) == Some(true));
    let names = MemberNames::load(approval);
    let is_own = Memo::new(move |_| {
        let me = session.record().map(|record| record.user.id);
        approval.with(|approval| {
            let requested_by = approval.as_ref().and_then(|one| one.requested_by);
            requested_by.is_some() && requested_by == me
        })
    });
    let (approving, refusing) = (RwSignal::new(false), RwSignal::new(false));
    let decided = move |payment: Payment, said: &'static str| {
        toasts.say(said.to_owned());
        payout.put(payment);
        live.refresh();
    };
    let approve = Callback::new(move |()| {
        form.send::<ApprovePayout>(path_argument("payment_id", id), move |payment| {
            decided(payment, words::approved());
        });
    });
    let refuse = Callback::new(move |()| {
        form.send::<RefusePayout>(path_argument("payment_id", id), move |payment| {
            decided(payment, words::refused_now());
        });
    });
    let consequence = Signal::derive(move || {
        let asked = payout.read(|payout| {
            let (name, address) = destination(payout);
            let to = [name, address].into_iter().flatten().collect::<Vec<_>>();
            words::approve_why(
                &amount_text(&payout.amount, payout.currency.as_str()),
                &to.join(" "),
            )
        });
        asked.unwrap_or_default()
    });
    let buttons = move || {
        if is_own.get() {
            return view! { <p>{words::is_own()}</p> }.into_any();
        }
        if !session.is_allowed(Scope::Payout) {
            return view! { <p>{words::needs_scope()}</p> }.into_any();
        }
        view! {
            <div class="row">
                <button type="button" class="button primary" disabled=form.busy on:click=move |_| approving.set(true)>{words::approve()}</button>
                <button type="button" class="button danger" disabled=form.busy on:click=move |_| refusing.set(true)>{words::refuse()}</button>
            </div>
        }
        .into_any()
    };
    let why = move || {
        let currency = payout.read(|payout| payout.currency.to_string())?;
        let approval = approval.get()?;
        let money = |amount| amount_text(&amount, &currency);
        let excess = approval.excess.map(money);
        let limit = money(approval.limit);
        Some(words::above_limit(&approval, &limit, excess.as_deref()))
    };
    let request = move || {
        let at = payout.read(|payout| payout.created_at)?;
        let by = approval.get()?.requested_by;
        let by = move || by.map_or_else(|| words::not_a_member().to_owned(), |id| names.of(id));
        Some(
            Facts::default()
                .with(words::requested_by(), by)
                .time(words::requested_at(), at)
                .view(),
        )
    };
    let decision = move || {
        let approval = approval.get()?;
        let (by, at) = (approval.decided_by?, approval.decided_at);
        let is_refused =
            payout.read(|payout| payout.reason == Some(PaymentReason::ApprovalRefused));
        let name = match is_refused {
            Some(true) => words::refused_by(),
            _ => words::approved_by(),
        };
        let by = move || names.of(by);
        Some(
            view! { {why().map(|why| view! { <p class="quiet">{why}</p> })}{request()}{Facts::default().with(name, by).time(crate::text::when(), at).view()} },
        )
    };
    view! {
        <MoneyFailure form=form look=("/payouts", money::look_in_payouts()) />
        <Show when=move || waiting.get() fallback=decision>
            <Notice tone=Tone::Warn title=words::waiting_title()>
                <p>{why}</p>
                {request}
                {buttons}
            </Notice>
        </Show>
        <Confirm open=approving title=words::approve_ask() consequence=consequence act=words::approve() busy=form.busy on_confirm=approve />
        <Confirm open=refusing title=words::refuse_ask() consequence=words::refuse_why() act=words::refuse() busy=form.busy on_confirm=refuse />
    }
}
