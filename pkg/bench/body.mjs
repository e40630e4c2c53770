// The body of a payment link validated: ours against zod and valibot schemas of the same rules. And what else `settlekit/core` does
// with it: the request made, and a page of payment links read.
//
// `node bench/body.mjs [--json]`, after building the package. Contestants alternate within one run; each row is the median of its
// rounds. Only ratios are meaningful. A wrong body is refused by all with errors at the same fields.

import { readFileSync } from "node:fs";

import { read, request, validate } from "settlekit/core";
import * as v from "valibot";
import { z } from "zod";

const ROUNDS = 400;
const CALLS = 50;

const DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/;
const PERIOD = /^P[0-9]{1,4}[DWM]$/;
const CURRENCY = /^[A-Za-z][A-Za-z0-9]{1,11}$/;
const REFERENCE = /^(?!\s)[^\p{Cc}/]{1,128}(?<!\s)$/u;
const isPositive = (text) => DECIMAL.test(text) && !text.startsWith("-") && /[1-9]/.test(text);
const isHttps = (text) => URL.canParse(text) && text.startsWith("https://");
const isText = (max) => (text) => text.trim() !== "" && [...text].length <= max;
const isUnique = (items) => new Set(items).size === items.length;

const zodText = (max) => z.string().refine(isText(max));
const zodSchema = z
  .strictObject({
    amount: z.string().refine(isPositive),
    currency: z.string().regex(CURRENCY),
    name: zodText(200),
    account_ids: z.array(z.int().min(1)).min(1).max(50).refine(isUnique).optional(),
    account_ref: z.string().regex(REFERENCE).optional(),
    after_completion: z
      .strictObject({
        type: z.enum(["redirect"]).optional(),
        redirect_url: z.url().optional(),
        failure_redirect_url: z.url().optional(),
        custom_message: zodText(2000).optional(),
      })
      .refine((after) => after.type !== "redirect" || after.redirect_url !== undefined, { path: ["redirect_url"] })
      .optional(),
    available_quantity: z.int().min(1).max(1_000_000_000).optional(),
    description: zodText(2000).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
    image_url: z.string().refine(isHttps).optional(),
    intervalCount: z.int().min(1).max(1000).optional(),
    interval: z.enum(["Day", "Week", "Month", "Year"]).optional(),
    metadata: z.record(z.string(), z.unknown()).refine((object) => Object.keys(object).length <= 50).optional(),
    reference: zodText(128).optional(),
    trial_period: z.string().regex(PERIOD).optional(),
    type: z.enum(["OneTime", "Recurring"]).optional(),
  })
  .refine((body) => body.account_ids === undefined || body.account_ref === undefined, { path: ["account_ref"] })
  .refine((body) => body.type !== "Recurring" || body.interval !== undefined, { path: ["interval"] });

const valibotText = (max) => v.pipe(v.string(), v.check(isText(max)));
const valibotUrl = v.pipe(v.string(), v.url());
const valibotSchema = v.pipe(
  v.strictObject({
    amount: v.pipe(v.string(), v.check(isPositive)),
    currency: v.pipe(v.string(), v.regex(CURRENCY)),
    name: valibotText(200),
    account_ids: v.optional(v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(1))), v.minLength(1), v.maxLength(50), v.check(isUnique))),
    account_ref: v.optional(v.pipe(v.string(), v.regex(REFERENCE))),
    after_completion: v.optional(
      v.pipe(
        v.strictObject({
          type: v.optional(v.picklist(["redirect"])),
          redirect_url: v.optional(valibotUrl),
          failure_redirect_url: v.optional(valibotUrl),
          custom_message: v.optional(valibotText(2000)),
        }),
        v.forward(v.check((after) => after.type !== "redirect" || after.redirect_url !== undefined), ["redirect_url"]),
      ),
    ),
    available_quantity: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000_000_000))),
    description: v.optional(valibotText(2000)),
    expires_at: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    image_url: v.optional(v.pipe(v.string(), v.check(isHttps))),
    intervalCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
    interval: v.optional(v.picklist(["Day", "Week", "Month", "Year"])),
    metadata: v.optional(v.pipe(v.record(v.string(), v.unknown()), v.check((object) => Object.keys(object).length <= 50))),
    reference: v.optional(valibotText(128)),
    trial_period: v.optional(v.pipe(v.string(), v.regex(PERIOD))),
    type: v.optional(v.picklist(["OneTime", "Recurring"])),
  }),
  v.forward(v.check((body) => body.account_ids === undefined || body.account_ref === undefined), ["account_ref"]),
  v.forward(v.check((body) => body.type !== "Recurring" || body.interval !== undefined), ["interval"]),
);

const BODY = {
  amount: "12.50",
  currency: "USDC",
  name: "Darjeeling, first flush",
  account_ids: [7, 8],
  after_completion: { type: "redirect", redirect_url: "https://tea.example/thanks", custom_message: "Thank you!" },
  available_quantity: 100,
  description: "100 g in a tin, from the harvest of this spring",
  expires_at: "2026-12-24T18:00:00Z",
  image_url: "https://tea.example/darjeeling.jpg",
  metadata: { shelf: "A7", customer_ident_collection: true },
  reference: "tea-17",
  type: "OneTime",
};
const WRONG = { ...BODY, amount: "-1", name: " ", image_url: "http://tea.example/x.jpg", account_ids: [0] };
const FIELDS = ["account_ids", "amount", "image_url", "name"];
const SETTINGS = { baseUrl: "https://pay.example", apiKey: "sk_test", random: new Uint8Array(10) };

// The example of a page in the documents, with a hundred links.
const vectors = readFileSync(new URL("../../tests/vectors/operations.jsonl", import.meta.url), "utf8").trim().split("\n");
const { answer } = vectors.map((line) => JSON.parse(line)).find(({ operation }) => operation === "ListPaylinks");
const { data } = answer.body;
const page = new TextEncoder().encode(JSON.stringify({ ...answer.body, data: { ...data, items: Array(100).fill(data.items[0]) } }));

/** Fields of the errors of each contestant. */
const ways = {
  zod: (body) => zodSchema.safeParse(body).error?.issues.map(({ path }) => path[0]) ?? [],
  valibot: (body) => v.safeParse(valibotSchema, body).issues?.map(({ path }) => path[0].key) ?? [],
  "settlekit/core": (body) => validate("CreatePaylink", body).map(({ field }) => field.split("[")[0]),
};
const rows = [];
for (const [what, body, fields] of [["a valid body", BODY, []], ["a wrong body", WRONG, FIELDS]]) {
  for (const [name, way] of Object.entries(ways)) {
    const found = [...new Set(way(body))].sort();
    if (String(found) !== String(fields)) throw new Error(`${name} refuses ${found}`);
  }
  const times = measure(Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, () => way(body)])));
  for (const [name, micros] of Object.entries(times)) rows.push({ what: `${what}, ${name}`, micros, to: "zod", ratio: micros / times.zod });
}
const decoder = new TextDecoder();
if (read("ListPaylinks", { status: 200, body: page }).value.items.length !== 100) throw new Error("the page is not read");
const others = measure({
  "JSON.stringify": () => JSON.stringify(BODY),
  "a request made": () => request("CreatePaylink", BODY, SETTINGS),
  "JSON.parse": () => JSON.parse(decoder.decode(page)),
  "a page of 100 links read": () => read("ListPaylinks", { status: 200, body: page }),
});
for (const [what, to] of [["a request made", "JSON.stringify"], ["a page of 100 links read", "JSON.parse"]]) {
  rows.push({ what: `${what}, settlekit/core`, micros: others[what], to: `${to} alone`, ratio: others[what] / others[to] });
}

function measure(contestants) {
  const names = Object.keys(contestants);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -50; round < ROUNDS; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + 60) % names.length];
      const since = performance.now();
      for (let call = 0; call < CALLS; call += 1) contestants[name]();
      if (round >= 0) times[name].push(((performance.now() - since) * 1000) / CALLS);
    }
  }
  return Object.fromEntries(names.map((name) => [name, times[name].sort((one, other) => one - other)[ROUNDS >> 1]]));
}

if (process.argv.includes("--json")) {
  for (const row of rows) console.log(JSON.stringify(row));
} else {
  console.log(`The body of a payment link, ${JSON.stringify(BODY).length} bytes; medians of ${ROUNDS} rounds.\n`);
  for (const { what, micros, to, ratio } of rows) {
    const bar = /^a (valid|wrong) body, settlekit/.test(what) ? ", at most 1" : "";
    console.log(`${what.padEnd(42)}${micros.toFixed(1).padStart(8)} µs${ratio.toFixed(2).padStart(8)} of ${to}${bar}`);
  }
}
