// The embedded checkout: the element that the service serves as `/embed.js`, with types.

import { define as defineElement } from "#embed";

/** A payment in the frame. A shop confirms it by webhook or API before it delivers. */
export interface SettlekitPayment {
  payment_id: string;
  paylink_id: string;
  status: string;
}

/** A confirmed payment, with the URL of the paylink's `after_completion`. */
export interface SettlekitConfirmedPayment extends SettlekitPayment {
  redirect_url?: string;
}

/** Why nothing is shown: `paylink` is refused, or the page did not load. */
export interface SettlekitPayError {
  reason: "paylink" | "unavailable";
  message: string;
}

/** The events of the element; they bubble. */
export interface SettlekitPayEvents {
  "settlekit-started": CustomEvent<SettlekitPayment>;
  "settlekit-seen": CustomEvent<SettlekitPayment>;
  "settlekit-confirmed": CustomEvent<SettlekitConfirmedPayment>;
  "settlekit-ended": CustomEvent<SettlekitPayment>;
  "settlekit-closed": CustomEvent<{ paylink_id: string }>;
  "settlekit-error": CustomEvent<SettlekitPayError>;
}

/** `<settlekit-pay>`. Properties and attributes are the same. */
export interface SettlekitPayElement extends HTMLElement {
  /** Id of the paylink, or its URL at the service. */
  paylink: string | null;
  /** `button`, the default, opens a dialog; `inline` shows the page where the element is. */
  mode: "button" | "inline" | null;
  /** Text of the button. */
  label: string | null;
  /** Language of all texts, `en` or `de`; by default that of the browser. */
  language: string | null;
  /** Opens the dialog of a button; the payment in progress continues. */
  open(): void;
  /** Closes the dialog; the payment in progress continues. */
  close(): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "settlekit-pay": SettlekitPayElement;
  }
  interface GlobalEventHandlersEventMap extends SettlekitPayEvents {}
}

/** Where the service is, and the name of the element if not `settlekit-pay`. */
export interface EmbedSettings {
  url: string | URL;
  name?: string;
}

/** Defines the element for a service, once. Returns its class; undefined outside browsers. */
export function define(settings: EmbedSettings): (new () => SettlekitPayElement) | undefined {
  return defineElement(settings);
}
