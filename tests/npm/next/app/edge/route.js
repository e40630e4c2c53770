// The example's handler and the client on the edge runtime, which can't compile wasm at run time.

import { Settlekit } from "settlekit";

import { POST } from "../hook/route.js";

export const runtime = "edge";
export { POST };

export async function GET() {
  const settlekit = new Settlekit({ baseUrl: process.env.SETTLEKIT_URL, apiKey: process.env.SETTLEKIT_API_KEY });
  return new Response((await settlekit.organisation.get()).name);
}
