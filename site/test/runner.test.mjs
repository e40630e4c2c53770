// The runner: what stands for Node's modules and servers in a page, and what an example may do.

import assert from "node:assert/strict";
import * as real from "node:crypto";
import { test } from "node:test";

import * as shim from "../runner/crypto.js";
import * as checks from "../runner/assert.js";
import { formatted, inspect } from "../runner/inspect.js";
import { host } from "../runner/node.mjs";
import { imported, rewrite } from "../runner/transform.js";

const run = host();
const runs = (code, options) => run({ files: { "example.js": code }, ...options });

test("imports become calls and keep the numbers of lines", () => {
  const code = 'import {\n  a,\n  b as c,\n} from "settlekit";\nimport D from "x";\nimport * as e from "y";\nimport "z";\nconst f = await import("g");\n';
  const lines = rewrite(code).split("\n");
  assert.equal(lines[4], 'const { default: D } = await __import("x");');
  assert.match(rewrite(code), /b: c/);
  assert.match(rewrite(code), /await __import\("g"\)/);
  assert.deepEqual([...imported(code)], ["settlekit", "x", "y", "z", "g"]);
  assert.equal(rewrite('const text = `\n  import "x";\n`;'), 'const text = `\n  import "x";\n`;');
});

test("values are printed as Node prints them", () => {
  assert.equal(inspect({ a: "x", b: [1, 2n], c: { d: null } }), "{ a: 'x', b: [ 1, 2n ], c: { d: null } }");
  assert.equal(inspect({ text: "it's" }), '{ text: "it\'s" }');
  assert.equal(inspect(new Map([["a", 1]])), "Map(1) { 'a' => 1 }");
  assert.equal(formatted(["%s of %d", "one", 2, { three: 3 }]), "one of 2 { three: 3 }");
  const ring = {};
  ring.self = ring;
  assert.equal(inspect(ring), "{ self: [Circular] }");
  assert.match(inspect({ long: "x".repeat(1000) }), /600 more characters/);
});

test("the page's cryptography is Node's", () => {
  for (const make of [(node) => node.createHash("sha256").update("a").update("ü").digest("hex"), (node) => node.createHmac("sha256", "key").update("text").digest("base64")]) {
    assert.equal(make(shim), make(real));
  }
  const { publicKey, privateKey } = real.generateKeyPairSync("ed25519");
  const [pem, data] = [publicKey.export({ type: "spki", format: "pem" }), Buffer.from("text")];
  const signature = real.sign(null, data, privateKey);
  assert.equal(shim.verify(null, data, shim.createPublicKey(pem), signature), true);
  assert.equal(shim.verify(null, Buffer.from("other"), shim.createPublicKey(pem), signature), false);
  assert.equal(shim.randomBytes(16).length, 16);
});

test("the page's assertions refuse what Node's refuse", () => {
  const cases = [
    (node) => node.equal(1, 2), (node) => node.equal("1", 1), (node) => node.deepEqual({ a: [1] }, { a: [2] }), (node) => node.deepEqual([1], { 0: 1 }), (node) => node.match("a", /b/),
    (node) => node.throws(() => {}), (node) => node.throws(() => { throw new Error("a"); }, { message: "b" }), (node) => node.ok(0), (node) => node.notEqual(1, 1),
  ];
  for (const one of cases) {
    assert.throws(() => one(assert), undefined, String(one));
    assert.throws(() => one(checks), undefined, String(one));
  }
  checks.throws(() => { throw new TypeError("a"); }, TypeError);
  checks.throws(() => { throw new Error("abc"); }, /b/);
  checks.deepEqual({ a: new Map([[1, { b: 2 }]]) }, { a: new Map([[1, { b: 2 }]]) });
});

test("each run begins with the same shop, and nothing of the last one is left", async () => {
  const code = 'import { Settlekit } from "settlekit";\nconst settlekit = new Settlekit({ baseUrl: process.env.SETTLEKIT_URL, apiKey: process.env.SETTLEKIT_API_KEY });\nawait settlekit.paylinks.create({ name: "Tea", amount: "1", currency: "USDC" });\nconsole.log((await settlekit.paylinks.list()).items.map(({ id }) => id));';
  const [first, second] = [await runs(code), await runs(code)];
  assert.equal(first.failure, undefined);
  assert.equal(first.output, second.output);
  assert.equal(globalThis.settlekit, undefined);
});

test("an example's error is shown, and so are failed tests", async () => {
  assert.match((await runs("throw new TypeError('no')")).failure, /^TypeError: no/);
  assert.match((await runs("const a = ;")).failure, /SyntaxError/);
  assert.match((await runs('import x from "left-pad";')).failure, /left-pad/);
  const { failure, output } = await runs('import test from "node:test";\nimport assert from "node:assert/strict";\ntest("a", () => assert.equal(1, 2));\ntest("b", () => {});');
  assert.equal(failure, "1 failed");
  assert.match(output, /✖ a\n {2}AssertionError.*\n(.*\n)*✔ b\n1 passed, 1 failed/);
});

test("an example reaches no other host", async () => {
  assert.match((await runs('await fetch("https://example.com/")')).failure, /reaches the sandbox and its own server only, not https:\/\/example\.com/);
});

test("a server in an example gets the webhooks of a payment", async () => {
  const { webhooks, output } = await runs('import express from "express";\nconst app = express();\napp.post("/hook", express.json(), (request, response) => { console.log(request.body.type); response.sendStatus(204); });');
  assert.match(output, /^payment\.settled$/m);
  assert.ok(webhooks.length > 5 && webhooks.every(({ status }) => status === 204));
  const refused = await runs('import express from "express";\nexpress().post("/hook", () => { throw new Error("down"); });');
  assert.ok(refused.webhooks.some(({ status }) => status === 500));
});

test("the operations of a session have one", async () => {
  const code = 'const settlekit2 = new Settlekit({ baseUrl: process.env.SETTLEKIT_URL, headers: { cookie: process.env.SETTLEKIT_SESSION } });\nconsole.log((await settlekit2.sessions.get()).user.name);';
  assert.equal((await runs(code, { isSignedIn: true })).output, "Ada");
});
