// Printed from settlekit-core by `cargo xtask print`; do not edit. @generated

/** Names of the headers that a client sends and reads. */
export const HEADERS = {
  apiKey: "x-api-key",
  nonce: "x-api-nonce",
  signature: "x-api-signature",
  orgId: "x-org-id",
  idempotencyKey: "idempotency-key",
  idempotentReplayed: "idempotent-replayed",
  requestId: "x-request-id",
  serverTime: "x-server-time",
  retryAfter: "retry-after",
  webhookId: "webhook-id",
  webhookTimestamp: "webhook-timestamp",
  webhookSignature: "webhook-signature",
  webhookKeyId: "webhook-key-id",
} as const;

/** Limits of the service. */
export const LIMITS = {
  /** Maximum size of a page. */
  pageItems: 100,
  /** Maximum size of a body, in bytes. */
  bodyBytes: 1048576,
  /** Maximum size of a webhook's body, in bytes. */
  webhookBodyBytes: 1048576,
  /** Maximum number of errors in one answer. */
  errors: 100,
  /** Maximum difference between the time of a nonce and the service's, in seconds. */
  nonceSeconds: 300,
  /** Maximum number of decimal places of an amount. */
  amountDecimals: 28,
  /** Maximum length of a reference, in characters. */
  referenceChars: 128,
  /** Largest integer id. */
  integerId: 9007199254740991,
} as const;
