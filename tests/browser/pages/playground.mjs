// Page object of the demo's playground.

import assert from "node:assert/strict";

export class Playground {
  constructor(page) {
    this.page = page;
    this.operation = page.getByLabel("Operation");
    this.optional = page.getByText("Optional arguments");
    this.address = page.locator("#baseUrl");
    this.curl = page.locator("#curl");
    this.nonce = page.getByRole("button", { name: "New nonce" });
    this.send = page.getByRole("button", { name: "Send to the demo" });
    this.status = page.getByLabel("Status", { exact: true });
    this.value = page.locator("#value");
  }

  async go(url, hash = "") {
    await this.page.goto(`${url}/playground/${hash}`);
    await this.page.getByRole("heading", { name: "Arguments" }).waitFor();
  }

  input(argument) {
    return this.page.locator(`#argument-${argument}`);
  }

  async fill(argument, text) {
    await this.input(argument).fill(text);
  }

  /** Waits for the only error of an argument. */
  async error(argument, text) {
    const errors = this.page.locator(`#argument-${argument}-errors li`);
    await errors.filter({ hasText: text }).waitFor();
    assert.equal(await errors.count(), 1);
    assert.equal(await this.input(argument).getAttribute("aria-invalid"), "true");
  }

  async verdict(text) {
    await this.page.locator("#verdict", { hasText: text }).waitFor();
  }

  async readAs(text) {
    await this.page.locator("#read-as", { hasText: text }).waitFor();
  }

  async answer(status, body) {
    await this.status.fill(String(status));
    await this.page.getByLabel("Body").fill(body);
  }

  /** The lines of the signed message, by name. */
  async message() {
    const texts = (name) => this.page.locator(`#lines ${name}`).allTextContents();
    const [names, lines] = [await texts("dt"), await texts("dd")];
    return Object.fromEntries(names.map((name, place) => [name, lines[place]]));
  }
}
