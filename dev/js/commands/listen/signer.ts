import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

import { HEADERS } from "settlekit/core";

/** Signs webhooks as the service does (decision 87), with a key pair of its own. */
export class SessionSigner {
  /** Public key in PEM, like `webhook_public_key` of an organisation. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #id: string;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.publicKey = publicKey.export({ type: "spki", format: "pem" }) as string;
    this.#key = privateKey;
    const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x as string, "base64url");
    this.#id = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  }

  /** The headers of a webhook that is sent now. */
  headers(id: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = sign(null, Buffer.from(`${id}.${timestamp}.${body}`), this.#key).toString("base64");
    return {
      "content-type": "application/json",
      "user-agent": "Settlekit",
      [HEADERS.webhookId]: id,
      [HEADERS.webhookTimestamp]: timestamp,
      [HEADERS.webhookSignature]: `v1a,${signature}`,
      [HEADERS.webhookKeyId]: this.#id,
    };
  }
}
