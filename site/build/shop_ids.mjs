// The ids of the shop's records, from the built package: the reader's tab makes the same ones.

import { PASSWORD, fillShop, openShop, signIn } from "../runner/shop.js";

const dist = new URL("../../pkg/dist/", import.meta.url);

export async function shopIds() {
  const [{ Settlekit }, { Sandbox }] = [await import(new URL("index.js", dist)), await import(new URL("sandbox.js", dist))];
  const shop = await openShop({ Settlekit, Sandbox }, () => new Response(null, { status: 204 }));
  await fillShop(shop);
  await signIn(shop);
  return { ...shop.ids, password: PASSWORD };
}
