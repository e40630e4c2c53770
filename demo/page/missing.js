// Handles a first visit to a URL that the host does not serve: installs the service worker, which does.
"use strict";
(async () => {
  const script = document.currentScript.src;
  const isGerman = (localStorage.getItem("settlekit.language") ?? navigator.language).startsWith("de");
  const sentences = isGerman ? await fetch(new URL("de.json", script)).then((answer) => answer.json()).catch(() => ({})) : {};
  const t = (english) => sentences[english] || english;
  const say = (sentence) => { document.querySelector("p").textContent = sentence; };
  say(t("Opening the demo…"));
  if (isGerman) document.documentElement.lang = "de";
  const before = await navigator.serviceWorker.getRegistration();
  await navigator.serviceWorker.register(new URL("../sw.js", script));
  await navigator.serviceWorker.ready;
  // Once the service worker is active, this page is shown for missing pages only.
  if (before?.active) say(t("Page not found."));
  else location.reload();
})();
