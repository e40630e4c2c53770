// The dashboard by keyboard. The focused element must be visible and unobstructed.

import assert from "node:assert/strict";
import { BOX, Dashboard } from "./dashboard.mjs";

/** Maximum number of Tab presses on a page. */
const STEPS_MAX = 120;

export class Keyboard extends Dashboard {
  /** Records pointer use; call it before the first page is loaded. */
  async alone() {
    await this.page.addInitScript(() => {
      globalThis.pointers = 0;
      for (const kind of ["pointerdown", "mousedown", "touchstart"]) addEventListener(kind, () => (globalThis.pointers += 1), { capture: true });
    });
  }

  async noPointerWasUsed() {
    assert.equal(await this.page.evaluate(() => globalThis.pointers), 0, "a pointer was used");
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  /** The focused element: its accessible name, and problems with its visibility. */
  here() {
    return this.page.evaluate(async () => {
      // Elements shown on focus appear in the next frame.
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const element = document.activeElement;
      if (!element || element === document.body) return { name: "", faults: ["nothing has the focus"] };
      const labels = [...(element.labels ?? [])].map((label) => label.innerText);
      const name = (element.getAttribute("aria-label") ?? (labels.join(" ") || element.innerText || element.value || "")).replace(/\s+/g, " ").trim();
      const faults = [];
      const box = element.getBoundingClientRect();
      const style = getComputedStyle(element);
      const container = element.matches("main, section, dialog");
      if (!container) {
        if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) faults.push("its focus is not seen");
        if (box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth) faults.push("it is off the screen");
        // A corner may be covered, the middle may not be (WCAG 2.4.11).
        const [x, y] = [Math.min(Math.max((box.left + box.right) / 2, 1), innerWidth - 1), Math.min(Math.max((box.top + box.bottom) / 2, 1), innerHeight - 1)];
        const top = document.elementFromPoint(x, y);
        const same = top && (element.contains(top) || top.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(top)));
        if (!same) faults.push(`it lies under ${top?.tagName}.${top?.className}`);
        // A link in a sentence may be as high as its line (WCAG 2.5.8).
        const inline = element.tagName === "A" && style.display === "inline";
        const target = element.labels?.[0]?.getBoundingClientRect() ?? box;
        if (!inline && (Math.max(box.height, target.height) < 24 || Math.max(box.width, target.width) < 24)) faults.push(`it is ${Math.round(box.width)} by ${Math.round(box.height)} pixels`);
      }
      return { name, faults };
    });
  }

  async seen() {
    const { name, faults } = await this.here();
    assert.deepEqual(faults, [], `the focus is on “${name}”`);
    return name;
  }

  /** Presses Tab until the element with a name has the focus; checks every stop. */
  async to(name, key = "Tab") {
    const way = [];
    for (let step = 0; step < STEPS_MAX; step += 1) {
      await this.press(key);
      const found = await this.seen();
      if (name instanceof RegExp ? name.test(found) : found === name) return;
      way.push(found);
    }
    assert.fail(`the tabulator does not come to ${name}: ${way.join(" → ")}`);
  }

  /** Waits until the element with a name has the focus, and checks it. */
  async lands(name) {
    await this.page.waitForFunction(
      ([source, flags]) => {
        const element = document.activeElement;
        const labels = [...(element?.labels ?? [])].map((label) => label.innerText);
        return new RegExp(source, flags).test((element?.getAttribute("aria-label") ?? (labels.join(" ") || element?.innerText || "")).replace(/\s+/g, " ").trim());
      },
      [name.source, name.flags],
    );
    await this.seen();
  }

  /** Opens a result of the palette by a search text. */
  async find(text) {
    await this.press("Control+k");
    await this.page.waitForFunction(() => document.activeElement?.matches("input[aria-label='Search or go to']"));
    await this.seen();
    await this.type(text);
    await this.page.locator(BOX).getByRole("option").first().waitFor();
    await this.page.waitForFunction(() => /result/.test(document.querySelector(".palette-note")?.textContent ?? ""));
    await this.press("Enter");
    await this.page.locator(BOX).waitFor({ state: "detached" });
  }
}
