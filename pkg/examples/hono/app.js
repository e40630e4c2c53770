import { Hono } from "hono";
import { SettlekitError, verify } from "settlekit/webhooks";

export const app = new Hono();

app.post("/hook", async (context) => {
  let event;
  try {
    event = await verify(context.req.raw, process.env.SETTLEKIT_WEBHOOK_KEY);
  } catch (error) {
    if (!(error instanceof SettlekitError)) throw error;
    return context.text(error.message, 400);
  }
  console.log(event.type, event.data.id);
  return context.body(null, 204);
});
