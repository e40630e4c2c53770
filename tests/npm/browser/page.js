// Uses the package in a page: a rejected secret, a call to the service, a sale in the sandbox, and verification of its
// webhook, with inlined and with fetched wasm; and the button of an embedded checkout.

import { Settlekit } from "settlekit";
import { Decimal } from "settlekit/decimal";
import { define } from "settlekit/embed";
import { Sandbox } from "settlekit/sandbox";
import * as slimSandbox from "settlekit/sandbox/slim";
import * as slim from "settlekit/slim";
import { verify } from "settlekit/webhooks";
import * as slimWebhooks from "settlekit/webhooks/slim";

async function sell(Sandbox, Settlekit, verify) {
  const told = [];
  const webhooks = async (request) => {
    told.push((await verify(request, key, { clock: sandbox.clock.now })).type);
    return new Response(null, { status: 204 });
  };
  const sandbox = await Sandbox.start({ webhooks });
  const settlekit = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  const { webhook_public_key: key } = await settlekit.organisation.update({ webhook_url: "https://tea.example/hook" });
  const [{ id: chain_id }] = await settlekit.chains.list();
  await settlekit.accounts.create({ reference: "till", type: "CryptoPayIn", currencies: ["USDC"], chain_id });
  const paylink = await settlekit.paylinks.create({ amount: "2.50", currency: "USDC", name: "Tea" });
  const { payment_id } = await sandbox.pay(paylink);
  await sandbox.clock.advance({ minutes: 30 });
  return [(await settlekit.payments.get({ payment_id })).status, told.includes("payment.settled"), sandbox.verify().length].join();
}

async function refused(act) {
  try {
    await act();
  } catch (error) {
    return error.kind ?? error.message;
  }
  return "nothing";
}

/** The text of a button for a link, and why one for another service is refused. */
function embed() {
  define({ url: location.origin });
  const pay = document.createElement("settlekit-pay");
  let refusal;
  pay.addEventListener("settlekit-error", ({ detail: { reason } }) => (refusal = reason));
  pay.paylink = "pl_1";
  document.body.append(pay);
  const text = pay.shadowRoot.querySelector("button").textContent;
  pay.paylink = "https://evil.example/pay/pl_1";
  pay.remove();
  return [text, refusal].join();
}

const service = { baseUrl: location.origin, apiKey: location.hash.slice(1) };
const done = {
  guard: await refused(() => new Settlekit(service)),
  service: (await new Settlekit({ ...service, allowBrowser: true }).organisation.get()).name,
  sum: Decimal.from("0.1").plus("0.2").toString(),
  embed: embed(),
  inside: await sell(Sandbox, Settlekit, verify),
  early: await refused(() => new slim.Settlekit({ ...service, allowBrowser: true }).organisation.get()),
};
await Promise.all([slim.init(), slimWebhooks.init(), slimSandbox.init()]);
done.fetched = await sell(slimSandbox.Sandbox, slim.Settlekit, slimWebhooks.verify);
document.querySelector("#told").textContent = JSON.stringify(done);
