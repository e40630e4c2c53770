// `<settlekit-pay>`: the payer's page inside a shop's page, behind a button or inline.
//
// The service serves this file as `/embed.js`; the npm package has it as `settlekit/embed`. Events are for the display only: a shop
// confirms a payment by webhook or API before it delivers. Messages count if they come from the element's own frame and the service.

const ATTRIBUTES = ["paylink", "mode", "label", "language"];
/** Messages of the frame about a payment, raised as `settlekit-…`. */
const PAYMENT_EVENTS = ["started", "seen", "confirmed", "ended"];

const LOAD_MS_MAX = 20_000;
/** After loading, for the first message: the page sends it before. */
const SILENCE_MS_MAX = 2000;
const HEIGHT_PX_MAX = 20_000;

const GERMAN = {
  "Pay": "Bezahlen",
  "Payment": "Zahlung",
  "Close": "Schließen",
  "Loading payment…": "Zahlung wird geladen …",
  "The payment could not be loaded. Nothing was charged.": "Die Zahlung konnte nicht geladen werden. Es wurde nichts abgebucht.",
  "Try again": "Erneut versuchen",
  "Open in a new tab": "In neuem Tab öffnen",
  "This payment link is not valid here. Contact the merchant.": "Dieser Zahlungslink ist hier nicht gültig. Wenden Sie sich an den Händler.",
};

const FRENCH = {
  "Pay": "Payer",
  "Payment": "Paiement",
  "Close": "Fermer",
  "Loading payment…": "Chargement du paiement…",
  "The payment could not be loaded. Nothing was charged.": "Le paiement n’a pas pu être chargé. Rien n’a été débité.",
  "Try again": "Réessayer",
  "Open in a new tab": "Ouvrir dans un nouvel onglet",
  "This payment link is not valid here. Contact the merchant.": "Ce lien de paiement n’est pas valable ici. Contactez le marchand.",
};

const CSS = `
:host { display: inline-block }
:host([mode="inline"]) { display: block }
:host([hidden]) { display: none; }
* { box-sizing: border-box; }
.box, dialog { --accent: light-dark(#2b47c4, #8ea5ff); --text: light-dark(#12141c, #f3f4f8); --surface: light-dark(#fff, #16181f);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text); background: var(--surface); }
:focus-visible { outline: 3px solid light-dark(#2b47c4, #8ea5ff); outline-offset: 2px; }
.pay { min-height: 3rem; padding: var(--settlekit-button-padding, .5rem 1.5rem); border: var(--settlekit-button-border, 0);
  border-radius: var(--settlekit-button-radius, .75rem); background: var(--settlekit-button-background, light-dark(#2b47c4, #8ea5ff));
  color: var(--settlekit-button-color, light-dark(#fff, #0c1024)); font: var(--settlekit-button-font, 600 1rem/1.5 system-ui, sans-serif); cursor: pointer; }
.pay:hover { filter: brightness(1.08); }
dialog { width: min(29rem, 100vw); max-width: none; max-height: 100dvh; padding: 0; border: 0; border-radius: var(--settlekit-dialog-radius, 1rem); overflow: clip; }
dialog::backdrop { background: rgb(0 0 0 / .6); }
.bar { display: flex; justify-content: flex-end; height: 3rem; }
.close { width: 3rem; border: 0; background: none; color: inherit; cursor: pointer; }
.close:focus-visible { outline-offset: -5px; }
.close svg { display: block; width: 1.25rem; margin: auto; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.box { position: relative; min-height: 14rem; caret-color: light-dark(rgb(1 1 1), rgb(2 2 2)); }
iframe { display: block; width: 100%; min-height: 14rem; border: 0; }
dialog iframe { max-height: calc(100dvh - 3rem); }
.box:not([data-state="ready"]) iframe { visibility: hidden; }
.note { min-height: 14rem; display: grid; place-content: center; justify-items: center; gap: .75rem; padding: 1.5rem; text-align: center; }
.box:has(iframe) .note { position: absolute; inset: 0; z-index: 1; }
.note p { margin: 0; }
[data-state="ready"] .note { display: none; }
.note a { color: var(--accent); }
.retry { min-height: 2.75rem; padding: 0 1.25rem; border: 2px solid var(--accent); border-radius: .75rem; background: none; color: var(--accent); font: inherit; font-weight: 600; cursor: pointer; }
@media (max-width: 30rem) { dialog { width: 100vw; margin: 0; border-radius: 0; min-height: 100dvh; } }
`;

const isText = (value) => typeof value === "string" && value !== "";

function parseUrl(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const isWeb = (url) => url?.protocol === "https:" || url?.protocol === "http:";

/** The service's base URL, with a slash at its end. */
function baseOf(url) {
  const base = parseUrl(url);
  if (!isWeb(base)) throw new TypeError(`url must be the http(s) URL of the Settlekit service, not ${JSON.stringify(String(url))}`);
  return new URL(`${base.origin}${base.pathname.replace(/\/*$/, "/")}`);
}

/** The id in `paylink`: an id, or the URL of a link of this service; null for anything else. */
function paylinkIdOf(paylink, service) {
  const isId = (text) => /^[\w-]{1,80}$/.test(text);
  if (isId(paylink)) return paylink;
  const url = parseUrl(paylink);
  const prefix = `${service.pathname}pay/`;
  if (url?.origin !== service.origin || !url.pathname.startsWith(prefix)) return null;
  const id = url.pathname.slice(prefix.length);
  return isId(id) ? id : null;
}

const keyOf = (service, paylinkId) => `settlekit ${service.href} ${paylinkId}`;

/** The payment in progress in this tab, from before the shop's page was loaded again. The frame's own storage may be blocked. */
function recall(service, paylinkId) {
  try {
    const { id, isAsked } = JSON.parse(sessionStorage.getItem(keyOf(service, paylinkId)));
    return isText(id) ? { id, isAsked: isAsked === true } : null;
  } catch {
    return null;
  }
}

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function cross() {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  path.setAttribute("d", "M5 5l14 14M19 5L5 19");
  picture.append(path);
  return picture;
}

function createElementClass(service) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  const DARK = matchMedia("(prefers-color-scheme: dark)");

  return class SettlekitPay extends HTMLElement {
    static observedAttributes = ATTRIBUTES;
    static service = service.href;

    #root = this.attachShadow({ mode: "open" });
    #id = null;
    #parts = {};
    /** The payment in progress: its id, and whether a wallet was asked for it. */
    #payment = null;
    #isConnected = false;
    /** Events raised before: a frame that is loaded again repeats them. */
    #raised = new Set();
    #timer = 0;

    constructor() {
      super();
      this.#root.adoptedStyleSheets = [sheet];
    }

    connectedCallback() {
      this.#isConnected = true;
      // Frameworks may set properties before the element is defined.
      for (const name of ATTRIBUTES) {
        if (!Object.hasOwn(this, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      addEventListener("message", this.#hear);
      DARK.addEventListener("change", this.#recolour);
      this.#render();
    }

    disconnectedCallback() {
      this.#isConnected = false;
      removeEventListener("message", this.#hear);
      DARK.removeEventListener("change", this.#recolour);
      this.#clear();
    }

    attributeChangedCallback(name, before, now) {
      if (before === now || !this.#isConnected) return;
      if (name === "label" && this.#parts.button) this.#parts.button.textContent = this.#label();
      else if (name !== "label") this.#render();
    }

    /** Opens the dialog of a button; the payment in progress continues. */
    open() {
      const { dialog } = this.#parts;
      if (!dialog || dialog.open) return;
      if (!this.#parts.frame) this.#load();
      dialog.showModal();
    }

    /** Closes the dialog; the payment in progress continues. */
    close() {
      this.#parts.dialog?.close();
    }

    #language() {
      return this.getAttribute("language") || navigator.language;
    }

    #t(english) {
      return { de: GERMAN, fr: FRENCH }[this.#language().toLowerCase().split("-")[0]]?.[english] ?? english;
    }

    #label() {
      return this.getAttribute("label") || this.#t("Pay");
    }

    #raise(type, detail) {
      this.dispatchEvent(new CustomEvent(`settlekit-${type}`, { detail, bubbles: true, composed: true }));
    }

    #clear() {
      clearTimeout(this.#timer);
      this.#parts = {};
      this.#root.replaceChildren();
    }

    #render() {
      const wasOpen = this.#parts.dialog?.open;
      this.#clear();
      const paylink = this.getAttribute("paylink");
      const id = isText(paylink) ? paylinkIdOf(paylink.trim(), service) : null;
      if (id !== this.#id) this.#payment = id && recall(service, id);
      this.#id = id;
      if (!isText(paylink)) return;
      const box = h("div", { class: "box", part: "frame" });
      this.#parts.box = box;
      if (id === null) {
        const message = this.#t("This payment link is not valid here. Contact the merchant.");
        box.append(h("div", { class: "note", role: "alert" }, h("p", {}, message)));
        this.#root.append(box);
        this.#raise("error", { reason: "paylink", message: `paylink must be the id of a payment link or its URL at ${service.href}, not ${JSON.stringify(paylink)}` });
      } else if (this.getAttribute("mode") === "inline") {
        this.#root.append(box);
        this.#load();
      } else {
        const button = h("button", { class: "pay", part: "button", type: "button", onclick: () => this.open() }, this.#label());
        const close = h("button", { class: "close", type: "button", "aria-label": this.#t("Close"), onclick: () => this.close() }, cross());
        const dialog = h("dialog", { part: "dialog", "aria-label": this.#t("Payment"), onclose: () => this.#raise("closed", { paylink_id: this.#id }) }, h("div", { class: "bar" }, close), box);
        Object.assign(this.#parts, { button, dialog });
        this.#root.append(button, dialog);
        if (wasOpen) this.open();
      }
    }

    #load() {
      const { box } = this.#parts;
      const address = new URL(`embed/${this.#id}`, service);
      const values = { language: this.getAttribute("language"), scheme: this.#scheme(), payment: this.#payment?.id };
      for (const [name, value] of Object.entries(values)) if (value) address.searchParams.set(name, value);
      if (this.#payment?.isAsked) address.hash = "asked";
      const wait = (ms) => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#fail(), ms);
      };
      const frame = h("iframe", { title: this.#t("Payment"), allow: "clipboard-write", referrerpolicy: "no-referrer", src: address.href, onload: () => box.dataset.state === "loading" && wait(SILENCE_MS_MAX) });
      this.#parts.frame = frame;
      box.dataset.state = "loading";
      box.replaceChildren(h("div", { class: "note", role: "status" }, h("p", {}, this.#t("Loading payment…"))), frame);
      wait(LOAD_MS_MAX);
    }

    /** The colour scheme of the page around the element, which may be another than the system's. */
    #scheme() {
      return getComputedStyle(this.#parts.box).caretColor === "rgb(2, 2, 2)" ? "dark" : "light";
    }

    #recolour = () => this.#parts.frame?.contentWindow?.postMessage({ settlekit: "scheme", scheme: this.#scheme() }, service.origin);

    #fail() {
      const { box, frame } = this.#parts;
      const message = this.#t("The payment could not be loaded. Nothing was charged.");
      const tab = new URL(`pay/${this.#id}`, service);
      if (this.#payment) tab.searchParams.set("payment", this.#payment.id);
      if (this.#payment?.isAsked) tab.hash = "asked";
      box.dataset.state = "failed";
      box.replaceChildren(h("div", { class: "note", role: "alert" }, h("p", {}, message),
        h("button", { class: "retry", type: "button", onclick: () => this.#load() }, this.#t("Try again")),
        h("a", { href: tab.href, target: "_blank", rel: "noopener" }, this.#t("Open in a new tab"))), frame);
      this.#raise("error", { reason: "unavailable", message: `${service.href} did not answer` });
    }

    #remember(payment, isOver = false) {
      this.#payment = payment;
      try {
        if (isOver) sessionStorage.removeItem(keyOf(service, this.#id));
        else sessionStorage.setItem(keyOf(service, this.#id), JSON.stringify(payment));
      } catch {
        // The browser stores nothing: the payment is known as long as the page.
      }
    }

    #hear = ({ source, origin, data }) => {
      const { frame, box } = this.#parts;
      if (!frame || source !== frame.contentWindow || origin !== service.origin) return;
      const { settlekit: type, height, payment_id, paylink_id, status, is_asked } = data ?? {};
      if (type === "ready") {
        clearTimeout(this.#timer);
        box.dataset.state = "ready";
      } else if (type === "height" && Number.isFinite(height) && height > 0) {
        frame.style.height = `${Math.min(Math.ceil(height), HEIGHT_PX_MAX)}px`;
      } else if (type === "close") {
        this.close();
      } else if (type === "asked" && this.#payment?.id === payment_id) {
        this.#remember({ id: payment_id, isAsked: is_asked === true });
      } else if (PAYMENT_EVENTS.includes(type) && isText(payment_id) && paylink_id === this.#id && isText(status)) {
        if (this.#payment?.id !== payment_id) this.#remember({ id: payment_id, isAsked: false });
        // What a wallet was asked for may still arrive.
        if (type === "confirmed" || (type === "ended" && !this.#payment.isAsked)) this.#remember(this.#payment, true);
        const event = `${payment_id} ${type}`;
        if (this.#raised.has(event)) return;
        this.#raised.add(event);
        const detail = { payment_id, paylink_id, status };
        // The shop may go there.
        if (type === "confirmed" && isWeb(parseUrl(data.redirect_url))) detail.redirect_url = data.redirect_url;
        this.#raise(type, detail);
      }
    };
  };
}

/** Defines the element for a service. Returns its class; undefined outside browsers. */
export function define({ url, name = "settlekit-pay" }) {
  const service = baseOf(url);
  if (!globalThis.customElements) return undefined;
  const known = customElements.get(name);
  if (known && known.service !== service.href) throw new Error(`<${name}> is already defined for ${known.service ?? "another purpose"}`);
  if (known) return known;
  const SettlekitPay = createElementClass(service);
  for (const attribute of ATTRIBUTES) {
    Object.defineProperty(SettlekitPay.prototype, attribute, {
      configurable: true,
      enumerable: true,
      get() { return this.getAttribute(attribute); },
      set(value) { if (value === null || value === undefined) this.removeAttribute(attribute); else this.setAttribute(attribute, value); },
    });
  }
  customElements.define(name, SettlekitPay);
  return SettlekitPay;
}

// Served by the service, the script is beside its pages. The package's build has no address.
if (import.meta.url) define({ url: new URL(".", import.meta.url) });
