// The program as a process: its start, its end, its keys, and a kill at any moment.

import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";

import { folder, printed, program, receiver, session, until } from "./serve-local.mjs";

/** Kills of the long run; `SETTLEKIT_KILLS=200` for more. */
const KILLS = Number(process.env.SETTLEKIT_KILLS ?? 10);
const START_MS = 1_000;
/** Ticks of the clock in /proc: 100 a second on all systems that Node runs on. */
const TICK_MS = 10;

const NOBODY = 65_534;

/** Time that the main thread of a process has worked, in milliseconds. */
function worked(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** The address of a start, once it answers. */
async function answering({ output, says }) {
  await says("Data ");
  return printed(output(), "Dashboard");
}

const credentialsOf = (cwd) => JSON.parse(readFileSync(join(cwd, ".settlekit/credentials.json"), "utf8"));

test("the first answer comes within a second of the start, also of the first one", async (t) => {
  const cwd = folder(t);
  const times = [];
  for (const start of ["first", "second", "third"]) {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    const since = performance.now();
    const local = program(t, ["--port", String(port)], { cwd });
    const answered = await until(() => fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) => status, () => false), `an answer: ${local.errors()}`);
    assert.equal(answered, 200);
    times.push([start, Math.round(performance.now() - since), worked(local.child.pid)]);
    local.child.kill("SIGTERM");
    assert.equal(await local.ended, 0);
  }
  t.diagnostic(times.map(([start, passed, worked]) => `${start}: ${passed} ms, of which ${worked} ms work`).join(", "));
  // The machine may do other things meanwhile: the work of the start counts.
  assert.ok(times.every(([, , worked]) => worked < START_MS), times.join(" "));
});

test("a start prints what a person needs, the same each time, without colours in a pipe", async (t) => {
  const cwd = folder(t);
  const labels = ["Sign-in", "API key", "Signing secret", "Webhook key", "Payment link"];
  const starts = [];
  for (let start = 0; start < 2; start += 1) {
    const local = program(t, ["--port", "0"], { cwd });
    const url = await answering(local);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.ok(!local.output().includes("\u001b"));
    starts.push(labels.map((label) => printed(local.output(), label).replace(/:\d+/, "")));
    local.child.kill("SIGINT");
    assert.equal(await local.ended, 0);
    assert.equal(local.errors(), "");
  }
  assert.deepEqual(starts[0], starts[1]);
  assert.ok(starts[0].every((value) => value.length > 10));
  assert.ok(!existsSync(join(cwd, ".settlekit/lock")));
});

test("a used port, a used folder and wrong usage end the program with a sentence and a code", async (t) => {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address();
  const taken = program(t, ["--port", String(port)]);
  assert.equal(await taken.ended, 1);
  assert.equal(taken.errors(), `Port ${port} is in use by another program: choose another with --port, or --port 0 for a free one.\n`);
  assert.equal(taken.output(), "");
  const wrong = program(t, ["--prot", "1"]);
  assert.equal(await wrong.ended, 2);
  assert.match(wrong.errors(), /^--prot is not an option/);
  const cwd = folder(t);
  const first = program(t, ["--port", "0"], { cwd });
  await answering(first);
  const second = program(t, ["--port", "0"], { cwd });
  assert.equal(await second.ended, 1);
  assert.match(second.errors(), new RegExp(`^\\.settlekit is in use: process ${first.child.pid} serves it at http://`));
});

test("a folder without permission to write ends the program with a sentence", async (t) => {
  const cwd = folder(t);
  chmodSync(cwd, 0o555);
  // Root may write everywhere, so another user runs it.
  const user = process.getuid() === 0 ? NOBODY : undefined;
  const local = program(t, ["--port", "0"], { cwd, user });
  assert.equal(await local.ended, 1);
  assert.equal(local.errors(), ".settlekit cannot be written: no permission. Choose another folder with --data.\n");
});

test("a kill at any moment loses nothing that was answered, and the books balance", async (t) => {
  const cwd = folder(t);
  const answered = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const local = program(t, ["--port", "0"], { cwd });
    const url = await answering(local);
    const { api_key } = credentialsOf(cwd);
    const headers = { "x-api-key": api_key, "content-type": "application/json" };
    let isKilled = false;
    // Some kills come in the first writes after a start, some among many, at a random time within one.
    const wanted = answered.length + 4 * (kill % 5);
    const killed = until(() => answered.length >= wanted, "an answer").then(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      isKilled = true;
      local.child.kill("SIGKILL");
    });
    const write = async (worker) => {
      for (let number = 0; !isKilled; number += 1) {
        try {
          const body = JSON.stringify({ amount: "5", currency: "USDC", name: `Tea ${kill}.${worker}.${number}` });
          const response = await fetch(`${url}/v1/paylinks`, { method: "POST", headers, body });
          const { data } = await response.json();
          assert.equal(response.status, 201);
          answered.push(data.id);
        } catch (error) {
          if (!isKilled) throw error;
        }
      }
    };
    await Promise.all([write(0), write(1), killed]);
    assert.equal(await local.ended, "SIGKILL");
    assert.ok(existsSync(join(cwd, ".settlekit/lock")), "it was killed");
  }
  t.diagnostic(`${answered.length} answers before ${KILLS} kills`);
  assert.ok(answered.length > KILLS);
  const { service, call, credentials } = await session(t, { data: join(cwd, ".settlekit") });
  const missing = [];
  for (const id of answered) if ((await call("GET", `/v1/paylinks/${id}`)).status !== 200) missing.push(id);
  assert.deepEqual(missing, []);
  assert.deepEqual(service.verify(), []);
  assert.equal(new Set(answered).size, answered.length);
  assert.ok(credentials.api_key);
});

test("a kill during the first start leaves a folder that starts", async (t) => {
  for (const milliseconds of [50, 150, 250, 350, 450, 600]) {
    const cwd = folder(t);
    const local = program(t, ["--port", "0"], { cwd });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    local.child.kill("SIGKILL");
    await local.ended;
    const { credentials, url, service } = await session(t, { data: join(cwd, ".settlekit") });
    const body = JSON.stringify({ email: credentials.email, password: credentials.password });
    const signedIn = await fetch(`${url}/v1/sessions`, { method: "POST", headers: { "content-type": "application/json" }, body });
    assert.equal(signedIn.status, 201, `after ${milliseconds} ms`);
    assert.deepEqual(service.verify(), []);
  }
});

test("the keys of a terminal pay, deposit, advance, retry, help and end", async (t) => {
  const hook = await receiver(t);
  const local = program(t, ["--port", "0", "--forward-to", hook.url], { terminal: true });
  await local.says("q end");
  assert.ok(local.output().includes("\u001b[1mSettlekit"), "colours in a terminal");
  const press = (key) => local.child.stdin.write(key);
  press("p");
  await local.says(/Somebody pays 5(\.0+)? USDC for Coffee/);
  press("d");
  await local.says("A deposit of 25 USDC to Main account");
  press("c");
  await local.says("The service's clock is 1 h ahead");
  press("C");
  await local.says("The service's clock is 1 d 1 h ahead");
  await local.says(/payment\.settled +\u001b\[32m200/);
  press("r");
  await local.says(/sent again|No webhook is undelivered/);
  press("?");
  await local.says(/\n {2}C {2}clock \+1 day/);
  press("x");
  press("q");
  assert.equal(await local.ended, 0);
});

test("Ctrl-C ends a terminal's program, and NO_COLOR takes its colours", async (t) => {
  const local = program(t, ["--port", "0"], { terminal: true, env: { NO_COLOR: "1" } });
  await local.says("q end");
  assert.ok(!local.output().includes("\u001b["));
  local.child.stdin.write("\u0003");
  assert.equal(await local.ended, 0);
});
