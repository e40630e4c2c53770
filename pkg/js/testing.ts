import { header_names, initSync, public_key, sign } from "#glue/webhooks";
import { module } from "#module/webhooks";

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/** A webhook as the service sends it. */
export interface SignedWebhook {
  /** Body; exactly these characters are signed. */
  body: string;
  /** Signature headers. */
  headers: Record<string, string>;
}

/** A webhook to sign. */
export interface WebhookToSign {
  /** Event type, `payment.updated`. */
  type: string;
  /** Record. */
  data: unknown;
  /** Event id; generated if absent. */
  id?: string;
  /** Signing time; default: now. */
  at?: Date;
  /** A second signer, as during a key rotation. */
  also?: WebhookSigner;
}

/** A key pair for signing webhooks in tests. */
export class WebhookSigner {
  /** Public key in PEM, like `webhook_public_key` of an organisation. */
  readonly publicKey: string;
  readonly #secret: Uint8Array;

  /** Creates a signer with a random key or with 32 given bytes. */
  constructor(secret: Uint8Array = crypto.getRandomValues(new Uint8Array(32))) {
    start();
    const pem = public_key(secret);
    if (pem === undefined) throw new TypeError("a webhook key is 32 bytes");
    this.publicKey = pem;
    this.#secret = secret.slice();
  }

  /** Signs a webhook like the service. */
  sign(webhook: WebhookToSign): SignedWebhook {
    const at = webhook.at ?? new Date();
    const timestamp = Math.floor(at.getTime() / 1000);
    const id = webhook.id ?? `evt_${crypto.randomUUID().replaceAll("-", "")}`;
    const body = JSON.stringify({ type: webhook.type, timestamp: at.toISOString(), data: webhook.data });
    const bytes = new TextEncoder().encode(body);
    const signers = webhook.also === undefined ? [this] : [this, webhook.also];
    // Secrets always have 32 bytes here.
    const signatures = signers.map((signer) => sign(signer.#secret, id, timestamp, bytes) as string);
    const values = [id, String(timestamp), signatures.join(" ")];
    const headers = Object.fromEntries(header_names().map((name, index) => [name, values[index] as string]));
    return { body, headers: { "content-type": "application/json", ...headers } };
  }

  /** The signed webhook as a `Request`, for route handlers and workers. */
  request(url: string | URL, webhook: WebhookToSign): Request {
    return new Request(url, { method: "POST", ...this.sign(webhook) });
  }
}
