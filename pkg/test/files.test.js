// A sandbox whose database is in files: restarts, a kill after any write, and files that cannot be used.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Settlekit } from "settlekit";
import { Sandbox, SandboxFilesError } from "settlekit/sandbox";

const DATABASE = "settlekit.db";

/** Files in memory. `log` has every change in order, so that the files can be had as of any of them. */
class MemoryFiles {
  content = new Map();
  log = [];
  /** Thrown instead of each change. */
  failure;

  /** The files after a number of changes. */
  static after(log) {
    const files = new MemoryFiles();
    for (const change of log) files.apply(change);
    return files;
  }

  apply({ name, at, bytes, size, gone }) {
    if (gone) return void this.content.delete(name);
    const old = this.content.get(name) ?? new Uint8Array();
    const length = size ?? Math.max(old.length, at + bytes.length);
    const content = new Uint8Array(length);
    content.set(old.subarray(0, length));
    if (bytes) content.set(bytes, at);
    this.content.set(name, content);
  }

  change(change) {
    if (this.failure) throw this.failure;
    this.log.push(change);
    this.apply(change);
  }

  open(name) {
    if (!this.content.has(name)) this.change({ name, size: 0 });
    return {
      size: () => this.content.get(name).length,
      read: (at, into) => {
        const bytes = this.content.get(name).subarray(at, at + into.length);
        into.set(bytes);
        return bytes.length;
      },
      write: (at, bytes) => this.change({ name, at, bytes: bytes.slice() }),
      truncate: (size) => this.change({ name, size }),
      flush: () => {},
      close: () => {},
    };
  }

  exists(name) {
    return this.content.has(name);
  }

  delete(name) {
    if (this.content.has(name)) this.change({ name, gone: true });
  }
}

const failing = (code) => Object.assign(new Error(`${code}: no`), { code });
const reason = (code) => ({ name: "SandboxFilesError", reason: code });
const linkOf = (client, name) => client.paylinks.create({ amount: "5", currency: "USDC", name });

/** A sandbox in files with an organisation and an account, and a client. */
async function shop(files, settings) {
  const sandbox = await Sandbox.start({ files, ...settings });
  const organisation = sandbox.createOrganisation({ name: "Tea House", inbox: true });
  const client = new Settlekit(sandbox.settings(organisation));
  const [chain] = await client.chains.list();
  await client.accounts.create({ currencies: ["USDC"], reference: "till", type: "CryptoPayIn", chain_id: chain.id });
  return { sandbox, organisation, client };
}

test("a sandbox in files gives the same answers as one in memory", async () => {
  const ids = async (files) => {
    const { organisation, client } = await shop(files);
    return [organisation, (await linkOf(client, "Tea")).id];
  };
  assert.deepEqual(await ids(new MemoryFiles()), await ids(undefined));
});

test("a sandbox continues from its files, with its clock and new ids", async () => {
  const files = new MemoryFiles();
  const { sandbox, organisation, client } = await shop(files);
  const link = await linkOf(client, "Tea");
  const payment = await sandbox.pay(link);
  await sandbox.clock.advance({ hours: 1 });
  const now = sandbox.clock.now();
  sandbox.close();
  assert.ok(!files.exists(`${DATABASE}-wal`), "closed files need no log");

  const again = await Sandbox.start({ files });
  assert.equal(again.clock.now(), now);
  const same = new Settlekit(again.settings(organisation));
  assert.equal((await same.payments.get({ payment_id: payment.payment_id })).status, "Confirmed");
  const second = await linkOf(same, "Tea");
  await again.pay(second);
  assert.equal((await same.payments.list()).total, 2);
  assert.deepEqual(again.verify(), []);
  again.close();

  await assert.rejects(Sandbox.start({ files, now: "2025-12-31T00:00:00Z" }), /time never goes back: it is 2026-01-01T01:00:00.000Z/);
  const third = await Sandbox.start({ files, now: "2026-02-01T00:00:00Z" });
  const links = await new Settlekit(third.settings(organisation)).paylinks.list();
  assert.equal(links.total, 2);
  assert.equal(third.clock.now(), Date.parse("2026-02-01T00:00:00Z"));
});

test("two sandboxes with files of their own do not meet", async () => {
  const [first, second] = await Promise.all([shop(new MemoryFiles()), shop(new MemoryFiles(), { seed: 1 })]);
  await linkOf(first.client, "Tea");
  assert.equal((await first.client.paylinks.list()).total, 1);
  assert.equal((await second.client.paylinks.list()).total, 0);
});

test("a kill after any write loses nothing that was answered and damages nothing", async () => {
  const files = new MemoryFiles();
  const { sandbox, organisation, client } = await shop(files);
  const answered = [];
  for (let number = 0; number < 6; number += 1) {
    const { id } = await linkOf(client, `Tea ${number}`);
    answered.push({ id, changes: files.log.length });
  }
  const paid = await sandbox.pay(answered[0].id);
  await sandbox.clock.advance({ hours: 1 });
  const settled = files.log.length;
  sandbox.close();

  const first = answered[0].changes;
  const all = files.log.length;
  const cuts = new Set([all, settled]);
  // A request changes the files some twenty times: each of these times once, and more as the payment settles and the files close.
  for (let cut = first; cut < answered[2].changes; cut += 1) cuts.add(cut);
  for (let cut = answered[2].changes; cut < all; cut += Math.ceil((all - first) / 40)) cuts.add(cut);
  for (const cut of cuts) {
    const again = await Sandbox.start({ files: MemoryFiles.after(files.log.slice(0, cut)) });
    const same = new Settlekit(again.settings(organisation));
    for (const { id, changes } of answered) {
      if (changes <= cut) assert.equal((await same.paylinks.get({ paylink_id: id })).id, id, `after ${cut} of ${all} changes`);
    }
    if (cut >= settled) assert.equal((await same.payments.get({ payment_id: paid.payment_id })).status, "Confirmed");
    assert.deepEqual(again.verify(), [], `after ${cut} of ${all} changes`);
    await linkOf(same, "after the kill");
    again.close();
  }
});

test("a full disk refuses changes, and the sandbox goes on when there is room", async () => {
  const files = new MemoryFiles();
  const { sandbox, client } = await shop(files);
  const link = await linkOf(client, "Tea");
  files.failure = failing("ENOSPC");
  await assert.rejects(client.paylinks.create({ amount: "5", currency: "USDC", name: "Coffee" }, { maxRetries: 0 }), { status: 503 });
  files.failure = undefined;
  assert.equal((await client.paylinks.get({ paylink_id: link.id })).id, link.id);
  await linkOf(client, "Coffee");
  assert.equal((await client.paylinks.list()).total, 2);
  assert.deepEqual(sandbox.verify(), []);
});

test("files that cannot be used are told apart", async () => {
  const files = new MemoryFiles();
  const { sandbox } = await shop(files);
  sandbox.close();
  const changed = (change) => {
    const copy = MemoryFiles.after(files.log);
    change(copy, copy.content.get(DATABASE));
    return Sandbox.start({ files: copy });
  };
  await assert.rejects(changed((_, bytes) => bytes.fill(7, 0, 4096)), reason("damaged"));
  await assert.rejects(changed((copy, bytes) => copy.content.set(DATABASE, bytes.slice(0, 4096))), reason("damaged"));
  await assert.rejects(changed((copy) => copy.content.set("settlekit.state", new Uint8Array(3))), reason("damaged"));
  await assert.rejects(changed((_, bytes) => {
    // The row id of the schema's version stands four bytes before its name.
    bytes[Buffer.from(bytes.buffer).indexOf("0001_baseline") - 4] = 99;
  }), { ...reason("newer"), message: "the database has version 99, this program knows versions up to 1" });
  for (const [code, word] of [["EBUSY", "locked"], ["EACCES", "read_only"], ["EROFS", "read_only"], ["EIO", "unreachable"]]) {
    await assert.rejects(changed((copy) => (copy.open = () => { throw failing(code); })), reason(word));
  }
  const full = new MemoryFiles();
  full.failure = failing("ENOSPC");
  await assert.rejects(Sandbox.start({ files: full }), reason("full"));
  const broken = new MemoryFiles();
  broken.open = () => ({ size: () => { throw failing("EIO"); }, close: () => {} });
  await assert.rejects(Sandbox.start({ files: broken }), reason("unreachable"));
  const error = await Sandbox.start({ files: broken }).catch((error) => error);
  assert.ok(error instanceof SandboxFilesError && error instanceof Error);
});

test("a sandbox starts from files or from a snapshot, and is not restored over its files", async () => {
  const memory = await Sandbox.start();
  const snapshot = memory.snapshot();
  await assert.rejects(Sandbox.start({ snapshot, files: new MemoryFiles() }), TypeError);
  const { sandbox, organisation } = await shop(new MemoryFiles());
  assert.throws(() => sandbox.restore(snapshot), TypeError);
  const copy = await Sandbox.start({ snapshot: sandbox.snapshot() });
  assert.equal((await new Settlekit(copy.settings(organisation)).organisation.get()).name, "Tea House");
});
