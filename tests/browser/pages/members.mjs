// Page object of members, and of the page that accepts an invitation.

import { BOX } from "./dashboard.mjs";

export class Members {
  constructor(page) {
    this.page = page;
    this.box = page.locator(BOX);
    this.link = page.locator("#invitation-link span").first();
    this.inviteButton = page.getByRole("button", { name: "Invite a member" });
  }

  row(text) {
    return this.page.locator(".table tbody tr", { hasText: text });
  }

  /** Fills in the form and submits it; step-up may follow. */
  async invite(email, role) {
    await this.inviteButton.click();
    await this.box.getByLabel("Email").fill(email);
    await this.box.getByLabel("Role").selectOption(role);
    await this.box.getByRole("button", { name: "Invite", exact: true }).click();
  }

  async press(text, act) {
    await this.row(text).getByRole("button", { name: act }).click();
  }

  /** Accepts the invitation on this page. */
  async join(name, password) {
    await this.page.getByLabel("Your name").fill(name);
    await this.page.getByLabel("New password").fill(password);
    await this.page.getByRole("button", { name: "Join" }).click();
  }
}
