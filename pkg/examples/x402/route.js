// A route that programs pay for by x402. Settlekit checks and settles their payments.

import { x402ResourceServer } from "@x402/core/server";
import { ExactEvmScheme } from "@x402/evm/exact/server";
import { paymentMiddleware } from "@x402/hono";
import { Hono } from "hono";
import { facilitator } from "settlekit/x402";

/** An app with a paid route. `settings` are the URL and the API key of the service, `payTo` is a pay-in address of an account. */
export function paidApp(settings, payTo) {
  const server = new x402ResourceServer(facilitator(settings)).register("eip155:8453", new ExactEvmScheme());
  const accepts = { scheme: "exact", price: "$0.0025", network: "eip155:8453", payTo };
  const app = new Hono();
  app.use(paymentMiddleware({ "GET /tea": { accepts, description: "Tea" } }, server));
  app.get("/tea", (context) => context.json({ tea: "Sencha" }));
  return app;
}
