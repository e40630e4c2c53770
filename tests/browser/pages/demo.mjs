// What the demo adds to the pages.

export class Demo {
  constructor(page) {
    this.page = page;
    this.progress = page.locator("#demo-progress");
    this.cancel = page.getByRole("button", { name: "Cancel" });
    this.note = page.locator("#demo summary");
    this.over = page.getByRole("button", { name: "Start over" });
  }

  /** Asks the service in the browser as the pages do. */
  ask(method, target) {
    return this.page.evaluate(async ([method, target]) => (await (await fetch(target, { method })).json()).data, [method, target]);
  }

  /** A link that takes payments and asks the payer nothing, and the first way to pay it. */
  async openLink() {
    const { items } = await this.ask("GET", "/v1/paylinks?limit=100");
    for (const link of items.filter(({ enabled }) => enabled)) {
      const { state, collect, options: [option] } = await this.ask("GET", `/v1/checkout/${link.id}`);
      if (state === "Open" && !Object.values(collect).includes(true)) return { link, option };
    }
    throw new Error("no link of the demo is open");
  }
}
