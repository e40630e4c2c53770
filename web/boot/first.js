// What must be known before the first paint: the reader's theme and contrast, and whether anybody has signed in here. The
// dashboard's shell/theme.rs, session.rs and text/language.rs write and read the same names.

// The program makes some of its elements of markup that was compiled into it. Nothing that runs is ever in it.
globalThis.trustedTypes?.createPolicy("default", {
  createHTML: (markup) => (/<(script|iframe|frame|object|embed|link|meta|base|style|template)|\son\w+\s*=|javascript:/i.test(markup) ? null : markup),
});

// Whoever is done before the program is there is signed in by it: form/create_session.rs reads the mark.
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
  // The sign-in of the page itself is in English, and not for those who are invited.
  const language = localStorage.getItem("settlekit.language") || navigator.language;
  const known = localStorage.getItem("settlekit.signed-in") || location.pathname === "/invitation";
  if (!known && !language.startsWith("de")) root.dataset.early = "sign-in";
} catch {
  // A browser that keeps nothing shows what the system says, and the shape of the page.
}
