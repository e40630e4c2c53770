import { header_names, initSync, public_key, sign } from "#glue/webhooks";
import { module } from "#module/webhooks";

let started = false;

function start(): void {
  if (!started) {
    initSync({ module: module() });
    started = true;
  }
}

/** A webhook as the service would send it. */
export interface SignedWebhook {
  /** The body: exactly these characters are signed. */
  body: string;
  /** The headers that carry the signature. */
  headers: Record<string, string>;
}

/** What to sign. */
export interface WebhookToSign {
  /** What happened, `payment.updated`. */
  type: string;
  /** The record. */
  data: unknown;
  /** The event's id; made up unless given. */
  id?: string;
  /** When it is signed; now unless given. */
  at?: Date;
  /** Another key that signs too, as during a rotation. */
  also?: WebhookSigner;
}

/** A key pair that signs webhooks in tests. */
export class WebhookSigner {
  /** What the service would show as `webhook_public_key`. */
  readonly publicKey: string;
  readonly #secret: Uint8Array;

  /** A throwaway key, or the one that 32 given bytes are. */
  constructor(secret: Uint8Array = crypto.getRandomValues(new Uint8Array(32))) {
    start();
    const pem = public_key(secret);
    if (pem === undefined) throw new TypeError("a webhook key is 32 bytes");
    this.publicKey = pem;
    this.#secret = secret.slice();
  }

  /** Signs a webhook as the service does. */
  sign(webhook: WebhookToSign): SignedWebhook {
    const at = webhook.at ?? new Date();
    const timestamp = Math.floor(at.getTime() / 1000);
    const id = webhook.id ?? `evt_${crypto.randomUUID().replaceAll("-", "")}`;
    const body = JSON.stringify({ type: webhook.type, timestamp: at.toISOString(), data: webhook.data });
    const bytes = new TextEncoder().encode(body);
    const signers = webhook.also === undefined ? [this] : [this, webhook.also];
    // The secrets are known to be 32 bytes.
    const signatures = signers.map((signer) => sign(signer.#secret, id, timestamp, bytes) as string);
    const values = [id, String(timestamp), signatures.join(" ")];
    const headers = Object.fromEntries(header_names().map((name, index) => [name, values[index] as string]));
    return { body, headers: { "content-type": "application/json", ...headers } };
  }

  /** The same as the request that a route handler or a worker gets. */
  request(url: string | URL, webhook: WebhookToSign): Request {
    return new Request(url, { method: "POST", ...this.sign(webhook) });
  }
}
