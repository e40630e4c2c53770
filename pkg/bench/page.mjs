// Validating a page of 100 movements, from `fetch` bytes to record: ours against JSON.parse with zod, and with ajv over the
// OpenAPI schema.
//
// `node bench/page.mjs [--json]`, after building the package. Contestants alternate within one run, in a different order each
// round; each row is the median of its rounds. Only ratios are meaningful.

import { initSync, read_answer } from "../dist/wasm/client.js";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { z } from "zod";

const ROUNDS = 400;
const CALLS = 5;

const amount = z.string().regex(/^-?[0-9]+(\.[0-9]+)?$/);
const moment = z.iso.datetime({ offset: true });
const Chain = z.looseObject({ id: z.int(), name: z.string(), native_currency_symbol: z.string() });
const Movement = z.looseObject({
  id: z.int(),
  account_id: z.int(),
  account_reference: z.string().nullish(),
  amount,
  currency: z.string(),
  direction: z.string(),
  type: z.string(),
  status: z.string(),
  fee: amount.nullish(),
  fee_currency: z.string().nullish(),
  entity_id: z.string().nullish(),
  chain: Chain.nullish(),
  from_address: z.string().nullish(),
  to_address: z.string().nullish(),
  transaction_hash: z.string().nullish(),
  created_at: moment,
  confirmed_at: moment.nullish(),
});
const Answer = z.looseObject({
  data: z.looseObject({ items: z.array(Movement), total: z.int(), next: z.int().nullish(), last_update: moment.nullish() }),
  error: z.literal(false),
});

const hex = (seed, length) => Array.from({ length }, (_, at) => ((seed * 31 + at * 7 + (seed >> (at % 8))) % 16).toString(16)).join("");
const items = Array.from({ length: 100 }, (_, at) => ({
  id: 91_000 + at,
  account_id: 7,
  account_reference: "shop-eu",
  amount: `${at}.${hex(at, 18).replace(/[a-f]/g, "3")}`,
  currency: at % 3 ? "USDC" : "ETH",
  direction: at % 4 ? "IN" : "OUT",
  type: at % 4 ? "Deposit" : "Withdraw",
  status: "Confirmed",
  fee: "0.0021",
  fee_currency: "ETH",
  entity_id: `pay_${hex(at + 5, 32)}`,
  chain: { id: 8453, name: "Base", native_currency_symbol: "ETH" },
  from_address: `0x${hex(at + 1, 40)}`,
  to_address: `0x${hex(at + 2, 40)}`,
  transaction_hash: `0x${hex(at + 3, 64)}`,
  created_at: `2026-11-${String(1 + (at % 28)).padStart(2, "0")}T09:30:00.123456Z`,
  confirmed_at: `2026-11-${String(1 + (at % 28)).padStart(2, "0")}T09:31:00.123456Z`,
}));
const bytes = new TextEncoder().encode(JSON.stringify({ data: { items, total: 4_200, next: 2, last_update: "2026-11-21T09:30:00.123456Z" }, error: false }));

initSync({ module: new WebAssembly.Module(readFileSync(new URL("../dist/client.wasm", import.meta.url))) });
const decoder = new TextDecoder();
const parse = () => JSON.parse(decoder.decode(bytes)).data;
const record = (outcome) => {
  if (outcome.error) throw new Error(outcome.error.message);
  return outcome.ok;
};

// The page schema of the document, compiled once as ajv requires.
const { components } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
const [page] = Object.entries(components.schemas).find(([, schema]) => schema.properties?.items?.items?.$ref?.endsWith("/Movement"));
const ajv = formats(new Ajv2020({ strict: false, logger: false }));
const isPage = ajv.compile({ components, $ref: `#/components/schemas/${page}` });
const checked = (data) => {
  if (!isPage(data)) throw new Error(ajv.errorsText(isPage.errors));
  return data;
};
const ways = {
  "JSON.parse": parse,
  "JSON.parse + zod": () => Answer.parse(JSON.parse(decoder.decode(bytes))).data,
  "JSON.parse + ajv": () => checked(parse()),
  settlekit: () => record(JSON.parse(read_answer("ListMovements", 200, "{}", bytes))),
};

const expected = JSON.stringify(parse());
const times = {};
for (const [name, way] of Object.entries(ways)) {
  const given = JSON.stringify(way());
  if (given !== expected) throw new Error(`${name} does not give the page: ${given}`);
  times[name] = [];
}
const names = Object.keys(ways);
for (let round = -50; round < ROUNDS; round += 1) {
  for (let turn = 0; turn < names.length; turn += 1) {
    const name = names[(turn + round + 60) % names.length];
    const since = performance.now();
    for (let call = 0; call < CALLS; call += 1) ways[name]();
    if (round >= 0) times[name].push((performance.now() - since) / CALLS);
  }
}

const median = (values) => values.sort((one, other) => one - other)[values.length >> 1];
const zod = median(times["JSON.parse + zod"]);
const rows = names.map((name) => {
  const ms = median(times[name]);
  return { what: name, bytes: bytes.length, ms: Number(ms.toFixed(4)), to_zod: Number((ms / zod).toFixed(3)) };
});
if (process.argv.includes("--json")) {
  for (const row of rows) console.log(JSON.stringify(row));
} else {
  console.log(`A page of 100 movements, ${bytes.length} bytes; medians of ${ROUNDS} rounds.\n`);
  for (const { what, ms, to_zod } of rows) console.log(`${what.padEnd(18)}${ms.toFixed(3).padStart(8)} ms${to_zod.toFixed(2).padStart(8)} of JSON.parse + zod`);
}
