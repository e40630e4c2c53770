import { SettlekitError, verify } from "settlekit/webhooks";

export default {
  async fetch(request, env) {
    let event;
    try {
      event = await verify(request, env.SETTLEKIT_WEBHOOK_KEY);
    } catch (error) {
      if (!(error instanceof SettlekitError)) throw error;
      return new Response(error.message, { status: 400 });
    }
    console.log(event.type, event.data.id);
    return new Response(null, { status: 204 });
  },
};
