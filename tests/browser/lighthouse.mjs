// Lighthouse audits of the first pages, in a separate Chromium, with or without a session.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse, { desktopConfig } from "lighthouse";
import { chromium as engine } from "playwright-core";
import { FLAGS } from "./browser.mjs";
import * as merchant from "./merchant.mjs";
import { Dashboard } from "./pages/dashboard.mjs";
import { chromium, email, password, url } from "./settings.mjs";

/** Audited pages: the dashboard on a desktop, the payer's page on a phone. */
export const SIGHTS = {
  "sign-in": { path: () => "/", at: "desk" },
  overview: { path: () => "/", at: "desk", signedIn: true },
  "payer's page": { path: async () => `/pay/${(await merchant.paylink()).id}`, at: "telephone" },
};

const port = () =>
  new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** Lighthouse's error when it recorded no frames; it must be rerun. */
const NOTHING_RECORDED = "NO_NAVSTART";

/** Lighthouse's result for a page, in these categories. */
export async function judge(sight, categories) {
  const { path, at, signedIn } = SIGHTS[sight];
  return judgeUrl(url + (await path()), categories, { at, signedIn });
}

/** Lighthouse's result for any address, by default on a desktop and without a session. */
export async function judgeUrl(address, categories, { at = "desk", signedIn = false } = {}) {
  const first = await run(address, categories, { at, signedIn });
  const lhr = first.runtimeError?.code === NOTHING_RECORDED ? await run(address, categories, { at, signedIn }) : first;
  if (lhr.runtimeError) throw new Error(`Lighthouse on ${address}: ${lhr.runtimeError.message}`);
  return lhr;
}

async function run(address, categories, { at, signedIn }) {
  const profile = mkdtempSync(join(tmpdir(), "settlekit-lighthouse-"));
  const free = await port();
  const context = await engine.launchPersistentContext(profile, { executablePath: chromium, args: [...FLAGS, `--remote-debugging-port=${free}`] });
  try {
    if (signedIn) {
      const page = await context.newPage();
      const dashboard = new Dashboard(page);
      await page.goto(url);
      await dashboard.signIn(email, password);
      await dashboard.navigation.waitFor();
      await page.close();
    }
    const options = { port: free, output: "json", logLevel: "error", onlyCategories: categories, disableStorageReset: true };
    return (await lighthouse(address, options, at === "desk" ? desktopConfig : undefined)).lhr;
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** The failed audits of a category, one per line. */
export function lost(lhr, category) {
  return lhr.categories[category].auditRefs
    .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
    .map(({ id }) => `${id}: ${lhr.audits[id].title} ${JSON.stringify(lhr.audits[id].details?.items?.slice(0, 3) ?? "")}`);
}
