// The operations of the service, from the printed OpenAPI document, the recorded requests and the table of the JavaScript methods.

import { readFileSync } from "node:fs";

import { sampleOf } from "./arguments.mjs";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");

/** `CreatePaylink` of `createPaylink`. */
const pascal = (name) => name[0].toUpperCase() + name.slice(1);

/** Room, method and shape of each JavaScript method, by operation. */
function javascriptMethods() {
  const rows = read("pkg/js/operations.ts").matchAll(/^ {2}\["(\w+)", "(\w+)", "(\w+)", "([anrl]+)"\],$/gm);
  return new Map([...rows].map(([, room, method, id, shape]) => [id, { room, method, takesArguments: shape[0] === "a", isList: shape[1] === "l" }]));
}

function recordedArguments() {
  const lines = read("tests/vectors/operations.jsonl").trim().split("\n").map((line) => JSON.parse(line));
  return new Map(lines.map(({ operation, arguments: recorded }) => [operation, recorded]));
}

/** How a program authenticates for an operation: nothing, a key, a key and a signature, or the dashboard's session. */
function authOf(security) {
  if (security.length === 0) return "public";
  if (security[0].ApiSignature) return "signed";
  return security[0].ApiKeyAuth ? "key" : "session";
}

/** Operations that a partner calls, for one of its sub-merchants or for itself. */
const isPartners = (tag) => tag === "automation" || tag === "partner";

function operation({ path, method, described, javascript, recorded, ids }) {
  const id = pascal(described.operationId);
  const auth = authOf(described.security);
  return {
    id, path: `/v1${path}`, method: method.toUpperCase(), room: described.tags[0], summary: described.summary, description: described.description,
    parameters: described.parameters, body: described.requestBody?.content["application/json"].schema, responses: described.responses,
    isDeprecated: described.deprecated === true, isStream: described.responses["200"]?.content?.["text/event-stream"] !== undefined,
    auth, needsStepUp: described.security.some((scheme) => scheme.StepUp), needsCsrf: described.security.some((scheme) => scheme.Csrf),
    forPartners: isPartners(described.tags[0]), javascript: javascript.get(id), ...sampleOf(id, recorded.get(id), { path, ids }),
  };
}

/** All operations by room, in the order of the document. `ids` are the ids of the shop's records. */
export function rooms(ids) {
  const document = JSON.parse(read("docs/openapi.json"));
  const [javascript, recorded] = [javascriptMethods(), recordedArguments()];
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => operation({ path, method, described, javascript, recorded, ids })));
  const rooms = document.tags.map(({ name, description }) => ({ name, description, operations: operations.filter(({ room }) => room === name) }));
  const placed = rooms.reduce((count, room) => count + room.operations.length, 0);
  if (placed !== operations.length) throw new Error(`${operations.length - placed} operations have no room of the document`);
  return { rooms, schemas: document.components.schemas };
}
