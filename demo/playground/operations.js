// The operations and their arguments, as the OpenAPI document describes them.

/** Operations by name, as `settlekit/core` has them: `CreatePaylink`. */
export function operationsOf({ paths, components }) {
  const operations = {};
  for (const item of Object.values(paths)) {
    for (const { operationId, tags, description, parameters = [], requestBody } of Object.values(item)) {
      const name = operationId[0].toUpperCase() + operationId.slice(1);
      // Headers are the package's own business.
      const own = parameters.filter((parameter) => parameter.in !== "header");
      const fields = own.map(({ name, required, description, example, schema }) =>
        toField(name, required === true, { description, ...schema }, required ? example : undefined, components.schemas));
      const content = requestBody?.content["application/json"];
      const body = content && resolve(content.schema, components.schemas);
      for (const [name, schema] of Object.entries(body?.properties ?? {})) {
        fields.push(toField(name, body.required?.includes(name) === true, schema, content.example?.[name], components.schemas));
      }
      operations[name] = { name, room: tags[0].replaceAll("_", " "), description: firstLine(description), fields };
    }
  }
  return operations;
}

/** Names of arguments that hold a password or token, or say whose bank account it is. */
const SECRETS = /^(new_)?password$|^token$|^account_(number|holder_name)$/;

function toField(name, required, schema, example, schemas) {
  const { type, enum: values, format, "x-open-enum": known } = resolve(schema, schemas);
  const isJson = type === "object" || type === "array";
  const choices = type === "boolean" ? ["true", "false"] : values;
  return {
    name,
    required,
    isJson,
    type: isJson ? `JSON ${type}` : words(type, format),
    isNumber: type === "integer" || type === "number",
    isBoolean: type === "boolean",
    // Kept out of the page's link, and so out of the browser's history.
    isSecret: SECRETS.test(name),
    values: choices && ["", ...choices],
    // An answer may have other values, a request may not; `Unknown` stands for those.
    suggestions: known?.filter((value) => value !== "Unknown"),
    description: firstLine(schema.description ?? ""),
    example: example === undefined ? "" : isJson ? JSON.stringify(example) : String(example),
  };
}

const words = (type = "string", format) => (type === "string" ? (format ?? "text") : type);

/** A schema without references and without null. */
function resolve(schema, schemas) {
  if (schema.$ref) return resolve(schemas[schema.$ref.split("/").at(-1)], schemas);
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  if (choices.length === 1) return resolve(choices[0], schemas);
  const type = Array.isArray(schema.type) ? schema.type.find((type) => type !== "null") : schema.type;
  // A closed list may be written as one constant for each value.
  const constants = choices.map((choice) => resolve(choice, schemas)).flatMap(({ const: value, enum: values }) => values ?? (value === undefined ? [] : [value]));
  return { ...schema, type, enum: schema.enum?.filter((value) => value !== null) ?? (constants.length > 0 ? constants : undefined) };
}

const firstLine = (text) => text.split("\n\n")[0].replaceAll("`", "");

/** Parses the input of a field. Input that does not parse is kept as a string; validation reports it. */
export function toValue({ isJson, isNumber, isBoolean }, text) {
  if (isBoolean) return text === "true";
  if (isNumber) return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
  if (!isJson) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
