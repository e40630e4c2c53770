import { Failure } from "../failure.js";
import { endpointGone } from "./endpoint.js";
import { type Scene, WALLET } from "./scene.js";

/** How an event is made to happen. */
export interface Steps {
  /** What happens, for a person. */
  how: string;
  /** Makes it happen. Returns the event itself only if no new one is recorded. */
  run(scene: Scene): Promise<{ id: string } | void>;
}

const DAY = 86_400;

/** An invoice is due after a week, reminded three days later and given up eleven days after that. */
const OVERDUE_AFTER = 7 * DAY + 3600;
const REMINDED_AFTER = 3 * DAY + 3600;
const GIVEN_UP_AFTER = 11 * DAY + 3600;

async function overdue(scene: Scene): Promise<void> {
  await scene.invoice(await scene.subscription());
  // The payment that made the customer expires first: money for the invoice may be under way until then.
  await scene.clock(OVERDUE_AFTER);
}

/** A movement, its transaction and their confirmation. */
async function deposited(scene: Scene): Promise<void> {
  await scene.deposit(await scene.account(), "50");
}

async function disabledAccount(scene: Scene): Promise<{ reference: string; chain_id: number; currency: string }> {
  const { reference } = await scene.account();
  const { chain_id, currency } = await scene.asset();
  await scene.client.accounts.updateVirtualAccount({ reference: reference as string, disable_chains: [chain_id] });
  scene.say(`disabled its chain ${chain_id}`);
  return { reference: reference as string, chain_id, currency };
}

async function switchedPaylink(scene: Scene, enabled: boolean): Promise<void> {
  const { id } = await scene.paylink();
  for (const now of enabled ? [false, true] : [false]) {
    await scene.client.paylinks.update({ items: [{ id, enabled: now }] });
    scene.say(`${now ? "enabled" : "disabled"} ${id}`);
  }
}

/** The organisation's first event. An organisation is made by the operator, so its event can only be sent again. */
async function organisationCreated(scene: Scene): Promise<{ id: string }> {
  const { items } = await scene.client.events.list({ type: "Org", action: "Created", sort: "asc", limit: 1 });
  const [first] = items;
  if (first === undefined) throw new Failure("The log has no org.created.");
  const { webhook_url } = await scene.client.organisation.get();
  if (webhook_url === undefined) {
    throw new Failure("An organisation is made once, by the operator, so its event can only be sent again, to a webhook URL: settlekit organisation update --webhook_url URL.");
  }
  scene.say(`an organisation is made once, by the operator: its event is sent again, to ${webhook_url}`);
  await scene.client.events.retry({ event_id: first.id });
  return first;
}

/** How each event that the service records is made to happen in sandbox mode (decision 85). */
export const STEPS: Record<string, Steps> = {
  "org.created": { how: "sends the organisation's first event again", run: organisationCreated },
  "org.updated": {
    how: "saves the organisation's name",
    async run(scene) {
      const { name } = await scene.client.organisation.get();
      await scene.client.organisation.update({ name });
      scene.say(`saved the organisation's name, ${name}`);
    },
  },
  "org.disabled": { how: "answers a webhook with 410 Gone, which pauses the endpoint, and sets the URL again", run: endpointGone },
  "account.created": {
    how: "creates a virtual account",
    async run(scene) {
      await scene.account();
    },
  },
  "account.updated": {
    how: "creates a virtual account and disables its chain",
    async run(scene) {
      await disabledAccount(scene);
    },
  },
  "account.disabled": {
    how: "creates a virtual account and disables its chain",
    async run(scene) {
      await disabledAccount(scene);
    },
  },
  "account.enabled": {
    how: "disables the chain of a virtual account and enables it again",
    async run(scene) {
      const { reference, chain_id, currency } = await disabledAccount(scene);
      await scene.client.accounts.updateVirtualAccount({ reference, chains: [{ chain_id, currencies: [currency] }] });
      scene.say(`enabled its chain ${chain_id}`);
    },
  },
  "account.lowbalancedetected": {
    how: "has an automation keep at least 100 in an empty account",
    async run(scene) {
      const { reference } = await scene.account();
      const { currency } = await scene.asset();
      const account = reference as string;
      await scene.client.automations.maintainBalance({ account, currency, minimum_threshold_amount: "100", payout_threshold_amount: "1000", payout_address: WALLET });
      const { items } = await scene.client.automations.list({ account_ref: account });
      for (const { id } of items) scene.say(`created the automation ${id}, which wants at least 100 ${currency}`);
      await scene.clock(0);
      for (const { id } of items) {
        await scene.client.automations.delete({ automation_id: id });
        scene.say(`deleted the automation ${id}`);
      }
    },
  },
  "plan.created": {
    how: "creates a payment link, which has a plan",
    async run(scene) {
      await scene.paylink();
    },
  },
  "plan.updated": {
    how: "renames the product of a payment link",
    async run(scene) {
      const { id } = await scene.paylink();
      await scene.client.paylinks.update({ items: [{ id, plan: { name: scene.name() } }] });
      scene.say(`renamed the product of ${id}`);
    },
  },
  "merchantcontract.created": {
    how: "creates a payment link",
    async run(scene) {
      await scene.paylink();
    },
  },
  "merchantcontract.updated": {
    how: "renames the product of a payment link",
    async run(scene) {
      const { id } = await scene.paylink();
      await scene.client.paylinks.update({ items: [{ id, plan: { name: scene.name() } }] });
      scene.say(`renamed the product of ${id}`);
    },
  },
  "merchantcontract.disabled": { how: "disables a payment link", run: (scene) => switchedPaylink(scene, false) },
  "merchantcontract.enabled": { how: "disables a payment link and enables it again", run: (scene) => switchedPaylink(scene, true) },
  "customer.created": {
    how: "starts a payment as a new payer",
    async run(scene) {
      await scene.customer();
    },
  },
  "customer.updated": {
    how: "renames the customer of a payment",
    async run(scene) {
      const customer_id = await scene.customer();
      await scene.client.customers.update({ customer_id, name: scene.name() });
      scene.say(`renamed ${customer_id}`);
    },
  },
  "subscription.created": {
    how: "subscribes a customer to a monthly plan",
    async run(scene) {
      await scene.subscription();
    },
  },
  "subscription.updated": {
    how: "subscribes a customer to a monthly plan, which activates the subscription",
    async run(scene) {
      await scene.subscription();
    },
  },
  "subscription.disabled": {
    how: "pauses a subscription",
    async run(scene) {
      const { id: subscription_id } = await scene.subscription();
      await scene.client.subscriptions.pause({ subscription_id });
      scene.say(`paused ${subscription_id}`);
    },
  },
  "subscription.enabled": {
    how: "pauses a subscription and resumes it",
    async run(scene) {
      const { id: subscription_id } = await scene.subscription();
      await scene.client.subscriptions.pause({ subscription_id });
      await scene.client.subscriptions.resume({ subscription_id });
      scene.say(`paused and resumed ${subscription_id}`);
    },
  },
  "subscription.canceled": {
    how: "cancels a subscription",
    async run(scene) {
      const { id: subscription_id } = await scene.subscription();
      await scene.client.subscriptions.cancel({ subscription_id });
      scene.say(`canceled ${subscription_id}`);
    },
  },
  "subscription.overdue": { how: "leaves an invoice unpaid until it is due", run: overdue },
  "invoice.created": {
    how: "subscribes a customer to a monthly plan, which is invoiced",
    async run(scene) {
      await scene.invoice(await scene.subscription());
    },
  },
  "invoice.overdue": { how: "leaves an invoice unpaid until it is due", run: overdue },
  "invoice.delayed": {
    how: "leaves an invoice unpaid until the customer is reminded",
    async run(scene) {
      await overdue(scene);
      await scene.clock(REMINDED_AFTER);
    },
  },
  "invoice.updated": {
    how: "leaves an invoice unpaid until it is given up",
    async run(scene) {
      await overdue(scene);
      await scene.clock(REMINDED_AFTER);
      await scene.clock(GIVEN_UP_AFTER);
    },
  },
  "invoice.settled": {
    how: "pays an invoice",
    async run(scene) {
      const { paylink } = await scene.invoice(await scene.subscription());
      await scene.confirmed({ id: paylink });
    },
  },
  "payment.created": {
    how: "starts a payment as a payer",
    async run(scene) {
      await scene.payment();
    },
  },
  "payment.updated": {
    how: "pays from the test wallet",
    async run(scene) {
      await scene.paid();
    },
  },
  "payment.settled": {
    how: "pays from the test wallet, and has the chain confirm it",
    async run(scene) {
      await scene.confirmed();
    },
  },
  "payment.canceled": {
    how: "cancels a payment before it is paid",
    async run(scene) {
      const { id: payment_id } = await scene.payment();
      await scene.client.payments.cancel({ payment_id });
      scene.say(`canceled ${payment_id}`);
    },
  },
  "payment.queued": {
    how: "refunds a part of a payment, which queues a payout",
    async run(scene) {
      await scene.refund();
    },
  },
  "payment.refunded": {
    how: "refunds a part of a payment, and has the chain confirm it",
    async run(scene) {
      const { id: payment_id } = await scene.refund();
      await scene.clockUntil(async () => (await scene.client.payments.get({ payment_id })).status === "PartialRefunded");
    },
  },
  "transaction.created": { how: "deposits to an account", run: deposited },
  "transaction.updated": { how: "deposits to an account, and has the chain confirm it", run: deposited },
  "transaction.settled": { how: "deposits to an account, and has the chain confirm it", run: deposited },
  "transaction.queued": { how: "has an automation sell a balance, which queues an order", run: (scene) => scene.conversion() },
  "transaction.processed": { how: "has an automation sell a balance, whose order goes to the venue", run: (scene) => scene.conversion() },
  "transaction.canceled": {
    how: "requests a quote and rejects it",
    async run(scene) {
      const { id: quote_id } = await scene.quote();
      await scene.client.quotes.reject({ quote_id });
      scene.say(`rejected ${quote_id}`);
    },
  },
  "transaction.disabled": {
    how: "requests a quote and lets it expire",
    async run(scene) {
      await scene.quote();
      await scene.clock(120);
    },
  },
  "cryptotransaction.created": { how: "deposits to an account", run: deposited },
  "cryptotransaction.updated": { how: "deposits to an account, and has the chain confirm it", run: deposited },
};
