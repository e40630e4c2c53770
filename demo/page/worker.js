// The host of the service in a browser: supplies clock and randomness, and runs calls in order.
//
// Every tab has such a worker. The one that holds the lock opens the database and answers for all tabs.
// When its tab is closed, the next one takes over. Business rules do not belong here.

import { BrowserFiles } from "./browser-files.js";
import { init, Sandbox } from "./settlekit/sandbox-slim.js";

const CHANNEL = "settlekit-demo";
/** Base path of the demo: empty at the root, else `/folder`. */
const ROOT = new URL("..", import.meta.url).pathname.slice(0, -1);
const PUBLIC_URL = location.origin + ROOT;
/** Folder of the database in the origin's private file system. */
const FOLDER = "settlekit-demo";
/** Polling interval for due work. */
const POLL_MS = 1_000;
/** Response of the demo's webhook receiver. */
const RECEIVED = { status: 200, headers: [], body: "{\"received\":true}", duration_ms: 0 };
/** Maximum steps per poll. */
const ROUNDS_MAX = 64;

const channel = new BroadcastChannel(CHANNEL);
const broadcast = (message) => channel.postMessage(message);

let files;
let sandbox;
let state = { opening: true };

navigator.locks.request(CHANNEL, async () => {
  try {
    await serve();
  } catch (error) {
    state = { failed: String(error?.message ?? error) };
    broadcast(state);
  }
  // The lock is held until the tab is closed.
  await new Promise(() => {});
});

async function serve() {
  files = await BrowserFiles.open(FOLDER);
  channel.onmessage = ({ data }) => receive(data);
  await init();
  const known = await files.signIn();
  const made = known ? undefined : await make();
  if (made) files.fill(made.image);
  // A sandbox with files goes on at its time; each step has its own.
  const start = made ? { now: new Date(made.now) } : {};
  sandbox = await Sandbox.start({ files, seed: random(), publicUrl: PUBLIC_URL, ...start });
  if (made) await files.complete(made.signIn);
  state = { ready: { ...(known ?? made.signIn), made: made !== undefined } };
  broadcast(state);
  setInterval(work, POLL_MS);
}

/** A year of demo data: its sign-in, the image of its database and its time. */
function make() {
  const maker = new Worker(new URL("./maker.js", import.meta.url), { type: "module" });
  return new Promise((resolve, reject) => {
    maker.onmessage = ({ data: { making, made, failed } }) => {
      if (making) return broadcast({ making });
      maker.terminate();
      if (made) resolve(made);
      else reject(new Error(failed));
    };
    maker.onerror = () => reject(new Error("the demo data was not made"));
    maker.postMessage({ seed: random(), publicUrl: PUBLIC_URL });
  });
}

function receive({ hello, ask, over }) {
  if (hello) broadcast(state);
  if (ask && sandbox !== undefined && state.ready) answer(ask);
  if (over) void startOver();
}

function answer({ id, request }) {
  const reply = run({ call: "answer", request });
  broadcast({ answer: { id, ...reply.response } });
  if (request.method === "GET") return;
  broadcast({ changed: true });
  setTimeout(work);
}

/** Runs due work and acts as the endpoint of every webhook. */
function work() {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { due } = run({ call: "next_due" });
    if (due === null || Date.parse(due) > Date.now()) return;
    const { outbound } = run({ call: "work" });
    for (const { organisation, event, url, body } of outbound) {
      run({ call: "report", organisation, event, url, body, outcome: { answered: RECEIVED } });
    }
    broadcast({ changed: true });
    if (outbound.length === 0) return;
  }
}

async function startOver() {
  sandbox?.close();
  sandbox = undefined;
  await files.abandon();
  broadcast({ over: true });
  close();
}

function run(command) {
  const seed = [...bytes(32)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const reply = sandbox.replay({ ...command, now: new Date().toISOString(), seed });
  if (reply.failed !== undefined) throw new Error(reply.failed);
  return reply;
}

function bytes(length) {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** A random whole number that a double holds exactly. */
function random() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high & 0x1fffff) * 2 ** 32 + low;
}
