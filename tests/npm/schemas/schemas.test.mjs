// The Standard Schemas of settlekit/core in form libraries, a router and an RPC framework. SETTLEKIT_URL is the service:
// each library must show its errors.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, test } from "node:test";

import { sValidator } from "@hono/standard-validator";
import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { FieldApi, FormApi } from "@tanstack/form-core";
import { initTRPC, TRPCError } from "@trpc/server";
import { Hono } from "hono";
import { createFormControl, get } from "react-hook-form";
import { Settlekit } from "settlekit";
import { bodySchema, HEADERS, querySchema, read, request } from "settlekit/core";

const baseUrl = process.env.SETTLEKIT_URL;
const { api_key: apiKey, signing_secret: signingSecret } = JSON.parse(process.env.SETTLEKIT_ORGANISATION);
const settlekit = new Settlekit({ baseUrl, apiKey, signingSecret });

const TEA = { amount: "12.50", currency: "USDC", name: "Tea", after_completion: { type: "redirect", redirect_url: "https://tea.example/thanks" } };
const WRONG = { amount: "-1", currency: "$", name: "", account_ids: [7, 7], after_completion: { type: "redirect" } };

// TanStack Form looks for its developer tools for five seconds, which keeps Node running: this bus answers at once.
const bus = new EventTarget();
bus.addEventListener("tanstack-connect", () => bus.dispatchEvent(new Event("tanstack-connect-success")));
globalThis.__TANSTACK_EVENT_TARGET__ = bus;

/** The service's errors for `WRONG`. */
let errors;
/** Their messages by field. */
let messages;

before(async () => {
  const chains = await settlekit.chains.list();
  const chain = chains.find(({ assets }) => assets.some(({ symbol }) => symbol === "USDC"));
  await settlekit.accounts.create({ currencies: ["USDC"], reference: "schemas", type: "CryptoPayIn", chain_id: chain.id });
  errors = await refused("/paylinks", { method: "POST", body: JSON.stringify(WRONG) });
  messages = Object.fromEntries(errors.map(({ field, message }) => [field, message]));
  const fields = ["amount", "currency", "name", "account_ids[1]", "after_completion.redirect_url"];
  assert.deepEqual(Object.keys(messages), fields);
});

/** Errors of the service's own answer to a call. */
async function refused(path, init) {
  const headers = { "content-type": "application/json", [HEADERS.apiKey]: apiKey };
  const response = await fetch(`${baseUrl}/v1${path}`, { ...init, headers });
  const { error } = await response.json();
  assert.equal(response.status, error.code);
  return error.errors;
}

/** A field of the service as the path of an issue. */
const path = (field) => field.split(/[.[\]]+/).filter((key) => key !== "").map((key) => (/^\d+$/.test(key) ? Number(key) : key));
const toIssue = ({ field, message, reason }) => ({ message, path: path(field), reason });

test("react-hook-form has the service's errors at their fields, nested ones too, and submits valid values unchanged", async () => {
  const resolver = standardSchemaResolver(bodySchema("CreatePaylink"));
  const options = { fields: {}, shouldUseNativeValidation: false };
  const wrong = await resolver(WRONG, undefined, options);
  assert.deepEqual(Object.keys(wrong.errors), ["amount", "currency", "name", "account_ids", "after_completion"]);
  for (const [field, message] of Object.entries(messages)) assert.equal(get(wrong.errors, field)?.message, message, field);
  assert.deepEqual(await resolver(TEA, undefined, options), { values: TEA, errors: {} });

  const submit = (defaultValues) =>
    new Promise((resolve) => {
      const form = createFormControl({ resolver, defaultValues });
      form.handleSubmit((values) => resolve({ values }), (errors) => resolve({ errors }))();
    });
  assert.equal((await submit(WRONG)).errors.after_completion.redirect_url.message, messages["after_completion.redirect_url"]);
  assert.deepEqual(await submit(TEA), { values: TEA });
});

test("TanStack Form has the service's errors at their fields, and submits once they are corrected", async () => {
  const submitted = [];
  const form = new FormApi({
    defaultValues: WRONG,
    validators: { onChange: bodySchema("CreatePaylink") },
    onSubmit: ({ value }) => submitted.push(value),
  });
  const unmount = form.mount();
  try {
    // TanStack writes paths as the service does.
    const fields = Object.keys(messages).map((name) => new FieldApi({ form, name }));
    for (const field of fields) field.mount();
    await form.handleSubmit();
    for (const field of fields) assert.deepEqual(field.state.meta.errors.map(({ message }) => message), [messages[field.name]], field.name);
    assert.equal(form.state.canSubmit, false);
    assert.deepEqual(submitted, []);

    const [amount, currency, name, account, redirect] = fields;
    amount.handleChange(TEA.amount);
    assert.deepEqual([amount.state.meta.errors.length, currency.state.meta.errors.length], [0, 1]);
    currency.handleChange(TEA.currency);
    name.handleChange(TEA.name);
    account.handleChange(8);
    redirect.handleChange(TEA.after_completion.redirect_url);
    await form.handleSubmit();
    assert.deepEqual(submitted, [{ ...TEA, account_ids: [7, 8] }]);
  } finally {
    unmount();
  }
});

/** A shop's server: it validates bodies and queries, and forwards valid ones to the service. */
function shop() {
  const forward = async (context, operation, given) => {
    const asked = request(operation, given, { baseUrl, apiKey });
    const response = await fetch(asked.url, asked);
    const { value, error } = read(operation, { status: response.status, headers: response.headers, body: await response.text() });
    return error === undefined ? context.json(value, response.status) : context.json({ error: error.errors }, error.status);
  };
  const app = new Hono();
  app.post("/paylinks", sValidator("json", bodySchema("CreatePaylink")), (context) => forward(context, "CreatePaylink", context.req.valid("json")));
  app.get("/paylinks", sValidator("query", querySchema("ListPaylinks")), (context) => forward(context, "ListPaylinks", context.req.valid("query")));
  return async (path, body) => {
    const headers = { "content-type": "application/json" };
    const response = await app.request(path, body === undefined ? undefined : { method: "POST", headers, body: JSON.stringify(body) });
    return [response.status, await response.json()];
  };
}

test("Hono answers a wrong body and a wrong query with the service's errors, and forwards valid ones", async () => {
  const call = shop();
  assert.deepEqual(await call("/paylinks", WRONG), [400, { data: WRONG, error: errors.map(toIssue), success: false }]);
  for (const query of ["limit=0", "limit=ten&page=-1", "since=yesterday", "sort=up", "no_such_filter=1"]) {
    const [status, { error }] = await call(`/paylinks?${query}`);
    assert.equal(status, 400, query);
    assert.deepEqual(error, (await refused(`/paylinks?${query}`)).map(toIssue), query);
  }

  const [status, paylink] = await call("/paylinks", TEA);
  assert.equal(status, 201, JSON.stringify(paylink));
  const [listed, page] = await call("/paylinks?limit=1&sort=desc&since=2026-01-01T00:00:00Z");
  assert.equal(listed, 200, JSON.stringify(page));
  assert.deepEqual([page.items.length, page.items[0].id], [1, paylink.id]);
  const stored = await settlekit.paylinks.get({ paylink_id: paylink.id });
  assert.deepEqual([stored.plan.name, stored.after_completion], [TEA.name, TEA.after_completion]);
});

test("tRPC rejects a wrong input as BAD_REQUEST with the service's errors, and passes a valid one unchanged", async () => {
  const { procedure, router, createCallerFactory } = initTRPC.create();
  const inputs = [];
  const createPaylink = procedure.input(bodySchema("CreatePaylink")).mutation(({ input }) => inputs.push(input));
  const caller = createCallerFactory(router({ createPaylink }))({});
  await assert.rejects(caller.createPaylink(WRONG), (error) => {
    assert.ok(error instanceof TRPCError);
    assert.equal(error.code, "BAD_REQUEST");
    assert.deepEqual(error.cause.issues, errors.map(toIssue));
    return true;
  });
  assert.deepEqual(inputs, []);
  await caller.createPaylink(TEA);
  assert.deepEqual(inputs, [TEA]);
});

test("the types are those of Standard Schema, and the libraries infer an operation's from them", () => {
  const words = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--module", "nodenext"];
  // The libraries' own declarations need types that are not installed here; `ts` checks those of the package.
  words.push("--target", "es2022", "--lib", "es2023,dom,dom.iterable", "--skipLibCheck", "schemas.mts", "libraries.mts");
  const { status, stdout } = spawnSync(process.execPath, [process.env.SETTLEKIT_TYPESCRIPT, ...words], { cwd: import.meta.dirname, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
