// The part of Express that the examples use, for a page that has no network: an application is called by `fetch`, and gets the
// webhooks of the sandbox.

/** The reader of bodies that `express.raw()` and `express.json()` stand for. */
const reader = (parse) => async (request, _, next) => {
  const bytes = request.bytes;
  request.body = parse(bytes);
  next();
};

/** An answer in progress. `sent` resolves with the `Response`. */
class Answer {
  statusCode = 200;
  headersSent = false;
  #headers = new Headers();
  #chunks = [];
  #send;
  sent = new Promise((resolve) => (this.#send = resolve));

  status(code) {
    this.statusCode = code;
    return this;
  }

  set(name, value) {
    this.#headers.set(name, value);
    return this;
  }

  setHeader = this.set;
  getHeader = (name) => this.#headers.get(name) ?? undefined;
  removeHeader = (name) => this.#headers.delete(name);

  writeHead(code, headers = {}) {
    for (const [name, value] of Object.entries(headers)) this.set(name, value);
    return this.status(code);
  }

  write(chunk) {
    this.#chunks.push(chunk);
    return true;
  }

  flushHeaders() {}

  end(chunk) {
    if (chunk !== undefined) this.#chunks.push(chunk);
    this.headersSent = true;
    const empty = [204, 205, 304].includes(this.statusCode);
    this.#send(new Response(empty ? null : new Blob(this.#chunks), { status: this.statusCode, headers: this.#headers }));
    return this;
  }

  json(value) {
    if (!this.#headers.has("content-type")) this.set("content-type", "application/json; charset=utf-8");
    return this.end(JSON.stringify(value));
  }

  send(value) {
    return typeof value === "object" && value !== null && !ArrayBuffer.isView(value) ? this.json(value) : this.end(value ?? "");
  }

  sendStatus(code) {
    return this.status(code).end();
  }
}

/** A request as Express gives it to a handler. */
async function received(request) {
  const url = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  const get = (name) => headers[name.toLowerCase()];
  const bytes = new Uint8Array(await request.arrayBuffer());
  return {
    method: request.method, url: url.pathname + url.search, originalUrl: url.pathname + url.search, path: url.pathname, baseUrl: "", protocol: url.protocol.slice(0, -1),
    hostname: url.hostname, host: url.host, query: Object.fromEntries(url.searchParams), headers, get, header: get, bytes, body: undefined,
  };
}

/** The module `express`. `opened` gets each application. */
export function expressModule(opened) {
  function express() {
    const steps = [];
    const add = (method) => (path, ...handlers) => void steps.push(...handlers.map((handle) => ({ method, path, handle })));
    const app = {
      get: add("GET"), post: add("POST"), put: add("PUT"), patch: add("PATCH"), delete: add("DELETE"),
      use: (...parts) => void steps.push(...parts.filter((part) => typeof part === "function").map((handle) => ({ handle }))),
      /** The port is not opened: `fetch` in the same page finds the application. */
      listen: (_, done) => void done?.(),
      has: (method) => steps.some((step) => step.method === method),
      async answer(original) {
        const [request, answer] = [await received(original), new Answer()];
        const fits = ({ method, path }) => (method === undefined || method === request.method) && (path === undefined || path === request.path);
        const rest = steps.filter(fits);
        const next = async (error) => {
          if (error) throw error;
          const step = rest.shift();
          if (step) await step.handle(request, answer, next);
          else answer.sendStatus(404);
        };
        next().catch((error) => (answer.headersSent ? undefined : answer.status(500).end(String(error))));
        return answer.sent;
      },
    };
    opened(app);
    return app;
  }
  express.raw = () => reader((bytes) => bytes);
  express.json = () => reader((bytes) => (bytes.length === 0 ? {} : JSON.parse(new TextDecoder().decode(bytes))));
  express.text = () => reader((bytes) => new TextDecoder().decode(bytes));
  return { default: express };
}
