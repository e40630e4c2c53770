import { type Field, fieldsOf, type Operation, resolve, type Schema } from "./catalogue.js";
import { parseExact, withTexts } from "./exact-json.js";
import { UsageError } from "./failure.js";
import { CONNECTION, HELP, type Option, OUTPUT, type Parsed, parseOptions } from "./options.js";

/** Objects within objects become options up to this depth; deeper ones are given as JSON. */
const DEPTH_MAX = 3;

/** An option for one value of the arguments. */
interface Leaf extends Option {
  path: string[];
  schema: Schema;
}

const isObject = (schema: Schema): boolean => schema.type === "object" || schema.properties !== undefined;

/** A JSON object with keys of the caller's own. */
const isFree = (schema: Schema): boolean => isObject(schema) && Object.keys(schema.properties ?? {}).length === 0;

function leavesOf(name: string, path: string[], schema: Schema, description: string, required: boolean): Leaf[] {
  const own = resolve(schema);
  const values = valuesOf(own);
  const text = described(description || own.description || "", values, required);
  const leaf: Leaf = { name, path, schema: own, value: placeholder(own), description: text, ...(own.type === "array" ? { multiple: true } : {}), ...(values === undefined ? {} : { values }) };
  if (!isObject(own) || isFree(own) || path.length >= DEPTH_MAX) return [leaf];
  const inner = Object.entries(own.properties ?? {}).flatMap(([inner, schema]) =>
    leavesOf(`${name}.${inner}`, [...path, inner], schema, schema.description ?? "", required && (own.required?.includes(inner) ?? false)));
  return [leaf, ...inner];
}

/** The known values of an enumeration, or of the items of a list of them. */
function valuesOf(schema: Schema): string[] | undefined {
  if (schema.type === "boolean") return ["true", "false"];
  const { values, enum: closed } = schema.type === "array" ? resolve(schema.items ?? {}) : schema;
  return values ?? (closed as string[] | undefined);
}

function described(text: string, values: string[] | undefined, required: boolean): string {
  return [text, values === undefined || values[0] === "true" ? "" : `One of ${values.join(", ")}.`, required ? "Required." : ""].filter((part) => part !== "").join(" ");
}

function placeholder(schema: Schema): string {
  const own = schema.type === "array" ? resolve(schema.items ?? {}) : schema;
  if (isObject(own)) return "JSON";
  switch (own.type) {
    case "boolean":
      return "true|false";
    case "integer":
      return "NUMBER";
    default:
      return own.pattern === undefined && own.type !== "number" ? "TEXT" : "DECIMAL";
  }
}

/** Options of an operation beside its fields. */
function ownOptions(operation: Operation): Option[] {
  return [
    ...(operation.body === null ? [] : [{ name: "json", value: "JSON", description: "the body as JSON, `-` for standard input; other options replace its fields" }]),
    ...(operation.returns.shape === "page" ? [{ name: "all", description: "all pages, oldest first unless --sort says otherwise" }] : []),
    OUTPUT,
    ...(operation.returns.shape === "record" ? [] : [{ name: "columns", value: "NAMES", description: "columns of the table, separated by commas; `plan.name` names a field of a field" }]),
    ...(operation.http === "GET" ? [] : [{ name: "idempotency-key", value: "KEY", description: "repeats of the call with the same key return the first answer for 24 hours" }]),
    ...(operation.delegated ? [{ name: "org-id", value: "ID", description: "sub-merchant that a partner acts for" }] : []),
    ...CONNECTION,
    HELP,
  ];
}

/** The options of an operation: those of its fields, and all others. */
export function optionsOf(operation: Operation): { fields: Option[]; others: Option[] } {
  const fields = leaves(operation);
  // A field of the operation wins: its name is the contract's.
  const others = ownOptions(operation).filter(({ name }) => !fields.some((field) => field.name === name));
  return { fields, others };
}

function leaves(operation: Operation): Leaf[] {
  return fieldsOf(operation).filter(({ place }) => place !== "path").flatMap(({ name, schema, description, required }) => leavesOf(name, [name], schema, description, required));
}

/** A leaf for a path into an array or a free object: `--items.0.enabled`, `--metadata.order`. */
function innerLeaf(name: string, fields: readonly Field[]): Leaf | undefined {
  const path = name.split(".");
  let schema: Schema | undefined = fields.find((field) => field.name === path[0] && field.place !== "path")?.schema;
  for (const key of path.slice(1)) {
    if (schema === undefined) return undefined;
    const own = resolve(schema);
    if (own.type === "array" && /^\d{1,3}$/.test(key)) schema = own.items ?? {};
    else if (isFree(own) && key !== "") schema = {};
    else schema = own.properties?.[key];
  }
  if (schema === undefined || path.length < 2) return undefined;
  const own = resolve(schema);
  return { name, path, schema: own, value: placeholder(own), description: "", multiple: own.type === "array" };
}

/** The arguments of a call and the other options. */
export interface Given {
  given: Record<string, unknown>;
  options: Parsed;
}

/** Reads the arguments of an operation. `stdin` reads standard input for `--json -`. */
export async function readArguments(operation: Operation, args: readonly string[], stdin: () => Promise<string>): Promise<Given> {
  const fields = fieldsOf(operation);
  const { others } = optionsOf(operation);
  const known = leaves(operation);
  const written = args.map((argument) => normal(argument, known, fields, others));
  const end = written.indexOf("--");
  for (const argument of end === -1 ? written : written.slice(0, end)) {
    const name = /^--([^=]+)/.exec(argument)?.[1];
    if (name === undefined || known.some((leaf) => leaf.name === name) || others.some((option) => option.name === name)) continue;
    const inner = innerLeaf(name, fields);
    if (inner !== undefined) known.push(inner);
  }
  const options = parseOptions(joinValues(written, known, others), [...known, ...others]);
  if (options.flag("help")) return { given: {}, options };
  const given: Record<string, unknown> = {};
  const json = others.some(({ name }) => name === "json") ? options.text("json") : undefined;
  if (json !== undefined) Object.assign(given, parseObject("--json", json === "-" ? await stdin() : json));
  const path = fields.filter(({ place }) => place === "path");
  if (options.positionals.length > path.length) {
    const extra = options.positionals[path.length] as string;
    throw new UsageError(`${JSON.stringify(extra)} is too much: options are written --name value`);
  }
  path.forEach(({ name, schema }, index) => {
    const text = options.positionals[index];
    if (text === undefined) throw new UsageError(`${path.slice(index).map(({ name }) => `<${name}>`).join(" ")} is missing`);
    given[name] = convert(resolve(schema), text, `<${name}>`);
  });
  // A whole object first, then its fields.
  for (const leaf of [...known].sort((one, other) => one.path.length - other.path.length)) {
    const texts = options.all(leaf.name);
    if (texts.length === 0) continue;
    const value = leaf.schema.type === "array" ? texts.flatMap((text) => items(leaf, text)) : convert(leaf.schema, texts[0] as string, `--${leaf.name}`);
    set(given, leaf.path, value);
  }
  return { given, options };
}

/** An option's name as the catalogue has it: hyphens may stand for underscores. */
function normal(argument: string, known: readonly Leaf[], fields: readonly Field[], others: readonly Option[]): string {
  const [, name, rest] = /^--([^=]+)(.*)$/s.exec(argument) ?? [];
  if (name === undefined || !name.includes("-")) return argument;
  if ([...known, ...others].some((option) => option.name === name) || innerLeaf(name, fields) !== undefined) return argument;
  const other = name.replaceAll("-", "_");
  const isKnown = known.some((leaf) => leaf.name === other) || innerLeaf(other, fields) !== undefined;
  return isKnown ? `--${other}${rest}` : argument;
}

/** Joins names and values, so that a value may begin with a hyphen; `--estimate` alone is `--estimate true`. */
function joinValues(args: readonly string[], known: readonly Leaf[], others: readonly Option[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] as string;
    if (argument === "--") return [...joined, ...args.slice(index)];
    const leaf = known.find(({ name }) => argument === `--${name}`);
    const option = others.find(({ name, value }) => value !== undefined && argument === `--${name}`);
    const next = args[index + 1];
    if (leaf?.schema.type === "boolean" && next !== "true" && next !== "false") joined.push(`${argument}=true`);
    else if ((leaf !== undefined || option !== undefined) && next !== undefined) {
      // A value that begins with two hyphens is written with `=`: a forgotten value is the likelier mistake.
      if (next.startsWith("--")) throw new UsageError(`${argument} needs a value: ${argument} ${(leaf ?? option)?.value ?? ""}`);
      joined.push(`${argument}=${next}`);
      index += 1;
    } else joined.push(argument);
  }
  return joined;
}

function items(leaf: Leaf, text: string): unknown[] {
  const of = resolve(leaf.schema.items ?? {});
  if (text.trimStart().startsWith("[")) {
    const list = parse(`--${leaf.name}`, text);
    if (Array.isArray(list)) return list as unknown[];
  }
  return [convert(of, text, `--${leaf.name}`)];
}

/**
 * A text as the schema's type. A decimal stays text, so that no digit is lost. A malformed value stays text, too: the error of the
 * service says how to write it.
 */
export function convert(schema: Schema, text: string, name: string): unknown {
  if (isObject(schema)) return parseObject(name, text);
  if (schema.type === "boolean" || schema.type === undefined) {
    if (text === "true" || text === "false") return text === "true";
    // A value of a free object: JSON only where it is clearly meant.
    if (schema.type === undefined && /^\s*[[{]/.test(text)) return parse(name, text);
    return text;
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const isInteger = types.includes("integer") && /^(?:0|-?[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text));
  return isInteger ? Number(text) : text;
}

function parse(name: string, text: string): unknown {
  try {
    return withTexts(parseExact(text));
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  }
}

function parseObject(name: string, text: string): Record<string, unknown> {
  const value = parse(name, text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new UsageError(`${name}: must be a JSON object, such as '{"name":"Coffee"}'`);
  return value as Record<string, unknown>;
}

function set(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let place: Record<string, unknown> = target;
  path.slice(0, -1).forEach((key, index) => {
    const inner = Object.hasOwn(place, key) ? place[key] : undefined;
    if (typeof inner !== "object" || inner === null) {
      define(place, key, /^\d+$/.test(path[index + 1] as string) ? [] : {});
    }
    place = place[key] as Record<string, unknown>;
  });
  define(place, path.at(-1) as string, value);
}

/** Sets a field, `__proto__` included. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** A field of an error as the caller wrote it: `<payment_id>`, `--deposit_splits[0].pct`. */
export function writtenField(operation: Operation, field: string): string {
  const first = /^[^.[]+/.exec(field)?.[0];
  const found = fieldsOf(operation).find(({ name }) => name === first);
  if (found === undefined) return field;
  return found.place === "path" ? `<${field}>` : `--${field}`;
}
