import { serve } from "@hono/node-server";
import { Settlekit } from "settlekit";

import { createShop } from "./shop.js";

const { SETTLEKIT_URL: baseUrl, SETTLEKIT_API_KEY: apiKey, SETTLEKIT_WEBHOOK_KEY: key } = process.env;
const { app } = createShop({ settlekit: new Settlekit({ baseUrl, apiKey }), service: baseUrl, webhookKey: () => key });
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000) });
