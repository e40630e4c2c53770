// Types of the OpenAPI document as text.

const REF = "#/components/schemas/";
export const refOf = (schema) => schema?.$ref?.replace(REF, "");

/** A schema without the alternative `null`. */
export function plain(schema) {
  const alternatives = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== "null");
  return alternatives?.length === 1 ? { ...schema, anyOf: undefined, ...alternatives[0], description: schema.description ?? alternatives[0].description } : schema;
}

export const isRecord = (schema) => schema?.properties !== undefined;

/** Named texts that need no explanation. */
const WORDS = { Amount: "decimal as text", Number: "exact number", Timestamp: "timestamp", Currency: "currency", AccountKey: "account id or reference", AccountReference: "account reference", Object: "object" };

/** The values of an enumeration. */
export function valuesOf(schema, schemas) {
  const named = schemas[refOf(schema)] ?? schema;
  return named["x-open-enum"] ?? named.enum;
}

/** A type as Markdown; records link to their fields. */
export function typeText(nullable, schemas) {
  const schema = plain(nullable);
  const name = refOf(schema);
  if (name !== undefined) {
    const target = schemas[name];
    if (isRecord(target)) return `[${name}](/reference/records#${name.toLowerCase()})`;
    if (WORDS[name]) return WORDS[name];
    if (/Id$/.test(name)) return `id (\`${target.examples?.[0] ?? name}\`)`.replace(/\(`(\w+?_)[0-9a-f]{32}`\)/, "(`$1…`)").replace(/ \(`\d+`\)/, ", a number");
    return valuesOf(schema, schemas) ? "one of a list" : typeText({ ...target, $ref: undefined }, schemas);
  }
  const types = [schema.type].flat().filter((type) => type !== "null");
  if (types[0] === "array") return `list of ${typeText(schema.items ?? {}, schemas)}`;
  return { integer: "whole number", number: "number", boolean: "true or false", string: "text", object: "object" }[types[0]] ?? "any value";
}

/** Text for a cell of a table. */
export const cell = (text = "") =>
  text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|").split("`").map((part, at) => (at % 2 === 0 ? part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;") : part)).join("`");

/** What a field is: its description, and the values of its list. */
export function fieldText(nullable, schemas) {
  const schema = plain(nullable);
  const values = valuesOf(schema.items ? plain(schema.items) : schema, schemas);
  const text = schema.description ?? "";
  const isKnown = values === undefined || values.every((value) => text.includes(`\`${value}\``));
  return cell(isKnown ? text : `${text} One of ${values.map((value) => `\`${value}\``).join(", ")}.`.trim());
}

/** A table of the fields of a record or a body. */
export function fieldTable(schema, schemas, { isAnswer = false } = {}) {
  const required = new Set(schema.required);
  const names = Object.keys(schema.properties).sort((one, other) => required.has(other) - required.has(one));
  const rows = names.map((name) => {
    const field = schema.properties[name];
    const mark = !isAnswer && required.has(name) ? " **required**" : "";
    return `| \`${name}\`${mark} | ${typeText(field, schemas)} | ${fieldText(field, schemas)} |`;
  });
  return `| Field | Type | What |\n|---|---|---|\n${rows.join("\n")}`;
}
