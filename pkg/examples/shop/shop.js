// A small shop: stock, orders, a payment link per order, a page that embeds its checkout, and webhooks with the outcome.
//
// Orders are in memory; a real shop stores them, and the ids of seen webhooks, in its database.

import { readFile } from "node:fs/promises";

import { Hono } from "hono";
import { SettlekitError } from "settlekit";
import { Decimal } from "settlekit/decimal";
import { verify } from "settlekit/webhooks";

const CURRENCY = "USDC";
const SHELF = new Map([
  ["sencha", { name: "Sencha, 100 g", price: "12.50", stock: 5 }],
  ["assam", { name: "Assam, 250 g", price: "9.95", stock: 2 }],
  ["whisk", { name: "Bamboo whisk", price: "24.00", stock: 1 }],
]);

/**
 * Creates a shop. `settlekit` is a client, `service` the URL of its service, `webhookKey` returns the organisation's public keys,
 * `clock` returns the time; tests inject their own.
 */
export function createShop({ settlekit, service, webhookKey, clock = Date.now }) {
  const app = new Hono();
  const shelf = structuredClone(SHELF);
  const orders = new Map();
  /** Ids of handled webhooks: delivery is at least once. */
  const seen = new Set();

  app.get("/", (context) => {
    const rows = [...shelf].map(([id, { name, price, stock }]) => `<li><b>${name}</b> ${price} ${CURRENCY}, ${stock} left (${id})`);
    return context.html(`<!doctype html><title>Tea House</title><h1>Tea House</h1><ul>${rows.join("")}</ul>`);
  });

  app.post("/orders", async (context) => {
    const { lines } = await context.req.json().catch(() => ({}));
    const error = orderError(lines, shelf);
    if (error !== undefined) return context.json({ error }, 422);

    const total = Decimal.sum(lines.map(({ product, quantity }) => Decimal.from(shelf.get(product).price).times(BigInt(quantity))));
    const id = `order-${String(orders.size + 1).padStart(4, "0")}`;
    const order = { id, lines, total: total.toString(), status: "awaiting payment", link: undefined, note: undefined };
    orders.set(id, order);
    // Reserved until the payment is confirmed or expires.
    move(shelf, lines, -1);
    try {
      const paylink = await settlekit.paylinks.create(
        { name: `Tea House ${id}`, amount: order.total, currency: CURRENCY, reference: id, available_quantity: 1 },
        // A retry of the same order returns the same link.
        { idempotencyKey: `paylink-${id}` },
      );
      order.link = { id: paylink.id, url: paylink.url };
    } catch (error) {
      move(shelf, lines, 1);
      order.status = "failed";
      if (!(error instanceof SettlekitError)) throw error;
      const busy = ["connection", "timeout", "rate_limit", "api"].includes(error.kind);
      return context.json({ error: busy ? "payments are not available, try again later" : error.message }, busy ? 503 : 500);
    }
    return context.json(order, 201);
  });

  app.get("/orders/:id", (context) => {
    const order = orders.get(context.req.param("id"));
    return order === undefined ? context.json({ error: "there is no such order" }, 404) : context.json(order);
  });

  app.get("/orders/:id/checkout", (context) => {
    const order = orders.get(context.req.param("id"));
    if (order === undefined) return context.json({ error: "there is no such order" }, 404);
    if (order.link === undefined) return context.json({ error: `the order is ${order.status}` }, 409);
    const { origin } = new URL(service);
    context.header("Content-Security-Policy", `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; connect-src 'self'`);
    return context.html(`<!doctype html><html lang="en"><title>Tea House ${order.id}</title>
      <h1>${order.id}: ${order.total} ${CURRENCY}</h1><p id="status" role="status">${order.status}</p>
      <script type="module" src="/checkout.js"></script>
      <script type="module" src="${new URL("/embed.js", service)}"></script>
      <settlekit-pay paylink="${order.link.id}" mode="inline"></settlekit-pay></html>`);
  });

  app.get("/checkout.js", async (context) => {
    const script = await readFile(new URL("checkout.js", import.meta.url), "utf8");
    return context.body(script, 200, { "Content-Type": "text/javascript; charset=utf-8" });
  });

  app.delete("/orders/:id", async (context) => {
    const order = orders.get(context.req.param("id"));
    if (order === undefined) return context.json({ error: "there is no such order" }, 404);
    if (order.status !== "awaiting payment") return context.json({ error: `the order is ${order.status}` }, 409);
    await settlekit.paylinks.delete({ paylink_id: order.link.id });
    move(shelf, order.lines, 1);
    order.status = "canceled";
    return context.json(order);
  });

  app.post("/hook", async (context) => {
    const id = context.req.header("webhook-id");
    let event;
    try {
      event = await verify(context.req.raw, await webhookKey(), { clock });
    } catch (error) {
      if (!(error instanceof SettlekitError)) throw error;
      return context.text(error.message, 400);
    }
    if (!seen.has(id)) {
      hear(event);
      seen.add(id);
    }
    return context.body(null, 204);
  });

  /** Applies a webhook to its order; ignores most events. */
  function hear({ type, data: payment }) {
    if (!type.startsWith("payment.")) return;
    const order = orders.get(payment.reference);
    if (order === undefined) return;
    switch (payment.status) {
      case "Confirmed": {
        if (order.status === "paid") return;
        if (order.status !== "awaiting payment") {
          order.note = "paid after cancellation: needs review";
          return;
        }
        order.status = "paid";
        const over = Decimal.from(payment.paid_amount).minus(order.total);
        if (over.sign > 0) order.note = `paid ${over.normalized()} ${payment.currency} too much`;
        return;
      }
      case "Failed":
      case "Expired":
      case "Canceled": {
        if (order.status !== "awaiting payment") return;
        move(shelf, order.lines, 1);
        order.status = "not paid";
        if (payment.reason === "Underpaid") {
          const under = Decimal.from(order.total).minus(payment.paid_amount);
          order.note = `${under.normalized()} ${payment.currency} too little, to be given back`;
        }
        return;
      }
      default:
    }
  }

  return { app, orders, shelf };
}

/** Validation error of an order's lines; none if they are valid. */
function orderError(lines, shelf) {
  if (!Array.isArray(lines) || lines.length === 0) return "an order has lines";
  const wanted = new Map();
  for (const line of lines) {
    const { product, quantity } = line ?? {};
    if (!shelf.has(product)) return `there is no product ${JSON.stringify(product)}`;
    if (!Number.isInteger(quantity) || quantity < 1) return "a quantity is a whole number from 1 on";
    wanted.set(product, (wanted.get(product) ?? 0) + quantity);
  }
  for (const [product, quantity] of wanted) {
    if (shelf.get(product).stock < quantity) return `only ${shelf.get(product).stock} of ${product} are left`;
  }
  return undefined;
}

function move(shelf, lines, direction) {
  for (const { product, quantity } of lines) shelf.get(product).stock += direction * quantity;
}
