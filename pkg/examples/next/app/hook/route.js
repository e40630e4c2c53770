import { SettlekitError, verify } from "settlekit/webhooks";

/** Route handler of the app router, for Node and edge runtimes. */
export async function POST(request) {
  let event;
  try {
    event = await verify(request, process.env.SETTLEKIT_WEBHOOK_KEY);
  } catch (error) {
    if (!(error instanceof SettlekitError)) throw error;
    return new Response(error.message, { status: 400 });
  }
  console.log(event.type, event.data.id);
  return new Response(null, { status: 204 });
}
