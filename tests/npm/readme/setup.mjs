// Context of the README's examples: a running service, and variables of earlier examples.

import { Settlekit } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { WebhookSigner } from "settlekit/testing";

const sandbox = await Sandbox.start();
const settings = sandbox.settings(sandbox.createOrganisation({ name: "Tea House" }));
const settlekit = new Settlekit(settings);
const [{ id: chain_id }] = await settlekit.chains.list();
await settlekit.accounts.create({ reference: "till", type: "CryptoPayIn", currencies: ["USDC"], chain_id });

const signer = new WebhookSigner();
process.env.SETTLEKIT_URL = "https://pay.example";
process.env.SETTLEKIT_API_KEY = settings.apiKey;
process.env.SETTLEKIT_WEBHOOK_KEY = signer.publicKey;
const realFetch = globalThis.fetch;
const fetch = (input, init) => (String(input).startsWith("https://pay.example/") ? sandbox.fetch(input, init) : realFetch(input, init));

/** Sends a webhook to an Express application and prints the status. */
const exercise = (app) =>
  new Promise((resolve) => {
    const server = app.listen(0, "127.0.0.1", async () => {
      const webhook = signer.sign({ type: "payment.updated", data: { id: "pay_1" } });
      const { status } = await realFetch(`http://127.0.0.1:${server.address().port}/hook`, { method: "POST", ...webhook });
      console.log("status", status);
      server.close(resolve);
    });
  });

Object.assign(globalThis, { fetch, Settlekit, Sandbox, settlekit, handler: () => new Response(null, { status: 204 }), exercise });
