// The payer's page in a frame of another page, which may be anybody's: it gets the height, the id and status of the payment, and whether
// a wallet was asked. None of that moves money.

/** Only this address may be framed. */
export const isEmbedded = location.pathname.split("/").at(-2) === "embed";

/** The page in the dashboard's settings: it shows a made-up payment and makes no API call. No paylink has this id. */
export const isPreview = isEmbedded && location.pathname.endsWith("/preview");

/** What the page around it has chosen: `language`, and the colour scheme. */
const query = new URLSearchParams(location.search);

export const locale = (() => {
  try {
    return Intl.getCanonicalLocales(query.get("language") || undefined)[0] ?? navigator.language;
  } catch {
    return navigator.language;
  }
})();

function tell(type, details) {
  if (isEmbedded) parent.postMessage({ settlekit: type, ...details }, "*");
}

if (isEmbedded && !isPreview) {
  const root = document.documentElement;
  root.classList.add("embedded");
  const colour = (scheme) => ["light", "dark"].includes(scheme) && (root.style.colorScheme = scheme);
  colour(query.get("scheme"));
  addEventListener("message", ({ source, data }) => source === parent && data?.settlekit === "scheme" && colour(data.scheme));
  let told = 0;
  const measure = () => {
    const { height } = document.body.getBoundingClientRect();
    // A frame that is not shown has no width.
    if (innerWidth > 0 && height !== told) tell("height", { height: (told = height) });
  };
  new ResizeObserver(measure).observe(document.body);
  // Browsers put the other observer off while the frame is out of sight.
  new MutationObserver(measure).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  tell("ready");
  addEventListener("keydown", (event) => event.key === "Escape" && !event.defaultPrevented && tell("close"));
}

/** The address of a payment, or without one of its link. */
function addressOf(payment) {
  const values = new URLSearchParams(isEmbedded ? location.search : "");
  values.delete("payment");
  if (payment) values.set("payment", payment.payment_id);
  return values.size ? `${location.pathname}?${values}` : location.pathname;
}

/** Changes the address. In a frame "Back" belongs to the page around it. */
export const setPayment = (payment) => history[isEmbedded ? "replaceState" : "pushState"](null, "", addressOf(payment));

// --- events ---

const told = new Set();

function tellOnce(type, { payment_id, paylink_id, status }, more) {
  const event = `${payment_id} ${type}`;
  if (told.has(event)) return;
  told.add(event);
  tell(type, { payment_id, paylink_id, status, ...more });
}

/** Sends the page around it the progress of a payment, once for each event. */
export function follow(payment) {
  tellOnce("started", payment);
  if (/[1-9]/.test(payment.paid_amount)) tellOnce("seen", payment);
  if (payment.status === "Confirmed") tellOnce("confirmed", payment, { redirect_url: payment.after_completion?.redirect_url });
  else if (!["Pending", "Processing"].includes(payment.status)) tellOnce("ended", payment);
}

// --- another tab, and a page that is loaded again ---

/** Says in an address that a wallet was asked for the payment: frames share no storage with tabs, and some browsers give them none. */
const ASKED = "#asked";

/** Whether a wallet was asked for the payment in the frame that this page was opened from, or that it was before. */
export function takeAsked() {
  if (location.hash !== ASKED) return false;
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

let askedBefore;

/** Tells the page around it whether a wallet was asked for the payment, so that it can say so after it was loaded again. */
export function tellAsked({ payment_id }, isAsked) {
  const asked = `${payment_id} ${isAsked}`;
  if (asked === askedBefore) return;
  askedBefore = asked;
  tell("asked", { payment_id, is_asked: isAsked });
}

/** The URL of the page, or of a payment on it, in a tab of its own. */
export function tabUrl(payment) {
  const path = location.pathname.split("/");
  path.splice(-2, 1, "pay");
  return location.origin + path.join("/") + (payment ? `?payment=${encodeURIComponent(payment.payment_id)}` : "");
}

/** The link to the page in a tab of its own, for wallets that don't enter frames. */
export function linkToTab(link, payment, isAsked) {
  link.href = tabUrl(payment) + (isAsked ? ASKED : "");
}

/** Places a short message where the payer looks: the end of a tall frame may be out of sight. */
export function placeNear(message, element) {
  if (isEmbedded) message.style.top = `${Math.max(0, (element?.getBoundingClientRect().bottom ?? 0) + scrollY + 8)}px`;
}
