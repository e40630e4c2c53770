import { type FacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from "@x402/core/server";
import { fastify } from "fastify";
import { facilitator, paidFastify, paidFetch } from "settlekit/x402";

const client: FacilitatorClient = facilitator({ baseUrl: "http://sandbox.test", apiKey: "sk" });
const accepts = { scheme: "exact", price: "$0.01", network: "eip155:8453", payTo: "0x0" } as const;
const server = new x402HTTPResourceServer(new x402ResourceServer(client), { accepts });

export const app = fastify();
app.get<{ Params: { name: string } }>("/:name", paidFastify(server, async ({ params }) => Response.json(params)));

export default { fetch: paidFetch(server, async (request: Request, { name }: { name: string }) => new Response(`${request.url} ${name}`)) };
