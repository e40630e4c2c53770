//! Settings: of the organisation beyond its profile, of the webhook key, and of this browser.

pub(crate) const BASE_CURRENCY: &str = "Currency";
pub(crate) const BASE_CURRENCY_HINT: &str = "What the organisation reckons in.";
pub(crate) const THRESHOLDS: &str = "What still counts as paid";
pub(crate) const THRESHOLDS_WHY: &str = "A payment that is short by no more than this is confirmed all the same. Of the two, the larger counts.";
pub(crate) const TOLERANCE_AMOUNT: &str = "Accepted shortfall";
pub(crate) const TOLERANCE_AMOUNT_HINT: &str = "In the currency beside it.";
pub(crate) const TOLERANCE_CURRENCY: &str = "Its currency";
pub(crate) const NOTIFICATIONS: &str = "Notifications";
pub(crate) const NOTIFICATIONS_WHY: &str = "Kept with the organisation for whatever sends your e-mail. Settlekit itself tells of everything by webhooks.";
pub(crate) const RECIPIENTS: &str = "Recipients";
pub(crate) const RECIPIENTS_HINT: &str = "One address a line.";
pub(crate) const OPTIONS: &str = "Options";
pub(crate) const OPTIONS_HINT: &str = "One a line: a name, a colon, true or false.";
pub(crate) const REVIEWS: &str = "Verification";
pub(crate) const KYC: &str = "Person";
pub(crate) const KYB: &str = "Company";
pub(crate) const SUSPENDED: &str = "This organisation is suspended";
pub(crate) const SUSPENDED_WHY: &str =
    "Whoever runs this service has stopped it from making changes.";
pub(crate) const ROTATE_STEPS: &str = "Rotate the key";
pub(crate) const STEP_BEFORE: &str = "Make ready";
pub(crate) const STEP_BEFORE_WHY: &str = "Know where your server keeps the public key. For 24 hours after the rotation both keys sign each webhook, so nothing is refused while you change it.";
pub(crate) const STEP_ROTATE: &str = "Rotate";
pub(crate) const STEP_ROTATE_WHY: &str =
    "The new key signs from that moment. This cannot be taken back, only repeated.";
pub(crate) const STEP_PLACE: &str = "Put the new key in place";
pub(crate) const STEP_PLACE_WHY: &str =
    "Copy it to your server, then check a webhook that arrived.";
pub(crate) const STEP_WATCH: &str = "Watch the deliveries";
pub(crate) const STEP_WATCH_WHY: &str =
    "A server that refuses the signature shows here as failed deliveries.";
pub(crate) const BOTH_SIGN: &str = "Both keys sign until";
pub(crate) const FAILED_DELIVERIES: &str = "Failed deliveries";
pub(crate) const LOOK: &str = "Look";
pub(crate) const LOOK_WHY: &str = "For this browser.";
pub(crate) const CONTRAST: &str = "High contrast";
pub(crate) const TIME: &str = "Time zone";
pub(crate) const TIME_WHY: &str = "In which zone moments are shown and days are filtered. The other is told when you point at a moment.";
pub(crate) const TIME_NOW: &str = "Now:";
pub(crate) const ZONE_LOCAL: &str = "My own";
pub(crate) const ZONE_UTC: &str = "UTC";
pub(crate) const KEYS_WHY: &str = "Press ? anywhere for the list.";
