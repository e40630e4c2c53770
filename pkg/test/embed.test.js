// What `settlekit/embed` is outside a browser. tests/browser/specs/payer_embed.spec.mjs has the element itself.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";

import { define } from "settlekit/embed";

const require = createRequire(import.meta.url);

test("a server that renders pages imports the element, and nothing is defined there", () => {
  assert.equal(define({ url: "https://pay.example" }), undefined);
  assert.equal(require("settlekit/embed").define({ url: new URL("https://pay.example/") }), undefined);
});

test("a service needs an http(s) URL", () => {
  for (const url of [undefined, "", "pay.example", "javascript:alert(1)", "data:text/html,x", "file:///pay"]) {
    assert.throws(() => define({ url }), { name: "TypeError", message: /^url must be the http\(s\) URL of the Settlekit service/ }, String(url));
  }
});

test("the package's copy defines the element once, for one service, and only when it is asked to", () => {
  const program = `
    import assert from "node:assert/strict";
    const known = new Map();
    globalThis.HTMLElement = class {};
    globalThis.CSSStyleSheet = class { replaceSync() {} };
    globalThis.matchMedia = () => ({});
    globalThis.customElements = { get: (name) => known.get(name), define: (name, element) => known.set(name, element) };
    const { define } = await import("settlekit/embed");
    assert.equal(known.size, 0);
    const element = define({ url: "https://pay.example?from=here#top" });
    assert.equal(known.get("settlekit-pay"), element);
    assert.equal(define({ url: "https://pay.example/" }), element);
    assert.throws(() => define({ url: "https://other.example" }), /already defined for https:\\/\\/pay\\.example\\//);
    assert.notEqual(define({ url: "https://other.example/payments", name: "other-pay" }), element);
    assert.equal(known.get("other-pay").service, "https://other.example/payments/");
  `;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: import.meta.dirname, stdio: ["ignore", "ignore", "inherit"] });
});

test("element, properties and events are typed", () => {
  const folder = mkdtempSync(join(import.meta.dirname, "types-"));
  try {
    writeFileSync(join(folder, "shop.ts"), `
      import { define, type SettlekitPayElement } from "settlekit/embed";
      define({ url: "https://pay.example" });
      const pay: SettlekitPayElement = document.createElement("settlekit-pay");
      pay.paylink = "pl_1";
      pay.mode = "inline";
      pay.open();
      pay.addEventListener("settlekit-confirmed", ({ detail }) => location.assign(detail.redirect_url ?? detail.payment_id.slice(0)));
      document.addEventListener("settlekit-error", ({ detail: { reason } }) => {
        const known: "paylink" | "unavailable" = reason;
        console.log(known);
      });
      // @ts-expect-error: there is no such mode.
      pay.mode = "window";
      // @ts-expect-error: a started payment has no redirect.
      pay.addEventListener("settlekit-started", ({ detail }) => detail.redirect_url);
      // @ts-expect-error: the service is needed.
      define({});
    `);
    const options = ["--noEmit", "--strict", "--module", "esnext", "--moduleResolution", "bundler", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"];
    const { status, stdout } = spawnSync(process.execPath, [require.resolve("typescript/bin/tsc"), ...options, "shop.ts"], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
