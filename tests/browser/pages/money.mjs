// Page object of accounts, payouts, destinations, trading and automations.

import { BOX, Dashboard } from "./dashboard.mjs";

export class Money extends Dashboard {
  constructor(page) {
    super(page);
    this.box = page.locator(BOX);
    this.changes = page.locator(".changes li");
    this.matrix = page.locator(".matrix");
    this.banner = page.locator(".acting");
    this.emptyTitle = page.locator(".empty strong");
  }

  /** A button outside every dialog. */
  button(name) {
    return this.page.locator(".page").getByRole("button", { name, exact: true });
  }

  field(label) {
    return this.page.getByLabel(label, { exact: true });
  }

  /** A table row by its text. */
  line(text) {
    return this.page.locator(".page .table tbody tr", { hasText: text });
  }

  panel(title) {
    return this.page.locator("section.panel, form.panel").filter({ has: this.page.getByRole("heading", { name: title, exact: true }) });
  }

  cell(currency, chain) {
    return this.matrix.getByRole("checkbox", { name: `${currency} on ${chain}`, exact: true });
  }

  chain(name) {
    return this.matrix.getByRole("switch", { name: `Accepts payments on ${name}` });
  }

  /** A detail on the page itself. */
  said(name) {
    return this.page.locator(".page .facts dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd[1]");
  }

  /** Selects an option that is loaded from the service. */
  async choose(label, option) {
    const select = typeof label === "string" ? this.field(label) : label;
    await select.locator("option", { hasText: option }).first().waitFor({ state: "attached" });
    const value = await select.locator("option", { hasText: option }).first().getAttribute("value");
    await select.selectOption(value);
  }
}
