// Page object of the payer's page.

export class Checkout {
  constructor(page) {
    this.page = page;
    this.card = page.locator("#card:not([aria-busy])");
    this.price = page.locator(".price");
    this.step = page.locator("#step h2");
    this.continueButton = page.getByRole("button", { name: "Continue" });
    this.testWallet = page.getByRole("button", { name: "Pay from the test wallet" });
    this.confirmations = page.locator("#count");
    this.qr = page.locator(".qr svg path");
    this.timeLeft = page.getByRole("timer");
    this.news = page.locator("#news");
    this.stay = page.getByRole("button", { name: "Stay on this page" });
  }

  async go(address) {
    await this.page.goto(address);
    await this.card.waitFor();
  }

  async choose(currency, chain) {
    const option = this.page.locator("label.option", { hasText: currency }).filter({ hasText: chain });
    await option.click();
    await option.and(this.page.locator(":has(:checked)")).waitFor();
    await this.continueButton.click();
  }

  /** Lets the page poll a payment, so that a test can change the answers. */
  async withoutStream(payment) {
    await this.page.route(`**/v1/checkout/payments/${payment.payment_id}/live`, (route) => route.fulfill({ status: 204 }));
  }

  heading(name) {
    return this.page.getByRole("heading", { name, exact: true });
  }

  line(name) {
    return this.page.locator(".line", { hasText: name }).locator("dd span");
  }
}
