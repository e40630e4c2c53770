import { type Amount, type CustomerId, type Movement, type Page, type Scheme, Settlekit, SettlekitError } from "settlekit";
import * as core from "settlekit/core";
import * as slimCore from "settlekit/core/slim";
import { Decimal, type Rounding } from "settlekit/decimal";
import { ENGLISH, GERMAN, type Reason, REASONS } from "settlekit/reasons";
import { Sandbox, type SandboxSnapshot } from "settlekit/sandbox";
import * as slimSandbox from "settlekit/sandbox/slim";
import * as slim from "settlekit/slim";
import { type SignedWebhook, WebhookSigner } from "settlekit/testing";
import { verify } from "settlekit/webhooks";
import * as slimWebhooks from "settlekit/webhooks/slim";
import compiled from "settlekit/webhooks.wasm";

const settlekit = new Settlekit({ baseUrl: "http://sandbox.test", apiKey: "sk" });

export async function use(): Promise<Amount[]> {
  const amounts: Amount[] = [];
  for await (const movement of settlekit.accounts.listMovements({ account: 7, since: new Date(), sort: "asc" })) {
    const direction: "IN" | "OUT" | (string & {}) = movement.direction;
    amounts.push(direction === "IN" ? movement.amount : `-${movement.amount}`);
  }
  const page: Page<Movement> = await settlekit.accounts.listMovements({ account: "till" });
  const some: Movement[] = await settlekit.accounts.listMovements({ account: "till" }).toArray({ limit: page.total });
  amounts.push(...some.map(({ amount }) => amount));
  try {
    await settlekit.paylinks.create({ amount: "1.50", currency: "USDC", name: "Tea" }, { idempotencyKey: "once" });
  } catch (error) {
    if (error instanceof SettlekitError && error.kind === "validation") console.log(error.errors.map(({ field }) => field));
  }
  // @ts-expect-error: an amount is text.
  settlekit.paylinks.create({ amount: 1.5, currency: "USDC", name: "Tea" });
  // @ts-expect-error: what the operation needs is needed.
  settlekit.paylinks.create({ amount: "1.50" });
  // @ts-expect-error: there is no such operation.
  settlekit.paylink.sellPaylink();
  return amounts;
}

export async function ids(): Promise<CustomerId | undefined> {
  const { id, customer_id } = await settlekit.payments.get({ payment_id: "pay_1" });
  await settlekit.payments.get({ payment_id: id });
  // @ts-expect-error: the id of another thing.
  await settlekit.customers.get({ customer_id: id });
  // @ts-expect-error: text is no id that is a number.
  await settlekit.externalAccounts.delete({ external_account_id: "7" });
  return customer_id;
}

export async function given(): Promise<slim.Settlekit> {
  await Promise.all([slim.init(), slim.init(fetch("/client.wasm")), slimWebhooks.init(compiled), slimSandbox.init({ sandbox: new Uint8Array() })]);
  const sandbox = await slimSandbox.Sandbox.start();
  return new slim.Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
}

export async function hook(request: Request, key: string): Promise<string> {
  const signed: SignedWebhook = new WebhookSigner().sign({ type: "payment.updated", data: {} });
  const { data } = verify<{ amount: string }>(signed.body, signed.headers, [key]);
  return (await verify(request, key)).type + data.amount;
}

export async function test(rounding: Rounding): Promise<bigint> {
  const sandbox: Sandbox = await Sandbox.start({ seed: 1, now: new Date(), webhooks: () => new Response() });
  const snapshot: SandboxSnapshot = sandbox.snapshot();
  await sandbox.pay("pl_1", { amount: "1.50" });
  await sandbox.clock.advance({ days: 30 });
  sandbox.restore(snapshot);
  // @ts-expect-error: a number may have lost digits.
  Decimal.from(0.1);
  // @ts-expect-error: there is no such rounding.
  Decimal.from("1").round(2, "bankers");
  // @ts-expect-error: a sandbox is started.
  new Sandbox();
  return Decimal.from("1.50").round(1, rounding).toBaseUnits({ scale: 6 });
}

export async function transport(settings: core.RequestSettings): Promise<core.Returned<"CreatePaylink"> | core.SettlekitError> {
  const errors: core.ErrorDetail[] = core.validateField("CreatePaylink", "amount", "1.", { name: "Tea" });
  const reasons = errors.map(({ reason }) => reason as Reason);
  if (reasons.length > 0) console.log(reasons.map((reason) => [REASONS[reason], ENGLISH[reason], GERMAN[reason]]));
  const { url, ...init } = core.request("CreatePaylink", { amount: "1.50", currency: "USDC", name: "Tea" }, settings);
  const response = await fetch(url, init);
  const { value, error } = core.read("CreatePaylink", { status: response.status, headers: response.headers, body: await response.text() });
  return error === undefined ? value : error;
}

export async function values(text: string): Promise<core.Values["EvmAddress"] | undefined> {
  await slimCore.init();
  const state: core.State<"payment"> | undefined = slimCore.moves("payment", "Processing")[0];
  if (state !== undefined && core.canMove("payment", "Processing", state)) return core.parse("EvmAddress", text);
  return core.is("EvmAddress", text) ? text : undefined;
}

export async function another(body: string, headers: Headers, key: string): Promise<string> {
  const scheme: Scheme = { nonce: (now) => String(now), sign: async ({ nonce }) => nonce };
  await new Settlekit({ baseUrl: "http://other.test", signingSecret: "s", scheme }).plans.list();
  // @ts-expect-error: the core does not wait.
  core.request("ListPlans", {}, { baseUrl: "http://other.test", scheme });
  const now: string = verify(body, headers, key, { scheme: ({ header }) => header("x-signature") === "" }).type;
  const later: Promise<{ type: string }> = verify(body, headers, key, { scheme: async () => true });
  return now + (await later).type;
}
