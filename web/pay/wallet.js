// Pays from a wallet in the browser: found by EIP-6963, asked by EIP-1193. A wallet is somebody else's program: each of its answers may
// be missing, late or wrong.

import * as sent from "./sent.js";

/** Error codes of EIP-1193, and of wallets that follow MetaMask. */
const REJECTED = 4001;
const UNKNOWN_CHAIN = 4902;
const REQUEST_PENDING = -32002;

/** After these a wallet has sent nothing: rejected, not authorised, not supported, invalid. */
const REFUSALS = [REJECTED, 4100, 4200, -32602];

/** JSON-RPC error of a call that would revert. */
const REVERTED = 3;

const WALLETS_MAX = 8;
const NAME_CHARS_MAX = 40;
const MESSAGE_CHARS_MAX = 200;

/** A wallet that does not answer a question about a balance is asked for the payment anyway. */
const ANSWER_MS_MAX = 8000;

/**
 * Why a wallet was not asked to send, or did not, in a sentence for the payer. `isFee` if only the network fee is in doubt, `isUnsigned` if
 * the payer can pay by a transaction instead of a signature.
 */
class WalletRefusal extends Error {
  constructor(sentence, { isFee = false, isUnsigned = false } = {}) {
    super(sentence);
    Object.assign(this, { isFee, isUnsigned });
  }
}

/** The payer has left the step. */
class Left extends Error {}

/**
 * The part of the page that pays by wallet.
 *
 * `t`, `h` and `digits` are the page's; `read` reads a payment again; `authorize` gives the service what the payer signed; `redraw` shows
 * the current payment again.
 */
export function start({ t, h, digits, read, authorize, redraw }) {
  const announced = [];
  /** Per payment: the step in progress (`busy`, of which `click`), or the last `error`. `isUnsigned` if it is paid by a transaction. */
  const steps = new Map();
  /** Payments whose wallet has not answered the request to send. */
  const pending = new Set();

  addEventListener("eip6963:announceProvider", ({ detail }) => {
    const { info, provider } = detail ?? {};
    const name = typeof info?.name === "string" ? info.name.replace(/\p{C}/gu, "").trim().slice(0, NAME_CHARS_MAX) : "";
    if (!name || typeof provider?.request !== "function" || announced.length === WALLETS_MAX) return;
    if (announced.some((known) => known.provider === provider || known.uuid === info.uuid)) return;
    const icon = typeof info.icon === "string" && info.icon.startsWith("data:image/") ? info.icon : null;
    announced.push({ uuid: info.uuid, name, icon, provider });
    redraw();
  });
  dispatchEvent(new Event("eip6963:requestProvider"));

  /** The wallets; one that only injects itself counts if no other is there. */
  function wallets() {
    if (announced.length) return announced;
    try {
      const injected = globalThis.ethereum;
      return typeof injected?.request === "function" ? [{ name: t("your browser wallet"), icon: null, provider: injected }] : [];
    } catch {
      return [];
    }
  }

  function setStep(payment, step) {
    steps.set(payment.payment_id, step);
    redraw();
  }

  async function pay(payment, wallet) {
    const [name, click] = [wallet.name, Symbol()];
    const { isFee: isFeeAccepted, isUnsigned } = steps.get(payment.payment_id) ?? {};
    const isSigned = payment.authorization && (!isUnsigned || !payment.unsigned_transaction);
    const isCurrent = () => steps.get(payment.payment_id)?.click === click;
    // The payer may have gone another way while the wallet was asked.
    const next = (busy) => {
      if (!isCurrent()) throw new Left();
      setStep(payment, { busy, click, isUnsigned });
    };
    setStep(payment, { busy: t("Connect an account in {wallet}.", { wallet: name }), click, isUnsigned });
    try {
      const from = await account(wallet);
      next(t("Checking network and balance…"));
      await toChain(payment, wallet, next);
      next(t("Checking network and balance…"));
      await check(payment, wallet, from, isFeeAccepted || isSigned);
      await alone(payment, () => (isSigned ? sign : send)(payment, wallet, from, next));
      if (isCurrent()) setStep(payment, { isUnsigned });
      else redraw();
    } catch (error) {
      if (!isCurrent() || error instanceof Left) return redraw();
      if (error instanceof WalletRefusal) return setStep(payment, { error: error.message, isFee: error.isFee, isUnsigned: isUnsigned || error.isUnsigned });
      setStep(payment, { error: t("{wallet} reported an error: {message} Nothing was sent.", { wallet: name, message: sentence(error) }), isUnsigned: isUnsigned || isSigned });
    }
  }

  async function account(wallet) {
    const accounts = await ask(wallet, "eth_requestAccounts");
    const [first] = Array.isArray(accounts) ? accounts : [];
    if (typeof first === "string" && /^0x[0-9a-f]{40}$/i.test(first)) return first;
    throw new WalletRefusal(t("No account is available in {wallet}. Unlock it, then try again.", { wallet: wallet.name }));
  }

  const isOn = async (payment, wallet) => Number(await withTimeout(ask(wallet, "eth_chainId"))) === payment.chain.id;

  const otherChain = (payment, wallet) => new WalletRefusal(t("{wallet} is on another network. Switch it to {network}, then try again.", { wallet: wallet.name, network: payment.chain.name }));

  async function toChain(payment, wallet, next) {
    if (await isOn(payment, wallet)) return;
    const values = { wallet: wallet.name, network: payment.chain.name };
    next(t("Switch {wallet} to {network}.", values));
    try {
      await ask(wallet, "wallet_switchEthereumChain", [{ chainId: hexChain(payment) }]);
    } catch (error) {
      if (code(error) !== UNKNOWN_CHAIN && innerCode(error) !== UNKNOWN_CHAIN) throw error;
      await addChain(payment, wallet, next, values);
    }
    if (!(await isOn(payment, wallet))) throw otherChain(payment, wallet);
  }

  /** Adds the chain to a wallet that does not know it (EIP-3085). Not every wallet switches to it. */
  async function addChain(payment, wallet, next, values) {
    const { chain, public_rpc_url: rpc, explorer_url: explorer } = payment;
    const unknown = new WalletRefusal(t("{wallet} doesn’t know {network}. Add the network there, then try again.", values));
    if (!rpc) throw unknown;
    next(t("Add {network} to {wallet}.", values));
    const symbol = chain.native_currency_symbol;
    try {
      await ask(wallet, "wallet_addEthereumChain", [{
        chainId: hexChain(payment), chainName: chain.name, rpcUrls: [rpc],
        nativeCurrency: { name: symbol, symbol, decimals: 18 },
        ...(explorer && { blockExplorerUrls: [explorer] }),
      }]);
    } catch (error) {
      throw error instanceof WalletRefusal ? error : unknown;
    }
    if (await isOn(payment, wallet)) return;
    next(t("Switch {wallet} to {network}.", values));
    await ask(wallet, "wallet_switchEthereumChain", [{ chainId: hexChain(payment) }]);
  }

  /** Refuses a payment that cannot succeed. What a wallet does not answer is not checked. */
  async function check(payment, wallet, from, isFeeAccepted) {
    if (!payment.unsigned_transaction) return;
    const { to, value, data, token_address: token, units, decimals } = payment.unsigned_transaction;
    const balanceOf = { to: token, data: `0x70a08231${from.slice(2).toLowerCase().padStart(64, "0")}` };
    const [owned, coins, price, gas] = await Promise.all([
      token && hexOrNull(ask(wallet, "eth_call", [balanceOf, "latest"])),
      hexOrNull(ask(wallet, "eth_getBalance", [from, "latest"])),
      hexOrNull(ask(wallet, "eth_gasPrice")),
      withTimeout(ask(wallet, "eth_estimateGas", [{ from, to, value, data }])).catch((error) => ({ error })),
    ]);
    const place = { account: `${from.slice(0, 6)}…${from.slice(-4)}`, wallet: wallet.name, network: payment.chain.name };
    const { currency } = payment;
    // An address without a contract returns no data: the wallet is on another chain.
    if (token && owned === undefined) throw otherChain(payment, wallet);
    const has = token ? owned : coins;
    if (typeof has === "bigint" && has < BigInt(units)) {
      const [held, due] = [has, BigInt(units)].map((amount) => `${digits(decimal(amount, decimals))} ${currency}`);
      throw new WalletRefusal(t("{account} has {held} on {network}, and {due} is due. Choose another account in {wallet}, or pay another way.", { ...place, held, due }));
    }
    if (gas?.error) {
      const isRevert = code(gas.error) === REVERTED || /revert/i.test(message(gas.error));
      if (isRevert) throw new WalletRefusal(t("The network would refuse this payment: {message} Nothing was sent.", { message: sentence(gas.error) }));
      return;
    }
    const isKnown = typeof coins === "bigint" && typeof price === "bigint" && /^0x[0-9a-f]+$/i.test(gas);
    const needed = isKnown && BigInt(gas) * price + BigInt(value);
    if (isFeeAccepted || !isKnown || coins >= needed) return;
    const coin = payment.chain.native_currency_symbol;
    const [held, all] = [`${digits(decimal(floor(coins), 6))} ${coin}`, `${digits(decimal(floor(needed) + 1n, 6))} ${coin}`];
    throw new WalletRefusal(t("{account} has {held}, and about {all} is needed, network fee included. If {wallet} pays the fee otherwise, try again.", { ...place, held, all }), { isFee: true });
  }

  /** One tab at a time asks for a payment. */
  async function alone(payment, act) {
    let isAnswered = false;
    try {
      return await navigator.locks.request(`settlekit.pay.${payment.payment_id}`, { ifAvailable: true }, (lock) => {
        isAnswered = true;
        if (lock) return act();
        throw new WalletRefusal(t("Another tab is asking for this payment. Nothing was sent."));
      });
    } catch (error) {
      // Some browsers have no locks, or deny them in frames of other sites.
      if (isAnswered) throw error;
      return act();
    }
  }

  /** Asks for the transaction, if the payment is still as the payer saw it. Only a clear refusal means that it was not sent. */
  async function send(payment, wallet, from, next) {
    const now = await read(payment.payment_id).catch(() => {
      throw new WalletRefusal(t("Can’t reach the service. Nothing was sent. Try again."));
    });
    const { to, value, data } = payment.unsigned_transaction;
    const due = now.unsigned_transaction;
    const isSame = due?.to === to && due.value === value && due.data === data;
    if (!isSame || Date.parse(now.expires_at) <= Date.parse(now.server_time)) throw new WalletRefusal(t("The payment has changed. Nothing was sent."));
    if (!(await isOn(payment, wallet))) throw otherChain(payment, wallet);
    const amount = `${digits(decimal(BigInt(due.units), due.decimals))} ${payment.currency}`;
    next(t("Confirm {amount} to {address} in {wallet}.", { amount, address: payment.address, wallet: wallet.name }));
    const id = sent.begin(payment, wallet.name);
    if (!id) throw new Left();
    pending.add(payment.payment_id);
    redraw();
    try {
      // Some wallets can't encode a zero.
      const transaction = { from, to, ...(BigInt(value) > 0n && { value }), data, chainId: hexChain(payment) };
      const hash = await wallet.provider.request({ method: "eth_sendTransaction", params: [transaction] });
      if (typeof hash === "string" && /^0x[0-9a-f]{64}$/i.test(hash)) sent.confirm(payment, id, hash);
    } catch (error) {
      if (!REFUSALS.includes(code(error))) return;
      sent.refuse(payment, id);
      throw refused(wallet, error);
    } finally {
      pending.delete(payment.payment_id);
    }
  }

  /** Asks for a signature, which pays nothing until the service has it, and gives it to the service. The same one pays once. */
  async function sign(payment, wallet, from, next) {
    const now = await read(payment.payment_id).catch(() => {
      throw new WalletRefusal(t("Can’t reach the service. Nothing was sent. Try again."));
    });
    const [seen, offered] = [payment.authorization, now.authorization];
    const isSame = offered && ["to", "value", "nonce", "token_address"].every((field) => seen[field] === offered[field]);
    if (!isSame || Date.parse(now.expires_at) <= Date.parse(now.server_time)) throw new WalletRefusal(t("The payment has changed. Nothing was sent."));
    if (!(await isOn(payment, wallet))) throw otherChain(payment, wallet);
    const amount = `${digits(decimal(BigInt(offered.value), offered.decimals))} ${payment.currency}`;
    next(t("Sign {amount} in {wallet}. You pay no network fee.", { amount, wallet: wallet.name }));
    const signature = await ask(wallet, "eth_signTypedData_v4", [from, JSON.stringify(typedData(payment, offered, from))]);
    if (!/^0x[0-9a-f]{130}$/i.test(signature)) throw new WalletRefusal(t("{wallet} can’t sign this payment. Nothing was sent. Try again to pay the network fee yourself.", { wallet: wallet.name }), { isUnsigned: true });
    next(t("Sending…"));
    const { value, valid_before: validBefore } = offered;
    await authorize(payment.payment_id, { from, value, valid_after: 0, valid_before: validBefore, signature }).catch((error) => {
      // Without an answer the service may have it: the payment tells.
      if (!error.status || error.status >= 500) throw new WalletRefusal(t("Can’t reach the service. If it has your signature, the payment appears here by itself."));
      const isPoor = error.errors.some(({ reason }) => reason === "INSUFFICIENT_FUNDS");
      if (isPoor) throw new WalletRefusal(t("This account has too little {currency}. Nothing was sent. Choose another account in {wallet}, or pay another way.", { currency: payment.currency, wallet: wallet.name }));
      throw new WalletRefusal(t("The signature was not accepted. Nothing was sent. Try again to pay the network fee yourself."), { isUnsigned: true });
    });
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
    if (code(error) === REJECTED) return new WalletRefusal(t("You declined the request in {wallet}. Nothing was sent.", values));
    if (code(error) === REQUEST_PENDING) return new WalletRefusal(t("{wallet} shows an earlier request. Decline it there, then try again.", values));
    return error;
  }

  return {
    /** Changes with everything that the elements below show. */
    key(payment) {
      const { busy, error, isUnsigned } = steps.get(payment.payment_id) ?? {};
      return JSON.stringify([wallets().map(({ name }) => name), busy, error, isUnsigned, !payment.authorization, pending.has(payment.payment_id)]);
    },

    /** Whether the wallet has not answered the request to send. */
    isPending: (payment) => pending.has(payment.payment_id),

    /** Ends the step of a payment that is not shown any more, or not due. */
    leave(payment) {
      steps.delete(payment.payment_id);
    },

    /** The step in progress; null without one. */
    busy(payment) {
      const busy = steps.get(payment.payment_id)?.busy;
      if (!busy) return null;
      return [
        h("p", { class: "soft" }, busy),
        !pending.has(payment.payment_id) && h("button", { class: "link", type: "button", onclick: () => setStep(payment, {}) }, t("Cancel")),
      ];
    },

    /** A button for each wallet; none without a wallet. */
    buttons(payment) {
      const offered = payment.unsigned_transaction || isSignedAgain(payment) ? wallets() : [];
      if (!offered.length) return [];
      const { error, isUnsigned } = steps.get(payment.payment_id) ?? {};
      return [
        error && h("p", { class: "care", role: "alert" }, error),
        ...offered.map((wallet) =>
          h("button", { class: "button", type: "button", onclick: () => pay(payment, wallet) },
            wallet.icon && h("img", { src: wallet.icon, alt: "", class: "wallet" }), t("Pay with {wallet}", { wallet: wallet.name }))),
        payment.authorization && !isUnsigned && h("p", { class: "soft" }, t("You sign, and pay no network fee.")),
        payment.unsigned_transaction && h("p", { class: "soft" }, t("Or pay from another wallet:")),
      ].filter(Boolean);
    },
  };
}

/** What was signed before may still be executed: it is signed again, with the same nonce, and not paid otherwise. */
const isSignedAgain = (payment) => payment.authorization && payment.authorization_status === "Failed";

const hexChain = (payment) => `0x${payment.chain.id.toString(16)}`;

/** What a wallet signs (EIP-712): a transfer that somebody else sends (EIP-3009). */
function typedData(payment, { to, value, valid_before: validBefore, nonce, token_address: verifyingContract, domain_name: name, domain_version: version }, from) {
  const fields = (text) => text.split(", ").map((field) => {
    const [type, name] = field.split(" ");
    return { name, type };
  });
  return {
    types: {
      EIP712Domain: fields("string name, string version, uint256 chainId, address verifyingContract"),
      TransferWithAuthorization: fields("address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce"),
    },
    primaryType: "TransferWithAuthorization",
    domain: { name, version, chainId: payment.chain.id, verifyingContract },
    message: { from, to, value, validAfter: "0", validBefore: String(validBefore), nonce },
  };
}

/** A part of an error of a wallet, which may be anything. */
function part(error, pick) {
  try {
    return pick(error) ?? undefined;
  } catch {
    return undefined;
  }
}

const code = (error) => part(error, ({ code }) => code);
/** Some wallets wrap their errors. */
const innerCode = (error) => part(error, ({ data }) => data.originalError.code);
const message = (error) => part(error, (error) => String(typeof error === "string" ? error : error.data?.message ?? error.message).slice(0, MESSAGE_CHARS_MAX)) ?? "";

/** What a wallet says, ending in one full stop. */
const sentence = (error) => `${message(error).replace(/[\s.]+$/, "") || "?"}.`;

const withTimeout = (answer) => Promise.race([answer, new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), ANSWER_MS_MAX))]);

/** A hexadecimal answer; undefined for one without digits, null without a usable one. */
async function hexOrNull(answer) {
  try {
    const text = await withTimeout(answer);
    if (text === "0x") return undefined;
    return typeof text === "string" && /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : null;
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

/** Wei as millionths of a coin. */
const floor = (wei) => wei / 10n ** 12n;
