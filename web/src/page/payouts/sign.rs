//! A payout that the merchant's own wallet signs: with a wallet of this browser, or with another one by link.
//!
//! The service can't tell whether a wallet has sent the transaction before a block has it. Until then this browser remembers that a
//! wallet was asked, so that nobody signs a second time unawares.

use leptos::prelude::*;
use leptos::task::spawn_local;
use settlekit_core::operation::Scope;
use settlekit_core::payment::{GetPayment, Payment, PaymentPath, PreparedTransaction};
use settlekit_core::value::PaymentId;

use crate::api;
use crate::browser_wallet::{BrowserWallet, WalletError, wallets};
use crate::call_failure::CallFailure;
use crate::form::{address_link, chain_name, transaction_link};
use crate::local_storage;
use crate::record::payout::destination;
use crate::session::Session;
use crate::shell::{Failed, Loaded};
use crate::text::{self, payout as words};
use crate::ui::{
    Confirm, CopyButton, Facts, Icon, Notice, Tone, WholeId, amount, icon, qr, shortened,
};

/// Local storage key of a payout that was handed to a wallet, before its id. The value is the transaction's hash, or empty before
/// the wallet has told it.
const HANDED_OVER: &str = "settlekit.handed-over.";

fn key(id: PaymentId) -> String {
    format!("{HANDED_OVER}{id}")
}

/// Why nothing was signed.
#[derive(Clone, PartialEq)]
enum SigningFailure {
    Wallet(WalletError),
    Call(CallFailure),
    /// The payout is not as it was shown.
    Changed,
}

/// State of signing in this browser.
#[derive(Clone, Copy)]
struct Signing {
    id: PaymentId,
    payout: Loaded<Payment>,
    session: Session,
    /// Whether a wallet is being asked.
    asking: RwSignal<bool>,
    obstacle: RwSignal<Option<SigningFailure>>,
    /// The hash that the wallet told, or empty if it may have sent the transaction.
    handed_over: RwSignal<Option<String>>,
}

impl Signing {
    fn new(id: PaymentId, payout: Loaded<Payment>) -> Self {
        Self {
            id,
            payout,
            session: Session::from_context(),
            asking: RwSignal::new(false),
            obstacle: RwSignal::new(None),
            handed_over: RwSignal::new(local_storage::get(&key(id))),
        }
    }

    fn remember(self, hash: Option<String>) {
        match &hash {
            Some(hash) => local_storage::set(&key(self.id), hash),
            None => local_storage::remove(&key(self.id)),
        }
        self.handed_over.try_set(hash);
    }

    fn start(self, wallet: BrowserWallet) {
        if self.asking.get_untracked() {
            return;
        }
        let shown = untrack(|| {
            self.payout
                .read(|payout| payout.prepared_transaction.clone())
        });
        let Some(shown) = shown.flatten() else { return };
        self.asking.set(true);
        self.obstacle.set(None);
        spawn_local(async move {
            let outcome = self.sign(&wallet, &shown).await;
            self.obstacle.try_set(outcome.err());
            self.asking.try_set(false);
        });
    }

    async fn sign(
        self,
        wallet: &BrowserWallet,
        shown: &PreparedTransaction,
    ) -> Result<(), SigningFailure> {
        wallet
            .prepare(shown)
            .await
            .map_err(SigningFailure::Wallet)?;
        // Somebody else may have signed or canceled it.
        let path = PaymentPath {
            payment_id: self.id,
        };
        let now = api::call::<GetPayment>(self.session, api::at(path)).await;
        let now = now.map_err(SigningFailure::Call)?;
        let is_same = now.is_unsigned() && now.prepared_transaction.as_ref() == Some(shown);
        if self.payout.state.try_with_untracked(|_| ()).is_none() {
            // The page was left: the user does not see what the wallet would sign.
            return Ok(());
        }
        self.payout.put(now);
        if !is_same {
            return Err(SigningFailure::Changed);
        }
        let before = local_storage::get(&key(self.id));
        // Remembered first: the page may be closed while the wallet asks.
        self.remember(Some(String::new()));
        match wallet.send(shown).await {
            Ok(hash) => {
                self.remember(Some(hash));
                Ok(())
            }
            Err(error) => {
                // This time nothing was sent; an earlier time something may have been.
                if !matches!(error, WalletError::Unknown(_)) {
                    self.remember(before);
                }
                Err(SigningFailure::Wallet(error))
            }
        }
    }
}

#[component]
pub(super) fn SignTransaction(id: PaymentId, payout: Loaded<Payment>) -> impl IntoView {
    let signing = Signing::new(id, payout);
    let unsigned = Memo::new(move |_| payout.read(Payment::is_unsigned) == Some(true));
    // A transaction in a block needs no warning.
    Effect::new(move |_| {
        if payout.read(|payout| !payout.is_unsigned()) == Some(true) {
            signing.remember(None);
        }
    });
    // The link, and why the wallet needs to be told more than it.
    let link = Memo::new(move |_| {
        let link = payout.read(|payout| {
            let transaction = payout.prepared_transaction.as_ref()?;
            let why = transaction.derivation_index.map(|_| words::link_of_key());
            Some((transaction.link.clone(), why))
        });
        link.flatten()
    });
    view! {
        <Show when=move || unsigned.get()>
            <section class="stack" aria-labelledby="sign-title">
                <h3 class="section-title" id="sign-title">{words::to_sign()}</h3>
                <p class="quiet">{words::to_sign_why()}</p>
                {move || payout.read(transfer)}
                <Wallets signing=signing />
                {move || link.get().map(|(link, why)| view! {
                    <details class="more">
                        <summary>{icon(Icon::Right)}{words::other_wallet()}</summary>
                        <div class="stack-tight">
                            <p class="quiet">{words::link_why()}</p>
                            {why.map(|why| view! { <p>{why}</p> })}
                            {qr(&link, words::qr_of_transfer())}
                            <code class="mono wrap">{link.clone()}</code>
                            <div class="row"><CopyButton text=link what=words::link() words=words::copy_link() /></div>
                        </div>
                    </details>
                })}
            </section>
        </Show>
    }
}

/// What the wallet will show.
fn transfer(payout: &Payment) -> AnyView {
    let Some(transaction) = payout.prepared_transaction.clone() else {
        return ().into_any();
    };
    let chain = transaction.chain_id;
    let (_, recipient) = destination(payout);
    let is_token = recipient
        .as_deref()
        .is_some_and(|recipient| !recipient.eq_ignore_ascii_case(&transaction.to));
    let number =
        (transaction.derivation_index).map(|index| words::address_number_of(&index.to_string()));
    let at_explorer = |address: &str| address_link(chain, address);
    Facts::default()
        .with(
            text::amount(),
            amount(&payout.amount, payout.currency.as_str()),
        )
        .id_with(words::recipient(), recipient, at_explorer)
        .with(words::network(), chain_name(chain))
        .id_with(words::signing_wallet(), transaction.from, at_explorer)
        .text(words::address_number(), number)
        .id_with(
            words::contract(),
            is_token.then_some(transaction.to),
            at_explorer,
        )
        .view()
        .into_any()
}

/// The wallets of this browser, and how far signing is.
#[component]
fn Wallets(signing: Signing) -> impl IntoView {
    // Providers are objects of this page alone.
    let found = RwSignal::new_local(wallets());
    let again: RwSignal<Option<BrowserWallet>, LocalStorage> = RwSignal::new_local(None);
    let asking_again = RwSignal::new(false);
    let buttons = move || {
        if found.with(Vec::is_empty) {
            return view! {
                <Notice tone=Tone::Plain title=words::no_wallet()>
                    <p>{words::no_wallet_why()}</p>
                    <div class="row"><button type="button" class="button small" on:click=move |_| found.set(wallets())>{icon(Icon::Turning)}{words::look_again()}</button></div>
                </Notice>
            }
            .into_any();
        }
        let is_again = signing.handed_over.with(Option::is_some);
        let button = |wallet: BrowserWallet| {
            let label = match (is_again, wallet.name.as_str()) {
                (true, _) => words::sign_again().to_owned(),
                (false, "") => words::sign().to_owned(),
                (false, name) => words::sign_with(name),
            };
            let class = if is_again { "button" } else { "button primary" };
            let press = move |_| match is_again {
                true => {
                    again.set(Some(wallet.clone()));
                    asking_again.set(true);
                }
                false => signing.start(wallet.clone()),
            };
            view! { <button type="button" class=class disabled=signing.asking on:click=press>{icon(Icon::Edit)}{label}</button> }
        };
        view! { <div class="row" data-scope="payout">{found.get().into_iter().map(button).collect_view()}</div> }
            .into_any()
    };
    let sign_again = Callback::new(move |()| {
        if let Some(wallet) = again.get_untracked() {
            signing.start(wallet);
        }
    });
    view! {
        <div class="stack-tight" aria-live="polite">{move || progress(signing)}</div>
        <Show when=move || signing.session.is_allowed(Scope::Payout)>{buttons}</Show>
        <Confirm open=asking_again title=words::sign_again_ask() consequence=words::sign_again_why() act=words::sign_again() busy=signing.asking on_confirm=sign_again />
    }
}

/// What the wallet was asked, and what it answered. Tracked.
fn progress(signing: Signing) -> AnyView {
    if signing.asking.get() {
        return view! { <Notice tone=Tone::Plain title=words::asking()><p>{words::asking_why()}</p></Notice> }
            .into_any();
    }
    let needed = signing.payout.read(|payout| {
        let transaction = payout.prepared_transaction.as_ref()?;
        Some((transaction.from.clone(), transaction.chain_id))
    });
    let Some((needed, chain)) = needed.flatten() else {
        return ().into_any();
    };
    let handed_over = signing.handed_over.get().map(|hash| match hash.is_empty() {
        true => view! { <Notice tone=Tone::Warn title=words::maybe_handed_over()><p>{words::maybe_handed_over_why()}</p></Notice> }.into_any(),
        false => {
            let at_explorer = transaction_link(chain, &hash);
            view! {
                <Notice tone=Tone::Plain title=words::handed_over()>
                    <p>{words::handed_over_why()}</p>
                    <span class="row tight"><WholeId id=hash what=text::transaction() />{at_explorer}</span>
                </Notice>
            }
            .into_any()
        }
    });
    let obstacle = signing
        .obstacle
        .get()
        .map(|obstacle| obstacle_view(obstacle, &needed));
    view! { {handed_over}{obstacle} }.into_any()
}

fn obstacle_view(obstacle: SigningFailure, needed: &str) -> AnyView {
    let (sentence, told) = match obstacle {
        SigningFailure::Call(failure) => {
            return view! { <Failed failure=failure retry=None /> }.into_any();
        }
        SigningFailure::Changed => (words::changed().to_owned(), String::new()),
        SigningFailure::Wallet(error) => match error {
            WalletError::Rejected => (words::declined().to_owned(), String::new()),
            WalletError::AlreadyAsked => (words::already_asked().to_owned(), String::new()),
            WalletError::UnknownChain => (words::unknown_chain().to_owned(), String::new()),
            WalletError::OtherChain => (words::other_chain().to_owned(), String::new()),
            WalletError::OtherAccount(None) => (words::no_account().to_owned(), String::new()),
            WalletError::OtherAccount(Some(offered)) => {
                let sentence = words::other_account(&shortened(&offered), &shortened(needed));
                (sentence, String::new())
            }
            WalletError::Failed(message) => (words::wallet_failed().to_owned(), message),
            // The notice about the transaction says it; this is the wallet's own message.
            WalletError::Unknown(message) if message.is_empty() => return ().into_any(),
            WalletError::Unknown(message) => {
                return view! { <p class="quiet wrap">{message}</p> }.into_any();
            }
        },
    };
    let told = (!told.is_empty()).then(|| view! { <p class="quiet wrap">{told}</p> });
    view! { <Notice tone=Tone::Bad title=words::not_signed()><p>{sentence}</p>{told}</Notice> }
        .into_any()
}
