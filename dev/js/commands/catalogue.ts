import { readFileSync } from "node:fs";

/** A JSON Schema of the catalogue. `values` are the known values of an enumeration that may grow. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  values?: string[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

/** A parameter of an operation's path or query. */
export interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description: string;
  schema: Schema;
}

/** Scope of an API key. */
export type Scope = "read" | "write" | "payout" | "manage";

/** An operation of the service. */
export interface Operation {
  /** `CreatePaylink`. */
  id: string;
  /** Property and method of the npm client: `paylinks`, `create`. */
  room: string;
  method: string;
  http: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  summary: string;
  description?: string;
  /** Scope that a key needs; null for operations of payers and of the dashboard's sessions. */
  scope: Scope | null;
  auth: "public" | "key" | "signed" | "session";
  /** Whether a partner may call it for a sub-merchant. */
  delegated: boolean;
  /** Whether its content may send money to a destination outside the service. */
  outflow: boolean;
  /** Whether it exists in sandbox mode only. */
  sandbox: boolean;
  deprecated: boolean;
  parameters: Parameter[];
  /** Name of the body's schema. */
  body: string | null;
  example?: unknown;
  returns: { shape: "page" | "array" | "record"; record: string | null; fields: string[] };
}

interface Catalogue {
  version: string;
  events: { types: string[]; actions: string[] };
  /** Description of each resource. */
  rooms: Record<string, string>;
  operations: Operation[];
  schemas: Record<string, Schema>;
}

// Read instead of imported: Node 20 warns about JSON modules.
const catalogue = JSON.parse(readFileSync(new URL("./catalogue.json", import.meta.url), "utf8")) as Catalogue;

export const { events: EVENTS, rooms: ROOMS, operations: OPERATIONS, schemas: SCHEMAS } = catalogue;

/** An argument of an operation: a parameter or a field of the body. */
export interface Field {
  name: string;
  place: "path" | "query" | "body";
  required: boolean;
  description: string;
  schema: Schema;
}

/** All arguments of an operation: those of the path, then the required ones. */
export function fieldsOf(operation: Operation): Field[] {
  const fields: Field[] = operation.parameters.map(({ in: place, ...parameter }) => ({ ...parameter, place }));
  const body = operation.body === null ? {} : resolve({ $ref: operation.body });
  for (const [name, schema] of Object.entries(body.properties ?? {})) {
    fields.push({ name, place: "body", required: body.required?.includes(name) ?? false, description: schema.description ?? "", schema });
  }
  const rank = ({ place, required }: Field): number => (place === "path" ? 0 : required ? 1 : 2);
  return fields.sort((one, other) => rank(one) - rank(other));
}

/** A schema without references at its top and without null, which an argument expresses by its absence. */
export function resolve(schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const { $ref, ...own } = schema;
    return { ...resolve(SCHEMAS[$ref] ?? {}), ...own };
  }
  if (schema.anyOf !== undefined) {
    const { anyOf, ...own } = schema;
    const other = anyOf.filter(({ type }) => type !== "null");
    return other.length === 1 ? { ...resolve(other[0] as Schema), ...own } : schema;
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return { ...schema, type: types.length === 1 ? (types[0] as string) : types };
  }
  return schema;
}

/** `createVirtualAccount` as a word of the command line: `create-virtual-account`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The operations of a resource, in the order of the catalogue. */
export function operationsOf(room: string): Operation[] {
  return OPERATIONS.filter((operation) => operation.room === room);
}

/** Whether an API key cannot call an operation. */
export function needsSession({ auth }: Operation): boolean {
  return auth === "session";
}
