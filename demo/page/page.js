// Loaded before the dashboard and the payer's page in the demo. Redirects their calls to the service in this browser, and
// keeps their links inside the demo's folder if it is not at the root of its origin. Changes nothing else. No request
// leaves the browser.
"use strict";
(() => {
  /** Base path of the demo: empty at the root, else `/folder`. The dashboard's address.rs reads it. */
  const ROOT = new URL("..", document.currentScript.src).pathname.slice(0, -1);
  const API = "/v1/";
  const CHANNEL = "settlekit-demo";
  /** Storage key of the session cookie: a page without a server can't set an HttpOnly cookie. */
  const COOKIE = "settlekit-demo-cookie";
  /** Storage key that tells the dashboard that a session may exist. */
  const SIGNED_IN = "settlekit.signed-in";
  const SESSIONS = "/v1/sessions";
  /** The end of an event stream's path; before it is the path of the record. */
  const LIVE = "/live";
  /** Interval of keep-alive events. */
  const SILENT_MS = 15_000;
  /** Storage key of the dashboard's language; without it the browser's language applies. */
  const LANGUAGE = "settlekit.language";

  /** The preview in the dashboard's settings, which asks the service for nothing. */
  const IS_PREVIEW = location.pathname === `${ROOT}/embed/preview`;

  // The only scripts that the demo itself starts.
  const SCRIPTS = [`${ROOT}/demo/worker.js`, `${ROOT}/sw.js`];
  const policy = globalThis.trustedTypes?.createPolicy("demo", {
    createScriptURL(address) {
      if (SCRIPTS.includes(address)) return address;
      throw new TypeError(`${address} is no script of the demo`);
    },
  });
  const script = (address) => policy?.createScriptURL(address) ?? address;

  const channel = new BroadcastChannel(CHANNEL);
  const waiting = new Map();
  const changes = new EventTarget();
  let worker;
  let ready;
  const readiness = new Promise((resolve) => { ready = resolve; });
  const own = globalThis.fetch;

  /** Translations by English sentence; sentences without one stay English. */
  let sentences = {};
  const isGerman = (localStorage.getItem(LANGUAGE) ?? navigator.language).startsWith("de");
  const spoken = isGerman && own(`${ROOT}/demo/de.json`).then((answer) => answer.json()).then((german) => { sentences = german; }).catch(() => {});
  const t = (english, values = {}) => (sentences[english] || english).replace(/\{(\w+)\}/g, (_, name) => values[name]);

  const drawn = new Promise((resolve) => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve);
    else resolve();
  });
  /** Resolves when the document and the translations are loaded. */
  const shown = Promise.all([drawn, spoken]);

  function start() {
    worker = new Worker(script(`${ROOT}/demo/worker.js`), { type: "module" });
    worker.onerror = () => report();
    channel.postMessage({ hello: true });
  }

  channel.onmessage = ({ data }) => {
    if (data.answer) settle(data.answer);
    if (data.changed) changes.dispatchEvent(new Event("changed"));
    if (data.making) void progress(data.making);
    if (data.ready) void open(data.ready);
    if (data.failed) void report(data.failed);
    if (data.over) {
      localStorage.removeItem(COOKIE);
      location.replace(`${ROOT}/`);
    }
  };

  async function open(visitor) {
    // Unanswered requests are sent again: the tab that received them may be closed.
    for (const { message } of waiting.values()) channel.postMessage(message);
    if (visitor.made && !localStorage.getItem(COOKIE)) {
      const { email, password } = visitor;
      await ask(new Request(SESSIONS, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ email, password }) }));
    }
    ready();
    await shown;
    document.getElementById("demo-wait")?.close();
    strip(visitor);
  }

  /** Adds the base path to a URL of the pages. */
  const here = (path) => (path.startsWith(`${ROOT}/`) ? path : ROOT + path);

  globalThis.fetch = async (input, init) => {
    // The pages' timeouts do not apply: the first answer comes after the demo data is created.
    const request = new Request(input, { ...init, signal: null });
    const { origin, pathname, search } = new URL(request.url);
    if (origin !== location.origin) return own(input, init);
    if (!pathname.startsWith(API)) return ROOT ? own(here(pathname) + search, init) : own(input, init);
    await readiness;
    return ask(request);
  };

  const OwnStream = globalThis.EventSource;

  /** Emulates the server's event streams. */
  class Stream extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
    readyState = Stream.CONNECTING;
    onmessage = null;
    onerror = null;
    #record;
    #look = () => void this.#tell();
    #repeat;

    constructor(url) {
      super();
      const { origin, pathname } = new URL(url, location.href);
      if (origin !== location.origin || !pathname.startsWith(API) || !pathname.endsWith(LIVE)) return new OwnStream(url);
      this.#record = pathname.slice(0, -LIVE.length);
      this.#repeat = setInterval(this.#look, SILENT_MS);
      changes.addEventListener("changed", this.#look);
      this.#look();
    }

    async #tell() {
      const response = await fetch(this.#record);
      if (this.readyState === Stream.CLOSED) return;
      if (!response.ok) {
        this.close();
        this.onerror?.(new Event("error"));
        return;
      }
      this.readyState = Stream.OPEN;
      this.onmessage?.(new MessageEvent("message", { data: await response.text() }));
    }

    close() {
      this.readyState = Stream.CLOSED;
      clearInterval(this.#repeat);
      changes.removeEventListener("changed", this.#look);
    }
  }
  globalThis.EventSource = Stream;

  async function ask(request) {
    request.signal.throwIfAborted();
    const id = crypto.randomUUID();
    const { pathname, search } = new URL(request.url);
    const headers = [...request.headers].filter(([name]) => name !== "cookie");
    const cookie = localStorage.getItem(COOKIE);
    if (cookie && request.credentials !== "omit") headers.push(["cookie", cookie]);
    // A repeated action is executed once.
    if (request.method !== "GET" && !request.headers.has("idempotency-key")) headers.push(["idempotency-key", id]);
    const message = { ask: { id, request: { method: request.method, target: pathname + search, headers, body: await request.text() } } };
    return new Promise((resolve, reject) => {
      waiting.set(id, { message, resolve });
      request.signal.addEventListener("abort", () => {
        if (waiting.delete(id)) reject(request.signal.reason);
      });
      channel.postMessage(message);
    });
  }

  function settle({ id, status, headers, body }) {
    const asked = waiting.get(id);
    if (asked === undefined) return;
    waiting.delete(id);
    const told = new Headers();
    for (const [name, value] of headers) {
      if (name === "set-cookie") keep(value);
      else told.append(name, value);
    }
    if (!told.has("x-request-id")) told.set("x-request-id", `req_${id.replaceAll("-", "").slice(0, 24)}`);
    asked.resolve(new Response(body === "" ? null : body, { status, headers: told }));
  }

  function keep(cookie) {
    const [pair] = cookie.split(";", 1);
    if (!pair.split("=", 1)[0].endsWith("_session")) return;
    if (/;\s*max-age=0\b/i.test(cookie)) localStorage.removeItem(COOKIE);
    else localStorage.setItem(COOKIE, pair);
  }

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  async function panel() {
    await shown;
    const there = document.getElementById("demo-wait");
    if (there) return there;
    const made = element("dialog", { id: "demo-wait", className: "demo-wait", ariaLabel: t("Demo") });
    made.addEventListener("cancel", (event) => event.preventDefault());
    document.body.append(made);
    made.showModal();
    return made;
  }

  let cancelled = false;

  async function progress({ done, of }) {
    if (cancelled) return;
    const wait = await panel();
    let bar = wait.querySelector("progress");
    if (!bar) {
      bar = element("progress", { max: of, id: "demo-progress" });
      const cancel = element("button", { type: "button", textContent: t("Cancel"), onclick: stop });
      wait.replaceChildren(element("label", { htmlFor: "demo-progress" }), bar, element("p", { textContent: t("The whole service runs in this browser. Nothing leaves it, and no money is real.") }), cancel);
      cancel.focus();
    }
    bar.value = done;
    wait.querySelector("label").textContent = t("Creating a year of demo data: day {done} of {of}", { done, of });
  }

  async function stop() {
    // The demo data is created in one transaction, so canceling leaves nothing behind.
    cancelled = true;
    worker.terminate();
    const again = () => { cancelled = false; wait.remove(); start(); };
    const wait = await panel();
    wait.replaceChildren(element("p", { textContent: t("The demo data wasn’t created. Nothing was saved.") }), element("button", { type: "button", textContent: t("Create demo data"), onclick: again }));
  }

  async function report(reason) {
    const wait = await panel();
    wait.setAttribute("role", "alertdialog");
    wait.replaceChildren(element("strong", { textContent: t("The demo can’t run here") }), element("p", { textContent: t("It needs an up-to-date browser with storage, which private windows often lack.") }), ...(reason ? [element("p", { className: "demo-reason", textContent: reason })] : []));
  }

  function strip({ email, password }) {
    if (IS_PREVIEW || document.getElementById("demo")) return;
    const over = element("button", {
      type: "button",
      textContent: t("Start over"),
      onclick: () => { if (confirm(t("Delete everything you did here and start a new demo year?"))) channel.postMessage({ over: true }); },
    });
    const note = element("details", {},
      element("summary", { textContent: t("Demo") }),
      element("p", { textContent: t("The whole service runs in this browser. Nothing leaves it, and no money is real.") }),
      element("p", { textContent: t("Sign in with {email} and the password: {password}", { email, password }) }),
      element("p", {}, element("a", { href: `${ROOT}/playground/`, textContent: t("Playground for requests") })),
      over);
    const aside = element("aside", { id: "demo", className: "demo", ariaLabel: t("Demo") }, note);
    document.body.append(aside);
    // The service can be ready before the page is mounted. The note stays behind the page, whose skip link comes first.
    new MutationObserver(() => { if (aside.nextElementSibling) document.body.append(aside); }).observe(document.body, { childList: true });
  }

  if (ROOT) {
    document.documentElement.dataset.root = ROOT;
    // The first page is the folder itself, like the pages' own links.
    if (location.pathname === `${ROOT}/`) history.replaceState(history.state, "", ROOT + location.search + location.hash);
    const point = (link) => {
      const to = link.getAttribute("href");
      if (to?.startsWith("/") && to !== ROOT && here(to) !== to) link.setAttribute("href", here(to));
    };
    new MutationObserver((changes) => {
      for (const { target, type, addedNodes } of changes) {
        if (type === "attributes" && target.localName === "a") point(target);
        for (const node of addedNodes) {
          if (node.localName === "a") point(node);
          node.querySelectorAll?.("a").forEach(point);
        }
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] });
  }

  // All URLs of the demo are served by one page, whatever the host is configured for.
  void navigator.serviceWorker?.register(script(`${ROOT}/sw.js`));
  localStorage.setItem(SIGNED_IN, "1");
  if (!IS_PREVIEW) start();
})();
