// Values as text, in the style of Node's console.

const WIDTH = 76;
const DEPTH_MAX = 4;
const ITEMS_MAX = 100;
/** Characters of a text in a record. */
const TEXT_MAX = 400;

const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

function quoted(text) {
  const quote = ["'", '"', "`"].find((mark) => !text.includes(mark)) ?? "'";
  return quote + JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote === "'" ? "'" : "\u0000", "\\'") + quote;
}

/** Parts between brackets: on one line if they fit. */
function joined(open, parts, close, indent) {
  if (parts.length === 0) return open + close;
  const line = `${open} ${parts.join(", ")} ${close}`;
  if (!line.includes("\n") && line.length + indent.length <= WIDTH) return line;
  const inner = `${indent}  `;
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function limited(items, show) {
  const parts = items.slice(0, ITEMS_MAX).map(show);
  return items.length > ITEMS_MAX ? [...parts, `… ${items.length - ITEMS_MAX} more`] : parts;
}

function textOf(value, depth, indent, parents) {
  if (typeof value === "string") return value.length > TEXT_MAX ? `${quoted(value.slice(0, TEXT_MAX))} … ${value.length - TEXT_MAX} more characters` : quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "symbol") return String(value);
  if (typeof value === "function") return value.toString().startsWith("class") ? `[class ${value.name}]` : `[Function: ${value.name || "(anonymous)"}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (parents.includes(value)) return "[Circular]";
  if (value instanceof Error) return described(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof URL) return `URL '${value.href}'`;
  if (value instanceof Response) return `Response { status: ${value.status} }`;
  if (value instanceof Request) return `Request { method: '${value.method}', url: '${value.url}' }`;
  const name = value.constructor?.name ?? "";
  if (depth > DEPTH_MAX) return Array.isArray(value) ? "[Array]" : `[${name || "Object"}]`;
  const inner = [...parents, value];
  const show = (part) => textOf(part, depth + 1, `${indent}  `, inner);
  if (Array.isArray(value)) return joined("[", limited(value, show), "]", indent);
  if (ArrayBuffer.isView(value) && "length" in value) return joined(`${name}(${value.length}) [`, limited([...value], show), "]", indent);
  if (value instanceof Map) return joined(`Map(${value.size}) {`, limited([...value], ([from, to]) => `${show(from)} => ${show(to)}`), "}", indent);
  if (value instanceof Set) return joined(`Set(${value.size}) {`, limited([...value], show), "}", indent);
  if (value instanceof Headers) return joined("Headers {", limited([...value], ([header, text]) => `${key(header)}: ${show(text)}`), "}", indent);
  // A class may say how it is printed: an exact decimal as its digits.
  if (name !== "Object" && name !== "" && Object.hasOwn(Object.getPrototypeOf(value), "toString")) return String(value);
  const prefix = name === "Object" || name === "" ? "" : `${name} `;
  return joined(`${prefix}{`, limited(Object.entries(value), ([field, part]) => `${key(field)}: ${show(part)}`), "}", indent);
}

/** An error with its own fields. */
export function described(error) {
  const head = `${error.name}: ${error.message}`;
  const fields = Object.entries(error).filter(([, value]) => value !== undefined && typeof value !== "function");
  return fields.length === 0 ? head : `${head} ${joined("{", fields.map(([field, value]) => `${key(field)}: ${textOf(value, 1, "  ", [error])}`), "}", "")}`;
}

/** A value as text. */
export const inspect = (value) => textOf(value, 0, "", []);

/** The arguments of `console.log` as text: strings as they are, `%s`, `%d` and `%o` filled in. */
export function formatted(values) {
  const [first, ...rest] = values;
  const parts = [];
  if (typeof first === "string" && /%[sdoOj]/.test(first)) {
    parts.push(first.replace(/%([sdoOj%])/g, (whole, kind) => {
      if (kind === "%") return "%";
      if (rest.length === 0) return whole;
      const value = rest.shift();
      return kind === "s" || kind === "d" ? String(value) : inspect(value);
    }));
  } else if (values.length > 0) {
    rest.unshift(first);
  }
  return [...parts, ...rest.map((value) => (typeof value === "string" ? value : inspect(value)))].join(" ");
}
