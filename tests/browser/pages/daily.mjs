// Page object of elements on every page: palette, shortcuts, export.

import { readFile } from "node:fs/promises";
import { BOX, Dashboard, startExport } from "./dashboard.mjs";

export class Daily extends Dashboard {
  constructor(page) {
    super(page);
    this.box = page.locator(BOX);
    this.found = this.box.getByRole("option");
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
    return readFile(await this.exported(format), "utf8");
  }

  /** Exports the list and returns the path of the file. `columns` is the label of a preset. */
  async exported(format, columns = "Everything") {
    await this.page.getByRole("button", { name: "Export" }).click();
    await this.box.getByLabel("Columns").selectOption({ label: columns });
    const download = this.page.waitForEvent("download");
    await startExport(this.box, format);
    const path = await (await download).path();
    await this.box.getByText(/^[\d,]+ rows? exported$/).waitFor();
    return path;
  }
}
