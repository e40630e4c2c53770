// Page object of the dashboard.

import assert from "node:assert/strict";
import { url } from "../settings.mjs";

/** An open dialog. */
export const BOX = ".veil:popover-open > .confirm";

/** Starts an export from its open dialog. */
export async function startExport(box, format) {
  await box.getByRole("button", { name: format, exact: true }).click();
  await box.getByRole("button", { name: "Download" }).click();
}

export class Dashboard {
  constructor(page) {
    this.page = page;
    this.email = page.getByLabel("Email");
    this.password = page.getByLabel("Password");
    this.signInButton = page.getByRole("button", { name: "Sign in" });
    this.alert = page.getByRole("alert");
    this.navigation = page.getByRole("navigation", { name: "Main" });
    this.title = page.getByRole("heading", { level: 1 });
    this.drawer = page.locator(".veil:popover-open .drawer");
    this.rows = page.locator(".page .table tbody tr[tabindex]");
    this.total = page.locator(".pager-summary");
    this.stepUp = page.locator(BOX);
  }

  async go(path) {
    await this.page.goto(url + path);
    await this.drawn();
  }

  /** Waits until placeholders are replaced by content. Long lists are drawn in several frames. */
  async drawn() {
    await this.title.waitFor();
    await this.page.locator(".bone").first().waitFor({ state: "detached" });
    await this.page.locator(".page .table-box[aria-busy=true]").first().waitFor({ state: "detached" });
  }

  /** The same without reloading the program, like a click on a link. */
  async turn(path) {
    await this.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await this.drawn();
  }

  async signIn(email, password) {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.signInButton.click();
  }

  async follow(name) {
    await this.navigation.getByRole("link", { name }).click();
    await this.page.getByRole("heading", { level: 1, name }).waitFor();
  }

  row(text) {
    return this.rows.filter({ hasText: text });
  }

  /** A field of a filter, by its label and the name of the filter. Opens the editor, unless the field is always shown. */
  async filter(label, name = label) {
    const labelled = { has: this.page.getByText(label, { exact: true }) };
    const shown = this.page.locator(".filters > .filter").filter(labelled);
    if (await shown.count()) return shown.locator("input, select");
    const chip = this.page.locator(".chip", { has: this.page.locator(`.filter-editor[aria-label="${name}"]`) });
    const editor = chip.locator(".filter-editor");
    if (!(await editor.isVisible())) {
      const open = chip.locator(".chip-open");
      if (await open.isVisible()) await open.click();
      else {
        await this.page.locator(".add-filter > button").click();
        await this.page.locator("#add-filter").getByRole("button", { name, exact: true }).click();
      }
      await editor.waitFor();
    }
    return editor.locator(".filter").filter(labelled).locator("input, select");
  }

  /** Waits until a field of the open editor has the focus. */
  async inEditor() {
    await this.page.waitForFunction(() => document.activeElement?.matches(".filter-editor:popover-open :is(input, select)"));
  }

  /** Chooses a record in the picker of a filter. */
  async pickFilter(name, text) {
    const field = await this.filter(name);
    await field.fill(text);
    await this.page.locator(".filter-editor:popover-open").getByRole("option", { name: text }).first().click();
  }

  /** A tab above the list, by its name; its number follows. */
  tab(name) {
    return this.page.locator(".page > .tabs").getByRole("link", { name: new RegExp(`^${name}(\\s[\\d.,\\s]+)?$`) });
  }

  /** Waits until a tab is the current one. */
  async onTab(name) {
    await this.page.locator(".page > .tabs [aria-current]", { hasText: new RegExp(`^${name}(\\s|$)`) }).waitFor();
  }

  /** The chip of a filter, by its name and value. */
  chip(text) {
    return this.page.locator(".chips").getByText(text);
  }

  /** Expands a section of the drawer. What loads above may move it between press and release, and then the click reaches nothing. */
  async unfold(name) {
    const section = this.drawer.locator("details", { has: this.page.locator("summary", { hasText: name }) });
    const isOpen = () => section.evaluate((element) => element.open);
    for (let tries = 0; tries < 5 && !(await isOpen()); tries += 1) await section.locator("summary").click();
    assert.ok(await isOpen(), `${name} is expanded`);
  }

  async createPaylink({ name, amount, currency, redirect }) {
    await this.page.getByRole("link", { name: "Create payment link" }).first().click();
    await this.page.getByLabel("Name", { exact: true }).fill(name);
    await this.page.getByLabel("Price", { exact: true }).fill(amount);
    await this.page.getByLabel("Currency").selectOption(currency);
    if (redirect) await this.page.getByLabel("Success URL").fill(redirect);
    await this.page.getByRole("button", { name: "Create payment link" }).click();
  }

  get paylinkAddress() {
    return this.drawer.locator("#paylink-url");
  }

  fact(name) {
    return this.drawer.locator(".facts dt", { hasText: new RegExp(`^${name}$`) }).locator("xpath=following-sibling::dd[1]");
  }

  get attempts() {
    return this.drawer.locator(".attempts > li");
  }

  deliverAgain() {
    return this.drawer.getByRole("button", { name: "Resend" }).click();
  }

  /** Confirms the open dialog: types the requested text, if any, and clicks its button. */
  async confirm(name) {
    const box = this.page.locator(BOX).last();
    const button = box.getByRole("button", { name, exact: true });
    await button.waitFor();
    const asked = box.locator("label[for=field-typed] strong");
    if (await asked.count()) {
      assert.ok(await button.isDisabled(), `“${name}” waits for the name`);
      await box.getByRole("textbox").fill(await asked.innerText());
    }
    await button.click();
  }

  async prove(password) {
    await this.stepUp.getByLabel("Password").fill(password);
    await this.stepUp.getByRole("button", { name: "Continue" }).click();
  }
}
