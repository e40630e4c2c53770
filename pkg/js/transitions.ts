import { STATES } from "./states.js";

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
