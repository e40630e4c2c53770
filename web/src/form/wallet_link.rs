//! A new wallet that payers on a phone are offered.

use leptos::prelude::*;
use settlekit_core::installation::{CreateWalletLink, WalletLinkTemplate};

use crate::form::{DialogButtons, FieldKind, Form, FormView, TextField};
use crate::text::installation as words;

#[component]
pub(crate) fn CreateWalletLinkForm(
    /// Called with the new list.
    added: Callback<Vec<WalletLinkTemplate>>,
    close: Callback<()>,
) -> impl IntoView {
    let form = Form::new();
    let name = form.input("name", FieldKind::Text, String::new());
    let template = form.input("template", FieldKind::Text, String::new());
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        form.send::<CreateWalletLink>(fields.body(), move |list| added.run(list));
    });
    view! {
        <FormView form=form submit=submit>
            <TextField form=form name="name" label=words::wallet_name() value=name />
            <TextField form=form name="template" label=words::link_template() value=template hint=words::link_template_hint() />
            <DialogButtons form=form act=words::add_link() cancel=close />
        </FormView>
    }
}
