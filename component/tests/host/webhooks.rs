//! Webhook signatures.

use crate::bindings::exports::settlekit::core::webhooks::WebhookErrorReason;
use crate::{Host, json, list, text};

const WEBHOOK: &str = include_str!("../../../tests/vectors/webhook.json");

#[test]
fn a_webhook_is_verified_and_a_forged_one_refused() {
    let mut host = Host::new();
    let vectors = json(WEBHOOK);
    let key = text(&vectors["public_key"]);
    for delivery in list(&vectors["deliveries"]) {
        let body = text(&delivery["body"]);
        let now_ms = delivery["timestamp"].as_i64().unwrap() * 1_000;
        assert_eq!(host.verify(delivery, body, key, now_ms), Ok(()));
        let forged = format!("{body} ");
        assert_eq!(
            host.verify(delivery, &forged, key, now_ms),
            Err(WebhookErrorReason::SignatureInvalid)
        );
        let later = now_ms + 301_000;
        assert_eq!(
            host.verify(delivery, body, key, later),
            Err(WebhookErrorReason::TooOld)
        );
        let earlier = now_ms - 301_000;
        assert_eq!(
            host.verify(delivery, body, key, earlier),
            Err(WebhookErrorReason::TooNew)
        );
        for key in list(&vectors["public_key_variants"]) {
            assert_eq!(host.verify(delivery, body, text(key), now_ms), Ok(()));
        }
        for key in list(&vectors["not_keys"]) {
            assert_eq!(
                host.verify(delivery, body, text(key), now_ms),
                Err(WebhookErrorReason::KeyMalformed)
            );
        }
    }
    let published = &vectors["published"];
    let secret = hex::decode(text(&published["secret_hex"])).unwrap();
    let webhooks = host.core.settlekit_core_webhooks();
    let public = webhooks.call_public_key(&mut host.store, &secret).unwrap();
    assert_eq!(public.unwrap(), text(&published["public_key"]));
    let signature = webhooks
        .call_sign_webhook(
            &mut host.store,
            &secret,
            text(&published["id"]),
            published["timestamp"].as_i64().unwrap(),
            text(&published["body"]).as_bytes(),
        )
        .unwrap();
    assert_eq!(signature.unwrap(), text(&published["signature"]));
    let short = webhooks.call_public_key(&mut host.store, &secret[1..]);
    assert_eq!(
        short.unwrap().unwrap_err().reason,
        WebhookErrorReason::KeyMalformed
    );
}
