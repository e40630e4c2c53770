//! Whose wallet a new account has: the service's, or one of the merchant's own.

use leptos::prelude::*;
use settlekit_core::error::Reason;
use settlekit_core::value::{ExtendedPublicKey, Param, WalletAddress};

use crate::form::{Field, Form, TextField};
use crate::text::{FieldError, money as words};
use crate::ui::{Icon, bilingual, element, icon, input_id, note_id};

#[derive(Clone, Copy)]
pub(crate) struct NewWallet {
    holder: RwSignal<Holder>,
    typed: RwSignal<String>,
}

impl NewWallet {
    /// One that the service holds the keys of.
    pub(crate) fn new() -> Self {
        Self {
            holder: RwSignal::new(Holder::Service),
            typed: RwSignal::new(String::new()),
        }
    }

    /// Field and text of the merchant's own wallet, even if the text is empty: never a managed account instead of one's own.
    pub(crate) fn named(self) -> Option<(&'static str, String)> {
        let field = self.holder.get_untracked().field()?;
        Some((field, self.typed.get_untracked().trim().to_owned()))
    }

    /// Core's error about the merchant's own wallet, with the field; none if it is valid, or the service's.
    pub(crate) fn error(self) -> Option<(&'static str, FieldError)> {
        let (name, text) = self.named()?;
        let (reason, message) = match name {
            "xpub" => key_error(&text),
            _ => wallet_error(&text),
        }?;
        Some((name, FieldError::of(reason.as_str(), &message)))
    }
}

/// The choice of a wallet, and the field that names the merchant's own.
#[component]
pub(crate) fn WalletFields(form: Form, wallet: NewWallet) -> impl IntoView {
    let NewWallet {
        holder: chosen,
        typed,
    } = wallet;
    view! {
        <Field form=form name="managed_account" label=words::wallet_kind() whole=true>
            <select
                class="input" id=input_id("managed_account") name="managed_account" aria-describedby=note_id("managed_account")
                on:change=move |event| { chosen.set(Holder::of(&event_target_value(&event))); typed.set(String::new()); }
            >
                {Holder::ALL.map(|one| view! { <option value=one.value() selected=move || chosen.get() == one>{one.label()}</option> })}
            </select>
            <p class="hint">{move || chosen.get().who()}</p>
        </Field>
        {move || match chosen.get() {
            Holder::Service => ().into_any(),
            Holder::Address => view! {
                <TextField form=form name="address" label=words::own_wallet() value=typed hint=words::own_wallet_hint() whole=true />
                <AsTyped form=form name="address" label=words::own_wallet() value=typed error=wallet_error />
            }.into_any(),
            Holder::Key => view! {
                <TextField form=form name="xpub" label=words::own_key() value=typed hint=words::own_key_hint() whole=true />
                <AsTyped form=form name="xpub" label=words::own_key() value=typed error=key_error />
            }.into_any(),
        }}
    }
}

/// Who can move the money of a new account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holder {
    /// Managed: the service holds the keys.
    Service,
    /// The merchant's own wallet, by address.
    Address,
    /// The merchant's own wallet, by extended public key.
    Key,
}

impl Holder {
    const ALL: [Self; 3] = [Self::Service, Self::Address, Self::Key];

    fn of(value: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.value() == value)
            .unwrap_or(Self::Service)
    }

    /// Value of the option.
    const fn value(self) -> &'static str {
        match self.field() {
            Some(name) => name,
            None => "managed",
        }
    }

    /// Field of the contract that names the wallet.
    const fn field(self) -> Option<&'static str> {
        match self {
            Self::Service => None,
            Self::Address => Some("address"),
            Self::Key => Some("xpub"),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Service => words::managed(),
            Self::Address => words::own_by_address(),
            Self::Key => words::own_by_key(),
        }
    }

    /// Who can move the money, in one sentence.
    fn who(self) -> &'static str {
        match self {
            Self::Service => words::managed_why(),
            Self::Address => words::own_by_address_why(),
            Self::Key => words::own_by_key_why(),
        }
    }
}

/// Core's error about a wallet address; none if it is valid.
fn wallet_error(text: &str) -> Option<(Reason, String)> {
    WalletAddress::from_text(text).err()
}

/// Core's error about an extended public key; none if it is valid.
fn key_error(text: &str) -> Option<(Reason, String)> {
    ExtendedPublicKey::from_text(text).err()
}

/// Core's error about a value that is being typed, until the form has one of its own.
#[component]
fn AsTyped(
    form: Form,
    name: &'static str,
    label: &'static str,
    value: RwSignal<String>,
    error: fn(&str) -> Option<(Reason, String)>,
) -> impl IntoView {
    let found = move || {
        let typed = value.with(|value| value.trim().to_owned());
        if typed.is_empty() || form.has_error(name) {
            return None;
        }
        let (reason, message) = error(&typed)?;
        let found = FieldError::of(reason.as_str(), &message);
        let sentence = bilingual(found.about(label), found.english.clone());
        Some(
            element("p", "field-error")
                .child(icon(Icon::Alert))
                .child(sentence),
        )
    };
    view! { <div class="whole as-typed" role="status">{found}</div> }
}
