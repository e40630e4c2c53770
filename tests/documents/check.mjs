// Checks docs/openapi.json against Spectral's recommended rules, and its examples against their schemas with ajv.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const path = at("../../docs/openapi.json");
const document = JSON.parse(readFileSync(path, "utf8"));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })));

const ajv = new Ajv({ strict: false, allErrors: true });
formats(ajv);
// Keywords without validation.
for (const format of ["text", "decimal", "uint", "uint16", "uint32", "uint64"]) ajv.addFormat(format, true);
ajv.addSchema(document, "document");
const check = (name, schema, value) => {
  // References point into the document, so schemas are compiled as parts of it.
  const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  assert.ok(ajv.validate(resolved, value), `${name}: ${ajv.errorsText()} in ${JSON.stringify(value)}`);
};

test("the document passes Spectral's recommended rules", () => {
  const spectral = spawnSync(at("node_modules/.bin/spectral"),
    ["lint", path, "--ruleset", at("ruleset.yaml"), "--fail-severity", "hint"], { encoding: "utf8" });
  assert.equal(spectral.status, 0, spectral.stdout + spectral.stderr);
});

test("examples of parameters, bodies and responses match their schemas", () => {
  assert.ok(operations.length > 0);
  for (const { name, operation } of operations) {
    for (const parameter of operation.parameters) check(`${name} ${parameter.name}`, parameter.schema, parameter.example);
    const bodies = [operation.requestBody, ...Object.values(operation.responses)].filter(Boolean);
    for (const { content } of bodies.filter(({ content }) => !content["text/event-stream"])) {
      const { schema, example, examples } = content["application/json"];
      const shown = examples ? Object.values(examples).map(({ $ref }) => document.components.examples[$ref.split("/").at(-1)].value) : [example];
      assert.ok(shown.length > 0, name);
      for (const value of shown) check(name, schema, value);
    }
  }
});

test("examples in schemas match them", () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    for (const value of schema.examples ?? []) check(name, schema, value);
  }
});
