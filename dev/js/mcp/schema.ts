import { type Field, fieldsOf, type Operation, resolve, type Schema } from "../commands/catalogue.js";

/** A JSON Schema as tools have it. */
export interface ToolSchema {
  type?: string;
  anyOf?: ToolSchema[];
  description?: string;
  properties?: Record<string, ToolSchema>;
  required?: string[];
  items?: ToolSchema;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  additionalProperties?: boolean;
}

/** Items of a page that a tool fetches without `limit`: a page of a hundred fills the context of a model. */
export const PAGE_ITEMS = 20;

/** A decimal of any length. */
const DECIMAL = "^-?[0-9]+(\\.[0-9]+)?$";

/** The schema of a tool's arguments: those of the path, the query and the body in one object. */
export function inputSchema(operation: Operation): ToolSchema & { type: "object" } {
  const fields = fieldsOf(operation);
  const properties = Object.fromEntries(fields.map((field) => [field.name, ofField(field)]));
  // Partners act for sub-merchants.
  if (operation.delegated) properties["org_id"] ??= { type: "string", description: "Sub-merchant that a partner acts for; its own organisation if absent." };
  if (operation.http !== "GET") {
    properties["idempotency_key"] ??= { type: "string", description: "Repeat a call whose outcome is unknown with the same key: it happens once." };
  }
  const required = fields.filter(({ required }) => required).map(({ name }) => name);
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

function ofField({ name, schema, description }: Field): ToolSchema {
  const own = inlined(schema, 0);
  if (name === "limit") own.default = PAGE_ITEMS;
  const text = first(description || own.description || "");
  return text === "" ? own : { ...own, description: text };
}

/** The first sentence: a model reads every tool before it does anything. */
function first(text: string): string {
  return /^.*?[.;](?= |$)/s.exec(text)?.[0].replace(/;$/, ".") ?? text;
}

/** A schema without references, and with decimals as texts, which keep their digits. */
function inlined(schema: Schema, depth: number): ToolSchema {
  const own = resolve(schema);
  if (own.type === "number") return { type: "string", pattern: DECIMAL, ...(own.description === undefined ? {} : { description: own.description }) };
  const result: ToolSchema = {};
  // Some models take one type only.
  if (Array.isArray(own.type)) result.anyOf = own.type.map((type) => ({ type }));
  else if (own.type !== undefined) result.type = own.type;
  if (own.description !== undefined) result.description = first(own.description);
  const values = own.values ?? own.enum;
  if (values !== undefined) result.enum = values;
  if (own.pattern !== undefined) result.pattern = own.pattern;
  if (own.minimum !== undefined) result.minimum = own.minimum;
  if (own.maximum !== undefined) result.maximum = own.maximum;
  if (own.items !== undefined) result.items = inlined(own.items, depth + 1);
  if (own.properties !== undefined) {
    result.properties = Object.fromEntries(Object.entries(own.properties).map(([name, schema]) => [name, inlined(schema, depth + 1)]));
    if (own.required !== undefined) result.required = own.required;
  }
  return result;
}
