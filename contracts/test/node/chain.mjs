// A chain of anvil, and transactions on it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

import { concat, keccak, word } from "./artifacts.mjs";

const anvil = fileURLToPath(new URL("../../node_modules/.bin/anvil", import.meta.url));

/** The call data of a function: static words, and at most one array of words. */
export function encode(signature, ...values) {
  const selector = keccak(`0x${Buffer.from(signature).toString("hex")}`).slice(0, 10);
  let tail = [];
  const head = values.map((value) => {
    if (!Array.isArray(value)) return word(value);
    tail = [word(value.length), ...value.map(word)];
    return word(32 * values.length);
  });
  return concat(selector, ...head, ...tail);
}

/** Starts a node that mines each transaction. The rules are pinned, because the gas depends on them. */
export async function startChain(chainId) {
  const options = ["--port", "0", "--chain-id", String(chainId), "--hardfork", "osaka"];
  const node = spawn(anvil, options, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    let printed = "";
    node.stdout.on("data", (data) => {
      printed += data;
      const port = /Listening on [^:]*:(\d+)/.exec(printed)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
    node.once("error", reject);
    node.once("exit", (code) => reject(new Error(`anvil ended with ${code}: ${printed}`)));
  });

  async function rpc(method, ...params) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result, error } = await response.json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const accounts = await rpc("eth_accounts");

  return {
    stop: () => node.kill(),
    /** An account that holds coins of the chain and pays for transactions. */
    payer: accounts[0],
    code: (address) => rpc("eth_getCode", address, "latest"),
    balance: async (address) => BigInt(await rpc("eth_getBalance", address, "latest")),
    call: (to, data) => rpc("eth_call", { to, data }, "latest"),
    estimate: async (to, data) => BigInt(await rpc("eth_estimateGas", { from: accounts[0], to, data })),
    /** Sends a transaction and returns its receipt. Without a gas limit the node estimates one. */
    async send(to, data = "0x", value = 0n, gas = undefined) {
      const transaction = { from: accounts[0], to, data, value: `0x${value.toString(16)}` };
      if (gas !== undefined) transaction.gas = `0x${gas.toString(16)}`;
      const receipt = await rpc("eth_sendTransactionSync", transaction);
      assert.equal(receipt.status, "0x1");
      return receipt;
    },
  };
}
