// Runs before the first paint: applies theme and contrast, and shows the static sign-in form if nobody has signed in here. The
// dashboard's shell/theme.rs, session.rs and text/language.rs use the same storage keys.

// The dashboard creates some elements from markup that is compiled into it. Such markup never contains scripts.
globalThis.trustedTypes?.createPolicy("default", {
  createHTML: (markup) => (/<(script|iframe|frame|object|embed|link|meta|base|style|template)|\son\w+\s*=|javascript:/i.test(markup) ? null : markup),
});

// A form submitted before the dashboard is loaded is marked; form/create_session.rs then signs in with it.
document.addEventListener("submit", (event) => {
  const early = event.target.closest("#early");
  if (!early) return;
  event.preventDefault();
  early.dataset.sent = "";
  early.querySelector("button").setAttribute("aria-busy", "true");
});

try {
  const root = document.documentElement;
  const choice = localStorage.getItem("settlekit.theme");
  if (choice === "light" || choice === "dark") root.dataset.theme = choice;
  if (localStorage.getItem("settlekit.contrast")) root.dataset.contrast = "more";
  // The static sign-in form is in English only, and not for invitations.
  const TRANSLATED = ["de", "fr"];
  const language = localStorage.getItem("settlekit.language") || navigator.language;
  const known = localStorage.getItem("settlekit.signed-in") || location.pathname === "/invitation";
  if (!known && !TRANSLATED.includes(language.split("-")[0])) root.dataset.early = "sign-in";
} catch {
  // Without storage the page follows the system's theme and shows its placeholder.
}
