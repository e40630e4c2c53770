// Funds wallets of the factory and sweeps them on a node.

import assert from "node:assert/strict";

import { concat, keccak, readJson, walletAddress, word } from "./artifacts.mjs";
import { encode } from "./chain.mjs";

export const NATIVE = "0x0000000000000000000000000000000000000000";

export const factory = readJson("factory.json");
export const DESTINATION = factory.example.destination;
export const tokens = readJson("test/tokens/tokens.json");

/** Salts without a pattern, as a service has them: a zero byte of a transaction costs less. */
export const salts = (count, name) => Array.from({ length: count }, (_, i) => keccak(concat(word(i), keccak(`0x${name}`))));
export const sweep = (list, token) => encode("sweep(address,bytes32[],address)", DESTINATION, list, token);

export async function deploy(chain, code) {
  const { contractAddress } = await chain.send(undefined, code);
  return contractAddress;
}

/** Pays each wallet 1000 units. */
export async function fund(chain, wallets, token) {
  for (const wallet of wallets) {
    if (token === NATIVE) await chain.send(wallet, "0x", 1000n);
    else await chain.send(token, encode("mint(address,uint256)", wallet, 1000n));
  }
}

export async function balance(chain, account, token) {
  if (token === NATIVE) return chain.balance(account);
  return BigInt(await chain.call(token, encode("balanceOf(address)", account)));
}

/** Sweeps funded wallets into a destination that has money already, and returns the gas that the transaction paid for. */
export async function fundAndSweep(chain, list, token) {
  const wallets = list.map((salt) => walletAddress(factory, DESTINATION, salt));
  await fund(chain, [DESTINATION, ...wallets], token);
  const earlier = await balance(chain, DESTINATION, token);
  const { gasUsed } = await chain.send(factory.address, sweep(list, token));
  assert.equal(await balance(chain, DESTINATION, token), earlier + 1000n * BigInt(list.length));
  return Number(gasUsed);
}
