// The payer's page. Calls the public checkout operations, shows one decision at a time, keeps its state in the URL.
// No framework and no dashboard code, so that it starts quickly on a cheap phone.

import * as embedded from "./embedded.js";
import * as own from "./own.js";
import * as sent from "./sent.js";

const API = "/v1";
const POLL_MS = 2000;
const POLL_MS_MAX = 15000;
// The stream of a payment repeats it after 15 s.
const SILENCE_MS = 20000;
const REDIRECT_SECONDS = 5;
/** Without an answer in this time a poll is repeated; other requests show an error. The service may ask nodes meanwhile. */
const ANSWER_MS_MAX = 30000;

const paylinkId = decodeURIComponent(location.pathname.split("/").at(-1));
const $ = (id) => document.getElementById(id);
const here = { checkout: null, payment: null, option: null, skewMs: 0, shown: "", timer: 0, waitMs: POLL_MS, redirect: 0, turn: 0, stream: null, messages: 0, paying: false, elsewhere: null };

// --- text ---

const { locale } = embedded;
const [group, point] = (() => {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12345678.9);
  const find = (type, otherwise) => parts.find((part) => part.type === type)?.value ?? otherwise;
  return [find("group", ","), find("decimal", ".")];
})();

/** The page's languages, each with its file of translations; the page itself is in English. A further one is an entry here. */
const LANGUAGES = new Map([["en", null], ["de", "/pay/de.json"], ["fr", "/pay/fr.json"]]);

/** Translations by English sentence; sentences without one stay English. */
let sentences = {};

/** Shows the page in a language; it stays English without a file, or if the file can't be loaded. */
async function loadLanguage(language) {
  const file = LANGUAGES.get(language);
  if (!file) return;
  try {
    sentences = await (await fetch(file)).json();
  } catch {
    return;
  }
  document.documentElement.lang = language;
  document.documentElement.dir = t("ltr");
  for (const element of document.querySelectorAll("[data-said]")) element.textContent = t(element.textContent);
  document.title = t("Payment");
}

/** The first of the page's languages that the browser asks for, or the page around a frame. */
const requestedLanguage = [locale, ...navigator.languages].map((tag) => tag.toLowerCase().split("-")[0]).find((language) => LANGUAGES.has(language));
const translated = loadLanguage(requestedLanguage);

/** Translates a sentence and fills in its values: `t("Send {currency}", { currency })`. */
function t(english, values = {}) {
  return (sentences[english] || english).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** The words as written in the middle of a sentence: German nouns and abbreviations keep their capitals. */
const inside = (words) => (document.documentElement.lang === "de" ? words : words.replace(/\p{L}+/gu, (word) => (/\p{Lu}{2}/u.test(word) ? word : word.toLowerCase())));

/** An exact decimal string with the locale's separators; digits are never added, dropped or rounded. */
function digits(amount) {
  const [whole, fraction] = amount.split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, group) + (fraction === undefined ? "" : point + fraction);
}

const dateTime = (at) => new Date(at).toLocaleString(locale, { dateStyle: "long", timeStyle: "short" });

/** `total - part`, exact; at least zero. */
function remaining(total, part) {
  const places = Math.max(...[total, part].map((text) => (text.split(".")[1] || "").length));
  const units = (text) => BigInt(text.replace(".", "") + "0".repeat(places - (text.split(".")[1] || "").length));
  const left = units(total) - units(part);
  const text = (left > 0n ? left : 0n).toString().padStart(places + 1, "0");
  return places ? text.slice(0, -places) + "." + text.slice(-places) : text;
}

// --- the merchant's style ---

/** Shows the page in the merchant's look, and in its language if the browser asks for none of the page's. */
async function applyStyle({ accent_color: light, accent_color_dark: dark, appearance, language } = {}) {
  const root = document.documentElement;
  // The page around a frame has its own look.
  if (!embedded.isEmbedded && ["Light", "Dark"].includes(appearance)) root.style.colorScheme = appearance.toLowerCase();
  if (light && dark) root.style.setProperty("--accent", `light-dark(${light}, ${dark})`);
  else root.style.removeProperty("--accent");
  if (!requestedLanguage && language !== root.lang) await loadLanguage(language);
}

/** The merchant's text in the page's language, else in another, as an element. */
function merchantText(texts, className) {
  const page = document.documentElement.lang;
  const [language, text] = [page, ...LANGUAGES.keys()].map((language) => [language, texts?.[language]]).find(([, text]) => text) ?? [];
  return text && h("p", { class: className, lang: language !== page && language }, text);
}

// --- elements ---

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function svg(viewBox, className, d) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of [["viewBox", viewBox], ["class", className], ["aria-hidden", "true"]]) picture.setAttribute(name, value);
  path.setAttribute("d", d);
  picture.append(path);
  return picture;
}

const RING = "M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20Z";
const MARKS = { good: RING + "M8 12.5l2.7 2.7L16 9.5", bad: RING + "M15 9l-6 6M9 9l6 6", warn: RING + "M12 7v6M12 16.5v.01", busy: RING + "M12 7v5l3.2 2" };
const mark = (kind) => svg("0 0 24 24", "mark " + kind, MARKS[kind]);

function say(text) {
  $("said").textContent = text;
  embedded.placeNear($("said"), document.activeElement);
  clearTimeout(say.timer);
  say.timer = setTimeout(() => ($("said").textContent = ""), 4000);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(t("{what} copied", { what }));
  } catch {
    say(t("Copying is blocked here. Press and hold the text to copy it."));
  }
}

/** A line with a button to copy all of it, if that is of use, and a link to its page at a block explorer, if there is one. */
const line = (label, text, whole, code, explorer) =>
  h("div", { class: "line" }, h("dt", {}, label),
    h("dd", {}, h("span", { class: code ? "code" : null }, text),
      explorer && /^https:\/\//.test(explorer) && h("a", { href: explorer, target: "_blank", rel: "noopener noreferrer", "aria-label": t("View {what} in block explorer", { what: inside(label) }) }, t("View")),
      whole && h("button", { type: "button", "aria-label": t("Copy {what}", { what: inside(label) }), onclick: () => copy(whole, label) }, t("Copy"))));

/** Shows a step. Pass the same `key` while only details change, to avoid flicker. */
function show(key, build) {
  if (here.shown === key) return false;
  const first = here.shown === "";
  // Focus moves only if it would be lost; otherwise the live region announces the new step.
  const held = $("step").contains(document.activeElement);
  here.shown = key;
  $("step").className = "step";
  $("step").replaceChildren(...build().flat().filter(Boolean));
  $("card").removeAttribute("aria-busy");
  if (first) return true;
  if (held) $("step").focus({ preventScroll: true });
  $("news").textContent = [...$("step").querySelectorAll("h1, h2, .care, .soft")].slice(0, 2).map((part) => part.textContent).join(". ");
  return true;
}

const center = (...children) => { $("step").classList.add("center"); return children; };
// A second-level heading below the bill, a first-level one without a bill.
const title = (text) => h(here.checkout ? "h2" : "h1", {}, text);
const soft = (text) => h("p", { class: "soft" }, text);

// --- calls ---

class Refused extends Error {
  constructor(status, error) {
    super(error?.message || t("The service answered with an error."));
    this.status = status;
    this.errors = error?.errors || [];
  }
}

const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Requests without an answer and their idempotency keys: a retry reuses the key. */
const unanswered = new Map();

async function call(method, path, body) {
  const headers = { accept: "application/json" };
  const sent = body && path + JSON.stringify(body);
  if (body) {
    if (!unanswered.has(sent)) unanswered.set(sent, fresh());
    headers["content-type"] = "application/json";
    headers["idempotency-key"] = unanswered.get(sent);
  }
  const response = await fetch(API + path, { method, headers, body: body && JSON.stringify(body), credentials: "omit", cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  const answer = await response.json().catch(() => null);
  // An interrupted response, or one from a proxy, is not an answer of the service.
  if (response.ok && !answer?.data) throw new Error("no answer");
  // A rate-limited request was not processed: it says nothing about an earlier attempt.
  if (response.status < 500 && ![408, 429].includes(response.status)) unanswered.delete(sent);
  if (!response.ok) throw new Refused(response.status, answer?.error);
  return answer.data;
}

const segment = encodeURIComponent;
const readCheckout = () => call("GET", `/checkout/${segment(paylinkId)}?currency=${own.currencies(locale)}`);
const readPayment = (id) => call("GET", `/checkout/payments/${segment(id)}`);
const createPayment = (body) => call("POST", `/checkout/${segment(paylinkId)}/payments`, body);
const authorize = async (id, body) => void (await call("POST", `/checkout/payments/${segment(id)}/authorizations`, body));
const payFromTestWallet = (id) => call("POST", `/sandbox/checkout/payments/${segment(id)}/pay`, {});

// --- billing interval ---

const EVERY = {
  Day: (count) => (count === 1 ? t("every day") : t("every {count} days", { count })),
  Week: (count) => (count === 1 ? t("every week") : t("every {count} weeks", { count })),
  Month: (count) => (count === 1 ? t("every month") : t("every {count} months", { count })),
  Quarter: (count) => (count === 1 ? t("every quarter") : t("every {count} quarters", { count })),
  Year: (count) => (count === 1 ? t("every year") : t("every {count} years", { count })),
};
const LONG = {
  D: (count) => (count === 1 ? t("1 day") : t("{count} days", { count })),
  W: (count) => (count === 1 ? t("1 week") : t("{count} weeks", { count })),
  M: (count) => (count === 1 ? t("1 month") : t("{count} months", { count })),
};

const FREE = {
  D: (count) => (count === 1 ? t("the first day free") : t("the first {count} days free", { count })),
  W: (count) => (count === 1 ? t("the first week free") : t("the first {count} weeks free", { count })),
  M: (count) => (count === 1 ? t("the first month free") : t("the first {count} months free", { count })),
};

/** Billing interval, length of the trial, and the free period in words; null for a one-time price. */
function rhythm({ recurring_interval: interval, recurring_interval_count: count, trial_period: trial }) {
  const [, length, unit] = /^P(\d+)([DWM])$/.exec(trial || "") || [];
  const said = (texts) => trial && (texts[unit]?.(Number(length)) ?? trial);
  return { every: interval && (EVERY[interval]?.(count || 1) ?? interval), free: said(LONG), first: said(FREE) };
}

// --- the bill, shown above every step ---

/** The price in the payer's own currency, which the payer can change. It is only to be read: the price above is due. */
function approximate(amounts) {
  if (!amounts?.length) return null;
  const text = (amount) => t("about {amount}", { amount: own.text(amount, locale) });
  const first = own.shown(amounts, locale);
  const said = h("span", { role: "status" }, first && text(first));
  const change = ({ target }) => {
    own.choose(target.value);
    said.textContent = text(amounts.find(({ currency }) => currency === target.value));
  };
  return h("p", { class: "approximate" }, said,
    h("select", { "aria-label": t("Your currency"), onchange: change },
      !first && h("option", { value: "", disabled: true, selected: true }, "–"),
      amounts.map(({ currency }) => h("option", { selected: currency === first?.currency }, currency))));
}

function bill(compact) {
  const { merchant, name, description, image_url, amount, currency, sandbox, expires_at: end } = here.checkout;
  const picture = (source, className) => source && h("img", { src: source, alt: "", class: className, referrerpolicy: "no-referrer", onerror: (event) => event.target.remove() });
  $("bill").className = compact ? "bill compact" : "bill";
  if (!bill.drawn) {
    bill.drawn = true;
    document.title = `${name} · ${merchant.name}`;
    $("sandbox").hidden = !sandbox;
    const { every, first } = rhythm(here.checkout);
    $("bill").replaceChildren(...[
      h("p", { class: "merchant" }, picture(merchant.logo_url, "logo"), merchant.name),
      picture(image_url, "picture"),
      h("h1", {}, name),
      h("p", { class: "price" }, digits(amount), " ", h("small", {}, currency)),
      approximate(here.checkout.amounts_in),
      every && h("p", { class: "rhythm" }, first ? `${every}, ${first}` : every),
      description && h("p", { class: "about" }, description),
      end && h("p", { class: "until" }, t("Available until {date}", { date: dateTime(end) })),
      merchantText(here.checkout.style?.note, "note"),
    ].filter(Boolean));
    $("support").replaceChildren(...[merchantText(here.checkout.style?.support)].filter(Boolean));
  }
}

// --- steps ---

const CLOSED = {
  Disabled: () => [t("This link is inactive"), t("The merchant isn’t accepting payments here right now. Nothing was charged.")],
  Expired: () => [t("This link has expired"), t("It can no longer be paid. Ask the merchant for a new one.")],
  SoldOut: () => [t("Sold out"), t("This product is no longer available. Nothing was charged.")],
  Paid: () => [t("Nothing left to pay"), t("This invoice is paid, or a payment for it is on its way.")],
  Unpayable: () => [t("This link can’t accept payments right now"), t("The merchant offers no way to pay yet. Nothing was charged.")],
  Deleted: () => [t("This link no longer exists"), t("Ask the merchant for a new one.")],
};

function closed(state) {
  const [heading, text] = (CLOSED[state] || CLOSED.Disabled)();
  bill(true);
  show("closed " + state, () => center(mark(state === "Paid" ? "good" : "warn"), title(heading), soft(text), back()));
}

const safe = (address) => (/^https?:\/\//i.test(address || "") ? address : null);
function back() {
  const address = safe(here.checkout?.after_completion?.failure_redirect_url);
  return address && h("a", { class: "button second", href: address, target: embedded.isEmbedded && "_top" }, t("Return to {merchant}", { merchant: here.checkout.merchant.name }));
}

/** During a trial nothing is due, so there is no payment method to choose. */
function subscribe() {
  const { every, free } = rhythm(here.checkout);
  const { amount, currency, options: [option] } = here.checkout;
  bill(false);
  show("subscribe", () => [
    title(t("{free} free", { free })),
    soft(t("Nothing is due now. After that, you’re invoiced {price} {every}.", { price: `${digits(amount)} ${currency}`, every })),
    h("button", { class: "button", type: "button", onclick: () => { here.option = option; details(); } }, t("Subscribe")),
  ]);
}

/** Chain and currency that the payer chose last, at any link of this service. */
const CHOICE = "settlekit.choice";
const choiceOf = ({ chain, currency }) => `${chain.id} ${currency}`;

function lastChoice() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    // The browser stores nothing.
    return null;
  }
}

function remember(option) {
  try {
    localStorage.setItem(CHOICE, choiceOf(option));
  } catch {
    // The payer chooses again next time.
  }
}

function choose() {
  const { options, state, trial_period: trial, recurring_interval: recurs } = here.checkout;
  if (state !== "Open") return closed(state);
  if (!options.length) return closed("Unpayable");
  if (trial) return subscribe();
  bill(false);
  const last = lastChoice();
  show("choose", () => [
    h("form", { class: "options", onsubmit: (event) => {
      event.preventDefault();
      const index = new FormData(event.target).get("option");
      if (index === null) return say(t("Choose how to pay."));
      here.option = options[Number(index)];
      remember(here.option);
      details();
    } },
      h("fieldset", { class: "options", "aria-labelledby": "choose-title" },
        h("h2", { id: "choose-title" }, options.length > 1 ? t("How do you want to pay?") : t("Pay with")),
        options.map((option, index) =>
          h("label", { class: "option" },
            h("input", { type: "radio", name: "option", value: index, checked: options.length === 1 || choiceOf(option) === last }),
            h("strong", {}, option.currency), h("span", {}, t("on {network}", { network: option.chain.name }), option.test_network && h("small", { class: "test-money" }, t("Test money"))),
            h("b", {}, digits(option.amount))))),
      recurs && soft(t("This payment starts your subscription. Later periods are invoiced.")),
      h("button", { class: "button" }, t("Continue"))),
  ]);
}

// Name in the body, label, input type, autofill token, and who is asked. Customers who get later invoices must be
// reachable.
const subscribes = () => here.checkout.recurring_interval;
const ASKED = [
  ["email", () => t("Email address"), "email", "email", subscribes],
  ["name", () => t("Name (optional)"), "text", "name", subscribes],
  ["customer_ident", () => t("Customer number"), "text", "off"],
  ["shipping_address", () => t("Shipping address"), "textarea", "street-address"],
  ["tax_ident", () => t("Tax number"), "text", "off"],
];

function details() {
  const asked = ASKED.filter(([field, , , , who]) => (who ? who() : here.checkout.collect[field]));
  if (!asked.length) return start({});
  bill(true);
  show("details", () => [
    h("form", { class: "options", novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      const answers = {};
      for (const [field, value] of new FormData(event.target)) if (value.trim()) answers[field] = value.trim();
      // The service does not require an address, but subscribers need one.
      if (subscribes() && !answers.email) return showErrors(event.target, [{ field: "email", message: "is required" }]);
      start(answers, event.target);
    } },
      title(t("Your details")),
      subscribes() && soft(t("The merchant contacts you here about invoices.")),
      asked.map(([field, label, kind, autocomplete]) =>
        h("label", { class: "field" }, h("span", {}, label()),
          kind === "textarea" ? h("textarea", { name: field, rows: 3, autocomplete, required: true }) : h("input", { name: field, type: kind, autocomplete, required: field !== "name" }),
          h("p", { class: "field-error", hidden: true, id: "no-" + field }))),
      h("button", { class: "button" }, t("Continue")),
      !here.checkout.trial_period && h("button", { class: "link", type: "button", onclick: choose }, t("Choose another way to pay"))),
  ]);
}

/** Shows each error at its field; returns whether there was one. */
function showErrors(form, errors) {
  let first;
  for (const note of form?.querySelectorAll(".field-error") || []) note.hidden = true;
  for (const input of form?.querySelectorAll("[aria-invalid]") || []) input.removeAttribute("aria-invalid");
  for (const { field, message } of errors || []) {
    const place = form && field && $("no-" + field);
    if (!place) continue;
    const [, label] = ASKED.find(([name]) => name === field);
    place.textContent = `${label()} ${message === "is required" ? t("is required") : message}.`;
    place.hidden = false;
    form.elements[field].setAttribute("aria-invalid", "true");
    first ??= form.elements[field];
  }
  first?.focus();
  return Boolean(first);
}

async function start(answers, form) {
  const button = document.querySelector("#step .button");
  if (button) button.disabled = true;
  try {
    const payment = await createPayment({ chain_id: here.option.chain.id, currency: here.option.currency, ...answers });
    embedded.setPayment(payment);
    here.paying = true;
    follow(payment);
  } catch (error) {
    if (button) button.disabled = false;
    if (error.status === 409) return load();
    if (!showErrors(form, error.errors)) say(error.status ? error.message : t("Can’t reach the service. Nothing was charged. Try again."));
  }
}

// --- a started payment ---

function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (hour ? hour + ":" + String(minute).padStart(2, "0") : minute) + ":" + String(second).padStart(2, "0");
}

function tick() {
  const place = $("left");
  if (!place || !here.payment?.expires_at) return;
  const left = Date.parse(here.payment.expires_at) - (Date.now() + here.skewMs);
  place.textContent = minutes(left);
  place.classList.toggle("short", left < 60000);
}
setInterval(tick, 500);

function again() {
  leave();
  embedded.setPayment(null);
  load();
}

/** Link to the other payment methods; none if this payment holds the last item in stock, because they would be sold out. */
async function another({ payment_id: id }) {
  const { state } = await readCheckout().catch(() => ({}));
  if (here.payment?.payment_id !== id || !open(here.payment)) return;
  if (state === "SoldOut") say(t("This is the last one, reserved for this payment. Pay this way, or come back when its time has run out."));
  else again();
}

/** Pays from a wallet in the browser; loaded when a payment can be paid so. */
let wallets = null;
const redraw = () => here.payment && draw(here.payment);
sent.watch(redraw);

function loadWallets(payment) {
  if (!(payment.unsigned_transaction || payment.authorization_status === "Failed") || loadWallets.begun) return;
  loadWallets.begun = true;
  import("./wallet.js").then(({ start }) => {
    wallets = start({ t, h, digits, read: readPayment, authorize, redraw });
    redraw();
  }, () => {
    loadWallets.begun = false;
  });
}

/** The link that says that a wallet has not sent a payment; none while the wallet is still asked. */
const release = (payment, request, text) =>
  wallets?.isPending(payment)
    ? soft(t("Confirm or decline the request in {wallet}.", request))
    : h("button", { class: "link", type: "button", onclick: () => { sent.forget(payment); redraw(); } }, text);

const hashLine = ({ hash }) => hash && h("dl", { class: "lines" }, line(t("Transaction"), hash, hash, true));

/** A payment that a wallet was asked to send, and that has not arrived. */
const requested = (payment, request) => [
  title(t("Pay with your wallet")),
  h("div", { class: "waiting" }, h("span", { class: "pulse" }, request.hash ? t("{wallet} says that it sent the payment. Waiting for it to arrive.", request) : t("Waiting for your payment")), timeLeft()),
  hashLine(request) || h("p", { class: "care" }, t("We don’t know whether {wallet} sent this payment. If you confirmed it, it appears here by itself.", request)),
  !isZero(payment.paid_amount) && h("p", { class: "care" }, t("{arrived} received, less than the amount due.", { arrived: arrived(payment) })),
  request.hash && soft(t("If you speed up the transaction in {wallet}, its hash changes. The payment still appears here.", request)),
  soft(t("Check your activity in {wallet} before you pay again. If both payments go through, you pay twice.", request)),
  release(payment, request, request.hash ? t("Pay again anyway") : t("I didn’t confirm it: pay again")),
];

/** The link to a tab of its own; the frame asks for nothing while the payment may go on there. */
function showTabLink() {
  if (!embedded.isEmbedded) return;
  $("tab").hidden = false;
  $("tab").textContent = t("Open in a new tab");
  const isAsked = here.payment !== null && sent.find(here.payment) !== null;
  embedded.linkToTab($("tab"), here.payment, isAsked);
  // A frame that is loaded again knows that the payment may go on in a tab.
  if (here.payment) embedded.tellAsked(here.payment, isAsked || here.elsewhere === here.payment.payment_id);
}

for (const click of ["click", "auxclick"]) $("tab").addEventListener(click, () => {
  if (!here.payment || !open(here.payment)) return;
  here.elsewhere = here.payment.payment_id;
  if (!wallets?.isPending(here.payment)) wallets?.leave(here.payment);
  redraw();
});

const elsewhere = () => [
  title(t("Payment opened in another tab")),
  h("div", { class: "waiting" }, h("span", { class: "pulse" }, t("Waiting for your payment")), timeLeft()),
  soft(t("Continue there. When the payment arrives, it appears here, too.")),
  h("button", { class: "link", type: "button", onclick: () => { here.elsewhere = null; redraw(); } }, t("I didn’t pay there: continue here")),
];

const timeLeft = () => h("span", {}, h("span", { id: "left", class: "left", role: "timer", "aria-label": t("Time left") }));

/** A QR code of the payment; some wallets read no links, and scan address and amount one by one. */
function code(payment) {
  const uri = /^[a-z]+:/i.test(payment.payment_uri) && !/^(javascript|data):/i.test(payment.payment_uri) ? payment.payment_uri : null;
  const codes = [["link", t("Payment"), payment.qr], ["address", t("Address"), payment.address_qr], ["amount", t("Amount"), payment.amount_qr]];
  // A frame may not go where the page around it does not let it.
  const picture = h("a", { class: "qr", target: embedded.isEmbedded && "_top" });
  const paint = (name) => {
    here.code = name;
    const [, label, { size, path }] = codes.find(([known]) => known === name);
    picture.replaceChildren(svg(`0 0 ${size} ${size}`, "", path));
    for (const [attribute, value] of name === "link" && uri ? [["href", uri], ["aria-label", t("Open in a wallet on this device")]] : [["href", null], ["aria-label", t("QR code: {what}", { what: label })]]) {
      if (value === null) picture.removeAttribute(attribute);
      else picture.setAttribute(attribute, value);
    }
    picture.setAttribute("role", name === "link" && uri ? "link" : "img");
  };
  paint(here.code || "link");
  return h("div", { class: "scan" }, picture,
    h("fieldset", { class: "codes" }, h("legend", {}, t("QR code")),
      codes.map(([name, label]) => h("label", {}, h("input", { type: "radio", name: "code", checked: name === here.code, onchange: () => paint(name) }), h("span", {}, label)))));
}

/** Schemes of links that run or show what they contain, or that no wallet has. */
const FOREIGN_SCHEMES = /^(about|blob|chrome|content|data|file|filesystem|ftp|http|intent|javascript|vbscript|view-source|wss?):/i;
const leadsToWallet = (url) => /^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(url) && !FOREIGN_SCHEMES.test(url);

/** Links that open the payment in a wallet on this device; none where the browser has a wallet, or may still have one. */
function walletLinks(payment) {
  const links = (Array.isArray(payment.wallet_links) ? payment.wallet_links : []).filter(({ name, url }) => typeof name === "string" && typeof url === "string" && leadsToWallet(url));
  if (!links.length || !wallets || wallets.buttons(payment).length || !matchMedia("(pointer: coarse)").matches) return null;
  return h("div", { class: "wallet-links" },
    h("p", { class: "soft" }, t("Open this payment in a wallet on this device:")),
    links.map(({ name, url }) => h("a", { class: "button second", href: url, target: embedded.isEmbedded && "_blank", rel: "noopener noreferrer" }, t("Open in {wallet}", { wallet: name }))));
}

/** About the same in the shop's currency, if the payment is in another. */
function inShop(payment, amount) {
  const { amount: price, currency } = here.checkout ?? {};
  if (!currency || currency === payment.currency || isZero(payment.amount)) return "";
  const worth = (Number(price) * Number(amount)) / Number(payment.amount);
  return ` (≈ ${worth.toLocaleString(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency})`;
}

/** An amount in a payment's currency, and in the shop's. */
const money = (payment, amount) => `${digits(amount)} ${payment.currency}${inShop(payment, amount)}`;

function pay(payment) {
  const short = !isZero(payment.paid_amount);
  const due = remaining(payment.amount, payment.paid_amount);
  const network = payment.chain.name;
  loadWallets(payment);
  const [busy, request] = [wallets?.busy(payment), sent.find(payment)];
  const key = `pay ${payment.payment_id} ${due} ${payment.authorization_status} ${wallets?.key(payment)} ${JSON.stringify(request)}`;
  if (busy) {
    show(key, () => [title(t("Pay with your wallet")), h("div", { class: "waiting" }, h("span", { class: "pulse" }, t("Waiting for your wallet")), timeLeft()), busy]);
    return tick();
  }
  if (request) {
    show(key, () => requested(payment, request));
    return tick();
  }
  if (["Accepted", "Sent"].includes(payment.authorization_status)) {
    show(`${key} authorized`, () => center(mark("busy"), title(t("Payment authorized")),
      soft(t("Your payment is being sent. You pay no network fee.")),
      soft(t("You can close this page. The payment completes automatically."))));
    return;
  }
  if (here.elsewhere === payment.payment_id) {
    show(`${key} elsewhere`, elsewhere);
    return tick();
  }
  if (payment.authorization_status === "Failed") {
    show(`${key} failed`, () => [
      title(t("Sign again")),
      h("p", { class: "care" }, t("The network did not execute what you signed. Don’t pay another way yet: it could still be executed until it expires, and you would pay twice.")),
      wallets?.buttons(payment),
      walletLinks(payment)]);
    return;
  }
  show(key, () => [
    short && h("p", { class: "care" }, t("{arrived} received, less than the amount due. Send the rest to the same address.", { arrived: arrived(payment) })),
    title(short ? t("Send the rest") : t("Send {currency} on {network}", { currency: payment.currency, network })),
    wallets?.buttons(payment),
    walletLinks(payment),
    h("div", { class: "waiting" }, h("span", { class: "pulse" }, t("Waiting for your payment")), timeLeft()),
    code(payment),
    h("dl", { class: "lines" },
      line(t("Amount"), money(payment, due), due),
      line(t("Address"), payment.address, payment.address, true, payment.address_url)),
    payment.test_network && h("p", { class: "care" }, t("{network} is a test network. Send test money only: it has no value.", { network })),
    h("p", { class: "care" }, t("Send only {currency}, only on {network}. Anything else sent here may be lost.", { currency: payment.currency, network })),
    payment.sandbox && h("button", { class: "button test", type: "button", onclick: async (event) => {
      event.target.disabled = true;
      try { follow(await payFromTestWallet(payment.payment_id)); }
      catch (error) { event.target.disabled = false; say(error.message); }
    } }, t("Pay from the test wallet")),
    !short && here.checkout.options.length > 1 && h("button", { class: "link", type: "button", onclick: () => another(payment) }, t("Choose another way to pay")),
  ]);
  tick();
}

function processing(payment) {
  // Before its first block a payment may still be replaced by its sender.
  const heading = payment.confirmations ? t("Payment received") : t("Payment detected");
  show(`processing ${payment.payment_id} ${heading}`, () => center(
    mark("busy"), title(heading),
    h("p", { class: "soft", id: "count", role: "status" }),
    h("progress", { id: "bar", "aria-label": t("Confirmations") }),
    soft(t("You can close this page. The payment completes automatically.")),
    transaction(payment)));
  const [seen, needed] = [Math.min(payment.confirmations || 0, payment.confirmations_required), payment.confirmations_required];
  const text = t("Waiting for confirmations on {network} ({seen} of {needed})", { network: payment.chain.name, seen, needed });
  if ($("count").textContent !== text) $("count").textContent = text;
  $("bar").max = needed || 1;
  $("bar").value = seen;
}

const transactionLines = (payment) => [
  payment.transaction_hash && line(t("Transaction"), payment.transaction_hash, payment.transaction_hash, true, payment.transaction_url),
  payment.transaction_hash && payment.block_number && line(t("Block"), digits(String(payment.block_number)), String(payment.block_number)),
];
const transaction = (payment) => payment.transaction_hash && h("dl", { class: "lines" }, transactionLines(payment));

const arrived = (payment) => money(payment, payment.paid_amount);

/** Notes about an accepted payment. */
const SETTLED = {
  Overpaid: (payment) => t("{arrived} received, {more} more than the amount due. Contact the merchant about the difference.", { arrived: arrived(payment), more: money(payment, remaining(payment.paid_amount, payment.amount)) }),
  Underpaid: (payment) => t("{arrived} received. The merchant accepted it as full payment.", { arrived: arrived(payment) }),
  PaidLate: () => t("Received after the time limit. The merchant accepted it."),
};

/** When, where and by what transaction a payment was made; the page's address brings it back. */
const receipt = (payment) => [
  payment.test_network && h("p", { class: "care" }, t("Test network: this payment has no value")),
  h("dl", { class: "lines" },
    payment.confirmed_at && line(t("Paid on"), dateTime(payment.confirmed_at)),
    !isZero(payment.refunded_amount || "0") && line(t("Refunded"), money(payment, payment.refunded_amount)),
    line(t("Payment ID"), payment.payment_id, payment.payment_id, true),
    line(t("Network"), payment.chain.name),
    transactionLines(payment)),
  h("p", { class: "receipt" },
    globalThis.print && h("button", { class: "link", type: "button", onclick: () => print() }, t("Print or save receipt")),
    h("button", { class: "link", type: "button", onclick: () => copy(embedded.tabUrl(payment), t("Receipt link")) }, t("Copy receipt link"))),
  h("p", { class: "on-paper" }, embedded.tabUrl(payment)),
];

function confirmed(payment) {
  const after = payment.after_completion || {};
  const target = safe(after.redirect_url);
  // The page around a frame decides where it goes, and who comes back for the receipt stays.
  const isLeaving = target && here.paying && !embedded.isEmbedded;
  const drawn = show("confirmed " + payment.payment_id, () => center(
    mark("good"), title(here.checkout.recurring_interval ? t("Subscribed") : t("Paid")),
    h("p", {}, isZero(payment.amount) ? t("Your free trial has started") : t("{amount} to {merchant}", { amount: money(payment, payment.amount), merchant: here.checkout.merchant.name })),
    payment.reason && SETTLED[payment.reason] && h("p", { class: "care" }, SETTLED[payment.reason](payment)),
    after.custom_message && h("p", { class: "soft" }, after.custom_message),
    receipt(payment),
    target && h("a", { class: "button", id: "go", href: target, target: embedded.isEmbedded && "_top" }, t("Return to {merchant}", { merchant: here.checkout.merchant.name })),
    isLeaving && h("p", { class: "soft", id: "going" }),
    isLeaving && h("button", { class: "link", id: "stay", type: "button", onclick: () => {
      clearInterval(here.redirect);
      $("going").textContent = t("Staying on this page.");
      $("stay").remove();
      $("go").focus();
    } }, t("Stay on this page"))));
  if (!drawn || !isLeaving) return;
  let left = REDIRECT_SECONDS;
  const count = () => {
    $("going").textContent = t("Returning in {left} s", { left });
    if (left-- <= 0) { clearInterval(here.redirect); location.assign(target); }
  };
  count();
  here.redirect = setInterval(count, 1000);
}

const ENDED = {
  Expired: () => ["warn", t("Payment expired"), t("No payment arrived in time, so this address is closed. If you have sent it, contact the merchant. Otherwise, start again.")],
  Failed: () => ["bad", t("Payment failed"), t("The network rejected the transaction. If money left your wallet, contact the merchant. Otherwise, start again.")],
  Canceled: () => ["warn", t("Payment canceled"), t("The merchant canceled this payment. Don’t send money to its address.")],
  Refunded: () => ["good", t("Refunded"), t("The merchant refunded this payment.")],
  PartialRefunded: () => ["good", t("Partly refunded"), t("The merchant refunded part of this payment.")],
};

/** Too little was paid, or too late: the payer must contact the merchant. */
const STRANDED = {
  Underpaid: (payment) => ["bad", t("Payment incomplete"), t("{arrived} of {amount} arrived in time. Contact the merchant about the money you sent.", { arrived: arrived(payment), amount: money(payment, payment.amount) })],
  PaidLate: (payment) => ["warn", t("Paid too late"), t("{arrived} received after the time limit. Contact the merchant about it.", { arrived: arrived(payment) })],
};

function ended(payment) {
  const stranded = ["Expired", "Failed"].includes(payment.status) && !isZero(payment.paid_amount) && (payment.status === "Failed" ? STRANDED[payment.reason] : STRANDED.PaidLate);
  const [kind, heading, text] = stranded ? stranded(payment) : ENDED[payment.status]?.() || ["warn", payment.status, t("Contact the merchant to learn more.")];
  const request = awaited(payment);
  show(`ended ${payment.payment_id} ${payment.status} ${payment.paid_amount} ${payment.reason} ${JSON.stringify(request)} ${wallets?.isPending(payment)}`, () => center(
    mark(kind), title(heading), soft(text), payment.confirmed_at ? receipt(payment) : transaction(payment),
    // A payer who has sent money, or may have, is not asked to pay again.
    !stranded && request && [
      h("p", { class: "care" }, t("{wallet} was asked for this payment. If it was sent, contact the merchant.", request)),
      hashLine(request),
      release(payment, request, t("It wasn’t sent")),
    ],
    !stranded && !request && ["Expired", "Failed", "Canceled"].includes(payment.status) && h("button", { class: "button", type: "button", onclick: again }, t("Start again")),
    back()));
}

/** What a wallet was asked for a payment that has ended without it. */
const awaited = (payment) => ["Expired", "Failed", "Canceled"].includes(payment.status) ? sent.find(payment) : null;

function draw(payment) {
  bill(true);
  showTabLink();
  // A payment is Processing once a payment method is chosen: the address is shown until the full amount has arrived.
  if (open(payment) && !isZero(remaining(payment.amount, payment.paid_amount))) return pay(payment);
  wallets?.leave(payment);
  // Until then a reorganisation can make the payment due again.
  if (["Confirmed", "Refunded", "PartialRefunded"].includes(payment.status)) sent.forget(payment);
  if (open(payment)) return processing(payment);
  if (payment.status === "Confirmed") return confirmed(payment);
  return ended(payment);
}

const open = (payment) => payment.status === "Pending" || payment.status === "Processing";
/** Money that is still unconfirmed can complete an expired payment. */
const moving = (payment) => open(payment) || awaited(payment) || (["Expired", "Failed"].includes(payment.status) && payment.transaction_hash && payment.confirmations < payment.confirmations_required);
const isZero = (amount) => !/[1-9]/.test(amount);

/** Shows a payment and follows it until it is final. */
function follow(payment) {
  const turn = ++here.turn;
  take(payment, turn);
  if (moving(payment)) listen(payment.payment_id, turn);
}

/** Shows what was read of a payment, and when to read it again. */
function take(payment, turn, waitMs = POLL_MS) {
  clearTimeout(here.timer);
  here.payment = payment;
  here.waitMs = waitMs;
  here.skewMs = Date.parse(payment.server_time) - Date.now();
  if (moving(payment)) here.paying = true;
  embedded.follow(payment);
  draw(payment);
  if (moving(payment)) here.timer = setTimeout(() => poll(payment.payment_id, turn), waitMs);
  else hush();
}

/** Takes changes of a payment as the service streams them. Until the stream speaks, and when it falls silent, the payment is polled. */
function listen(id, turn) {
  hush();
  if (document.hidden || !globalThis.EventSource) return;
  const stream = new EventSource(`${API}/checkout/payments/${segment(id)}/live`);
  here.stream = stream;
  stream.onmessage = ({ data }) => {
    const payment = JSON.parse(data).data;
    if (turn !== here.turn || stream !== here.stream) return;
    here.messages++;
    take(payment, turn, SILENCE_MS);
  };
  // The browser connects again by itself, or not at all.
  stream.onerror = () => {
    if (turn !== here.turn || stream !== here.stream || here.waitMs !== SILENCE_MS) return;
    clearTimeout(here.timer);
    here.waitMs = POLL_MS;
    here.timer = setTimeout(() => poll(id, turn), here.waitMs);
  };
}

function hush() {
  here.stream?.close();
  here.stream = null;
}

async function poll(id, turn) {
  if (turn !== here.turn) return;
  if (document.hidden) return;
  const { messages } = here;
  // A message is newer than an answer that was asked for before it.
  const isOld = () => turn !== here.turn || messages !== here.messages;
  try {
    const payment = await readPayment(id);
    if (!isOld()) take(payment, turn);
  } catch (error) {
    if (isOld()) return;
    clearTimeout(here.timer);
    here.waitMs = Math.min(here.waitMs * 2, POLL_MS_MAX);
    say(t("Connection lost. Money you’ve sent is safe. Reconnecting…"));
    here.timer = setTimeout(() => poll(id, turn), here.waitMs);
  }
}

document.addEventListener("visibilitychange", () => {
  const { payment, turn } = here;
  if (document.hidden) return hush();
  if (!payment || !moving(payment)) return;
  clearTimeout(here.timer);
  listen(payment.payment_id, turn);
  poll(payment.payment_id, turn);
});

function failed(error) {
  showTabLink();
  const missing = error.status === 404;
  show("failed " + missing, () => center(mark(missing ? "warn" : "bad"),
    title(missing ? t("This link doesn’t exist") : t("The page could not be loaded")),
    soft(missing ? t("Check the address, or ask the merchant for a new link.") : error.status ? error.message : t("Can’t reach the service. Nothing was charged.")),
    !missing && h("button", { class: "button second", type: "button", onclick: () => { here.shown = " "; load(); } }, t("Try again"))));
  if (!here.checkout) $("bill").hidden = true;
}

/** Stops following the payment. */
function leave() {
  clearTimeout(here.timer);
  hush();
  here.payment = null;
  here.paying = false;
}

async function load() {
  clearInterval(here.redirect);
  const turn = ++here.turn;
  if (here.payment) wallets?.leave(here.payment);
  leave();
  const id = new URLSearchParams(location.search).get("payment");
  try {
    const [checkout, payment] = await Promise.all([readCheckout(), id ? readPayment(id) : null, translated]);
    showTabLink();
    if (turn !== here.turn) return;
    // The address of another merchant's payment is never shown under this bill.
    if (payment && payment.paylink_id !== checkout.paylink_id) throw new Refused(404);
    here.checkout = checkout;
    await applyStyle(checkout.style);
    if (turn !== here.turn) return;
    $("bill").hidden = false;
    if (payment && embedded.takeAsked()) sent.begin(payment, t("your browser wallet"));
    if (payment) follow(payment);
    else choose();
  } catch (error) {
    await translated;
    if (turn !== here.turn) return;
    // What the page around a frame has remembered is of no use any more.
    if (id && embedded.isEmbedded && error.status === 404) return again();
    failed(error);
  }
}

/** Shows the start of a checkout that is none, for the dashboard. */
async function preview(checkout, scheme) {
  here.checkout = checkout;
  here.shown = "";
  bill.drawn = false;
  await applyStyle(checkout.style);
  document.documentElement.style.colorScheme = scheme;
  choose();
}

if (embedded.isPreview) {
  // The sample is named in the page's language.
  Promise.all([import("./preview.js"), translated]).then(([{ start }]) => start(t, preview));
} else {
  addEventListener("popstate", load);
  load();
}
