// The package in a browser: as plain module scripts, and with Vite's dev server and build. SETTLEKIT_URL is the service,
// CHROMIUM the browser.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";

import { chromium } from "playwright-core";
import { createServer as viteServer, build as viteBuild } from "vite";

const here = import.meta.dirname;
const service = process.env.SETTLEKIT_URL;
const { api_key: apiKey } = JSON.parse(process.env.SETTLEKIT_ORGANISATION);
const page = readFileSync(join(here, "page.html"), "utf8");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';

// Vite expects index.html in its own folder.
const root = join(here, "vite");
const vite = { root, configFile: false, logLevel: "error", clearScreen: false };

let browser;
before(async () => {
  mkdirSync(join(root, "public"), { recursive: true });
  writeFileSync(join(root, "index.html"), page);
  writeFileSync(join(root, "public/icon.svg"), ICON);
  cpSync(join(here, "page.js"), join(root, "page.js"));
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"] });
});
after(() => browser.close());

/** Opens a served page and waits for its result; its console must stay empty. */
async function check(url) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) errors.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${url}/#${apiKey}`);
    // A failed page has no result: its console has the reason.
    const told = await page.locator("#told:not(:empty)").textContent({ timeout: 60_000 }).catch((error) => errors.push(error.message));
    assert.deepEqual(errors, []);
    const sold = "Confirmed,true,0";
    const { early, ...rest } = JSON.parse(told);
    assert.deepEqual(rest, { guard: "permission", service: "Consumer", sum: "0.3", embed: "Pay,paylink", inside: sold, fetched: sold });
    assert.match(early, /await init\(\)/);
  } finally {
    await context.close();
  }
}

/** Serves files under a strict content security policy, and the service on the same origin. `read` returns a path's content. */
async function serve(read, policy, run) {
  const server = createServer(async (request, response) => {
    try {
      const { pathname, search } = new URL(request.url, "http://page.test");
      if (pathname.startsWith("/v1/")) {
        const headers = { "x-api-key": request.headers["x-api-key"] };
        const answer = await fetch(`${service}${pathname}${search}`, { method: request.method, headers });
        response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") }).end(await answer.text());
        return;
      }
      const path = pathname === "/" ? "/index.html" : normalize(pathname);
      const content = path === "/icon.svg" ? ICON : read(path);
      response.writeHead(200, { "content-type": TYPES[extname(path)], "content-security-policy": policy }).end(content);
    } catch (error) {
      response.writeHead(404).end(String(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await run(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

test("a page without a bundler uses all entries by an import map under a strict policy", async () => {
  const manifest = createRequire(import.meta.url).resolve("settlekit/package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
  const entries = Object.entries(exports).filter(([, conditions]) => conditions.import !== undefined);
  const imports = Object.fromEntries(entries.map(([name, conditions]) => [join("settlekit", name), join("/settlekit", conditions.import.default)]));
  const map = JSON.stringify({ imports });
  const html = page.replace(/<!--.*-->/, () => `<script type="importmap">${map}</script>`);
  // The import map is the only inline script; the policy allows its hash.
  const policy = POLICY.replace("'self'", `'self' 'sha256-${createHash("sha256").update(map).digest("base64")}'`);
  const read = (path) => {
    if (path === "/index.html") return html;
    return readFileSync(path.startsWith("/settlekit/") ? join(dirname(manifest), path.slice(11)) : join(here, path));
  };
  await serve(read, policy, check);
});

test("Vite's dev server serves the page without configuration", async () => {
  const server = await viteServer({
    ...vite,
    server: { host: "127.0.0.1", port: 0, proxy: { "/v1": service }, fs: { strict: false } },
  });
  try {
    await server.listen();
    await check(`http://127.0.0.1:${server.httpServer.address().port}`);
  } finally {
    await server.close();
  }
});

test("Vite's build runs under a strict policy, with the wasm of the slim entries as files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "settlekit-vite-"));
  try {
    await viteBuild({ ...vite, build: { outDir: folder, emptyOutDir: true, target: "es2022" } });
    await serve((path) => readFileSync(join(folder, path)), POLICY, check);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
