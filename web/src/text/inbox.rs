//! The inbox of a sandbox, and test events.

use crate::text::language::translate;

texts! {
    title = "Inbox";
    lead = "Webhooks of your organisation as a receiver gets them. The latest 500 are kept.";
    no_messages = "No webhooks received yet";
    no_messages_hint = "Webhooks appear here as long as the inbox is your endpoint.";
    webhook = "Webhook";
    received = "Received";
    empty = "Empty inbox";
    empty_ask = "Empty the inbox?";
    empty_why = "Deletes the received webhooks for all members. Events and their delivery attempts stay.";
    emptied = "Inbox emptied";
    view_event = "View event";
    gone = "Webhook not found";
    gone_why = "It is on another page of the list, or it was deleted.";
    signature_why = "Checked in your browser with your organisation’s public key.";
    old_key = "Signed with a replaced key";
    old_key_why = "Your organisation’s public key has changed since. A receiver with the current key rejects it.";
    no_inbox_hint = "Only sandboxes have an inbox. Here, webhooks go to your endpoint.";
    // --- On the page of webhooks ---
    inbox_why = "Shows received webhooks without a server of your own. To use it, save this URL as your endpoint:";
    inbox_url = "Inbox URL";
    test = "Test";
    test_event = "Test event";
    test_event_why = "Sends an example of the type to your endpoint, signed and marked as a test. No records are created or changed.";
    send_test = "Send test event";
    test_sending = "Sending test event";
    test_delivered = "Test event delivered";
    test_failed = "Test event not delivered";
    open_inbox = "Open inbox";
}
