// Printed from settlekit-core by `cargo xtask print`; do not edit. @generated

/** Allowed states after each state, by record. All other transitions are rejected. */
export const STATES = {
  payment: {
    Canceled: ["Refunded", "PartialRefunded"],
    Confirmed: ["Refunded", "PartialRefunded"],
    Expired: ["Confirmed", "Refunded", "PartialRefunded"],
    Failed: ["Confirmed", "Refunded", "PartialRefunded"],
    PartialRefunded: ["Refunded"],
    Pending: ["Processing", "Failed", "Canceled"],
    Processing: ["Confirmed", "Failed", "Expired", "Canceled"],
    Refunded: ["PartialRefunded"],
  },
  movement: {
    Confirmed: ["Refunded", "PartialRefunded"],
    Failed: [],
    PartialRefunded: ["Refunded"],
    Pending: ["Processing", "Confirmed", "Failed"],
    Processing: ["Confirmed", "Failed"],
    Refunded: [],
  },
  delivery: {
    failed: ["pending"],
    pending: ["succeeded", "failed"],
    skipped: ["pending"],
    succeeded: ["pending"],
  },
  quote: {
    Accepted: [],
    Created: ["Accepted", "Rejected", "Expired"],
    Expired: [],
    Rejected: [],
  },
  order: {
    Canceled: [],
    Failed: [],
    Open: ["Processing", "Canceled"],
    Processing: ["Settled", "Failed"],
    Settled: [],
  },
  subscription: {
    Active: ["Paused", "Expired", "Canceled"],
    Canceled: [],
    Expired: [],
    Future: ["InTrial", "Active", "Canceled"],
    InTrial: ["Active", "Paused", "Canceled"],
    Paused: ["Active", "InTrial", "Canceled"],
    Pending: ["Active", "Expired", "Canceled"],
  },
  invoicePayment: {
    Failed: ["Succeeded"],
    Pending: ["Succeeded", "Failed"],
    Succeeded: [],
  },
  dunning: {
    GivenUp: ["None"],
    None: ["Overdue"],
    Overdue: ["Reminded", "None"],
    Reminded: ["GivenUp", "None"],
  },
} as const;
