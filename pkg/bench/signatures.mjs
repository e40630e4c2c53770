// Webhooks verified and requests signed per second, against Node's crypto with the same bytes.
//
// `node bench/signatures.mjs [--json]`, after building the package. Contestants alternate within one run; only ratios are
// meaningful. `standardwebhooks` supports only the symmetric scheme (`v1`, HMAC) and is listed for orientation.

import { createHash, createHmac, createPublicKey, verify as verifyWithNode } from "node:crypto";
import { readFileSync } from "node:fs";

import { Webhook } from "standardwebhooks";

import { WebhookSigner } from "../dist/testing.js";
import { initSync, prepare } from "../dist/wasm/client.js";
import { verify } from "../dist/webhooks.js";

const ROUNDS = 200;
const CALLS = 20;

const signer = new WebhookSigner(new Uint8Array(32).fill(7));
const at = new Date("2026-11-21T09:30:00Z");
const data = { id: "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", amount: "12.50", currency: "USDC", status: "Confirmed", note: "x".repeat(1500) };
const { body, headers } = signer.sign({ type: "payment.settled", data, at, id: "evt_019aa0b5c3f07c0d9f2e3b6a7d8c9e01" });
const bytes = Buffer.from(body);

const key = createPublicKey(signer.publicKey);
const signature = Buffer.from(headers["webhook-signature"].split(",")[1], "base64");
const withNode = () => {
  const message = Buffer.concat([Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`), bytes]);
  if (!verifyWithNode(null, message, key, signature)) throw new Error("Node does not know the signature");
  return JSON.parse(body);
};

const symmetric = new Webhook("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
const now = new Date();
const theirs = {
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
  "webhook-signature": symmetric.sign("msg_1", now, body),
};

initSync({ module: new WebAssembly.Module(readFileSync(new URL("../dist/client.wasm", import.meta.url))) });
const secret = "ss_0123456789abcdef";
const credentials = JSON.stringify({ baseUrl: "https://pay.example", apiKey: "sk_1", signingSecret: secret });
const random = new Uint8Array(10);
const signWithNode = () => {
  const digest = createHash("sha256").update("").digest("hex");
  const message = ["v1", "GET", "/v1/partners/accounts/till/balances", "", "019aa0b5-c3f0-7c0d-9f2e-3b6a7d8c9e01", "", digest].join("\n");
  return createHmac("sha256", secret).update(message).digest("hex");
};

const groups = {
  "a webhook verified": {
    "Node's crypto (Ed25519)": withNode,
    settlekit: () => verify(body, headers, signer.publicKey, { clock: () => at.getTime() }),
    "standardwebhooks (HMAC)": () => symmetric.verify(body, theirs),
  },
  "a request signed": {
    "Node's crypto (the HMAC alone)": signWithNode,
    "settlekit (the whole request)": () => prepare("ListPartnerBalances", '{"account_ref":"till"}', credentials, at.getTime(), random),
  },
};

const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
for (const [what, ways] of Object.entries(groups)) {
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -20; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + 20) % names.length];
      const since = performance.now();
      for (let call = 0; call < CALLS; call += 1) ways[name]();
      if (round >= 0) times[name].push((performance.now() - since) / CALLS);
    }
  }
  const first = median(times[names[0]]);
  for (const name of names) {
    const ms = median(times[name]);
    const row = { what, way: name, per_second: Math.round(1000 / ms), to_first: Number((ms / first).toFixed(2)) };
    if (process.argv.includes("--json")) console.log(JSON.stringify(row));
    else console.log(`${what.padEnd(20)}${name.padEnd(32)}${String(row.per_second).padStart(9)}/s${row.to_first.toFixed(2).padStart(8)} of ${names[0]}`);
  }
}
