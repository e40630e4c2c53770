// Runs an example against a sandbox of its own, in the reader's tab and in the tests.
//
// The code is a merchant's: it reads the environment, calls the service at its URL and starts servers. Here that URL is a
// sandbox in the same process, and servers are called by `fetch` and by the sandbox's webhooks.

import { expressModule } from "./express.js";
import { described, formatted } from "./inspect.js";
import { URL_OF_SERVICE, fillShop, openShop, signIn } from "./shop.js";
import { testRunner } from "./tests.js";
import { IMPORT_NAME, rewrite } from "./transform.js";

const LEVELS = { log: "log", info: "log", debug: "log", dir: "log", table: "log", warn: "warn", error: "error" };
const DELIVERED = () => new Response(null, { status: 204 });

export class Engine {
  #load;
  #evaluate;
  #library;
  #shop;
  #snapshots = {};
  #apps = [];
  #sandboxes = [];
  /** What an example for a page has as `document`. */
  #page;

  /** `modules` loads a module by its name, `evaluate` runs the text of one. */
  constructor({ modules, evaluate }) {
    this.#load = modules;
    this.#evaluate = evaluate;
  }

  /** Loads the service. */
  async prepare() {
    if (this.#shop) return;
    const [{ Settlekit }, { Sandbox }] = [await this.#load("settlekit"), await this.#load("settlekit/sandbox")];
    this.#library = { Settlekit, Sandbox };
    this.#shop = await openShop(this.#library, (request) => this.#receive(request));
    this.#keep("open");
  }

  #keep(name) {
    this.#snapshots[name] = { state: this.#shop.sandbox.snapshot(), environment: { ...this.#shop.environment } };
  }

  /** A webhook of the shop goes to the example's server, if it has one. */
  #receive(request) {
    const app = this.#apps.findLast((app) => app.has("POST"));
    return app ? app.answer(request) : DELIVERED();
  }

  /** Puts the shop into the state that an example expects. */
  async #arrange({ isFilled, isSignedIn }) {
    await this.prepare();
    const { sandbox } = this.#shop;
    const name = (isFilled ? "filled" : "open") + (isSignedIn ? " signed in" : "");
    sandbox.network.latencyMs = 0;
    sandbox.network.loseAnswers = 0;
    if (this.#snapshots[name] === undefined) {
      sandbox.restore(this.#snapshots.open.state);
      if (isFilled) await fillShop(this.#shop);
      if (isSignedIn) await signIn(this.#shop);
      this.#keep(name);
    }
    const { state, environment } = this.#snapshots[name];
    sandbox.restore(state);
    this.#shop.environment = environment;
    return state.deliveries.length;
  }

  /**
   * Runs the file `entry` of `files`, texts by their names. `print` takes a line and its level. Returns the webhooks that were sent,
   * and the error if the example failed.
   */
  async run({ files, entry = "example.js", isFilled = false, isSignedIn = false, print }) {
    this.#apps = [];
    this.#sandboxes = [];
    const code = Object.values(files).join("\n");
    const sent = await this.#arrange({ isFilled, isSignedIn: isSignedIn || code.includes("SETTLEKIT_SESSION") });
    const tests = testRunner((line) => print(line, "log"));
    const restore = this.#setGlobals(files, tests, print);
    let failure;
    try {
      await this.#evaluate(rewrite(files[entry]));
      const failed = await tests.run();
      if (failed > 0) failure = `${failed} failed`;
      await this.#exercise(sent);
    } catch (error) {
      failure = error instanceof Error ? described(error) : String(error);
    } finally {
      restore();
    }
    return { failure, webhooks: await this.#webhooks(sent) };
  }

  /** Sends what is due. A server that has got no webhook gets those of a payment. */
  async #exercise(sent) {
    const { sandbox, settlekit } = this.#shop;
    for (const own of [sandbox, ...this.#sandboxes]) await own.deliver();
    this.#page.dispatchEvent(new CustomEvent("settlekit-confirmed", { detail: { payment_id: "pay_019aa0b5c3f07c0d9f2e3b6a7d8c9e01", status: "Confirmed" } }));
    const waits = this.#apps.some((app) => app.has("POST")) && sandbox.deliveries.length === sent;
    if (!waits) return;
    await sandbox.pay(await settlekit.paylinks.create({ name: "Tea", amount: "12.50", currency: "USDC" }));
    await sandbox.clock.advance({ minutes: 10 });
  }

  async #webhooks(sent) {
    const deliveries = [...this.#shop.sandbox.deliveries.slice(sent), ...this.#sandboxes.flatMap((own) => [...own.deliveries])];
    const read = async ({ type, request, response, error }) =>
      ({ type, body: await request.clone().text(), status: response?.status, error: error === undefined ? undefined : String(error) });
    return Promise.all(deliveries.map(read));
  }

  /** Sets what the example finds as globals. Returns a function that resets them. */
  #setGlobals(files, tests, print) {
    const { sandbox, settlekit, environment } = this.#shop;
    const express = expressModule((app) => this.#apps.push(app));
    const own = this.#modules(files, tests, express);
    const consoled = { ...globalThis.console };
    for (const [name, level] of Object.entries(LEVELS)) consoled[name] = (...values) => print(formatted(values), level);
    const { Settlekit, Sandbox } = this.#wrapped();
    this.#page = new EventTarget();
    const globals = {
      [IMPORT_NAME]: own, console: consoled, fetch: (...request) => this.#fetch(...request), process: { ...globalThis.process, env: { ...environment } },
      Settlekit, Sandbox, settlekit, sandbox, express: express.default, handler: DELIVERED,
      document: this.#page, location: { ...globalThis.location, assign: (url) => print(`location.assign ${url}`, "log") },
    };
    const before = Object.fromEntries(Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
    for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    return () => {
      for (const [name, descriptor] of Object.entries(before)) {
        if (descriptor) Object.defineProperty(globalThis, name, descriptor);
        else delete globalThis[name];
      }
    };
  }

  /** The package's classes: a client without a `fetch` of its own talks to the shop, and sandboxes are remembered. */
  #wrapped() {
    const { Settlekit: Client, Sandbox: Started } = this.#library;
    const { sandbox, organisation } = this.#shop;
    const { fetch, clock, random } = sandbox.settings(organisation);
    class Settlekit extends Client {
      constructor(settings) {
        super(settings?.fetch ? settings : { fetch, clock, random, ...settings, allowBrowser: true });
      }
    }
    const start = async (settings) => {
      const started = await Started.start(settings);
      this.#sandboxes.push(started);
      return started;
    };
    const Sandbox = new Proxy(Started, { get: (target, name) => (name === "start" ? start : Reflect.get(target, name)) });
    return { Settlekit, Sandbox };
  }

  /** The function that resolves the imports of an example. */
  #modules(files, tests, express) {
    const { Settlekit, Sandbox } = this.#wrapped();
    const loaded = new Map();
    const init = async () => {};
    const clock = () => (this.#sandboxes.at(-1) ?? this.#shop.sandbox).clock.now();
    const special = {
      "settlekit": async () => ({ ...(await this.#load("settlekit")), Settlekit }),
      "settlekit/slim": async () => ({ ...(await this.#load("settlekit")), Settlekit, init }),
      "settlekit/sandbox": async () => ({ ...(await this.#load("settlekit/sandbox")), Sandbox }),
      "settlekit/sandbox/slim": async () => ({ ...(await this.#load("settlekit/sandbox")), Sandbox, init }),
      "settlekit/core/slim": async () => ({ ...(await this.#load("settlekit/core")), init }),
      "settlekit/webhooks": async () => withClock(await this.#load("settlekit/webhooks"), clock),
      "settlekit/webhooks/slim": async () => ({ ...withClock(await this.#load("settlekit/webhooks"), clock), init }),
      "express": async () => express,
      "node:test": async () => tests.module,
    };
    const load = async (name) => {
      const file = name.startsWith("./") ? files[name.slice(2)] : undefined;
      if (file !== undefined) return this.#evaluate(rewrite(file));
      return special[name]?.() ?? this.#load(name);
    };
    return (name) => {
      if (!loaded.has(name)) loaded.set(name, load(name));
      return loaded.get(name);
    };
  }

  /** `fetch` of the example: the service, or a server that the example has started. */
  async #fetch(input, init) {
    const request = new Request(input, init);
    const { origin, pathname } = new URL(request.url);
    if (origin === URL_OF_SERVICE) return pathname.endsWith("/live") ? this.#stream(request) : this.#shop.sandbox.fetch(request);
    const app = this.#apps.at(-1);
    if (app) return app.answer(request);
    throw new TypeError(`an example reaches the sandbox and its own server only, not ${origin}`);
  }

  /** A stream of the server: its first event, the answer of the operation that it streams. */
  async #stream(request) {
    const answer = await this.#shop.sandbox.fetch(request.url.replace(/\/live$/, ""), { headers: request.headers });
    if (!answer.ok) return answer;
    return new Response(`data: ${await answer.text()}\n\n`, { headers: { "content-type": "text/event-stream" } });
  }
}

/** `verify` by the clock of the sandbox, which may be ahead of the reader's. */
function withClock(webhooks, clock) {
  const verify = (...values) => {
    // A request and keys, or a body, headers and keys; then options.
    const required = values[0] instanceof Request ? 2 : 3;
    return webhooks.verify(...values.slice(0, required), { clock, ...values[required] });
  };
  return { ...webhooks, verify };
}
