// Page object of customers, plans, subscriptions and invoices.

import { Dashboard } from "./dashboard.mjs";

export class Commerce extends Dashboard {
  constructor(page) {
    super(page);
    this.form = page.locator(".page form.settings");
    this.offers = page.locator(".page form .offers [role=option]");
    this.sheet = page.locator("article.sheet");
  }

  async createPlan({ name, price, interval, count }) {
    await this.go("/plans/new");
    await this.page.getByLabel("Name", { exact: true }).fill(name);
    await this.page.getByLabel("Price", { exact: true }).fill(price);
    await this.page.getByLabel("Currency").selectOption("USDC");
    await this.page.getByRole("button", { name: "Recurring" }).click();
    await this.page.getByLabel("Interval").selectOption(interval);
    if (count) await this.page.getByLabel("Every").fill(count);
    await this.form.getByRole("button", { name: "Create plan" }).click();
  }

  async subscribe({ customer, plan }) {
    await this.go("/subscriptions/new");
    await this.page.getByPlaceholder("Name, email, reference").fill(customer);
    await this.offers.filter({ hasText: customer }).first().click();
    await this.page.locator("label.check", { hasText: plan }).click();
    await this.form.getByRole("button", { name: "Create subscription" }).click();
  }

  /** Clicks a button of the drawer and confirms its dialog. */
  async act(name) {
    await this.drawer.getByRole("button", { name, exact: true }).click();
    await this.confirm(name);
  }
}
