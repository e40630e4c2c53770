// The host of the service in a browser: supplies clock and randomness, and runs calls in order.
//
// Every tab has such a worker. The one that holds the lock opens the database and answers for all tabs.
// When its tab is closed, the next one takes over. Business rules do not belong here.

import init, { Demo } from "./settlekit_demo.js";

const CHANNEL = "settlekit-demo";
/** Base path of the demo: empty at the root, else `/folder`. */
const ROOT = new URL("..", import.meta.url).pathname.slice(0, -1);
/** If this file exists, the next worker to open the database deletes it first. */
const RESET_FILE = ".settlekit-demo-over";
/** Polling interval for due work. */
const POLL_MS = 1_000;
/** Response of the demo's webhook receiver. */
const RECEIVED = { status: 200, headers: [], body: "{\"received\":true}", duration_ms: 0 };
/** Maximum steps per poll. */
const ROUNDS_MAX = 64;

const channel = new BroadcastChannel(CHANNEL);
const broadcast = (message) => channel.postMessage(message);

let demo;
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
  await init();
  const files = await navigator.storage.getDirectory();
  const fresh = await files.getFileHandle(RESET_FILE).then(() => true, () => false);
  channel.onmessage = ({ data }) => receive(data);
  demo = await Demo.open(location.origin + ROOT, fresh);
  run({ call: "migrate" });
  if (fresh) await files.removeEntry(RESET_FILE);
  const made = demo.fill(new Date().toISOString(), bytes(32), (done, of) => broadcast({ making: { done, of } }));
  const [email, password] = Demo.visitor();
  state = { ready: { email, password, made } };
  broadcast(state);
  setInterval(work, POLL_MS);
}

function receive({ hello, ask, over }) {
  if (hello) broadcast(state);
  if (ask && demo !== undefined && state.ready) answer(ask);
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
  const files = await navigator.storage.getDirectory();
  await files.getFileHandle(RESET_FILE, { create: true });
  demo?.free();
  demo = undefined;
  broadcast({ over: true });
  close();
}

function run(command) {
  const seed = [...bytes(32)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const reply = JSON.parse(demo.step(JSON.stringify({ ...command, now: new Date().toISOString(), seed })));
  if (reply.failed !== undefined) throw new Error(reply.failed);
  return reply;
}

function bytes(length) {
  return crypto.getRandomValues(new Uint8Array(length));
}
