//! Example calls with a new API key, as curl commands: as it is, and signed (`docs/decisions/0001-signed-message.md`).

use leptos::prelude::*;
use settlekit_core::PREFIX;
use settlekit_core::header;
use settlekit_core::operation::Operation;
use settlekit_core::organisation::GetOrganisation;

use crate::text;
use crate::ui::CopyButton;

/// Path of the example: every key may read it.
fn path() -> String {
    format!("{PREFIX}{}", GetOrganisation::PATH)
}

fn plain(origin: &str, key: &str) -> String {
    format!("curl '{origin}{}' -H '{}: {key}'", path(), header::API_KEY)
}

/// The nonce is a UUIDv7: the time in milliseconds, and random digits around version and variant.
fn signed(origin: &str, key: &str) -> String {
    let lines = [
        format!("SECRET='{}'", text::your_signing_secret()),
        r#"MS=$(printf '%012x' "$(date +%s)000"); RANDOM_DIGITS=$(openssl rand -hex 9)"#.to_owned(),
        r#"NONCE=$(printf '%s' "$MS$RANDOM_DIGITS" | sed -E 's/(.{8})(.{4})(.{3})(.{3})(.{12})/\1-\2-7\3-8\4-\5/')"#.to_owned(),
        "BODY=$(printf '' | openssl dgst -sha256 -r | cut -d' ' -f1)".to_owned(),
        format!(
            r#"SIGNATURE=$(printf 'v1\nGET\n{}\n\n%s\n\n%s' "$NONCE" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)"#,
            path()
        ),
        format!(
            r#"{} -H "{}: $NONCE" -H "{}: $SIGNATURE""#,
            plain(origin, key),
            header::NONCE,
            header::SIGNATURE
        ),
    ];
    lines.join("\n")
}

fn command(id: &'static str, title: &'static str, why: &'static str, command: String) -> AnyView {
    view! {
        <section class="stack-tight" id=id>
            <div class="row">
                <h3 class="section-title">{title}</h3>
                <CopyButton text=command.clone() what=title words=text::copy_curl() />
            </div>
            <p class="quiet">{why}</p>
            <div class="payload" tabindex="0" role="group" aria-label=title><pre>{command}</pre></div>
        </section>
    }
    .into_any()
}

/// The commands that read the organisation with a key.
#[component]
pub(crate) fn ExampleCalls(key: String) -> impl IntoView {
    let origin = window().location().origin().unwrap_or_default();
    view! {
        {command("example-call", text::example_call(), text::example_call_why(), plain(&origin, &key))}
        {command("signed-call", text::signed_call(), text::signed_call_why(), signed(&origin, &key))}
    }
}
