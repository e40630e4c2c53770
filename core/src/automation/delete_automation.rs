//! `DELETE /partners/automations/{automation_id}`.

use super::Automation;
use crate::operation::{Auth, Scope, operation};
use crate::value::AutomationId;

operation! {
    /// Deletes an automation.
    DeleteAutomation in "automation": DELETE "/partners/automations/{automation_id}",
    path: DeleteAutomationPath {
        /// The automation's id.
        automation_id: AutomationId,
    },
    response: Automation,
    AUTH: Auth::Signed,
    SCOPE: Scope::Payout,
    DELEGATED: true,
}
