// Requests from the API reference. Only in a sandbox: an API key of a live service does not belong in a browser. The key is made for a
// signed-in owner, ends after an hour, and is kept in this tab only.

const STORED = "settlekit.docs.key";
const HOUR_MS = 3_600_000;
const API = "/v1";

/** Operations whose answer is a secret. */
const SECRET = ["createApiKey", "getSigningSecret"];

/** Why an operation can't be sent from here: its answer, or its first missing credential. */
const REASONS = {
  Secret: "Its answer is a secret that outlives this page. The dashboard shows it under [Settings → API keys](/settings/api-keys).",
  ApiSignature: "It must be signed, and the signing secret does not belong in a browser. [Signing](/docs/signing) shows how your server signs it.",
  Session: "It needs a session of the dashboard, not an API key.",
};

const $ = (id) => document.getElementById(id);

/** The key of this tab; none without one, or when its hour is over. */
export function storedKey() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED));
    if (stored && stored.until > Date.now()) return stored;
    sessionStorage.removeItem(STORED);
  } catch {
    // Without storage there is no key.
  }
  return null;
}

const forget = () => sessionStorage.removeItem(STORED);

async function call(method, path, { body, headers = {}, credentials = "same-origin" } = {}) {
  const response = await fetch(API + path, {
    method, credentials, cache: "no-store", body: body && JSON.stringify(body),
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }), ...headers },
  });
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.error.message), { reason: answer.error.errors?.[0]?.reason });
  return answer.data;
}

/** The session of a member who may try requests here; none for everybody else. */
async function offered() {
  try {
    // Nobody is asked who has not signed in here. The demo's service runs in the pages of its dashboard, and has no server to ask.
    if (!localStorage.getItem("settlekit.signed-in") || localStorage.getItem("settlekit-demo-cookie")) return null;
    const session = await call("GET", "/sessions/current");
    return session.sandbox && session.user.role === "owner" ? session : null;
  } catch {
    return null;
  }
}

/** Makes a key with all scopes of the owner. */
async function makeKey({ csrf_token, now }, password) {
  const csrf = { "x-csrf-token": csrf_token };
  const { token } = await call("POST", "/sessions/step-up", { body: { password }, headers: csrf });
  // By the service's clock, which may be ahead of this one.
  const expires_at = new Date(Date.parse(now) + HOUR_MS).toISOString();
  const body = { name: "API reference: try requests", scopes: ["read", "write", "payout", "manage"], expires_at };
  const { id, key } = await call("POST", "/api-keys", { body, headers: { ...csrf, "x-step-up": token } });
  sessionStorage.setItem(STORED, JSON.stringify({ id, key, until: Date.now() + HOUR_MS }));
}

function show(text, isTrying) {
  $("try-text").textContent = text;
  $("try-start").hidden = isTrying;
  $("try-stop").hidden = !isTrying;
  $("try").hidden = false;
}

/** Shows *Try requests* to those who may, or *Stop* while requests can be sent. */
export async function setUp() {
  const stored = storedKey();
  if (stored) {
    const until = new Date(stored.until).toLocaleTimeString([], { timeStyle: "short" });
    show(`Open an operation and press Send. Requests use a key that ends at ${until} and is kept in this tab only.`, true);
  } else {
    const session = await offered();
    if (!session) return;
    show(`Send requests to the sandbox of ${session.org_name} from this page.`, false);
  }
  const dialog = $("try-dialog");
  $("try-start").addEventListener("click", () => dialog.showModal());
  $("try-cancel").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => $("try-form").reset());
  $("try-stop").addEventListener("click", async () => {
    const { id, key } = storedKey() ?? {};
    forget();
    // A key that has ended already needs no end.
    if (id) await call("DELETE", `/api-keys/${id}`, { headers: { "x-api-key": key }, credentials: "omit" }).catch(() => {});
    location.reload();
  });
  $("try-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    $("try-error").hidden = true;
    $("try-submit").disabled = true;
    try {
      // Read again: its token and the clock change.
      const session = await offered();
      if (!session) throw new Error("your session has ended: sign in to the dashboard again");
      await makeKey(session, $("try-password").value);
      location.reload();
    } catch (error) {
      $("try-error").textContent = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
      $("try-error").hidden = false;
      $("try-submit").disabled = false;
      $("try-password").focus();
    }
  });
}

/** Why an operation can't be sent, as a key of `REASONS`; none if a key is enough. */
function obstacle({ operationId, security = [] }) {
  if (SECRET.includes(operationId)) return "Secret";
  if (security.length === 0 || security.some((one) => Object.keys(one).join() === "ApiKeyAuth")) return null;
  return security.some((one) => "ApiSignature" in one) ? "ApiSignature" : "Session";
}

/** Operations that can't be sent from here, as `post /payouts`. */
const refused = new Set();

/** Whether an operation can be sent from here. */
export const canSend = (path, method) => !refused.has(`${method} ${path}`);

/** The document for trying: says which operations can't be tried, and leaves optional parameters empty. */
export function prepared(document) {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      // An example of every filter together would find nothing.
      for (const parameter of operation.parameters ?? []) if (!parameter.required) delete parameter.example;
      const reason = obstacle(operation);
      if (!reason) continue;
      refused.add(`${method} ${path}`);
      operation.description += `\n\n**Can’t be tried here.** ${REASONS[reason]}`;
    }
  }
  return document;
}

/** Adds the key to a request of the viewer to this server, and nothing else that this browser knows. */
export function withKey(request, { key }) {
  if (!request.loadSpec && new URL(request.url, location.href).origin === location.origin) {
    request.headers["X-API-KEY"] = key;
    request.credentials = "omit";
  }
  return request;
}

/** Forgets a key that the service no longer takes, for instance because the clock was moved. */
export function look(response) {
  if (response.status === 401 && response.text?.includes("KEY_INVALID")) {
    forget();
    show("The key has ended. Press Try requests for a new one.", false);
  }
}
