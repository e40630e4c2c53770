export { GERMAN } from "./reasons-de.js";
export { ENGLISH, REASONS, type Reason } from "./reasons.js";
