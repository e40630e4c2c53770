// The data folder: restarts, folders and files that cannot be used, and a full disk.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { Failure } from "../dist/commands/failure.js";
import { FolderFiles } from "../dist/serve/folder-files.js";
import { releaseLock, takeLock } from "../dist/serve/lock.js";
import { LocalService } from "../dist/serve/service.js";
import { folder, session, until } from "./serve-local.mjs";

const link = { amount: "5", currency: "USDC", name: "Tea" };
const failure = (pattern) => (error) => {
  assert.ok(error instanceof Failure, error.stack);
  assert.match(error.message, pattern);
  return true;
};

/** Writes at a place of a file. */
function patch(file, at, bytes) {
  const content = readFileSync(file);
  bytes.copy(content, at < 0 ? content.indexOf("0001_baseline") + at : at);
  writeFileSync(file, content);
}

test("a restart continues with the same credentials, records and clock", async (t) => {
  const first = await session(t, { options: ["--now", "2031-05-01T00:00:00Z"] });
  const { id, created_at } = (await first.call("POST", "/v1/paylinks", link)).body.data;
  assert.match(created_at, /^2031-05-01T00:0/);
  await first.merchant.advance(24);
  await first.stop();
  assert.ok(!existsSync(join(first.data, "settlekit.db-wal")), "a clean end leaves no log");

  const { data } = first;
  const again = await session(t, { data });
  assert.deepEqual({ ...again.credentials, url: "", has_member: true }, { ...first.credentials, url: "", has_member: true });
  assert.equal((await again.call("GET", `/v1/paylinks/${id}`)).body.data.id, id);
  const made = (await again.call("POST", "/v1/paylinks", link)).body.data;
  assert.notEqual(made.id, id);
  assert.match(made.created_at, /^2031-05-02T00:0/, "as the clock and its advance were");
  assert.deepEqual(again.service.verify(), []);
  await again.stop();

  await assert.rejects(session(t, { data, options: ["--now", "2031-04-30T00:00:00Z"] }), failure(/^--now cannot go back: the data is of 2031-05-01T.*--fresh/));
  const later = await session(t, { data, options: ["--now", "2032-01-01"] });
  assert.equal((await later.call("GET", "/v1/paylinks")).body.data.total, 3);
});

test("--fresh deletes the data, and a used port does not", async (t) => {
  const { data, url, credentials, stop } = await session(t);
  const { port } = new URL(url);
  const other = join(folder(t), "other");
  await assert.rejects(session(t, { data: other, options: ["--fresh", "--port", port] }), failure(new RegExp(`^Port ${port} is in use by another program: choose another with --port`)));
  await stop();
  const fresh = await session(t, { data, options: ["--fresh"] });
  assert.notEqual(fresh.credentials.api_key, credentials.api_key);
  assert.equal((await fresh.call("GET", "/v1/paylinks")).body.data.total, 1);
});

test("a seed gives the same ids, and other ones after a restart", async (t) => {
  const options = ["--seed", "7", "--now", "2030-01-01"];
  const [one, two] = [await session(t, { options }), await session(t, { options })];
  const keys = ({ credentials }) => [credentials.api_key, credentials.signing_secret, credentials.password];
  assert.deepEqual(keys(one), keys(two));
  await one.stop();
  const again = await session(t, { data: one.data, options: ["--seed", "7"] });
  for (let number = 0; number < 5; number += 1) assert.equal((await again.call("POST", "/v1/paylinks", link)).status, 201);
});

test("a folder is used by one process at a time, and a killed one holds nothing", async (t) => {
  const { data, url, stop } = await session(t);
  await assert.rejects(session(t, { data }), failure(new RegExp(`is in use: process ${process.pid} serves it at ${url}\\.`)));
  // Credentials of a folder from elsewhere.
  const credentials = readFileSync(join(data, "credentials.json"));
  writeFileSync(join(data, "credentials.json"), JSON.stringify({ url: "http://\u001b[31m" }));
  await assert.rejects(session(t, { data }), failure(/serves it at http:\/\/\\u001b\[31m\./));
  writeFileSync(join(data, "credentials.json"), credentials);
  await stop();
  // The process with this number has ended, or is another one.
  writeFileSync(join(data, "lock"), "4194303 1\n");
  await (await session(t, { data })).stop();
  writeFileSync(join(data, "lock"), `${process.pid} 1\n`);
  await (await session(t, { data })).stop();
  writeFileSync(join(data, "lock"), "");
  await (await session(t, { data })).stop();
  assert.ok(!existsSync(join(data, "lock")));
  // Systems that do not tell the start of a process: it may be any program.
  writeFileSync(join(data, "lock"), `${process.ppid}\n`);
  await assert.rejects(session(t, { data }), failure(new RegExp(`If process ${process.ppid} is another program, delete .*lock\\.$`)));
});

test("of many that take a lock, one gets it", (t) => {
  const path = join(folder(t), "lock");
  assert.equal(takeLock(path), undefined);
  assert.equal(takeLock(path).pid, process.pid);
  releaseLock(path);
  assert.equal(takeLock(path), undefined);
});

test("of several processes that find the lock of an ended one, one takes it", async (t) => {
  const module = new URL("../dist/serve/lock.js", import.meta.url).href;
  for (let round = 0; round < 3; round += 1) {
    const path = join(folder(t), "lock");
    writeFileSync(path, "4194303 1\n");
    const script = `
      const { takeLock } = await import(${JSON.stringify(module)});
      console.log(takeLock(${JSON.stringify(path)}) === undefined ? "taken" : "refused");
      process.stdin.resume();`;
    // They live until all have answered.
    const children = Array.from({ length: 6 }, () => spawn(process.execPath, ["--input-type=module", "--eval", script]));
    t.after(() => children.forEach((child) => child.kill("SIGKILL")));
    const answers = await Promise.all(children.map(async ({ stdout }) => String((await once(stdout, "data"))[0]).trim()));
    assert.deepEqual(answers.sort(), [...Array(5).fill("refused"), "taken"]);
    assert.deepEqual(readdirSync(join(path, "..")), ["lock"]);
    for (const child of children) child.kill("SIGKILL");
  }
});

test("a damaged database and one of a later version are told in a sentence", async (t) => {
  const { data, stop } = await session(t);
  await stop();
  const file = join(data, "settlekit.db");
  const good = readFileSync(file);
  for (const [change, pattern] of [
    [() => patch(file, 0, Buffer.alloc(4096, 7)), /^The data in .* is damaged \(.*\)\. .*--fresh/],
    [() => writeFileSync(file, good.subarray(0, 4096)), /is damaged/],
    [() => patch(file, -4, Buffer.from([99])), /^The data in .* was written by a later version \(.*version 99.*\)\. Start it with npx settlekit-dev@latest; --fresh/],
    [() => writeFileSync(join(data, "settlekit.state"), "x"), /is damaged/],
    [() => writeFileSync(join(data, "credentials.json"), "{"), /credentials\.json is damaged: --fresh/],
  ]) {
    const state = readFileSync(join(data, "settlekit.state"));
    const credentials = readFileSync(join(data, "credentials.json"));
    change();
    await assert.rejects(session(t, { data }), failure(pattern));
    writeFileSync(file, good);
    writeFileSync(join(data, "settlekit.state"), state);
    writeFileSync(join(data, "credentials.json"), credentials);
  }
  const again = await session(t, { data });
  assert.deepEqual(again.service.verify(), []);
});

test("a path that is a file is told in a sentence", async (t) => {
  const parent = folder(t);
  writeFileSync(join(parent, "file"), "");
  await assert.rejects(session(t, { data: join(parent, "file") }), failure(/file is a file: choose a folder with --data\./));
  await assert.rejects(session(t, { data: join(parent, "file/data") }), failure(/cannot be a folder: a part of its path is a file\./));
});

test("a folder with files of other programs is refused, and keeps them", async (t) => {
  for (const options of [[], ["--fresh"]]) {
    for (const name of ["settlekit.db", "credentials.json", "package.json"]) {
      const data = folder(t);
      writeFileSync(join(data, name), "of another program");
      writeFileSync(join(data, ".gitignore"), "node_modules\n");
      await assert.rejects(session(t, { data, options }), failure(new RegExp(`has files of other programs \\(${name}\\): choose an empty folder with --data\\.$`)));
      assert.equal(readFileSync(join(data, name), "utf8"), "of another program");
      assert.equal(readFileSync(join(data, ".gitignore"), "utf8"), "node_modules\n");
      assert.deepEqual(readdirSync(data).sort(), [".gitignore", name]);
    }
  }
});

test("links in a folder lead to no file that is written", async (t) => {
  const [parent, data] = [folder(t), folder(t)];
  const target = join(parent, "target");
  writeFileSync(target, "of another program");
  writeFileSync(join(data, "clock.json"), "{}");
  for (const name of [".gitignore", "clock.json.new", "credentials.json.new", `lock.${process.pid}`]) symlinkSync(target, join(data, name));
  await (await session(t, { data })).stop();
  symlinkSync(target, join(data, "settlekit.db-wal"));
  assert.throws(() => new FolderFiles(data).open("settlekit.db-wal"), { code: "ELOOP" });
  await assert.rejects(session(t, { data }), failure(/^The data in /));
  assert.equal(readFileSync(target, "utf8"), "of another program");
});

test("a key that the data does not take is told in a sentence", async (t) => {
  const { data, stop, credentials } = await session(t);
  await stop();
  const sentence = failure(/^The API key in .*credentials\.json is revoked, or the data is other data\. .*--fresh/);
  const file = join(data, "credentials.json");
  const stored = readFileSync(file);
  writeFileSync(file, JSON.stringify({ ...credentials, api_key: `${credentials.api_key.slice(0, -4)}none` }));
  await assert.rejects(session(t, { data }), sentence);
  writeFileSync(file, stored);
  // As after a disk that lost the content of a file.
  writeFileSync(join(data, "settlekit.db"), "");
  await assert.rejects(session(t, { data }), sentence);
  assert.ok(!existsSync(join(data, "lock")));
});

test("lost credentials cost no data", async (t) => {
  const { data, stop, call } = await session(t);
  await call("POST", "/v1/paylinks", link);
  await stop();
  rmSync(join(data, "credentials.json"));
  const again = await session(t, { data });
  assert.match(again.credentials.email, /^dev-[0-9a-f]{6}@settlekit\.test$/);
  assert.equal((await again.call("GET", "/v1/paylinks")).status, 200);
});

/** Files whose disk can be full. */
function limited(t) {
  const disk = { isFull: false };
  disk.files = (path, watcher) => {
    const files = new FolderFiles(path, watcher);
    const full = () => {
      const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      watcher(error);
      throw error;
    };
    return {
      open: (name) => {
        const file = files.open(name);
        const write = (at, bytes) => (disk.isFull && !name.endsWith(".state") ? full() : file.write(at, bytes));
        return { ...file, write };
      },
      exists: (name) => files.exists(name),
      delete: (name) => files.delete(name),
    };
  };
  return disk;
}

test("a full disk refuses changes and crashes nothing, and the service goes on when there is room", async (t) => {
  const disk = limited(t);
  const { call, told, url, service, merchant, data, stop } = await session(t, { files: disk.files });
  const before = (await call("POST", "/v1/paylinks", link)).body.data;
  disk.isFull = true;
  const refused = await call("POST", "/v1/paylinks", link);
  assert.equal(refused.status, 503);
  assert.equal(refused.body.error.errors[0].reason, "UNAVAILABLE");
  assert.equal((await fetch(url)).status, 200, "pages need no disk");
  await assert.rejects(merchant.advance(1));
  assert.ok(told.failed.some((line) => /is full: changes are refused with status 503 until there is room\.$/.test(line)), told.failed.join());
  disk.isFull = false;
  const after = (await call("POST", "/v1/paylinks", link)).body.data;
  assert.deepEqual((await call("GET", "/v1/paylinks")).body.data.items.slice(0, 2).map(({ id }) => id), [after.id, before.id]);
  await merchant.pay();
  await merchant.advance(1);
  await until(async () => (await call("GET", "/v1/payments")).body.data.items[0].status === "Confirmed", "the payment");
  assert.deepEqual(service.verify(), []);
  await stop();
  assert.deepEqual((await session(t, { data })).service.verify(), []);
});

test("a trap of the service ends the session, whichever caller caused it", async (t) => {
  const trap = new WebAssembly.RuntimeError("unreachable");
  const crashes = [];
  const broken = new LocalService({ replay: () => assert.fail(trap) }, () => 0, () => "00".repeat(32));
  broken.on("crashed", (error) => crashes.push(error));
  await assert.rejects(broken.fetch("http://sandbox.test/v1/chains"), trap);
  assert.deepEqual(crashes, [trap]);
  const { service, crashed, told } = await session(t);
  service.emit("crashed", trap);
  await crashed;
  assert.deepEqual(told.failed, ["The service failed: unreachable"]);
});

test("a disk that is full at the start is told in a sentence, and leaves nothing running", async (t) => {
  const disk = limited(t);
  disk.isFull = true;
  const data = join(folder(t), "data");
  await assert.rejects(session(t, { data, files: disk.files }), failure(/^The disk with .* is full: make room/));
  assert.ok(!existsSync(join(data, "lock")));
  disk.isFull = false;
  await session(t, { data, files: disk.files });
});

test("files keep what is written, and say how often they fail", (t) => {
  const path = folder(t);
  const seen = [];
  const files = new FolderFiles(path, (error) => seen.push(error?.code));
  const file = files.open("a");
  file.write(3, Buffer.from("def"));
  file.write(0, Buffer.from("abc"));
  const into = new Uint8Array(8);
  assert.equal(file.read(1, into), 5);
  assert.equal(Buffer.from(into.subarray(0, 5)).toString(), "bcdef");
  assert.equal(file.read(100, into), 0);
  file.truncate(2);
  assert.equal(file.size(), 2);
  file.flush();
  file.close();
  assert.ok(files.exists("a"));
  files.delete("a");
  files.delete("a");
  assert.ok(!files.exists("a"));
  mkdirSync(join(path, "b"));
  assert.throws(() => files.open("b"), { code: "EISDIR" });
  assert.deepEqual(seen, ["EISDIR"]);
});
