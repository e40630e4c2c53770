//! Settings of organisation, webhook key and browser.

use crate::text::language::{filled, said};

texts! {
    base_currency = "Currency";
    base_currency_hint = "What the organisation reckons in.";
    time_zone = "Time zone";
    time_zone_hint = "By its name, as Europe/Berlin. Each reader chooses in their settings whether to be told the time in it.";
    thresholds = "What still counts as paid";
    thresholds_why = "A payment that is short by no more than this is confirmed all the same. Of the two, the larger counts.";
    tolerance_amount = "Accepted shortfall";
    tolerance_amount_hint = "In the currency beside it.";
    tolerance_currency = "Its currency";
    notifications = "Notifications";
    notifications_why = "Kept with the organisation for whatever sends your e-mail. Settlekit itself tells of everything by webhooks.";
    recipients = "Recipients";
    recipients_hint = "One address a line.";
    options = "Options";
    options_hint = "One a line: a name, a colon, true or false.";
    reviews = "Verification";
    kyc = "Person";
    kyb = "Company";
    suspended = "This organisation is suspended";
    suspended_why = "Whoever runs this service has stopped it from making changes.";
    rotate_steps = "Rotate the key";
    step_before = "Make ready";
    step_before_why = "Know where your server keeps the public key. For 24 hours after the rotation both keys sign each webhook, so nothing is refused while you change it.";
    step_rotate = "Rotate";
    step_rotate_why = "The new key signs from that moment. This cannot be taken back, only repeated.";
    step_place = "Put the new key in place";
    step_place_why = "Copy it to your server, then check a webhook that arrived.";
    step_watch = "Watch the deliveries";
    step_watch_why = "A server that refuses the signature shows here as failed deliveries.";
    both_sign = "Both keys sign until";
    key_leaked = "Replace a leaked key";
    key_leaked_ask = "Cut off the old webhook keys?";
    key_leaked_why = "The old keys sign nothing more. Your server refuses webhooks until it has the new key.";
    rotate_secret = "Rotate secret";
    rotate_secret_ask = "Rotate the signing secret?";
    rotate_secret_why = "For 24 hours the old secret is accepted, too.";
    secret_leaked = "Replace a leaked secret";
    secret_leaked_ask = "Cut off the old signing secret?";
    secret_leaked_why = "Requests signed with the old one are refused from now on.";
    secret_rotated = "Signing secret rotated";
    both_verify = "The old secret is accepted until";
    key_powerful = "Keep this key safe";
    payout_allows = "It can send money out of every account.";
    manage_allows = "It can create keys, read the signing secret and change where webhooks go.";
    failed_deliveries = "Failed deliveries";
    look = "Look";
    look_why = "For this browser.";
    contrast = "High contrast";
    lock = "Lock";
    lock_why = "A page that is left alone is covered, and opens again with your password.";
    lock_never = "Never";
    locked = "Locked";
    locked_why = "Nothing was done here for a while. Enter your password to go on where you were.";
    unlock = "Unlock";
    language = "Language";
    language_why = "For this browser. Payers are spoken to in the language of theirs.";
    time = "Time zone";
    time_why = "In which zone moments are shown and days are filtered. The other is told when you point at a moment.";
    time_now = "Now:";
    zone_local = "My own";
    zone_utc = "UTC";
    keys_why = "Press ? anywhere for the list.";
}

/// `After 15 minutes`.
pub(crate) fn lock_after(minutes: u32) -> String {
    match minutes {
        0 => lock_never().to_owned(),
        60 => said("After an hour").to_owned(),
        _ => say!("After {minutes} minutes", minutes),
    }
}

pub(crate) fn zone_organisation(name: &str) -> String {
    say!("The organisation’s: {name}", name)
}
