// Shows /openapi.json in the viewer. Requests can be sent only with the short-lived key of a sandbox (`try.js`).
import { canSend, look, prepared, setUp, storedKey, withKey } from "./try.js";

const nothing = () => () => null;
const key = storedKey();
const METHODS = ["get", "post", "put", "patch", "delete"];

/** All operations at once: the viewer draws only those on the screen from 150 lines on, and the browser's own search misses the others. */
const operations = (_, { React }) => ({ getComponent, getConfigs, layoutActions, layoutSelectors, oas3Selectors, specSelectors }) => {
  const [Tag, Operation] = [getComponent("OperationTag"), getComponent("OperationContainer", true)];
  const shared = { getComponent, getConfigs, layoutActions, layoutSelectors, oas3Selectors, specUrl: specSelectors.url() };
  const rooms = specSelectors.taggedOperations().entrySeq().map(([tag, tagObj]) => {
    const drawn = tagObj.get("operations").map((op) => {
      const [path, method] = [op.get("path"), op.get("method")];
      return React.createElement(Operation, { key: `${path}-${method}`, specPath: op.get("specPath"), op, path, method, tag });
    });
    return React.createElement(Tag, { key: tag, tag, tagObj, ...shared }, React.createElement("div", { className: "operation-tag-content" }, drawn.toArray()));
  });
  return React.createElement("div", null, rooms.toArray());
};

const plugin = () => ({
  wrapComponents: {
    operations,
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
