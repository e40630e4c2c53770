//! The settings inside an organisation (contract, "Organisation": `properties`).

use serde_json::Value;

use crate::given::given_record;
use crate::value::record::record;
use crate::value::{Currency, Number, Object};

record! {
    /// Settings of an organisation.
    #[derive(Default)]
    OrganisationProperties {
        /// The currency that the merchant reckons in, for their own reports: totals of the service are in US dollars.
        currency?: Currency,
        /// Who pays the fees, `merchant` or `payer`.
        fee_payer?: String,
        /// Who is to get copies of e-mails: kept for whoever sends them, for the service sends none.
        forwarded_email_recipients?: Vec<String>,
        /// Which e-mails are wanted, free-form: kept for whoever sends them, for the service sends none.
        email_notification_options?: Object,
        /// Whether the organisation may act.
        is_suspended?: bool,
        /// Why not.
        suspension_type?: String,
        /// How much too little still counts as paid.
        underpay_thresholds?: UnderpayThresholds,
        /// The zone its people tell the time in, by its name in the IANA database: `Europe/Berlin`.
        time_zone?: String,
        /// Who the owner is.
        kyc?: Kyc,
        /// What the company is.
        kyb?: Kyb,
    }
}

record! {
    /// How much too little still counts as paid.
    UnderpayThresholds {
        /// In `underpay_tolerance_currency`.
        underpay_tolerance_amount?: Number,
        /// The currency of the amount.
        underpay_tolerance_currency?: Currency,
        /// In US dollars.
        underpay_tolerance_usd?: Number,
    }
}

given_record!(UnderpayThresholds {
    underpay_tolerance_amount,
    underpay_tolerance_currency,
    underpay_tolerance_usd
});

record! {
    /// The check of the owner.
    #[derive(Default)]
    Kyc {
        /// The applicant's id.
        applicant_id?: String,
        /// A remark.
        comment?: String,
        /// When it began.
        created_at?: String,
        /// The answer.
        review_answer?: String,
        /// Where it stands.
        status?: String,
    }
}

impl Kyc {
    /// Where the check stands, in the words of whoever made it.
    pub fn standing(&self) -> Option<&str> {
        self.status.as_deref().or(self.review_answer.as_deref())
    }
}

record! {
    /// The check of the company.
    #[derive(Default)]
    Kyb {
        /// When it began.
        #[serde(rename = "createdAt")]
        created_at?: String,
        /// What was fixed before.
        #[serde(rename = "fixedInfo")]
        fixed_info?: KybInfo,
        /// What was given.
        info?: KybInfo,
        /// The review.
        review?: KybReview,
    }
}

impl Kyb {
    /// What the company is called: as it was given, else as it was fixed before.
    pub fn company(&self) -> Option<&str> {
        [&self.info, &self.fixed_info].into_iter().find_map(|info| {
            info.as_ref()?
                .company_info
                .as_ref()?
                .company_name
                .as_deref()
        })
    }

    /// What the review came to, in the words of whoever made it.
    pub fn standing(&self) -> Option<&str> {
        let result = self.review.as_ref()?.review_result.as_ref()?;
        result.review_answer.as_deref()
    }
}

record! {
    /// What is known of the company.
    KybInfo {
        /// The company.
        #[serde(rename = "companyInfo")]
        company_info?: NamedCompany,
    }
}

record! {
    /// A company by name.
    NamedCompany {
        /// Its name.
        #[serde(rename = "companyName")]
        company_name?: String,
    }
}

record! {
    /// The review of a company.
    #[derive(Default)]
    KybReview {
        /// How many attempts.
        #[serde(rename = "attemptCnt")]
        attempt_cnt?: i64,
        /// This attempt.
        #[serde(rename = "attemptId")]
        attempt_id?: String,
        /// When it was made.
        #[serde(rename = "createDate")]
        create_date?: String,
        /// Milliseconds since it became pending.
        #[serde(rename = "elapsedSincePendingMs")]
        elapsed_since_pending_ms?: i64,
        /// Milliseconds since it was queued.
        #[serde(rename = "elapsedSinceQueuedMs")]
        elapsed_since_queued_ms?: i64,
        /// How the level is checked.
        #[serde(rename = "levelAutoCheckMode")]
        level_auto_check_mode?: Value,
        /// The level.
        #[serde(rename = "levelName")]
        level_name?: String,
        /// Its priority.
        priority?: i64,
        /// Whether it runs again.
        reprocessing?: bool,
        /// When it ended.
        #[serde(rename = "reviewDate")]
        review_date?: String,
        /// Its id.
        #[serde(rename = "reviewId")]
        review_id?: String,
        /// Where it stands, as a number.
        #[serde(rename = "reviewStatus")]
        review_status?: i64,
        /// What came of it.
        #[serde(rename = "reviewResult")]
        review_result?: KybReviewResult,
    }
}

record! {
    /// What came of a review.
    #[derive(Default)]
    KybReviewResult {
        /// The buttons pressed.
        #[serde(rename = "buttonIds")]
        button_ids?: Vec<String>,
        /// For the client.
        #[serde(rename = "clientComment")]
        client_comment?: String,
        /// For the moderator.
        #[serde(rename = "moderationComment")]
        moderation_comment?: String,
        /// Why it was refused.
        #[serde(rename = "rejectLabels")]
        reject_labels?: Vec<String>,
        /// The answer.
        #[serde(rename = "reviewAnswer")]
        review_answer?: String,
        /// How final the refusal is.
        #[serde(rename = "reviewRejectType")]
        review_reject_type?: String,
    }
}
