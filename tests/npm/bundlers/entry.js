import { Settlekit } from "settlekit";
import { Decimal } from "settlekit/decimal";
import { Sandbox } from "settlekit/sandbox";
import { WebhookSigner } from "settlekit/testing";
import { verify } from "settlekit/webhooks";

// Uses every entry, so that a bundle without its wasm fails.
export const done = (async () => {
  const sandbox = await Sandbox.start();
  const settlekit = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  const { name } = await settlekit.organisation.get();
  const signer = new WebhookSigner();
  const { body, headers } = signer.sign({ type: "payment.updated", data: {} });
  return [name, verify(body, headers, signer.publicKey).type, Decimal.from("0.1").plus("0.2").toString()].join();
})();
done.then(console.log);
