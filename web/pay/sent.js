// Payments that a wallet in the browser was asked to send, remembered until they are confirmed.
//
// Once a wallet is asked to send, no other payment is asked for until this one arrives, the wallet refuses it, or the payer says that it
// was not sent: also in other tabs, and after the page was loaded again.

const PREFIX = "settlekit.sent.";
const keyOf = (payment) => PREFIX + payment.payment_id;

/** Requests that the browser did not store: they last as long as the page. */
const memory = new Map();

const isRequest = (value) => typeof value?.id === "string" && typeof value.wallet === "string" && (value.hash === null || /^0x[0-9a-f]{64}$/i.test(value.hash));

/** The request for a payment: its `id`, the `wallet`, and the `hash` of the transaction if the wallet gave one. Null without one. */
export function find(payment) {
  let stored = memory.get(keyOf(payment));
  try {
    stored ??= JSON.parse(localStorage.getItem(keyOf(payment)));
  } catch {
    // The browser stores nothing, or somebody changed it.
  }
  return isRequest(stored) ? stored : null;
}

function store(payment, request) {
  try {
    localStorage.setItem(keyOf(payment), JSON.stringify(request));
    memory.delete(keyOf(payment));
  } catch {
    memory.set(keyOf(payment), request);
  }
}

/** Remembers a request before the wallet gets it; null if a wallet was asked before. */
export function begin(payment, wallet) {
  if (find(payment)) return null;
  const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16)).join("");
  store(payment, { id, wallet, hash: null });
  return id;
}

/** The wallet gave the hash of the transaction. */
export function confirm(payment, id, hash) {
  const request = find(payment);
  if (request?.id === id) store(payment, { ...request, hash });
}

/** The wallet refused a request: nothing was sent by it. */
export function refuse(payment, id) {
  const request = find(payment);
  if (request?.id === id && request.hash === null) forget(payment);
}

export function forget(payment) {
  memory.delete(keyOf(payment));
  try {
    localStorage.removeItem(keyOf(payment));
  } catch {
    // Nothing was stored.
  }
}

/** Calls back when another tab asks a wallet, or learns more. */
export const watch = (changed) => addEventListener("storage", ({ key }) => key?.startsWith(PREFIX) && changed());
