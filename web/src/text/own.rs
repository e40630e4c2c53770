//! Settings of organisation, webhook key and browser.

use crate::text::language::{filled, translate};

texts! {
    base_currency = "Reporting currency";
    base_currency_hint = "For your own reports.";
    time_zone = "Time zone";
    time_zone_hint = "For example Europe/Berlin. Members choose in their settings whether to see times in it.";
    thresholds = "Underpayment tolerance";
    thresholds_why = "Payments short by no more than this are confirmed. The larger of the two applies.";
    tolerance_amount = "Tolerance";
    tolerance_amount_hint = "In the currency beside it.";
    tolerance_currency = "Tolerance currency";
    notifications = "Notifications";
    notifications_why = "Stored for the system that sends your email. Settlekit itself notifies through webhooks.";
    recipients = "Recipients";
    recipients_hint = "One address per line.";
    options = "Options";
    options_hint = "One name: true or false per line.";
    reviews = "Verification";
    kyc = "Person";
    kyb = "Company";
    suspended = "This organisation is suspended";
    suspended_why = "The operator has blocked it from making changes.";
    step_before = "Prepare";
    step_before_why = "Find where your server stores the public key. Both keys sign each webhook for 24 hours, so nothing is rejected while you change it.";
    step_rotate = "Rotate";
    step_rotate_why = "The new key signs from then on. This can’t be undone, only repeated.";
    step_place = "Install the new key";
    step_place_why = "Copy it to your server, then verify a webhook you received.";
    step_watch = "Watch deliveries";
    step_watch_why = "If your server rejects the signature, failed deliveries appear here.";
    both_sign = "Both keys sign until";
    key_leaked = "Replace a leaked key";
    key_leaked_ask = "Revoke old webhook keys?";
    key_leaked_why = "Only the new key signs. Your server rejects webhooks until it has it.";
    rotate_secret = "Rotate secret";
    rotate_secret_ask = "Rotate the signing secret?";
    rotate_secret_why = "The old secret works for another 24 hours.";
    secret_leaked = "Replace a leaked secret";
    secret_leaked_ask = "Revoke old signing secrets?";
    secret_leaked_why = "Requests signed with an old one are rejected from now on.";
    secret_rotated = "Signing secret rotated";
    both_verify = "Old secret works until";
    key_powerful = "Keep this key safe";
    payout_allows = "It can send money out of every account.";
    manage_allows = "It can create keys, read the signing secret and change where webhooks go.";
    look_why = "In this browser.";
    contrast = "High contrast";
    lock = "Auto-lock";
    lock_why = "Locks an inactive page. Your password unlocks it.";
    locked = "Locked";
    locked_why = "Locked after inactivity. Enter your password to continue.";
    unlock = "Unlock";
    language = "Language";
    language_why = "In this browser. Payers see the language of theirs.";
    time_why = "For the times you see and the dates you filter by. Hover over a time to see the other zone.";
    time_now = "Now:";
    zone_local = "Local";
    zone_utc = "UTC";
    keys_why = "Press ? anywhere to see them.";

    zone_organisation(name: &str) = "Organisation: {name}";
    lock_after(minutes: u32) = "After {minutes} minutes", 0 = "Never", 60 = "After an hour";
}
