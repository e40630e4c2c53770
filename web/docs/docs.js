// Shows /openapi.json in the viewer. Requests can be sent only with the short-lived key of a sandbox (`try.js`).
import { canSend, look, prepared, setUp, storedKey, withKey } from "./try.js";

const nothing = () => () => null;
const key = storedKey();
const METHODS = ["get", "post", "put", "patch", "delete"];

const plugin = () => ({
  wrapComponents: {
    authorizeBtn: nothing,
    AuthorizeBtnContainer: nothing,
    authorizeOperationBtn: nothing,
    ServersContainer: nothing,
    execute: (Execute, { React }) => class extends Execute {
      render() {
        return React.cloneElement(super.render(), null, "Send");
      }
    },
  },
  statePlugins: { spec: { wrapSelectors: { allowTryItOutFor: () => (state, path, method) => canSend(path, method) } } },
});

globalThis.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#document",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  supportedSubmitMethods: key ? METHODS : [],
  tryItOutEnabled: key !== null,
  validatorUrl: null,
  plugins: [plugin],
  requestInterceptor: (request) => (key ? withKey(request, key) : request),
  responseInterceptor: (response) => {
    if (!key) return response;
    if (response.url.endsWith("/openapi.json")) response.text = JSON.stringify(prepared(JSON.parse(response.text)));
    else look(response);
    return response;
  },
});
void setUp();
