// The host of the service in a browser: the clock, the randomness, and the order in which things happen.
//
// Every tab of this origin has such a worker; the one that holds the lock has the database open and answers for all tabs.
// When its tab is closed the next one takes over. No rule of the service belongs here.

import init, { Demo } from "./settlekit_demo.js";

const CHANNEL = "settlekit-demo";
/** Where the demo lies on its origin: nothing at the root, else `/folder`. */
const ROOT = new URL("..", import.meta.url).pathname.slice(0, -1);
/** A file whose presence says that the next to open the database begins anew. */
const OVER = ".settlekit-demo-over";
/** How often to look for what is due. */
const LOOK_MS = 1_000;
/** What the demo's receiver of webhooks answers. */
const RECEIVED = { status: 200, headers: [], body: "{\"received\":true}", duration_ms: 0 };
/** What can happen in one go; the rest waits for the next look. */
const ROUNDS_MAX = 64;

const channel = new BroadcastChannel(CHANNEL);
const tell = (message) => channel.postMessage(message);

let demo;
let standing = { opening: true };

navigator.locks.request(CHANNEL, async () => {
  try {
    await lead();
  } catch (error) {
    standing = { failed: String(error?.message ?? error) };
    tell(standing);
  }
  // The lock is held for as long as the tab is there.
  await new Promise(() => {});
});

async function lead() {
  await init();
  const files = await navigator.storage.getDirectory();
  const fresh = await files.getFileHandle(OVER).then(() => true, () => false);
  channel.onmessage = ({ data }) => hear(data);
  demo = await Demo.open(location.origin + ROOT, fresh);
  run({ call: "migrate" });
  if (fresh) await files.removeEntry(OVER);
  const made = demo.fill(new Date().toISOString(), bytes(32), (done, of) => tell({ making: { done, of } }));
  const [email, password] = Demo.visitor();
  standing = { ready: { email, password, made } };
  tell(standing);
  setInterval(work, LOOK_MS);
}

function hear({ hello, ask, over }) {
  if (hello) tell(standing);
  if (ask && demo !== undefined && standing.ready) answer(ask);
  if (over) void startOver();
}

function answer({ id, request }) {
  const reply = run({ call: "answer", request });
  tell({ answer: { id, ...reply.response } });
  if (request.method === "GET") return;
  tell({ changed: true });
  setTimeout(work);
}

/** Does what is due, and is the endpoint of every webhook. */
function work() {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { due } = run({ call: "next_due" });
    if (due === null || Date.parse(due) > Date.now()) return;
    const { outbound } = run({ call: "work" });
    for (const { organisation, event, url, body } of outbound) {
      run({ call: "report", organisation, event, url, body, outcome: { answered: RECEIVED } });
    }
    tell({ changed: true });
    if (outbound.length === 0) return;
  }
}

async function startOver() {
  const files = await navigator.storage.getDirectory();
  await files.getFileHandle(OVER, { create: true });
  demo?.free();
  demo = undefined;
  tell({ over: true });
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
