// A first visit to an address that the host does not know: once the service worker is there, it does.
"use strict";
(async () => {
  const script = document.currentScript.src;
  const before = await navigator.serviceWorker.getRegistration();
  await navigator.serviceWorker.register(new URL("../sw.js", script));
  await navigator.serviceWorker.ready;
  // With the service worker in place this page is only seen where there is nothing.
  if (before?.active) document.querySelector("p").textContent = "There is no such page.";
  else location.reload();
})();
