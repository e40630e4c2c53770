// A client that pays over HTTP 402. With viem: `payingFetch(privateKeyToAccount(process.env.KEY))`.

import { ExactEvmScheme } from "@x402/evm";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";

/** The most that one answer may cost, in the smallest units: ten cents of USDC. */
const UNITS_MAX = 100_000n;

/** `fetch` that pays on Base for an answer that asks for it. */
export function payingFetch(wallet, send = fetch) {
  const schemes = [{ network: "eip155:8453", client: new ExactEvmScheme(wallet) }];
  const isCheap = ({ amount }) => BigInt(amount) <= UNITS_MAX;
  const policies = [(_version, offers) => offers.filter(isCheap)];
  return wrapFetchWithPaymentFromConfig(send, { schemes, policies });
}
