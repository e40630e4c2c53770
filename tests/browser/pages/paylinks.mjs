// Page object of payment links.

import { Dashboard } from "./dashboard.mjs";

export class Paylinks extends Dashboard {
  constructor(page) {
    super(page);
    this.preview = page.getByRole("complementary", { name: "Preview" });
  }

  switchOf(name) {
    return this.row(name).getByRole("switch");
  }

  pick(name) {
    return this.row(name).getByRole("checkbox").check();
  }

  /** A cell of the grid. */
  cell(column, name) {
    return this.page.getByLabel(`${column}, ${name}`);
  }
}
