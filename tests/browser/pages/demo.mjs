// Page object of the demo's additions.

import { Checkout } from "./checkout.mjs";

export class Demo {
  constructor(page) {
    this.page = page;
    this.progress = page.locator("#demo-progress");
    this.cancel = page.getByRole("button", { name: "Cancel" });
    this.note = page.locator("#demo summary");
    this.over = page.getByRole("button", { name: "Start over" });
  }

  /** Calls the service in the browser like the pages do. */
  ask(method, target) {
    return this.page.evaluate(async ([method, target]) => (await (await fetch(target, { method })).json()).data, [method, target]);
  }

  /** An open link without requested payer data, and its first payment method. */
  async openLink() {
    const { items } = await this.ask("GET", "/v1/paylinks?limit=100");
    for (const link of items.filter(({ enabled }) => enabled)) {
      const { state, collect, trial_period: trial, options: [option] } = await this.ask("GET", `/v1/checkout/${link.id}`);
      if (state === "Open" && !trial && !Object.values(collect).includes(true)) return { link, option };
    }
    throw new Error("no link of the demo is open");
  }

  /** Pays such a link by the test wallet in a second tab, which stays open. */
  async pay() {
    const { link, option } = await this.openLink();
    const payer = await this.page.context().newPage();
    const checkout = new Checkout(payer);
    await checkout.go(link.url);
    await checkout.choose(option.currency, option.chain.name);
    await checkout.testWallet.click();
    await checkout.confirmations.waitFor();
    return { link, payer };
  }
}
