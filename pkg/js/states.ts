// Printed from settlekit-core by `cargo xtask print`; do not edit. @generated

/** Allowed states after each state, by record. All other transitions are rejected. */
export const STATES = {
  payment: {
    Canceled: ["Refunded", "PartialRefunded"],
    Confirmed: ["Refunded", "PartialRefunded"],
    Expired: ["Confirmed", "Refunded", "PartialRefunded"],
    Failed: ["Confirmed", "Refunded", "PartialRefunded"],
    PartialRefunded: ["Refunded"],
    Pending: ["Processing"],
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

/** A record with states. */
export type Machine = keyof typeof STATES;

/** State of a record. */
export type State<M extends Machine> = keyof (typeof STATES)[M] & string;

/** Allowed states after `from`; none for a final state, and for one that this version does not know. */
export function moves<M extends Machine>(record: M, from: State<M> | (string & {})): readonly State<M>[] {
  const table = STATES[record] as unknown as Record<string, readonly State<M>[]>;
  return (Object.hasOwn(table, from) && table[from]) || [];
}

/** Whether a record may move from one state to another. */
export function canMove<M extends Machine>(record: M, from: State<M> | (string & {}), to: State<M> | (string & {})): boolean {
  return (moves(record, from) as readonly string[]).includes(to);
}

/** Whether a state is known and final. */
export function isFinal<M extends Machine>(record: M, state: State<M> | (string & {})): boolean {
  return Object.hasOwn(STATES[record], state) && moves(record, state).length === 0;
}
