// The factory on real nodes: the same addresses on two chains, sweeps, and the gas that they cost.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { DEPLOYER, SALT, check, concat, keccak, read, walletAddress, word } from "./artifacts.mjs";
import { encode, startChain } from "./chain.mjs";
import { gasTable } from "./gas.mjs";
import { DESTINATION, NATIVE, balance, deploy, factory, fund, fundAndSweep, salts, sweep, tokens } from "./sweeps.mjs";

const CHAINS = [1, 8453];
const chains = new Map();

before(async () => {
  for (const id of CHAINS) chains.set(id, await startChain(id));
});

after(() => {
  for (const chain of chains.values()) chain.stop();
});

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
  const table = await gasTable();
  check("README.md", read("README.md").replace(/\| Transaction \|[^]*?\n(?=\n)/, `${table}\n`));
});
