//! Settings of an organisation (contract, "Organisation": `properties`).

use serde_json::Value;

use crate::decode::decode_record;
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
        /// Identity check of the owner.
        kyc?: Kyc,
        /// Check of the company.
        kyb?: Kyb,
    }
}

record! {
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

decode_record!(UnderpayThresholds {
    underpay_tolerance_amount,
    underpay_tolerance_currency,
    underpay_tolerance_usd
});

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
    #[derive(Default)]
    Kyb {
        /// Start of the check.
        #[serde(rename = "createdAt")]
        created_at?: String,
        /// Company data as corrected.
        #[serde(rename = "fixedInfo")]
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
    KybInfo {
        /// Company.
        #[serde(rename = "companyInfo")]
        company_info?: NamedCompany,
    }
}

record! {
    /// A company name.
    NamedCompany {
        /// Name.
        #[serde(rename = "companyName")]
        company_name?: String,
    }
}

record! {
    /// Review of a company.
    #[derive(Default)]
    KybReview {
        /// Number of attempts.
        #[serde(rename = "attemptCnt")]
        attempt_cnt?: i64,
        /// Id of this attempt.
        #[serde(rename = "attemptId")]
        attempt_id?: String,
        /// Creation time.
        #[serde(rename = "createDate")]
        create_date?: String,
        /// Milliseconds since the review became pending.
        #[serde(rename = "elapsedSincePendingMs")]
        elapsed_since_pending_ms?: i64,
        /// Milliseconds since the review was queued.
        #[serde(rename = "elapsedSinceQueuedMs")]
        elapsed_since_queued_ms?: i64,
        /// Automatic check mode of the level.
        #[serde(rename = "levelAutoCheckMode")]
        level_auto_check_mode?: Value,
        /// Name of the level.
        #[serde(rename = "levelName")]
        level_name?: String,
        /// Priority.
        priority?: i64,
        /// Whether the review is being repeated.
        reprocessing?: bool,
        /// End of the review.
        #[serde(rename = "reviewDate")]
        review_date?: String,
        /// Review id.
        #[serde(rename = "reviewId")]
        review_id?: String,
        /// Numeric status.
        #[serde(rename = "reviewStatus")]
        review_status?: i64,
        /// Result.
        #[serde(rename = "reviewResult")]
        review_result?: KybReviewResult,
    }
}

record! {
    /// Result of a review.
    #[derive(Default)]
    KybReviewResult {
        /// Ids of the buttons pressed.
        #[serde(rename = "buttonIds")]
        button_ids?: Vec<String>,
        /// Comment for the client.
        #[serde(rename = "clientComment")]
        client_comment?: String,
        /// Comment for the moderator.
        #[serde(rename = "moderationComment")]
        moderation_comment?: String,
        /// Reasons for rejection.
        #[serde(rename = "rejectLabels")]
        reject_labels?: Vec<String>,
        /// Answer.
        #[serde(rename = "reviewAnswer")]
        review_answer?: String,
        /// Type of rejection.
        #[serde(rename = "reviewRejectType")]
        review_reject_type?: String,
    }
}
