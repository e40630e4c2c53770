// Signs in once for a spec file; its pages start from there.

import { SIGNED_OUT, visit } from "./browser.mjs";
import { Dashboard } from "./pages/dashboard.mjs";
import { email, password, url } from "./settings.mjs";

export async function signedIn(browser) {
  const { page, done } = await visit(browser, "light", { expected: [SIGNED_OUT] });
  const dashboard = new Dashboard(page);
  await page.goto(url);
  await dashboard.signIn(email, password);
  await dashboard.navigation.waitFor();
  const storageState = await page.context().storageState();
  await done();
  return storageState;
}
