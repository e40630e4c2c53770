import { type Amount, type Movement, type Page, Settlekit, SettlekitError } from "settlekit";
import { Sandbox } from "settlekit/sandbox";
import { type SignedWebhook, WebhookSigner } from "settlekit/testing";
import { verify } from "settlekit/webhooks";

const sandbox = new Sandbox({ seed: 1 });
const settlekit = new Settlekit({ baseUrl: "http://sandbox.test", apiKey: "sk", fetch: sandbox.fetch, clock: sandbox.clock });

export async function use(): Promise<Amount[]> {
  const amounts: Amount[] = [];
  for await (const movement of settlekit.account.listMovements({ account: 7, since: new Date(), sort: "asc" })) {
    const direction: "IN" | "OUT" | (string & {}) = movement.direction;
    amounts.push(direction === "IN" ? movement.amount : `-${movement.amount}`);
  }
  const page: Page<Movement> = await settlekit.account.listMovements({ account: "till" });
  const some: Movement[] = await settlekit.account.listMovements({ account: "till" }).toArray({ limit: page.total });
  amounts.push(...some.map(({ amount }) => amount));
  try {
    await settlekit.paylink.createPaylink({ amount: "1.50", currency: "USDC", name: "Tea" }, { idempotencyKey: "once" });
  } catch (error) {
    if (error instanceof SettlekitError && error.kind === "validation") console.log(error.errors.map(({ field }) => field));
  }
  // @ts-expect-error: an amount is text.
  settlekit.paylink.createPaylink({ amount: 1.5, currency: "USDC", name: "Tea" });
  // @ts-expect-error: what the operation needs is needed.
  settlekit.paylink.createPaylink({ amount: "1.50" });
  // @ts-expect-error: there is no such operation.
  settlekit.paylink.sellPaylink();
  return amounts;
}

export async function hook(request: Request, key: string): Promise<string> {
  const signed: SignedWebhook = new WebhookSigner().sign({ type: "payment.updated", data: {} });
  const { data } = verify<{ amount: string }>(signed.body, signed.headers, [key]);
  return (await verify(request, key)).type + data.amount;
}
