// Every page about money in every look, without reloading the program.

import { after, before, test } from "node:test";
import { inspect, open, visit } from "../browser.mjs";
import * as merchant from "../merchant.mjs";
import { Money } from "../pages/money.mjs";
import { signedIn } from "../session.mjs";

let browser, visitor, money, account;
before(async () => {
  browser = await open();
  const storageState = await signedIn(browser);
  account = await merchant.call("POST", "/accounts/virtual", {
    reference: `pages-${Date.now()}`,
    name: "Online shop",
    chains: [
      { chain_id: 8453, currencies: ["USDC", "ETH"] },
      { chain_id: 137, currencies: ["USDC"] },
    ],
    deposit_splits: [{ account_ref: "treasury", pct: "12.5" }],
  });
  visitor = await visit(browser, "light", { storageState });
  money = new Money(visitor.page);
  await money.go("/accounts");
});
after(async () => {
  await visitor.done();
  await browser.close();
});

const PAGES = {
  accounts: () => "/accounts",
  account: () => `/accounts/${account.id}`,
  settlement_account: () => `/accounts/${account.sub_accounts[0].id}`,
  create_account: () => "/accounts/new",
  create_settlement_account: () => "/accounts/new?kind=settlement",
  payouts: () => "/payouts",
  create_payout: () => "/payouts/new",
  external_accounts: () => "/external-accounts",
  quick_trade: () => "/trade",
  rfq: () => "/trade/rfq",
  orders: () => "/trade/orders",
  tradable_assets: () => "/trade/markets?view=assets&currency=USDC&account=1",
  trade_currencies: () => "/trade/markets?view=currencies",
  rates: () => "/trade/markets?view=rates",
  automations_of_account: () => "/automations?account=treasury",
  sub_merchants: () => "/sub-merchants",
};

for (const [name, path] of Object.entries(PAGES)) {
  test(`${name} in every look`, async () => {
    await money.turn(path());
    await inspect(visitor.page, name);
  });
}
