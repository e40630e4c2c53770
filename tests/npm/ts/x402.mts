import { type FacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from "@x402/core/server";
import { fastify } from "fastify";
import { facilitator, paidFastify, paidFetch } from "settlekit/x402";

const client: FacilitatorClient = facilitator({ baseUrl: "http://sandbox.test", apiKey: "sk" });
const server = new x402HTTPResourceServer(new x402ResourceServer(client), {});

export const app = fastify();
paidFastify(app, server);

export default { fetch: paidFetch(server, async (request: Request, { name }: { name: string }) => new Response(`${request.url} ${name}`)) };
