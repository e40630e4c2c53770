// Page object of events and webhooks.

import { BOX, Dashboard } from "./dashboard.mjs";

export class Hooks extends Dashboard {
  constructor(page) {
    super(page);
    this.box = page.locator(BOX);
    this.key = page.locator("textarea[name=key]");
    this.check = page.locator("form.verify").getByRole("button", { name: "Verify" });
  }

  /** The row of a changed field. */
  change(field) {
    return this.drawer.locator(".difference tbody tr").filter({ has: this.page.locator("td:first-child", { hasText: new RegExp(`^${field}$`) }) });
  }
}
