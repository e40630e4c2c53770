// A wallet of the specs: an EIP-1193 provider, run in the page, that announces itself and records its requests.
//
// `answers` has further answers by method, `errors` errors by method; a test may change both, also to promises, and set `hold` to a
// promise that the next transaction waits for.

export function provide({ accounts, chain, hash, answers = {}, errors = {}, stays = false, name = "Test Wallet", icon = "data:," }) {
  const wallet = (globalThis.wallet = { calls: [], chain, answers, errors, hold: undefined });
  const provider = {
    async request({ method, params = [] }) {
      wallet.calls.push([method, ...params]);
      if (method === "eth_sendTransaction" && wallet.hold) await wallet.hold;
      const error = wallet.errors[method];
      if (error) throw Object.assign(new Error(error.message ?? "an error"), error);
      if (method in wallet.answers) return wallet.answers[method];
      if (method === "eth_requestAccounts") return accounts;
      if (method === "eth_signTypedData_v4") return globalThis.signTypedData?.(params[1]) ?? null;
      if (method === "eth_chainId") return wallet.chain;
      if (method === "eth_sendTransaction") return hash;
      if (method === "wallet_addEthereumChain") delete wallet.errors.wallet_switchEthereumChain;
      if (method === "wallet_switchEthereumChain" && !stays) wallet.chain = params[0].chainId;
      return null;
    },
  };
  const detail = Object.freeze({ info: { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name, icon, rdns: "wallet.example" }, provider });
  addEventListener("eip6963:requestProvider", () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail })));
}
