// Prints `js/commands/catalogue.json`, the operations as the commands and the MCP tools need them, from `docs/openapi.json` and the
// method names of the npm package. `node catalogue.mjs` writes the file; a test compares it.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The printed file. */
export const CATALOGUE = at("js/commands/catalogue.json");

/** Server-sent events are no operations: the package has no methods for them. */
const STREAM = /^stream/;

/** Adds the names of all schemas that a schema refers to, directly or through another one. */
function collect(schema, schemas, names) {
  if (Array.isArray(schema)) {
    for (const item of schema) collect(item, schemas, names);
  } else if (typeof schema === "object" && schema !== null) {
    const name = schema.$ref?.split("/").pop();
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      collect(schemas[name], schemas, names);
    }
    for (const value of Object.values(schema)) collect(value, schemas, names);
  }
}

/** A schema without what no command reads, and with references by name. */
function tidy(schema) {
  if (Array.isArray(schema)) return schema.map(tidy);
  if (typeof schema !== "object" || schema === null) return schema;
  const tidied = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === "examples" || name === "format") continue;
    if (name === "$ref") tidied.$ref = value.split("/").pop();
    else if (name === "x-open-enum") tidied.values = value.filter((value) => value !== "Unknown");
    else if (name === "properties") tidied.properties = Object.fromEntries(Object.entries(value).map(([field, schema]) => [field, tidy(schema)]));
    else if (name === "description") tidied.description = line(value);
    else tidied[name] = tidy(value);
  }
  if (tidied.values !== undefined) delete tidied.description;
  return tidied;
}

const line = (text) => text.replace(/\s+/g, " ").trim();

/** What a success returns: the name of the record, and whether it is a page or an array of them. */
function returned(responses, schemas) {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const schema = success?.content?.["application/json"]?.schema;
  const data = schema?.properties?.data ?? schema ?? {};
  const name = (schema) => schema?.$ref?.split("/").pop();
  const page = schemas[name(data)]?.properties?.items;
  const shape = page !== undefined && name(data).endsWith("Page") ? "page" : data.type === "array" ? "array" : "record";
  const record = shape === "page" ? name(page.items) : shape === "array" ? name(data.items) : name(data);
  const fields = Object.keys(schemas[record]?.properties ?? {});
  return { shape, record: record ?? null, fields };
}

/** How an operation authenticates: by nothing, a key, a signature, or a session of the dashboard only. */
function authentication(security) {
  const keys = (security ?? []).filter((scheme) => "ApiKeyAuth" in scheme);
  if ((security ?? []).length === 0) return "public";
  if (keys.length === 0) return "session";
  return keys.some((scheme) => !("ApiSignature" in scheme)) ? "key" : "signed";
}

/** The catalogue as text. */
export function print(openapi = JSON.parse(readFileSync(at("../docs/openapi.json"), "utf8")), operations = readFileSync(at("../pkg/js/operations.ts"), "utf8")) {
  const { schemas } = openapi.components;
  const methods = new Map();
  for (const [, room, method, id] of operations.matchAll(/^ {2}\["(\w+)", "(\w+)", "(\w+)", "[an][rl]"\],$/gm)) methods.set(id, { room, method });
  const tags = new Map(openapi.tags.map(({ name, description }) => [name, line(description)]));
  const used = new Set();
  const rooms = {};
  const list = [];
  for (const [path, item] of Object.entries(openapi.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (STREAM.test(operation.operationId)) continue;
      const id = operation.operationId[0].toUpperCase() + operation.operationId.slice(1);
      const named = methods.get(id);
      if (named === undefined) throw new Error(`the npm package has no method for ${id}`);
      const [description, ...facts] = operation.description.split(/\n\n(?=Scope: |Sandbox mode only\.)/);
      const scope = facts.map((fact) => /^Scope: `(\w+)`/.exec(fact)?.[1]).find((scope) => scope !== undefined);
      const given = operation.parameters ?? [];
      const auth = authentication(operation.security);
      const signs = (operation.security ?? []).some((scheme) => "ApiSignature" in scheme);
      const delegated = given.some(({ name }) => name === "X-ORG-ID");
      const body = operation.requestBody?.content["application/json"];
      const parameters = given.filter(({ in: place }) => place !== "header");
      for (const { schema } of parameters) collect(schema, schemas, used);
      collect(body?.schema, schemas, used);
      rooms[named.room] ??= tags.get(operation.tags[0]);
      list.push({
        id,
        ...named,
        http: method.toUpperCase(),
        path,
        summary: line(operation.summary),
        ...(line(description) === line(operation.summary) ? {} : { description: line(description) }),
        // Operations of payers and of the dashboard's sessions need no scope of a key.
        scope: scope ?? null,
        auth,
        delegated,
        // Content that may send money out needs a signature, so the document offers both ways.
        outflow: auth === "key" && signs && !delegated,
        sandbox: facts.includes("Sandbox mode only."),
        deprecated: operation.deprecated === true,
        parameters: parameters.map(({ name, in: place, required, description, schema }) => ({ name, in: place, required: required === true, description: line(description ?? ""), schema: tidy(schema) })),
        body: body === undefined ? null : body.schema.$ref.split("/").pop(),
        ...(body?.example === undefined ? {} : { example: body.example }),
        returns: returned(operation.responses, schemas),
      });
    }
  }
  const order = [...methods.keys()];
  const missing = order.filter((id) => !list.some((operation) => operation.id === id));
  if (missing.length > 0) throw new Error(`docs/openapi.json has no ${missing.join(", ")}`);
  list.sort((one, other) => order.indexOf(one.id) - order.indexOf(other.id));
  const enumeration = (name) => schemas[name]["x-open-enum"].filter((value) => value !== "Unknown");
  const catalogue = {
    version: openapi.info.version,
    events: { types: enumeration("EventType"), actions: enumeration("EventAction") },
    rooms: Object.fromEntries(Object.entries(rooms).sort(([one], [other]) => (one < other ? -1 : 1))),
    operations: list,
    schemas: Object.fromEntries([...used].sort().map((name) => [name, tidy(schemas[name])])),
  };
  // One operation and one schema a line: short, and changes show.
  const lines = (values) => Object.entries(values).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(",\n");
  return `{
  "version": ${JSON.stringify(catalogue.version)},
  "events": ${JSON.stringify(catalogue.events)},
  "rooms": {
${lines(catalogue.rooms)}
  },
  "operations": [
${catalogue.operations.map((operation) => `    ${JSON.stringify(operation)}`).join(",\n")}
  ],
  "schemas": {
${lines(catalogue.schemas)}
  }
}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(CATALOGUE, print());
