// The Rust example of an operation, with the crate `settlekit`. Types come from the declarations in `core`.

import { readFileSync, readdirSync } from "node:fs";

const core = new URL("../../core/src/", import.meta.url);
const snake = (name) => name.replace(/[A-Z]/g, (letter, at) => (at === 0 ? "" : "_") + letter.toLowerCase());

/** The fields of a block of a macro: name and type of each, without comments. */
function fieldsOf(block) {
  return [...block.matchAll(/^\s+((?:r#)?\w+): ([^/\n]+?),$/gm)].map(([, name, type]) => ({ name, type }));
}

/** Path, query and body of an operation as declared: the name of the type, and its fields. */
function declared(room, id) {
  const text = readFileSync(new URL(`${room}/${snake(id)}.rs`, core), "utf8");
  const operation = text.slice(text.indexOf("\noperation! {"));
  const path = operation.match(/^ {4}path: (\w+) \{\n([\s\S]*?)\n {4}\},/m);
  const query = operation.match(/^ {4}query: (\w+),$/m)?.[1];
  const body = operation.match(/^ {4}body: (\w+),$/m)?.[1];
  // Two operations of a room may share a query.
  const texts = readdirSync(new URL(`${room}/`, core)).map((file) => readFileSync(new URL(`${room}/${file}`, core), "utf8")).join("\n");
  const block = query && texts.match(new RegExp(`(\\w+)! \\{\\n(?: {4}(?:///|#)[^\\n]*\\n)* {4}${query} \\{\\n([\\s\\S]*?)\\n {4}\\}`));
  return {
    path: path && { type: path[1], fields: fieldsOf(path[2]) },
    // A list's query has the fields that all lists have in `list`.
    query: query && { type: query, macro: block?.[1], fields: block ? fieldsOf(block[2]) : undefined },
    body,
  };
}

/** Types of `value` that are read from text. */
const PARSED = new Set(readdirSync(new URL("value/", core)).flatMap((file) => {
  const text = readFileSync(new URL(`value/${file}`, core), "utf8");
  const named = [...text.matchAll(/impl FromStr for (\w+)/g)].map(([, name]) => name);
  return [...named, ...[...text.matchAll(/^(?:prefixed|integer)_id! \{\n(?: {4}[^\n]*\n)*? {4}(\w+)/gm)].map(([, name]) => name)];
}));

/** A value as an expression of a type. `uses` collects the types of `value` that it names. */
function expression(value, type, uses) {
  const optional = type.match(/^Option<(.*)>$/)?.[1];
  if (optional) return value === undefined ? "None" : `Some(${expression(value, optional, uses)})`;
  const items = type.match(/^Vec<(.*)>$/)?.[1];
  if (items) return `vec![${value.map((item) => expression(item, items, uses)).join(", ")}]`;
  if (type === "String") return `${JSON.stringify(value)}.to_owned()`;
  if (type === "bool" || /^[iu]\d+$/.test(type)) return String(value);
  if (type === "AccountKey") {
    uses.add("AccountKey");
    return typeof value === "number" || /^\d+$/.test(value) ? `AccountKey::Id("${value}".parse()?)` : `AccountKey::Reference("${value}".parse()?)`;
  }
  if (type === "OrderId" || PARSED.has(type) || /Id$|^Amount$|^Number$|^Currency$|^Timestamp$/.test(type)) return `"${value}".parse()?`;
  return `serde_json::from_value(json!(${JSON.stringify(value)}))?`;
}

const indented = (text, by = "    ") => text.split("\n").map((line) => (line === "" ? line : by + line)).join("\n");

/** A literal of a struct, with the fields that it has not been sample at the end. */
function struct(type, parts) {
  if (parts.length === 1 && !parts[0].includes("\n")) return `${type} { ${parts[0]} }`;
  return `${type} {\n${parts.map((part) => `${indented(part)},\n`).join("")}}`.replace(/^( *\.\..*),$/m, "$1");
}

/** A struct with a value for each of its fields. */
const whole = (type, fields, values, uses) =>
  struct(type, fields.map(({ name, type: of }) => `${name}: ${expression(values[name.replace("r#", "")], of, uses)}`));

/** `json!({ … })` with one field per line. */
const jsonMacro = (body) => `json!(${JSON.stringify(body, null, 4)})`;

const LIST = struct("ListQuery", ["limit: Limit::new(10)", "..ListQuery::default()"]);

function query({ type, macro, fields }, sample, uses) {
  if (type === "ListQuery") return LIST;
  if (macro === undefined) throw new Error(`no declaration of ${type} was found`);
  if (macro === "query_fields") return whole(type, fields, sample, uses);
  const set = fields.filter(({ name }) => sample[name.replace("r#", "")] !== undefined);
  const parts = set.map(({ name, type: of }) => `${name}: ${expression(sample[name.replace("r#", "")], of, uses)}`);
  if (macro.startsWith("list_query")) parts.unshift(`list: ${LIST}`);
  return parts.length === fields.length && !macro.startsWith("list_query") ? struct(type, parts) : struct(type, [...parts, `..${type}::default()`]);
}

function client({ auth, forPartners }, ids) {
  const owner = forPartners ? "SETTLEKIT_PARTNER" : "SETTLEKIT";
  const env = (name) => `std::env::var("${name}")?`;
  if (auth === "key" && !forPartners) return { uses: ["Client"], text: `let client = Client::new(${env("SETTLEKIT_URL")}, ${env(`${owner}_API_KEY`)})?;` };
  const lines = [`base_url: ${env("SETTLEKIT_URL")}`];
  if (auth !== "public") lines.push(`api_key: Some(${env(`${owner}_API_KEY`)})`);
  if (auth === "signed" || forPartners) lines.push(`signing_secret: Some(${env(`${owner}_SIGNING_SECRET`)})`);
  if (forPartners) lines.push(`organisation: Some("${ids.orgId}".parse()?)`);
  return { uses: ["Client", "Settings"], text: `let client = Client::with(Settings {\n${lines.map((line) => `    ${line},\n`).join("")}    ..Settings::default()\n})?;` };
}

/** Why the crate cannot call an operation, which the page then says. */
export function rustRefuses({ auth, isStream }) {
  if (isStream) return "The crate reads no streams: use a client of server-sent events.";
  return auth === "session" ? "The crate sends an API key, and this operation needs the dashboard's session." : undefined;
}

/** The example, as the body of an `async` function that returns `Result<(), Box<dyn std::error::Error>>`. */
export function rust(operation, ids) {
  if (rustRefuses(operation)) return undefined;
  const { id, room, sample } = operation;
  const { path, query: queryType, body } = declared(room, id);
  const [uses, types] = [new Set(), [id]];
  const parts = {};
  if (path) parts.path = whole(path.type, path.fields, sample.path, uses);
  if (queryType) parts.query = query(queryType, sample.query, uses);
  if (body) parts.body = `serde_json::from_value(${jsonMacro(sample.body ?? {})})?`;
  if (path) types.push(path.type);
  if (queryType && queryType.type !== "ListQuery") types.push(queryType.type);
  const names = Object.keys(parts).join(" ");
  const short = { "": "plain()", path: `at(${parts.path})`, query: `with_query(${parts.query})`, body: `with_body(${parts.body})` }[names];
  const full = () => {
    const lines = [`path: ${parts.path ?? "NoPath"}`, `query: ${parts.query ?? "Nothing {}"}`, `body: ${parts.body ?? "Nothing {}"}`];
    return ` {\n${lines.map((line) => `${indented(line)},\n`).join("")}}`;
  };
  const call = `let call = Call::<${id}>${short === undefined ? full() : `::${short}`};`;
  const own = client(operation, ids);
  const crate = new Set(["Call", ...own.uses]);
  if (short === undefined && !(parts.query && parts.body)) crate.add("Nothing");
  if (short === undefined && !parts.path) crate.add("NoPath");
  const api = [`settlekit::api::${room}::${types.length === 1 ? types[0] : `{${types.sort().join(", ")}}`}`];
  const values = [...uses].sort();
  if (call.includes("ListQuery {")) api.push("settlekit::api::page::{Limit, ListQuery}");
  if (values.length > 0) api.push(`settlekit::api::value::${values.length === 1 ? values[0] : `{${values.join(", ")}}`}`);
  const imports = [...(call.includes("json!(") ? ["serde_json::json"] : []), ...api, `settlekit::{${[...crate].sort().join(", ")}}`];
  return `${imports.map((name) => `use ${name};\n`).join("")}\n${own.text}\n${call}\nlet answer = client.call(&call).await?;\nprintln!("{answer:#?}");`;
}
