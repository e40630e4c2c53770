// The factory on real nodes: the same addresses on two chains, sweeps, and the gas that they cost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { DEPLOYER, SALT, check, concat, keccak, read, readJson, walletAddress, word } from "./artifacts.mjs";
import { encode, startChain } from "./chain.mjs";

const CHAINS = [1, 8453];
const NATIVE = "0x0000000000000000000000000000000000000000";

const factory = readJson("factory.json");
const DESTINATION = factory.example.destination;
const tokens = readJson("test/tokens/tokens.json");
const chains = new Map();

/** Salts without a pattern, as a service has them: a zero byte of a transaction costs less. */
const salts = (count, name) => Array.from({ length: count }, (_, i) => keccak(concat(word(i), keccak(`0x${name}`))));
const sweep = (list, token) => encode("sweep(address,bytes32[],address)", DESTINATION, list, token);

before(async () => {
  for (const id of CHAINS) chains.set(id, await startChain(id));
});

after(() => {
  for (const chain of chains.values()) chain.stop();
});

async function deploy(chain, code) {
  const { contractAddress } = await chain.send(undefined, code);
  return contractAddress;
}

/** Pays each wallet 1000 units. */
async function fund(chain, wallets, token) {
  for (const wallet of wallets) {
    if (token === NATIVE) await chain.send(wallet, "0x", 1000n);
    else await chain.send(token, encode("mint(address,uint256)", wallet, 1000n));
  }
}

async function balance(chain, account, token) {
  if (token === NATIVE) return chain.balance(account);
  return BigInt(await chain.call(token, encode("balanceOf(address)", account)));
}

/** Sweeps funded wallets into a destination that has money already, and returns the gas that the transaction paid for. */
async function fundAndSweep(chain, list, token) {
  const wallets = list.map((salt) => walletAddress(factory, DESTINATION, salt));
  await fund(chain, [DESTINATION, ...wallets], token);
  const earlier = await balance(chain, DESTINATION, token);
  const { gasUsed } = await chain.send(factory.address, sweep(list, token));
  assert.equal(await balance(chain, DESTINATION, token), earlier + 1000n * BigInt(list.length));
  return Number(gasUsed);
}

test("the deployment proxy puts the factory at the committed address on both chains", async () => {
  for (const chain of chains.values()) {
    await chain.send(DEPLOYER, concat(SALT, factory.creationCode));
    assert.equal(keccak(await chain.code(factory.address)), factory.runtimeCodeHash);
    const constant = async (name) => chain.call(factory.address, encode(`${name}()`));
    assert.equal(await constant("WALLET"), word(factory.implementation));
    assert.equal(await constant("PROXY_INIT_CODE_HASH"), factory.proxyInitCodeHash);
  }
});

test("an address computed without a node is the factory's on both chains", async () => {
  assert.equal(walletAddress(factory, DESTINATION, factory.example.salt), factory.example.wallet);
  for (const salt of [factory.example.salt, ...salts(20, "aa")]) {
    for (const chain of chains.values()) {
      const answer = await chain.call(factory.address, encode("addressOf(address,bytes32)", DESTINATION, salt));
      assert.equal(answer, word(walletAddress(factory, DESTINATION, salt)));
    }
  }
});

test("a wallet is swept, receives with the least gas and is swept again on both chains", async () => {
  for (const chain of chains.values()) {
    const list = salts(1, "bb");
    const wallet = walletAddress(factory, DESTINATION, list[0]);
    const token = await deploy(chain, tokens.NoReturnToken);
    await fundAndSweep(chain, list, token);
    assert.equal(await chain.code(wallet), factory.proxyCode);
    await fundAndSweep(chain, list, NATIVE);
    // 21000 for the transaction and 15 for the wallet: it calls nothing.
    await chain.send(wallet, "0x", 1n, 21_015n);
    await fundAndSweep(chain, list, token);
  }
});

test("a blocked wallet is named by an event and the others pay", async () => {
  const chain = chains.get(8453);
  const usdc = await deploy(chain, tokens.Stablecoin);
  const list = salts(3, "cc");
  const wallets = list.map((salt) => walletAddress(factory, DESTINATION, salt));
  await fund(chain, wallets, usdc);
  await chain.send(usdc, encode("setBlacklisted(address,bool)", wallets[1], 1n));
  assert.equal(await chain.call(factory.address, sweep(list, usdc)), word(2));
  const { logs } = await chain.send(factory.address, sweep(list, usdc));
  const failed = logs.filter((log) => log.address === factory.address).map((log) => log.topics);
  const event = keccak(`0x${Buffer.from("SweepFailed(address,address)").toString("hex")}`);
  assert.deepEqual(failed, [[event, word(wallets[1]), word(usdc)]]);
  assert.equal(await balance(chain, DESTINATION, usdc), 2000n);
});

test("the node's estimate is enough for all wallets", async () => {
  const chain = chains.get(1);
  const token = await deploy(chain, tokens.Stablecoin);
  for (const asset of [token, NATIVE]) {
    for (const count of [1, 2, 10]) {
      // Wallets of the rounds before are deployed already.
      const list = salts(count, "dd");
      await fund(chain, list.map((salt) => walletAddress(factory, DESTINATION, salt)), asset);
      const gas = await chain.estimate(factory.address, sweep(list, asset));
      const earlier = await balance(chain, DESTINATION, asset);
      await chain.send(factory.address, sweep(list, asset), 0n, gas);
      assert.equal(await balance(chain, DESTINATION, asset), earlier + 1000n * BigInt(count));
    }
  }
});

test("the gas table of the README is current", async () => {
  const chain = await startChain(1);
  try {
    const { gasUsed } = await chain.send(DEPLOYER, concat(SALT, factory.creationCode));
    const token = await deploy(chain, tokens.StandardToken);
    const rows = [];
    const measure = async (name, list) => {
      const costs = [await fundAndSweep(chain, list("ee"), token), await fundAndSweep(chain, list("ff"), NATIVE)];
      const each = costs.map((cost) => Math.round(cost / list("ee").length));
      rows.push([name, ...costs.map((cost, i) => (list("ee").length > 1 ? `${cost} (${each[i]} each)` : cost))]);
    };
    const one = (name) => salts(51, name).slice(50);
    const fifty = (name) => salts(50, name);
    await measure("first sweep of 1 wallet", one);
    await measure("next sweep of 1 wallet", one);
    await measure("first sweep of 50 wallets", fifty);
    await measure("next sweep of 50 wallets", fifty);
    const table = [
      "| Transaction | Token | Native coin |",
      "|---|---|---|",
      ...rows.map((row) => `| ${row.join(" | ")} |`),
      `| deployment of the factory | ${Number(gasUsed)} | |`,
    ].join("\n");
    check("README.md", read("README.md").replace(/\| Transaction \|[^]*?\n(?=\n)/, `${table}\n`));
  } finally {
    chain.stop();
  }
});
