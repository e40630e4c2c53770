// Signs in once per run; all spec files start with this session.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before } from "node:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIGNED_OUT, open, visit } from "./browser.mjs";
import * as merchant from "./merchant.mjs";
import { BOX, Dashboard } from "./pages/dashboard.mjs";
import { database, email, password, program, url } from "./settings.mjs";

// One per server: another server's session is invalid here.
const kept = join(tmpdir(), `settlekit-session-${new URL(url).port}-${process.ppid}.json`);

export async function signedIn(browser) {
  const before = read();
  if (before) return before;
  const storageState = await signedInAs(browser, email, password);
  writeFileSync(kept, JSON.stringify(storageState), { mode: 0o600 });
  return storageState;
}

/** A session of another member. */
export async function signedInAs(browser, who, secret) {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Dashboard(page);
  await page.goto(url);
  await dashboard.signIn(who, secret);
  await dashboard.navigation.waitFor();
  const storageState = await page.context().storageState();
  // The stored activity time is updated, so that the session lock stays open.
  for (const origin of storageState.origins) origin.localStorage = origin.localStorage.filter(({ name }) => name !== "settlekit.active");
  await done();
  return storageState;
}

/** Adds a member to the demo organisation and signs in; `words` are options of `settlekit member add`. */
export async function memberSignedIn(browser, name, secret, words = []) {
  const { id: org } = await merchant.call("GET", "/orgs");
  const who = `${name.toLowerCase()}-${Date.now()}@shop.example`;
  const member = ["member", "add", "--database", `sqlite:${database}`, "--org", org, "--email", who, "--name", name, "--password-stdin"];
  execFileSync(program, [...member, ...words], { input: `${secret}\n` });
  return { who, storageState: await signedInAs(browser, who, secret) };
}

/**
 * A browser with a session for a spec file, and functions that open pages. `called` is the name of the page object in the
 * result.
 */
export function visitors(called, Page) {
  const made = {};
  before(async () => {
    made.browser = await open();
    made.storageState = await signedIn(made.browser);
  });
  after(() => made.browser.close());
  return async ({ look = "light", ...options } = {}) => {
    const { page, done } = await visit(made.browser, look, { storageState: made.storageState, ...options });
    return { page, done, box: page.locator(BOX), [called]: new Page(page) };
  };
}

/** A browser, a session and a webhook receiver with this response status, for a spec file. */
export function withReceiver(status) {
  const made = {};
  before(async () => {
    made.browser = await open();
    made.storageState = await signedIn(made.browser);
    made.receiver = await merchant.receiver(status);
  });
  after(async () => {
    await merchant.call("PUT", "/orgs", { webhook_url: "" });
    await made.receiver.close();
    await made.browser.close();
  });
  return made;
}

function read() {
  try {
    return JSON.parse(readFileSync(kept, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
