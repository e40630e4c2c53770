// Shows /openapi.json. Requests can't be sent from here: an API key does not belong in a browser.
const nothing = () => () => null;
const dark = matchMedia("(prefers-color-scheme: dark)");
const look = () => {
  let choice = null;
  try {
    choice = localStorage.getItem("settlekit.theme");
  } catch {
    // Without storage the page follows the system's theme.
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
