import { REASONS, type Reason } from "./reasons.js";

export { GERMAN } from "./reasons-de.js";
export { ENGLISH, REASONS, type Reason } from "./reasons.js";

/** Whether this version knows a reason; a newer service may have others. */
export function isReason(reason: string): reason is Reason {
  return Object.hasOwn(REASONS, reason);
}
