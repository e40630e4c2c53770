// Answers every URL of the demo with its page, even if the host of the folder does not serve that URL. Files are fetched
// from the host; nothing is cached.

/** Base path of the demo: empty at the root, else `/folder`. */
const ROOT = new URL(".", self.location.href).pathname.slice(0, -1);
const PAGES = [
  [/^\/(pay|embed)\/[^./]+$/, "/pay/pay.html"],
  [/^\/docs\/?$/, "/docs/docs.html"],
  [/^\/docs\/([a-z]+)$/, "/docs/$1.html"],
  [/^\/playground\/(index\.html)?$/, "/playground/index.html"],
  [/^\/([^.]*|index\.html)$/, "/index.html"],
];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  const { pathname } = new URL(event.request.url);
  const inside = pathname.slice(ROOT.length);
  const found = PAGES.find(([path]) => path.test(inside));
  // Its own files are named relative to its folder.
  if (pathname === `${ROOT}/playground`) event.respondWith(Response.redirect(`${pathname}/`));
  else if (found) event.respondWith(fetch(ROOT + inside.replace(...found)));
});
