//! A fault for the next calls of the sandbox.

use leptos::prelude::*;
use settlekit_core::error::Reason;
use settlekit_core::operation::Scope;
use settlekit_core::sandbox::CreateFault;

use crate::form::{FieldKind, Form, FormView, SelectField, TextField, same_labels};
use crate::text::sandbox as words;
use crate::ui::{Checkbox, Toasts};

#[component]
pub(crate) fn CreateFaultForm() -> impl IntoView {
    let (form, toasts) = (Form::new(), Toasts::from_context());
    let calls = form.input("calls", FieldKind::Number, "1".to_owned());
    let first = Reason::Internal.as_str().to_owned();
    let reason = form.input("reason", FieldKind::Text, first);
    let after = RwSignal::new(false);
    let reasons = Reason::ALL.iter().map(|reason| reason.as_str().to_owned());
    let reasons = Signal::stored(same_labels(reasons.collect()));
    let submit = Callback::new(move |()| {
        let Some(fields) = form.fields() else { return };
        let fields = fields.value("after_commit", after.get_untracked().into());
        form.send::<CreateFault>(fields.body(), move |_| {
            toasts.say(words::fault_made().to_owned())
        });
    });
    view! {
        <FormView form=form scope=Scope::Manage submit=submit>
            <div class="fields two">
                <SelectField form=form name="reason" label=words::fault_reason() value=reason options=reasons set=true />
                <TextField form=form name="calls" label=words::fault_calls() value=calls kind="number" />
            </div>
            <TextField form=form name="operation" label=words::fault_operation() hint=words::fault_operation_hint() optional=true />
            <Checkbox label=words::fault_after() value=after />
            <div class="row"><button data-scope="manage" class="button" disabled=form.busy>{words::make_fault()}</button></div>
        </FormView>
    }
}
