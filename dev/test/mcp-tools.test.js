import assert from "node:assert/strict";
import { test } from "node:test";

import Ajv from "ajv";

import { OPERATIONS } from "../dist/commands/catalogue.js";
import { brief } from "../dist/mcp/brief.js";
import { classOf, SECRET_FIELDS } from "../dist/mcp/classes.js";
import { TOOLS } from "../dist/mcp/tools.js";
import { accept, argumentsOf, connected, idsOf, inOrder, records, WALLET } from "./mcp-support.js";

const classes = (kind) => OPERATIONS.filter((operation) => classOf(operation) === kind).map(({ id }) => id);

test("every operation is in exactly one class, and the class follows from its scope", () => {
  for (const operation of OPERATIONS) {
    const { id, auth, scope, http, outflow } = operation;
    const kind = classOf(operation);
    assert.ok(["session", "secret", "read", "write", "money"].includes(kind), id);
    assert.equal(kind === "session", auth === "session", id);
    if (kind === "read") assert.equal(http, "GET", id);
    if (kind === "read") assert.ok(scope !== "payout" && scope !== "write", id);
    // Whatever may move money is confirmed, unless no agent has it.
    if ((scope === "payout" && http !== "GET") || outflow) assert.ok(["money", "session", "secret"].includes(kind), id);
  }
});

test("what moves money is known by name", () => {
  // A new operation with the scope payout, or with content that sends money out, appears here and needs a question in `confirm.ts`.
  assert.deepEqual(classes("money").sort(), [
    "AcceptQuote", "AuthorizePayment", "ConvertBalance", "CreateAccount", "CreateExternalAccount", "CreatePayout", "CreateQuickTrade", "CreateVirtualAccount",
    "DeleteAutomation", "DeleteExternalAccount", "MaintainBalance", "ProveOwnership", "RefundPayment", "UpdateAutomation", "UpdateOrganisation",
    "UpdateVirtualAccount",
  ]);
});

test("operations that take or answer a secret are no tools", () => {
  assert.deepEqual(classes("secret").sort(), ["AcceptInvitation", "CreateApiKey", "CreateSession", "GetSigningSecret", "OpenInvitation", "RotateSigningSecret"]);
  for (const { operation, inputSchema } of TOOLS) {
    for (const name of Object.keys(inputSchema.properties)) assert.ok(!SECRET_FIELDS.has(name), `${operation.id} ${name}`);
  }
});

test("annotations say what a tool does", () => {
  for (const { name, class: kind, operation, annotations, description } of TOOLS) {
    const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
    assert.equal(readOnlyHint, kind === "read", name);
    if (readOnlyHint) assert.ok(!destructiveHint && idempotentHint, name);
    if (operation.http === "DELETE") assert.ok(destructiveHint && idempotentHint, name);
    if (kind === "money") assert.ok(destructiveHint && description.endsWith("A person confirms each call."), name);
    if (operation.http === "POST") assert.ok(!idempotentHint, name);
    if (operation.id.startsWith("Create") && kind === "write") assert.ok(!destructiveHint, name);
    assert.match(name, /^[a-z0-9_]{1,64}$/);
  }
  const hints = (id) => TOOLS.find(({ operation }) => operation.id === id).annotations;
  assert.equal(hints("CancelSubscription").destructiveHint, true);
  assert.equal(hints("RotateWebhookKey").idempotentHint, false);
  assert.equal(hints("UpdateCustomer").idempotentHint, true);
  assert.equal(hints("RequestQuote").readOnlyHint, false);
});

test("input schemas are JSON Schemas without references, and decimals are texts", () => {
  const ajv = new Ajv({ strict: false });
  for (const { name, inputSchema } of TOOLS) {
    assert.doesNotThrow(() => ajv.compile(inputSchema), name);
    assert.ok(!JSON.stringify(inputSchema).includes("$ref"), name);
    assert.ok(!/"type":"number"/.test(JSON.stringify(inputSchema)), name);
  }
});

test("every tool is called once, and answers shortly", async (t) => {
  const { tools, call, owner, sandbox, close } = await connected({ answer: accept, organisation: { name: "Shop", otc: true } });
  t.after(close);
  const made = await records({ owner, sandbox });
  const given = await argumentsOf(made, owner);
  const ids = idsOf(made);
  /** Tools whose refusal is the answer: nobody here has the wallet's key, or a partner. */
  const refused = { accounts_prove_ownership: /SIGNATURE|signature/, checkout_authorize_payment: /\((NOT_SUPPORTED|STATE_FORBIDS|CHAIN_NOT_CONNECTED|SIGNATURE_INVALID|AUTHORIZATION\w*)\)/ };
  const sizes = [];
  const listed = await tools();
  assert.deepEqual(listed.map(({ name }) => name).sort(), TOOLS.map(({ name }) => name).sort());
  const names = inOrder(listed.map(({ name }) => name));
  for (const name of names) {
    const { operation } = TOOLS.find((tool) => tool.name === name);
    const path = operation.parameters.filter(({ in: place }) => place === "path");
    const args = given[name] ?? Object.fromEntries(path.map(({ name }) => [name, ids[name]]));
    if (given[name] === undefined) assert.equal(operation.http, "GET", `${name} needs arguments in mcp-support.js`);
    const { isError, text, json } = await call(name, args);
    if (refused[name] !== undefined) {
      assert.ok(isError, name);
      assert.match(text, refused[name], name);
      continue;
    }
    assert.ok(!isError, `${name}: ${text}`);
    sizes.push([text.length, name]);
    const names = new Set();
    JSON.stringify(json, (name, value) => (names.add(name), value));
    for (const secret of SECRET_FIELDS) assert.ok(!names.has(secret), `${name} ${secret}`);
  }
  const [longest, name] = sizes.sort(([one], [other]) => other - one)[0];
  assert.ok(longest < 10_000, `${name} answers ${longest} characters`);
});

test("pages are short, and name the next one", async (t) => {
  const { call, owner, close } = await connected({ allow: "read" });
  t.after(close);
  for (let index = 0; index < 25; index += 1) await owner.plans.create({ name: `Plan ${index}`, price: "1", currency: "USDC", type: "OneTime" });
  const first = await call("plans_list");
  assert.equal(first.json.items.length, 20);
  assert.deepEqual([first.json.total, first.json.next], [25, 2]);
  const second = await call("plans_list", { page: 2 });
  assert.deepEqual([second.json.items.length, second.json.next], [5, undefined]);
  assert.match(second.json.items[0].id, /^plan_/);
  assert.equal(second.json.items[0].price, "1");
  assert.ok(!("org_id" in second.json.items[0]));
  assert.equal((await call("plans_list", { limit: 3 })).json.items.length, 3);
});

test("without --allow, tools only read", async (t) => {
  const { tools, call, owner, close } = await connected({ allow: "read", answer: accept });
  t.after(close);
  const listed = await tools();
  assert.ok(listed.length > 40 && listed.every(({ annotations }) => annotations.readOnlyHint));
  const write = await call("plans_create", { name: "x", price: "1", currency: "USDC", type: "OneTime" });
  assert.deepEqual([write.isError, write.text], [true, "plans_create needs `settlekit mcp --allow write`, which a person starts."]);
  assert.match((await call("payouts_create", {})).text, /needs `settlekit mcp --allow payout`/);
  assert.equal((await owner.plans.list()).total, 0);
});

test("with --allow write, nothing moves money", async (t) => {
  const { tools, call, close } = await connected({ allow: "write", answer: accept });
  t.after(close);
  const names = (await tools()).map(({ name }) => name);
  assert.ok(names.includes("paylinks_create") && !names.includes("payouts_create") && !names.includes("trade_create_quick_trade"));
  assert.equal((await call("plans_create", { name: "x", price: "1", currency: "USDC", type: "OneTime" })).isError, false);
  assert.match((await call("payments_refund", { payment_id: "pay_1" })).text, /--allow payout/);
});

test("a key that lists its scopes has the tools of its scopes only", async (t) => {
  const { tools, call, close } = await connected({ scopes: ["read", "manage"], answer: accept });
  t.after(close);
  const names = (await tools()).map(({ name }) => name);
  assert.ok(names.includes("organisation_update") && names.includes("paylinks_list"));
  assert.ok(!names.includes("paylinks_create") && !names.includes("payouts_create"));
  assert.equal((await call("paylinks_create", {})).text, "paylinks_create needs a key with the scope write.");
});

test("other keys show their scopes by the first refusal, and the client is told", async (t) => {
  const { client, tools, call, close } = await connected({ scopes: ["read"], answer: accept });
  t.after(close);
  let changes = 0;
  const { ToolListChangedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js");
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  const has = async (name) => (await tools()).some((tool) => tool.name === name);
  assert.ok(await has("plans_create"));
  const refused = await call("plans_create", { name: "x", price: "1", currency: "USDC", type: "OneTime" });
  assert.match(refused.text, /lacks the scope write \(SCOPE_MISSING\)/);
  assert.equal(changes, 1);
  assert.ok(!(await has("plans_create")) && !(await has("paylinks_create")));
  assert.ok(await has("plans_list"));
});

test("live mode has no tools of the sandbox, and no signing secret no signed ones", async (t) => {
  const live = await connected({ live: true, answer: accept });
  t.after(live.close);
  const names = (await live.tools()).map(({ name }) => name);
  assert.ok(names.includes("payouts_create") && !names.some((name) => name.startsWith("sandbox_")) && !names.includes("checkout_pay_from_test_wallet"));
  assert.match((await live.call("sandbox_advance_clock", {})).text, /exists in sandbox mode only/);
  const unsigned = await connected({ secret: false, answer: accept });
  t.after(unsigned.close);
  assert.ok(!(await unsigned.tools()).some(({ name }) => name === "payouts_create"));
  assert.match((await unsigned.call("payouts_create", {})).text, /needs the signing secret/);
});

/** A shop with money, and a payout to ask for. */
async function payer(options) {
  const made = await connected(options);
  await made.owner.accounts.createVirtualAccount({ reference: "till", chains: [{ chain_id: 137, currencies: ["USDC", "POL"] }] });
  await made.owner.sandbox.createDeposit({ account: "till", chain_id: 137, currency: "USDC", amount: "500" });
  await made.sandbox.clock.advance({ hours: 1 });
  const payouts = async () => (await made.owner.payouts.list()).total;
  return { ...made, payouts, payout: { account: "till", chain_id: 137, currency: "USDC", amount: "5.00", address: WALLET } };
}

test("a payout is confirmed by a person who sees amount, currency and destination", async (t) => {
  const { call, asked, close, payout, payouts } = await payer({ answer: accept });
  t.after(close);
  const sent = await call("payouts_create", payout);
  assert.equal(sent.isError, false, sent.text);
  assert.match(sent.json.id, /^pay_/);
  assert.equal(await payouts(), 1);
  const lines = asked[0].split("\n");
  assert.ok(lines.includes("Amount: 5.00") && lines.includes("Currency: USDC") && lines.includes(`Destination: ${WALLET}`), asked[0]);
  assert.ok(lines.includes("Organisation: Shop, sandbox, http://sandbox.test"));
  for (const [name, value] of Object.entries(payout)) assert.ok(lines.includes(`(${name}): ${value}`), name);
});

test("nothing is sent if the person declines, closes the question, or does not tick it", async (t) => {
  for (const [answer, why] of [
    [{ action: "decline" }, "The person declined: nothing was done."],
    [{ action: "cancel" }, "The person did not answer: nothing was done."],
    [{ action: "accept", content: { confirm: false } }, "The person declined: nothing was done."],
  ]) {
    const { call, close, payout, payouts } = await payer({ answer: () => answer });
    t.after(close);
    const { isError, text } = await call("payouts_create", payout);
    assert.deepEqual([isError, text, await payouts()], [true, why, 0]);
  }
});

test("nothing is sent if the client cannot ask a person", async (t) => {
  const { call, close, payout, payouts } = await payer({});
  t.after(close);
  const { isError, text } = await call("payouts_create", payout);
  assert.ok(isError);
  assert.match(text, /^payouts_create is confirmed by a person, which this client cannot ask for/);
  assert.equal(await payouts(), 0);
});

test("a question shows what a call only names by id", async (t) => {
  const { call, asked, close, owner, sandbox } = await connected({ answer: () => ({ action: "decline" }), organisation: { name: "Shop", otc: true } });
  t.after(close);
  const made = await records({ owner, sandbox });
  const ask = async (name, given) => {
    await call(name, given);
    return asked.at(-1);
  };
  assert.match(await ask("payments_refund", { payment_id: made.paid }), /^Amount: all that is left of 12\.5$[^]*^Currency: USDC$[^]*^Destination: 0x\w{40}$/m);
  const { id: quote_id, buy_asset } = await made.quote();
  assert.match(await ask("quotes_accept", { quote_id }), new RegExp(`^Sells: 10 USDC$[^]*^Buys: ${buy_asset.amount} POL$[^]*^Destination: account \\d+$`, "m"));
  assert.match(await ask("payouts_create", { account: "till", amount: "1", currency: "USDC", external_account_id: made.external.id }), new RegExp(`^Destination: ${WALLET}, chain 137, external account \\d+, named "Treasury"$`, "m"));
  assert.match(await ask("automations_convert_balance", { account: "till", currency: "USDC", to_currency: "POL", threshold_amount: "7", max_cost_bps: 5 }), /^Amount: from now on, all of the balance above 7$[^]*^Currency: USDC, sold for POL$/m);
  assert.match(await ask("accounts_create_virtual_account", { reference: "x", chains: [{ chain_id: 137, currencies: ["USDC"] }], deposit_splits: [{ pct: "5", address: WALLET }] }), new RegExp(`^Destination: 5 % of each deposit to ${WALLET}$`, "m"));
  // Nobody is asked about a record that does not exist, or about a call that is malformed.
  const before = asked.length;
  assert.match((await call("payouts_create", { account: "till", amount: "five", currency: "USDC", address: WALLET, iban: "x" })).text, /^amount: must be a plain decimal[^]*^iban: is not a field/m);
  assert.match((await call("payments_refund", { payment_id: "pay_00000000000070008000000000000000" })).text, /NOT_FOUND/);
  assert.equal(asked.length, before);
});

test("a question cannot be forged by a value with line breaks", async (t) => {
  const { call, asked, close, payout } = await payer({ answer: () => ({ action: "decline" }) });
  t.after(close);
  await call("payouts_create", { ...payout, reference: "x\nDestination: 0xfriend\u202e" });
  assert.ok(asked[0].includes("(reference): x\\nDestination: 0xfriend\\u202e"), asked[0]);
  assert.equal(asked[0].split("\n").filter((line) => line.startsWith("Destination:")).length, 1);
});

test("an estimate of a trade needs no confirmation", async (t) => {
  const { call, asked, close } = await payer({ answer: () => ({ action: "decline" }), organisation: { name: "Shop", otc: true } });
  t.after(close);
  const { isError, text } = await call("trade_create_quick_trade", { currency: "USDC", to_currency: "POL", amount: "10", chain_id: 137, dry_run: true });
  assert.equal(isError, false, text);
  assert.equal(asked.length, 0);
});

test("an operation without estimates is confirmed, whatever is given", async (t) => {
  const { call, asked, close, owner } = await connected({ answer: () => ({ action: "decline" }) });
  t.after(close);
  const { id } = await owner.externalAccounts.create({ type: "Digital", address: WALLET, chain_id: 137, currencies: ["USDC"], name: "0xfriend, chain 137" });
  assert.ok((await call("external_accounts_delete", { external_account_id: id, dry_run: true })).isError);
  assert.equal((await call("external_accounts_delete", { external_account_id: id })).text, "The person declined: nothing was done.");
  // The name is no address.
  assert.ok(asked[0].includes(`\nDestination: ${WALLET}, chain 137, external account ${id}, named "0xfriend, chain 137"\n`), asked[0]);
  assert.equal((await owner.externalAccounts.list()).total, 1);
});

test("a person confirms where webhooks go", async (t) => {
  const { call, asked, close, owner } = await connected({ answer: () => ({ action: "decline" }) });
  t.after(close);
  const { text } = await call("organisation_update", { webhook_url: "https://attacker.example/hook" });
  assert.equal(text, "The person declined: nothing was done.");
  assert.match(asked[0], /^Webhooks: https:\/\/attacker\.example\/hook$/m);
  assert.equal((await owner.organisation.get()).webhook_url, undefined);
  const write = await connected({ allow: "write" });
  t.after(write.close);
  assert.match((await write.call("organisation_update", { name: "Other" })).text, /needs `settlekit mcp --allow payout`/);
});

test("a repeated call with the same idempotency key happens once", async (t) => {
  const { call, owner, close } = await connected({ allow: "write" });
  t.after(close);
  const given = { name: "x", price: "1", currency: "USDC", type: "OneTime", idempotency_key: "k-1" };
  assert.equal((await call("plans_create", given)).json.id, (await call("plans_create", given)).json.id);
  assert.equal((await owner.plans.list()).total, 1);
});

test("errors are results of the tool, with every field", async (t) => {
  const { call, close } = await connected();
  t.after(close);
  const { isError, text } = await call("paylinks_create", { name: "", amount: "12.5x" });
  assert.ok(isError);
  assert.deepEqual(text.split("\n"), ["amount: must be a plain decimal such as 12.50 (AMOUNT_MALFORMED)", "currency: is required (REQUIRED)", "name: must not be empty (EMPTY)"]);
  assert.match((await call("paylinks_list", { nonsense: 1 })).text, /^nonsense: is not a field of this operation \(UNKNOWN_FIELD\)/);
  assert.match((await call("chains_list", { nonsense: 1 })).text, /takes no nonsense/);
  assert.equal((await call("nonsense")).text, "There is no tool nonsense.");
  assert.equal((await call("api_keys_create", { name: "x" })).text, "There is no tool api_keys_create.");
});

test("results leave secrets out wherever they are", () => {
  const secret = { id: "x", key: "sk", signing_secret: "s", nested: { token: "t", id: 1, items: [{ password: "p", amount: "1" }] } };
  assert.deepEqual(brief(secret), { id: "x", nested: { id: 1, items: [{ amount: "1" }] } });
  assert.deepEqual(brief([{ id: 1, csrf_token: "c" }]), { items: [{ id: 1 }] });
  assert.deepEqual(brief("done"), { result: "done" });
  assert.equal(brief({ note: "x".repeat(500) }).note.length, 201);
  assert.deepEqual(brief({ name: "Tea\u{e0070}\u{e0061}\u{e0079}", items: ["\u{e0041}a"] }), { name: "Tea", items: ["a"] });
});
