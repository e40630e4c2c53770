import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { run, service } from "./commands-support.js";

let shop;
before(async () => {
  shop = await service();
});
after(() => shop.stop());

const settlekit = (args, options = {}) => run(args, { env: shop.env, ...options });

test("a link is created, listed and read, and the answer is JSON when piped", async () => {
  const account = await settlekit(["accounts", "create-virtual-account", "--reference", "till", "--chains", '{"chain_id":137,"currencies":["USDC"]}']);
  assert.equal(account.err, "");
  assert.equal(account.json().reference, "till");
  const made = await settlekit(["paylinks", "create", "--name", "Coffee", "--amount", "12.50", "--currency", "USDC", "--metadata.order", "7"]);
  assert.equal(made.code, 0);
  const { id, plan } = made.json();
  assert.equal(plan.price, "12.50");
  assert.deepEqual(plan.metadata, { order: "7" });
  const listed = (await settlekit(["paylinks", "list", "--limit", "1"])).json();
  assert.deepEqual([listed.items[0].id, listed.total], [id, 1]);
  assert.equal((await settlekit(["paylinks", "get", id])).json().id, id);
  // The names of the npm client, too.
  assert.equal((await settlekit(["accounts", "listBalances", "till"])).code, 0);
  assert.equal((await settlekit(["paylinks", "delete", id])).code, 0);
});

test("a terminal shows a table of a list and the fields of a record", async () => {
  const list = await settlekit(["events", "list", "--limit", "2"], { isTty: true });
  const [head, first, second] = list.out.split("\n");
  assert.match(head, /^id +event_id +display_id +type +action /);
  assert.equal(first.indexOf("EV-"), second.indexOf("EV-"));
  assert.match(list.err, /^2 of \d+; the next page: --page 2, all pages: --all$/);
  const { id } = (await settlekit(["events", "list", "--limit", "1"])).json().items[0];
  const one = await settlekit(["events", "show", id], { isTty: true });
  assert.match(one.out, new RegExp(`^id +${id}$`, "m"));
  const columns = await settlekit(["events", "list", "--limit", "1", "--columns", "action,data.id", "--output", "table"]);
  assert.match(columns.out, /^action +data\.id\n\w+ +\w+$/);
  const empty = await settlekit(["payouts", "list"], { isTty: true });
  assert.deepEqual([empty.code, empty.out, empty.err], [0, "", "Nothing found."]);
});

test("--all reads every page, oldest first", async () => {
  const { total } = (await settlekit(["events", "list", "--limit", "1"])).json();
  const all = (await settlekit(["events", "list", "--all", "--limit", "2"])).json();
  assert.deepEqual(all.map(({ event_id }) => event_id), Array.from({ length: total }, (_, index) => index + 1));
  const newest = (await settlekit(["events", "list", "--all", "--limit", "2", "--sort", "desc"])).json();
  assert.equal(newest[0].event_id, total);
  assert.deepEqual((await settlekit(["payouts", "list", "--all"])).json(), []);
  assert.match((await settlekit(["events", "list", "--all"], { isTty: true })).out, /EV-1 /);
});

test("--all includes items that are newer than the clock of this machine", async () => {
  assert.equal((await settlekit(["sandbox", "advance-clock", "--advance_seconds", "1000000"])).code, 0);
  assert.equal((await settlekit(["organisation", "update", "--name", "Later"])).code, 0);
  const all = (await settlekit(["events", "list", "--all"])).json();
  assert.equal(all.at(-1).data.name, "Later");
  assert.deepEqual((await settlekit(["status"])).json().scopes, ["read", "write", "payout", "manage"]);
});

test("every refusal of the service names the option", async () => {
  const local = await settlekit(["paylinks", "create", "--amount", "12.5x", "--name", ""]);
  assert.equal(local.code, 1);
  assert.deepEqual(local.err.split("\n"), [
    "--amount: must be a plain decimal such as 12.50 (AMOUNT_MALFORMED)",
    "--currency: is required (REQUIRED)",
    "--name: must not be empty (EMPTY)",
  ]);
  const remote = await settlekit(["accounts", "create-virtual-account", "--reference", "second", "--chains", '{"chain_id":137,"currencies":["USDC","EURC"]}']);
  assert.equal(remote.code, 1);
  assert.match(remote.err, /^--chains\[0\]\.currencies\[1\]: EURC is not supported on Polygon \(NOT_SUPPORTED\)/);
  const path = await settlekit(["paylinks", "get", "xx"]);
  assert.match(path.err, /^<paylink_id>: must be an id of the form pl_… \(ID_MALFORMED\)/);
  const unknown = await settlekit(["payments", "get", "pay_00000000000070008000000000000000"]);
  assert.match(unknown.err, /^payment not found \(NOT_FOUND\)/);
});

test("wrong usage is exit code 2, with the nearest word", async () => {
  const option = await settlekit(["paylinks", "list", "--limt", "1"]);
  assert.deepEqual([option.code, option.out], [2, ""]);
  assert.match(option.err, /^--limt is not an option of this command; did you mean --limit\?\nUsage: settlekit paylinks list/);
  const word = await settlekit(["paylinks", "crate"]);
  assert.match(word.err, /^settlekit paylinks has no command crate; did you mean create\?/);
  assert.equal(word.code, 2);
  assert.equal((await settlekit(["paylinks"])).code, 2);
  assert.match((await settlekit(["paylinks", "list", "--output", "xml"])).err, /^--output is json or table, not xml/);
});

test("a repeated call with the same idempotency key is one call", async () => {
  const make = () => settlekit(["plans", "create", "--name", "Once", "--price", "1", "--currency", "USDC", "--type", "OneTime", "--idempotency-key", "order-17"]);
  const [one, again] = [await make(), await make()];
  assert.equal(one.err, "");
  assert.equal(one.json().id, again.json().id);
});

test("an operation of a member's session points to the dashboard", async () => {
  const refused = await settlekit(["members", "list"]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^This operation needs a member's session/);
});

test("a signed operation without the signing secret says what to set", async () => {
  const { SETTLEKIT_SIGNING_SECRET: _, ...env } = shop.env;
  const refused = await run(["payouts", "create", "--account", "till", "--amount", "1", "--currency", "USDC", "--chain_id", "137", "--address", "0x52908400098527886E0F7030069857D2E4169EE7"], { env });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /SETTLEKIT_SIGNING_SECRET/);
});

test("events are resent by hand", async () => {
  const { id } = (await settlekit(["events", "list", "--limit", "1"])).json().items[0];
  assert.match((await settlekit(["events", "resend", id])).err, /no webhook URL is set/);
});

test("there is no request log yet", async () => {
  const tail = await settlekit(["logs", "tail"]);
  assert.deepEqual([tail.code, tail.out], [1, ""]);
  assert.match(tail.err, /^The service has no request log yet\./);
});
