// The gas of the factory's transactions, on a node with the pinned rules.

import { DEPLOYER, SALT, concat } from "./artifacts.mjs";
import { startChain } from "./chain.mjs";
import { NATIVE, deploy, factory, fundAndSweep, salts, tokens } from "./sweeps.mjs";

/** The table of the README. */
export async function gasTable() {
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
    return [
      "| Transaction | Token | Native coin |",
      "|---|---|---|",
      ...rows.map((row) => `| ${row.join(" | ")} |`),
      `| deployment of the factory | ${Number(gasUsed)} | |`,
    ].join("\n");
  } finally {
    chain.stop();
  }
}
