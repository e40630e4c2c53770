// Page object of a list's columns: visibility, order, density.

import { BOX, Dashboard } from "./dashboard.mjs";

export class Columns extends Dashboard {
  constructor(page) {
    super(page);
    this.box = page.locator(BOX);
  }

  /** The current headings. */
  async heads() {
    const heads = await this.page.locator(".page .table thead th:not(.pick)").allInnerTexts();
    return heads.map((head) => head.trim());
  }

  async choose() {
    await this.page.getByRole("button", { name: "Columns", exact: true }).click();
    await this.box.waitFor();
  }

  async shut() {
    await this.box.getByRole("button", { name: "Close", exact: true }).click();
    await this.box.waitFor({ state: "detached" });
  }

  /** The available columns, in order. */
  async titles() {
    const titles = await this.box.locator(".order-row .check").allInnerTexts();
    return titles.map((title) => title.trim());
  }

  line(title) {
    return this.box.locator(".order-row").filter({ has: this.page.getByLabel(title, { exact: true }) });
  }

  show(title, shown) {
    return this.box.getByLabel(title, { exact: true }).setChecked(shown);
  }

  /** The button that moves a column, `forward` or `back`. */
  move(title, way) {
    return this.box.getByRole("button", { name: `Move ${title} ${way}`, exact: true });
  }
}
