import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { connectionOf } from "../dist/commands/connection.js";
import { CONNECTION, parseOptions } from "../dist/commands/options.js";
import { folder, run, service, until } from "./commands-support.js";

const mode = (path) => (statSync(path).mode & 0o777).toString(8);
const connect = (args, env, err = () => undefined) => connectionOf(parseOptions(args, CONNECTION), { env: { HOME: "/nonexistent", ...env }, err });

/** A configuration folder with one profile. */
function configured(t, profiles, permissions = 0o600) {
  const home = folder(t);
  mkdirSync(join(home, "settlekit"), { mode: 0o700 });
  const file = join(home, "settlekit", "config.json");
  writeFileSync(file, JSON.stringify({ profiles }), { mode: permissions });
  chmodSync(file, permissions);
  return { env: { XDG_CONFIG_HOME: home }, file };
}

test("login keeps address and key for later commands, readable by the user only", async (t) => {
  const { url, shop, stop } = await service();
  t.after(stop);
  const home = folder(t);
  const env = { XDG_CONFIG_HOME: home };
  const made = await run(["login"], { env, input: `${url}\n${shop.apiKey}\n${shop.signingSecret}\n` });
  assert.equal(made.err, "");
  assert.match(made.out, /^Signed in to Shop \(org_\w+\) at http/);
  assert.ok(!made.out.includes(shop.apiKey));
  const file = join(home, "settlekit", "config.json");
  assert.equal(mode(file), "600");
  assert.equal(mode(join(home, "settlekit")), "700");
  const status = await run(["status"], { env });
  const shown = status.json();
  assert.equal(shown.organisation, "Shop");
  assert.equal(shown.mode, "sandbox");
  assert.equal(shown.has_signing_secret, true);
  assert.deepEqual(shown.scopes, ["read", "write", "payout", "manage"]);
  assert.ok(!status.out.includes(shop.apiKey) && !status.out.includes(shop.signingSecret));

  // Another profile beside it, by options.
  assert.equal((await run(["login", "--profile", "second", "--url", url, "--api-key", shop.apiKey], { env, input: "\n" })).code, 0);
  const { profiles } = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual(Object.keys(profiles), ["default", "second"]);
  assert.equal(profiles.second.signing_secret, undefined);
  assert.equal((await run(["status", "--profile", "second"], { env })).json().has_signing_secret, false);

  assert.match((await run(["logout"], { env })).out, /^Forgot the key for http/);
  assert.match((await run(["logout"], { env })).out, /^There is no profile default\.$/);
  assert.equal((await run(["logout", "--profile", "second"], { env })).code, 0);
  assert.ok(!existsSync(file));
});

test("login in a terminal asks, and shows no secret", { skip: spawnSync("script", ["--version"]).status !== 0 && "script of util-linux is not installed" }, async (t) => {
  const { url, shop, stop } = await service();
  t.after(stop);
  const home = folder(t);
  const program = fileURLToPath(new URL("../bin/settlekit.js", import.meta.url));
  const terminal = spawn("script", ["-qec", `${process.execPath} ${program} login`, "/dev/null"], { env: { PATH: process.env.PATH, HOME: home, TERM: "xterm" } });
  let screen = "";
  terminal.stdout.on("data", (chunk) => (screen += chunk));
  for (const [question, answer] of [["Address of the service: ", url], ["API key: ", shop.apiKey], ["Signing secret (empty for none): ", shop.signingSecret]]) {
    await until(() => screen.includes(question), question);
    terminal.stdin.write(`${answer}\r`);
  }
  await until(() => screen.includes("Signed in to Shop"), "it is signed in");
  assert.ok(screen.includes(url));
  assert.ok(!screen.includes(shop.apiKey) && !screen.includes(shop.signingSecret));
  assert.equal(mode(join(home, ".config", "settlekit", "config.json")), "600");
  terminal.stdin.end();
});

test("login keeps nothing that the service refuses", async (t) => {
  const { url, stop } = await service();
  t.after(stop);
  const env = { XDG_CONFIG_HOME: folder(t) };
  const refused = await run(["login"], { env, input: `${url}\nsk_wrong\n\n` });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /KEY_INVALID/);
  const malformed = await run(["login", "--url", "pay.example"], { env, input: "sk\n\n" });
  assert.match(malformed.err, /"pay.example" is not an address/);
  const keyless = await run(["login", "--url", url], { env, input: "\n\n" });
  assert.match(keyless.err, /^An API key is needed/);
  assert.ok(!existsSync(join(env.XDG_CONFIG_HOME, "settlekit")));
});

test("a configuration that others can read is refused", async (t) => {
  const { env, file } = configured(t, { default: { url: "http://127.0.0.1:1", api_key: "sk" } }, 0o644);
  for (const command of [["status"], ["login"], ["logout"], ["paylinks", "list"]]) {
    const refused = await run(command, { env });
    assert.equal(refused.code, 1, command.join(" "));
    assert.equal(refused.err, `Other users can read ${file} (mode 0644), which holds secrets. Run: chmod 600 ${file}`);
  }
  // Options that name everything need no file.
  assert.equal(connect(["--url", "http://a", "--api-key", "k"], env).apiKey, "k");
});

test("options win over the environment, and that over the configuration", (t) => {
  const { env } = configured(t, { default: { url: "http://file", api_key: "file", signing_secret: "secret" }, other: { url: "http://other", api_key: "other" } });
  const environment = { ...env, SETTLEKIT_URL: "http://env", SETTLEKIT_API_KEY: "env", SETTLEKIT_SIGNING_SECRET: "env-secret" };
  const { source, ...file } = connect([], env);
  assert.deepEqual(file, { url: "http://file", apiKey: "file", signingSecret: "secret" });
  assert.match(source, /config\.json$/);
  assert.deepEqual(connect([], environment), { url: "http://env", apiKey: "env", signingSecret: "env-secret", source: "the environment" });
  assert.deepEqual(connect(["--profile", "other"], environment), { url: "http://other", apiKey: "other", source: "the profile other" });
  assert.deepEqual(connect(["--url", "http://x", "--api-key", "x", "--signing-secret", "s"], environment), { url: "http://x", apiKey: "x", signingSecret: "s", source: "options" });
  assert.throws(() => connect(["--profile", "none"], env), /There is no profile none/);
});

test("the key of one service is never sent to another", (t) => {
  const { env } = configured(t, { default: { url: "http://file/v1", api_key: "file", signing_secret: "secret" } });
  assert.throws(() => connect(["--url", "http://stranger"], env), /belongs to http:\/\/file\/v1: give the key for http:\/\/stranger with --api-key/);
  assert.throws(() => connect(["--url", "http://stranger"], { SETTLEKIT_URL: "http://env", SETTLEKIT_API_KEY: "env" }), /belongs to http:\/\/env/);
  assert.equal(connect(["--url", "http://file/"], env).apiKey, "file");
  // Nor the secret beside it.
  assert.equal(connect(["--url", "http://stranger", "--api-key", "own"], env).signingSecret, undefined);
  assert.equal(connect(["--api-key", "own"], env).signingSecret, undefined);
});

test("without anything set, the settlekit-dev of the folder is used, and only on this machine", async (t) => {
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(folder(t));
  assert.throws(() => connect([], {}), /No service is known: run `settlekit login`/);
  assert.throws(() => connect([], { SETTLEKIT_API_KEY: "k" }), /^Error: SETTLEKIT_API_KEY is set, but no address: set SETTLEKIT_URL, or give --url\.$/);
  mkdirSync(".settlekit");
  const file = join(".settlekit", "credentials.json");
  const write = (credentials, permissions = 0o600) => {
    writeFileSync(file, JSON.stringify(credentials));
    chmodSync(file, permissions);
  };
  write({ url: "http://127.0.0.1:8080", api_key: "k", signing_secret: "s" });
  const lines = [];
  assert.deepEqual(connect([], {}, (line) => lines.push(line)), { url: "http://127.0.0.1:8080", apiKey: "k", signingSecret: "s", source: file });
  assert.deepEqual(lines, [`Using settlekit-dev at http://127.0.0.1:8080 (${file}).`]);
  write({ url: "http://127.0.0.1:8080", api_key: "k" }, 0o640);
  assert.throws(() => connect([], {}), /Other users can read/);
  write({ url: "https://attacker.example", api_key: "k" });
  assert.throws(() => connect([], {}), /does not name a settlekit-dev on this machine/);
});

test("a service that is down, and a wrong key, are said in a sentence", async (t) => {
  const { url, stop } = await service();
  const wrong = await run(["paylinks", "list"], { env: { SETTLEKIT_URL: url, SETTLEKIT_API_KEY: "sk_wrong" } });
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /^the API key is unknown, revoked or expired \(KEY_INVALID\)\nRun `settlekit login`, or set SETTLEKIT_API_KEY\./);
  await stop();
  const down = await run(["organisation", "update", "--name", "x"], { env: { SETTLEKIT_URL: url, SETTLEKIT_API_KEY: "sk" } });
  assert.equal(down.code, 1);
  assert.match(down.err, /^cannot reach http:\/\/127\.0\.0\.1:\d+\/v1\/orgs: connect ECONNREFUSED/);
});
