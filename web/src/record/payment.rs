//! Which payments a list has.

use settlekit_core::payment::PaymentMethod;

use crate::text::{self, money as words};

/// Methods of payments from customers: all but payouts.
pub(crate) fn received_methods() -> Vec<PaymentMethod> {
    let received = PaymentMethod::KNOWN
        .iter()
        .map(|word| PaymentMethod::from(*word));
    received
        .filter(|method| *method != PaymentMethod::Payout)
        .collect()
}

/// Whether the list has payments from customers, and payouts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shown {
    payments: bool,
    payouts: bool,
}

impl Shown {
    pub(crate) fn of(methods: Option<&[PaymentMethod]>) -> Self {
        let Some(methods) = methods else {
            return Self {
                payments: true,
                payouts: false,
            };
        };
        let is_payout = |method: &PaymentMethod| *method == PaymentMethod::Payout;
        Self {
            payments: !methods.iter().all(is_payout),
            payouts: methods.iter().any(is_payout),
        }
    }

    pub(crate) fn title(self) -> &'static str {
        match (self.payments, self.payouts) {
            (true, true) => text::payments_and_payouts(),
            (false, true) => words::payouts(),
            (_, false) => text::payments(),
        }
    }

    pub(crate) fn lead(self) -> &'static str {
        match (self.payments, self.payouts) {
            (true, true) => text::payments_and_payouts_lead(),
            (false, true) => words::payouts_lead(),
            (_, false) => text::payments_lead(),
        }
    }
}

/// Options of the filter of methods; the empty one leaves payouts out.
pub(crate) fn method_options() -> Vec<(String, String)> {
    let both = PaymentMethod::KNOWN.join(",");
    let payouts = PaymentMethod::Payout.to_string();
    vec![
        (both, text::payments_and_payouts().to_owned()),
        (payouts, words::payouts().to_owned()),
    ]
}
