//! Settings of an organisation (contract, "Organisation": `properties`).

use serde_json::Value;

use super::CheckoutStyle;
use crate::decode::body_record;
use crate::value::record::record;
use crate::value::{Currency, Number, Object};

record! {
    /// Settings of an organisation.
    #[derive(Default)]
    OrganisationProperties {
        /// Reporting currency of the merchant. Totals of the service are in US dollars.
        currency?: Currency,
        /// Payer of the service fees: `merchant` or `payer`.
        fee_payer?: String,
        /// E-mail addresses for copies. Stored only: the service sends no e-mail.
        forwarded_email_recipients?: Vec<String>,
        /// E-mail preferences, free-form. Stored only: the service sends no e-mail.
        email_notification_options?: Object,
        /// Whether the organisation is suspended.
        is_suspended?: bool,
        /// Reason of the suspension.
        suspension_type?: String,
        /// Tolerated underpayment.
        underpay_thresholds?: UnderpayThresholds,
        /// IANA time zone of the organisation, e.g. `Europe/Berlin`.
        time_zone?: String,
        /// Look and texts of the checkout pages; absent for the default ones.
        checkout_style?: CheckoutStyle,
        /// Identity check of the owner.
        kyc?: Kyc,
        /// Check of the company.
        kyb?: Kyb,
    }
}

body_record! {
    /// Tolerated underpayment.
    UnderpayThresholds {
        /// Tolerance in `underpay_tolerance_currency`.
        underpay_tolerance_amount?: Number,
        /// Currency of the tolerance.
        underpay_tolerance_currency?: Currency,
        /// Tolerance in US dollars.
        underpay_tolerance_usd?: Number,
    }
}

record! {
    /// Identity check (KYC) of the owner.
    #[derive(Default)]
    Kyc {
        /// Applicant id.
        applicant_id?: String,
        /// Comment.
        comment?: String,
        /// Start of the check.
        created_at?: String,
        /// Result of the review.
        review_answer?: String,
        /// Status.
        status?: String,
    }
}

impl Kyc {
    /// Status or result, in the provider's words.
    pub fn review_status(&self) -> Option<&str> {
        self.status.as_deref().or(self.review_answer.as_deref())
    }
}

record! {
    /// Check of the company (KYB).
    #[serde(rename_all = "camelCase")]
    #[derive(Default)]
    Kyb {
        /// Start of the check.
        created_at?: String,
        /// Company data as corrected.
        fixed_info?: KybInfo,
        /// Company data as submitted.
        info?: KybInfo,
        /// Review.
        review?: KybReview,
    }
}

impl Kyb {
    /// Company name: as submitted, else as corrected.
    pub fn company(&self) -> Option<&str> {
        [&self.info, &self.fixed_info].into_iter().find_map(|info| {
            info.as_ref()?
                .company_info
                .as_ref()?
                .company_name
                .as_deref()
        })
    }

    /// Result of the review, in the provider's words.
    pub fn review_status(&self) -> Option<&str> {
        let result = self.review.as_ref()?.review_result.as_ref()?;
        result.review_answer.as_deref()
    }
}

record! {
    /// Company data.
    #[serde(rename_all = "camelCase")]
    KybInfo {
        /// Company.
        company_info?: NamedCompany,
    }
}

record! {
    /// A company name.
    #[serde(rename_all = "camelCase")]
    NamedCompany {
        /// Name.
        company_name?: String,
    }
}

record! {
    /// Review of a company.
    #[serde(rename_all = "camelCase")]
    #[derive(Default)]
    KybReview {
        /// Number of attempts.
        attempt_cnt?: i64,
        /// Id of this attempt.
        attempt_id?: String,
        /// Creation time.
        create_date?: String,
        /// Milliseconds since the review became pending.
        elapsed_since_pending_ms?: i64,
        /// Milliseconds since the review was queued.
        elapsed_since_queued_ms?: i64,
        /// Automatic check mode of the level.
        level_auto_check_mode?: Value,
        /// Name of the level.
        level_name?: String,
        /// Priority.
        priority?: i64,
        /// Whether the review is being repeated.
        reprocessing?: bool,
        /// End of the review.
        review_date?: String,
        /// Review id.
        review_id?: String,
        /// Numeric status.
        review_status?: i64,
        /// Result.
        review_result?: KybReviewResult,
    }
}

record! {
    /// Result of a review.
    #[serde(rename_all = "camelCase")]
    #[derive(Default)]
    KybReviewResult {
        /// Ids of the buttons pressed.
        button_ids?: Vec<String>,
        /// Comment for the client.
        client_comment?: String,
        /// Comment for the moderator.
        moderation_comment?: String,
        /// Reasons for rejection.
        reject_labels?: Vec<String>,
        /// Answer.
        review_answer?: String,
        /// Type of rejection.
        review_reject_type?: String,
    }
}
