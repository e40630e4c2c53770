// Page object of elements on every page: palette, shortcuts, export.

import { readFile } from "node:fs/promises";
import { BOX, Dashboard } from "./dashboard.mjs";

export class Daily extends Dashboard {
  constructor(page) {
    super(page);
    this.box = page.locator(BOX);
    this.found = page.getByRole("option");
  }

  /** Opens the palette by its shortcut and types. */
  async find(text) {
    await this.page.keyboard.press("Control+k");
    await this.page.getByRole("combobox", { name: "Search or go to" }).fill(text);
  }

  /** Waits until no request is pending. */
  async settled() {
    await this.page.waitForFunction(() => /result/i.test(document.querySelector(".palette-note")?.textContent ?? ""));
  }

  /** Exports the list and returns the file's text. */
  async takeAway(format) {
    await this.page.getByRole("button", { name: "Export" }).click();
    const download = this.page.waitForEvent("download");
    await this.box.getByRole("button", { name: format }).click();
    const text = await readFile(await (await download).path(), "utf8");
    await this.box.getByText(/^[\d,]+ rows? exported$/).waitFor();
    return text;
  }
}
