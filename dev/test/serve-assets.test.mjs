// The rules of the server for files (`server/src/assets.rs`, `server/src/security.rs`), over files that name themselves.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { Assets } from "../dist/serve/assets.js";
import { secure } from "../dist/serve/security.js";
import { folder } from "./serve-local.mjs";

const FILES = ["index.html", "index.html.br", "pay/pay.html", "pay/pay.css", "embed.js", "docs/docs.html", "docs/signing.html", "app-0123456789abcdef_bg.wasm", "theme-abc.js"];

function assets(t) {
  const path = folder(t);
  for (const name of FILES) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), name);
  }
  const files = new Assets(path);
  return (pathname, headers = {}, method = "GET") => {
    const { status, headers: out, body } = files.answer(method, pathname, headers);
    return { status, headers: out, body: Buffer.from(body).toString() };
  };
}

test("any path without a dot is the dashboard", (t) => {
  const get = assets(t);
  for (const path of ["/", "/payments", "/payments/pay_1", "/docs/no-such-guide", "/documents"]) {
    const { status, body, headers } = get(path);
    assert.deepEqual([status, body, headers["cache-control"], headers["content-type"]], [200, "index.html", "no-cache", "text/html; charset=utf-8"], path);
  }
  for (const path of ["/missing.js", "/pay/missing.js", "/embed/missing.js", "/docs/missing.js", "/index.html.br", "/../package.json", "/docs/errors"]) assert.equal(get(path).status, 404, path);
  assert.equal(get("/", {}, "POST").status, 405);
  assert.equal(get("/", {}, "HEAD").status, 200);
});

test("links, the embedded page and the reference have pages of their own", (t) => {
  const get = assets(t);
  assert.equal(get("/pay/pl_1").body, "pay/pay.html");
  assert.equal(get("/pay/pay.css").headers["content-type"], "text/css; charset=utf-8");
  assert.equal(get("/docs").body, "docs/docs.html");
  assert.equal(get("/docs/").body, "docs/docs.html");
  assert.equal(get("/docs/signing").body, "docs/signing.html");
  assert.equal(get("/docs/signing").headers["content-security-policy"], "require-trusted-types-for 'script'; trusted-types 'none'");
});

test("only the embedded address of the payer's page may be framed, and the preview by the dashboard", (t) => {
  const get = assets(t);
  const policy = (path) => get(path).headers["content-security-policy"];
  assert.ok(policy("/embed/pl_1").endsWith("frame-ancestors *"));
  assert.equal(get("/embed/pl_1").headers["cross-origin-resource-policy"], "cross-origin");
  assert.ok(policy("/embed/preview").endsWith("frame-ancestors 'self'"));
  assert.equal(get("/embed/preview").headers["cross-origin-resource-policy"], undefined);
  assert.ok(policy("/settings/checkout").endsWith("; frame-src 'self'"));
  for (const path of ["/pay/pl_1", "/pay/pay.html", "/embed", "/embed/a/b", "/"]) assert.ok(!policy(path).includes("frame-ancestors"), path);
});

test("any page may load and cache the embed script", (t) => {
  const { headers } = assets(t)("/embed.js");
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
  assert.equal(headers["cache-control"], "public, max-age=3600");
});

test("files with a hash are cached forever, and others revalidated by their tag", (t) => {
  const get = assets(t);
  assert.equal(get("/app-0123456789abcdef_bg.wasm").headers["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(get("/theme-abc.js").headers["cache-control"], "no-cache");
  const { etag } = get("/").headers;
  for (const known of [etag, `"x", ${etag}`, "*"]) assert.deepEqual([get("/", { "if-none-match": known }).status, get("/", { "if-none-match": known }).body], [304, ""], known);
  assert.equal(get("/", { "if-none-match": '"x"' }).status, 200);
});

test("compressed copies are sent if they are accepted", (t) => {
  const get = assets(t);
  const { body, headers } = get("/", { "accept-encoding": "gzip, br;q=0.9" });
  assert.deepEqual([body, headers["content-encoding"], headers.vary], ["index.html.br", "br", "accept-encoding"]);
  for (const refusing of ["gzip", "br;q=0", "br; q=0.000", "brotli"]) assert.equal(get("/", { "accept-encoding": refusing }).body, "index.html", refusing);
  assert.equal(get("/pay/pl_1", { "accept-encoding": "br" }).headers["content-encoding"], undefined);
});

test("a page is framed by nobody unless it names its ancestors", () => {
  for (const own of [{}, { "content-security-policy": "trusted-types 'none'" }]) {
    const headers = secure(own);
    assert.equal(headers["content-security-policy"].match(/frame-ancestors/g).length, 1);
    assert.ok(headers["content-security-policy"].includes("frame-ancestors 'none'"));
    assert.equal(headers["x-frame-options"], "DENY");
  }
  const framed = secure({ "content-security-policy": "trusted-types 'none'; frame-ancestors *" });
  assert.ok(framed["content-security-policy"].startsWith("default-src 'none'; "));
  assert.ok(framed["content-security-policy"].endsWith("form-action 'self'; trusted-types 'none'; frame-ancestors *"));
  assert.ok(!("x-frame-options" in framed));
  assert.equal(secure({})["cross-origin-resource-policy"], "same-origin");
  assert.equal(secure({ "cross-origin-resource-policy": "cross-origin" })["cross-origin-resource-policy"], "cross-origin");
});
