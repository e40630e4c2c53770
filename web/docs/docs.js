// Shows /openapi.json. Nothing is sent from here: an API key does not belong into a browser.
const nothing = () => () => null;
const dark = matchMedia("(prefers-color-scheme: dark)");
const look = () => {
  let choice = null;
  try {
    choice = localStorage.getItem("settlekit.theme");
  } catch {
    // A browser that keeps nothing shows what the system says.
  }
  document.documentElement.classList.toggle("dark-mode", choice === "dark" || (choice !== "light" && dark.matches));
};
look();
dark.addEventListener("change", look);
globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#document",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  supportedSubmitMethods: [],
  validatorUrl: null,
  plugins: [() => ({ wrapComponents: { authorizeBtn: nothing, AuthorizeBtnContainer: nothing, authorizeOperationBtn: nothing, ServersContainer: nothing } })],
});
