// The sandbox: time to start and to restore, and plans created and read back per second, against mock servers over local HTTP.
//
// `node bench/sandbox.mjs [--json]`, after building the package. LOCALSTRIPE and PRISM name the programs and are optional.
// Contestants alternate within one run, with sequential calls as in a test. Only ratios are meaningful.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { fileURLToPath } from "node:url";

import { Settlekit } from "../dist/index.js";
import { Sandbox } from "../dist/sandbox.js";

const ROUNDS = 30;
const ROUND_MS = 60;
const START_SECONDS_MAX = 60;
const PLAN = { name: "Tea", price: "12.50", currency: "USDC", type: "Recurring", recurring_interval: "Month" };

const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
const rows = [];

// The wasm is compiled once: every start but the first is warm.
await Sandbox.start();
const times = { start: [], restore: [] };
for (let round = 0; round < 40; round += 1) {
  const since = performance.now();
  const sandbox = await Sandbox.start({ seed: round });
  times.start.push(performance.now() - since);
  const settlekit = new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })));
  for (let plan = 0; plan < 20; plan += 1) await settlekit.plans.create(PLAN);
  const snapshot = sandbox.snapshot();
  const then = performance.now();
  sandbox.restore(snapshot);
  times.restore.push(performance.now() - then);
}
rows.push({ what: "a sandbox started", ms: Number(median(times.start).toFixed(2)), ms_max: 50 });
rows.push({ what: "a snapshot restored", ms: Number(median(times.restore).toFixed(2)), ms_max: 5 });

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts a server, waits until it listens, and returns its URL. */
async function serve(program, words) {
  const port = await freePort();
  const child = spawn(program, words(port), { stdio: "ignore" });
  stops.push(() => child.kill());
  const until = performance.now() + START_SECONDS_MAX * 1000;
  for (;;) {
    const listens = await new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (listens) return `http://127.0.0.1:${port}`;
    if (performance.now() > until || child.exitCode !== null) throw new Error(`${program} does not listen`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const through = (settlekit) => async () => {
  const { id } = await settlekit.plans.create(PLAN);
  const { name } = await settlekit.plans.get({ plan_id: id });
  if (typeof name !== "string") throw new Error("that is no plan");
};

const stops = [];
const { LOCALSTRIPE, PRISM } = process.env;
if (LOCALSTRIPE && PRISM) {
  try {
    const sandbox = await Sandbox.start();
    const ways = { "settlekit/sandbox": through(new Settlekit(sandbox.settings(sandbox.createOrganisation({ name: "Tea House" })))) };

    const stripe = await serve(LOCALSTRIPE, (port) => ["--port", String(port), "--from-scratch"]);
    const headers = { authorization: "Bearer sk_test_1" };
    const form = (fields) => ({ method: "POST", headers, body: new URLSearchParams(fields) });
    const product = await (await fetch(`${stripe}/v1/products`, form({ name: "Tea", type: "service" }))).json();
    const plan = { amount: "1250", currency: "usd", interval: "month", product: product.id };
    ways["localstripe over HTTP"] = async () => {
      const { id } = await (await fetch(`${stripe}/v1/plans`, form(plan))).json();
      const read = await (await fetch(`${stripe}/v1/plans/${id}`, { headers })).json();
      if (read.id !== id || typeof id !== "string") throw new Error("that is no plan");
    };

    const document = fileURLToPath(new URL("../../docs/openapi.json", import.meta.url));
    const prism = await serve(PRISM, (port) => ["mock", "--host", "127.0.0.1", "--port", String(port), "--verboseLevel", "silent", document]);
    // Prism serves paths without the version, which is part of the document's server URL.
    const unversioned = (url, init) => fetch(url.replace("/v1/", "/"), init);
    ways["Prism over HTTP"] = through(new Settlekit({ baseUrl: prism, apiKey: "sk_1", maxRetries: 0, fetch: unversioned }));

    const names = Object.keys(ways);
    const rates = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = -3; round < ROUNDS; round += 1) {
      for (let turn = 0; turn < names.length; turn += 1) {
        const name = names[(turn + round + 3) % names.length];
        const since = performance.now();
        let pairs = 0;
        while (performance.now() - since < ROUND_MS) {
          await ways[name]();
          pairs += 1;
        }
        if (round >= 0) rates[name].push((pairs * 1000) / (performance.now() - since));
      }
    }
    const ours = median(rates["settlekit/sandbox"]);
    for (const name of names) {
      const rate = median(rates[name]);
      const bar = name === "settlekit/sandbox" ? {} : { ratio: Number((ours / rate).toFixed(1)), ratio_min: 20 };
      rows.push({ what: `a plan made and read: ${name}`, per_second: Math.round(rate), ...bar });
    }
  } finally {
    for (const stop of stops) stop();
  }
}

for (const row of rows) {
  if (process.argv.includes("--json")) {
    console.log(JSON.stringify(row));
    continue;
  }
  const { what, ms, ms_max, per_second, ratio, ratio_min } = row;
  const figure = ms === undefined ? `${per_second}/s` : `${ms.toFixed(2)} ms`;
  const bar = ms !== undefined ? `  at most ${ms_max} ms` : ratio === undefined ? "" : `  ours is ${ratio} times that; at least ${ratio_min}`;
  console.log(`${what.padEnd(48)}${figure.padStart(12)}${bar}`);
}
