// Pays from a wallet in the browser: found by EIP-6963, asked by EIP-1193.
//
// A wallet is somebody else's program: each of its answers may be missing, late or wrong. Nobody is asked to pay twice: from the
// request to send until the wallet refuses it, the page asks for no other payment, also after it was loaded again.

/** Error codes of EIP-1193 and JSON-RPC after which a wallet has sent nothing. */
const REJECTED = 4001;
const UNKNOWN_CHAIN = 4902;
const ALREADY_ASKED = -32002;
const NOT_SENT = [REJECTED, 4100, 4200, ALREADY_ASKED, -32602];

/** JSON-RPC error of a call that would revert. */
const REVERTED = 3;

const NAME_CHARS_MAX = 40;
const MESSAGE_CHARS_MAX = 200;

/** A wallet that does not answer a question about a balance is asked for the payment anyway. */
const ANSWER_MS_MAX = 8000;

/** Why a wallet is not asked to send, in a sentence for the payer. */
class Refused extends Error {}

/** The payer has left the step. */
class Left extends Error {}

/** Where a payment by wallet is remembered until it arrives. */
const record = (payment) => `settlekit.wallet.${payment.payment_id}`;

/**
 * The part of the page that pays by wallet.
 *
 * `t`, `h`, `digits` and `line` are the page's; `redraw` shows the current payment again.
 */
export function start({ t, h, digits, line, redraw }) {
  const found = [];
  /** Per payment: what the wallet is asked (`busy`, by which click), or why it was not paid (`error`). */
  const steps = new Map();
  /** Payments that were sent in this visit, where the browser stores nothing. */
  const kept = new Map();

  addEventListener("eip6963:announceProvider", ({ detail }) => {
    const { info, provider } = detail ?? {};
    const isUsable = typeof provider?.request === "function" && typeof info?.name === "string";
    if (!isUsable || found.some((known) => known.provider === provider)) return;
    const icon = typeof info.icon === "string" && info.icon.startsWith("data:image/") ? info.icon : null;
    found.push({ name: info.name.slice(0, NAME_CHARS_MAX), icon, provider });
    redraw();
  });
  dispatchEvent(new Event("eip6963:requestProvider"));

  /** The wallets; one that only injects itself counts if no other is there. */
  function wallets() {
    const injected = globalThis.ethereum;
    if (found.length || typeof injected?.request !== "function") return found;
    return [{ name: t("browser wallet"), icon: null, provider: injected }];
  }

  /** What was asked of a wallet for the amount that is due now; null if nothing was. */
  function asked(payment) {
    let text = kept.get(record(payment));
    try {
      text = localStorage.getItem(record(payment)) ?? text;
    } catch {
      // The browser stores nothing.
    }
    try {
      const stored = JSON.parse(text);
      return stored?.units === payment.unsigned_transaction?.units ? stored : null;
    } catch {
      return null;
    }
  }

  function remember(payment, wallet, hash) {
    const text = JSON.stringify({ units: payment.unsigned_transaction.units, wallet: wallet.name, hash });
    kept.set(record(payment), text);
    try {
      localStorage.setItem(record(payment), text);
    } catch {
      // It is kept as long as the page.
    }
  }

  function forget(payment) {
    kept.delete(record(payment));
    try {
      localStorage.removeItem(record(payment));
    } catch {
      // Nothing was stored.
    }
  }

  /** Shows a step of a payment. */
  function note(payment, step) {
    steps.set(payment.payment_id, step);
    redraw();
  }

  async function pay(payment, wallet) {
    const [name, click] = [wallet.name, Symbol()];
    const isCurrent = () => steps.get(payment.payment_id)?.click === click;
    const say = (busy) => note(payment, { busy, click });
    // The payer may have gone another way while the wallet was asked.
    const next = (busy) => {
      if (!isCurrent()) throw new Left();
      say(busy);
    };
    try {
      say(t("Connect an account in {wallet}.", { wallet: name }));
      const from = await account(wallet);
      next(t("Switch {wallet} to {network}.", { wallet: name, network: payment.chain.name }));
      await onChain(payment, wallet);
      next(t("Checking the balance…"));
      await check(payment, wallet, from);
      next(t("Confirm the payment in {wallet}.", { wallet: name }));
      remember(payment, wallet, null);
      await send(payment, wallet, from);
      note(payment, {});
    } catch (error) {
      if (!isCurrent()) return redraw();
      if (error instanceof Refused) return note(payment, { error: error.message });
      note(payment, { error: t("{wallet} failed: {message} Nothing was sent.", { wallet: name, message: sentence(error) }) });
    }
  }

  async function account(wallet) {
    const accounts = await ask(wallet, "eth_requestAccounts");
    const [first] = Array.isArray(accounts) ? accounts : [];
    if (/^0x[0-9a-f]{40}$/i.test(first)) return first;
    throw new Refused(t("{wallet} offers no account. Unlock it, then try again.", { wallet: wallet.name }));
  }

  async function onChain(payment, wallet) {
    const chainId = `0x${payment.chain.id.toString(16)}`;
    const isThere = async () => Number(await ask(wallet, "eth_chainId")) === payment.chain.id;
    if (await isThere()) return;
    const values = { wallet: wallet.name, network: payment.chain.name };
    try {
      await ask(wallet, "wallet_switchEthereumChain", [{ chainId }]);
    } catch (error) {
      if (code(error) !== UNKNOWN_CHAIN) throw error;
      throw new Refused(t("{wallet} doesn’t know {network}. Add the network there, then try again.", values));
    }
    if (!(await isThere())) throw new Refused(t("{wallet} is still on another network. Switch it to {network}, then try again.", values));
  }

  /** Refuses a payment that cannot succeed. What a wallet does not answer is not checked. */
  async function check(payment, wallet, from) {
    const { to, value, data, token_address: token, units, decimals } = payment.unsigned_transaction;
    const call = { from, to, value, data };
    const [have, coins, price, gas] = await Promise.all([
      token && number(ask(wallet, "eth_call", [{ to: token, data: `0x70a08231${from.slice(2).toLowerCase().padStart(64, "0")}` }, "latest"])),
      number(ask(wallet, "eth_getBalance", [from, "latest"])),
      number(ask(wallet, "eth_gasPrice")),
      timely(ask(wallet, "eth_estimateGas", [call])).catch((error) => error),
    ]);
    const has = token ? have : coins;
    const place = { account: `${from.slice(0, 6)}…${from.slice(-4)}`, wallet: wallet.name, network: payment.chain.name };
    const { currency } = payment;
    if (has !== null && has < BigInt(units)) {
      const [owned, due] = [has, BigInt(units)].map((amount) => `${digits(decimal(amount, decimals))} ${currency}`);
      throw new Refused(t("{account} has {owned} on {network}, and {due} is due. Choose another account in {wallet}, or pay another way.", { ...place, owned, due }));
    }
    if (gas instanceof Error || typeof gas === "object") {
      if (code(gas) === REVERTED || /revert/i.test(message(gas))) throw new Refused(t("The network would refuse this payment: {message} Nothing was sent.", { message: sentence(gas) }));
      return;
    }
    const fee = price === null || !/^0x[0-9a-f]+$/i.test(gas) ? null : BigInt(gas) * price;
    if (coins === null || fee === null || coins >= fee + BigInt(value)) return;
    const coin = payment.chain.native_currency_symbol;
    const [owned, needed] = [coins, fee].map((amount) => `${digits(rounded(amount))} ${coin}`);
    throw new Refused(t("{account} has {owned}, not enough for the network fee of about {needed}.", { ...place, owned, needed }));
  }

  /** Asks for the transaction. Only a clear refusal means that it was not sent. */
  async function send(payment, wallet, from) {
    const { to, value, data } = payment.unsigned_transaction;
    try {
      const chainId = `0x${payment.chain.id.toString(16)}`;
      const hash = await wallet.provider.request({ method: "eth_sendTransaction", params: [{ from, to, value, data, chainId }] });
      if (/^0x[0-9a-f]{64}$/i.test(hash)) remember(payment, wallet, hash);
    } catch (error) {
      if (!NOT_SENT.includes(code(error))) return;
      forget(payment);
      throw refused(wallet, error);
    }
  }

  /** Asks a wallet for something that sends nothing. */
  async function ask(wallet, method, params = []) {
    try {
      return await wallet.provider.request({ method, params });
    } catch (error) {
      throw refused(wallet, error);
    }
  }

  /** A sentence for the usual refusals; other errors as they are. */
  function refused(wallet, error) {
    const values = { wallet: wallet.name };
    if (code(error) === REJECTED) return new Refused(t("You declined in {wallet}. Nothing was sent.", values));
    if (code(error) === ALREADY_ASKED) return new Refused(t("{wallet} shows an earlier request. Answer it there, then try again.", values));
    return error;
  }

  return {
    /** Changes with everything that the elements below show. */
    key(payment) {
      const { busy, error } = steps.get(payment.payment_id) ?? {};
      return JSON.stringify([wallets().map(({ name }) => name), busy, error, asked(payment)]);
    },

    forget,

    /** Shown instead of address and code once a wallet was asked to send; null before. */
    underWay(payment) {
      const step = steps.get(payment.payment_id);
      if (step?.busy) {
        return [
          h("div", { class: "waiting" }, h("span", { class: "pulse" }, t("Waiting for your wallet"))),
          h("p", { class: "soft" }, step.busy),
          h("button", { class: "link", type: "button", onclick: () => note(payment, {}) }, t("Pay another way")),
        ];
      }
      const stored = asked(payment);
      if (!stored) return null;
      const values = { wallet: stored.wallet };
      return [
        h("div", { class: "waiting" }, h("span", { class: "pulse" }, stored.hash ? t("Sent from {wallet}. Waiting for the network.", values) : t("Waiting for your payment"))),
        stored.hash
          ? h("dl", { class: "lines" }, line(t("Transaction"), stored.hash, stored.hash, true))
          : h("p", { class: "care" }, t("{wallet} was asked for this payment. If you confirmed it there, it shows up here by itself.", values)),
        h("p", { class: "soft" }, t("Look in {wallet} before you pay again: two payments would both be taken.", values)),
        h("button", { class: "link", type: "button", onclick: () => { forget(payment); note(payment, {}); } }, t("It wasn’t sent: pay again")),
      ];
    },

    /** A button for each wallet; none without a wallet. */
    buttons(payment) {
      const offered = payment.unsigned_transaction ? wallets() : [];
      if (!offered.length) return [];
      const error = steps.get(payment.payment_id)?.error;
      return [
        error && h("p", { class: "care", role: "alert" }, error),
        ...offered.map((wallet) =>
          h("button", { class: "button", type: "button", onclick: () => pay(payment, wallet) },
            wallet.icon && h("img", { src: wallet.icon, alt: "", class: "wallet" }), t("Pay with {wallet}", { wallet: wallet.name }))),
        h("p", { class: "soft" }, t("Or send it from any other wallet:")),
      ].filter(Boolean);
    },
  };
}

/** The code of an error; some wallets hide it within another one. */
const code = (error) => error?.data?.originalError?.code ?? error?.code;

const message = (error) => String(error?.data?.message ?? error?.message ?? "").slice(0, MESSAGE_CHARS_MAX);

/** What a wallet says, ending in one full stop. */
const sentence = (error) => `${message(error).replace(/[\s.]+$/, "") || "?"}.`;

const timely = (answer) => Promise.race([answer, new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), ANSWER_MS_MAX))]);

/** A hexadecimal answer; null without a usable one. */
async function number(answer) {
  try {
    const text = await timely(answer);
    return /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : null;
  } catch {
    return null;
  }
}

/** Units as an exact decimal number, without zeros at its end. */
function decimal(units, decimals) {
  const text = units.toString().padStart(decimals + 1, "0");
  if (!decimals) return text;
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`.replace(/\.?0+$/, "");
}

/** Wei as coins with six decimal places, rounded up: for what is compared with a fee that changes. */
const rounded = (wei) => decimal((wei + 10n ** 12n - 1n) / 10n ** 12n, 6);
