// The pages of the reference, as Markdown: one per room, and one with the fields of all records.

import { curl } from "./curl.mjs";
import { javascript } from "./javascript.mjs";
import { python } from "./python.mjs";
import { rust, rustRefuses } from "./rust.mjs";
import { cell, fieldTable, fieldText, isRecord, plain, refOf, typeText } from "./schema.mjs";

const TITLES = {
  account: "Accounts", api_key: "API keys", automation: "Automations", chain: "Chains", checkout: "Checkout", customer: "Customers", event: "Events",
  external_account: "Payout destinations", find: "Search", installation: "Installation", invoice: "Invoices", member: "Members", note: "Notes",
  organisation: "Organisation", overview: "Overview", partner: "Partners", paylink: "Payment links", payment: "Payments", payout: "Payouts", plan: "Plans",
  quote: "Quotes", rate: "Rates", sandbox: "Sandbox", saved_view: "Saved views", session: "Sessions", subscription: "Subscriptions", trade: "Trading",
};

export const titleOf = (room) => TITLES[room] ?? room[0].toUpperCase() + room.slice(1).replaceAll("_", " ");
export const pageOf = (room) => `reference/${room.replaceAll("_", "-")}`;

/** `CreatePaylink` as a heading. */
const heading = (id) => id.replace(/(?!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace("api key", "API key");

const AUTH = {
  public: "No key is needed.",
  key: "An API key.",
  signed: "An API key and a [signature](/guides/signing).",
  session: "The dashboard's session: programs with a key are refused.",
};

const fence = (language, code) => `\`\`\`${language}\n${code}\n\`\`\``;
const slot = (name, content) => `<template #${name}>\n\n${content}\n\n</template>`;

function samples(operation, ids) {
  const code = javascript(operation, ids);
  const flags = `js run shop${operation.auth === "session" || ["member", "session"].includes(operation.room) ? " members" : ""}`;
  const refused = rustRefuses(operation);
  const rusty = refused ? `<p class="quiet">${refused}</p>` : fence("rust", rust(operation, ids));
  const parts = [slot("curl", fence("sh", curl(operation, ids)))];
  if (code !== undefined) parts.push(slot("javascript", fence(flags, code)));
  parts.push(slot("rust", rusty), slot("python", fence("python", python(operation, ids))));
  return `<CodeSamples>\n${parts.join("\n")}\n</CodeSamples>`;
}

function parameterTable(parameters, schemas) {
  const rows = parameters.map(({ name, in: place, required, schema, description }) =>
    `| \`${name}\`${required ? " **required**" : ""} | ${place} | ${typeText(schema, schemas)} | ${fieldText({ ...schema, description }, schemas)} |`);
  return `| Parameter | In | Type | What |\n|---|---|---|---|\n${rows.join("\n")}`;
}

/** What a successful answer has as `data`. */
function answerText(responses, schemas) {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith("2"));
  const content = Object.entries(response.content ?? {})[0];
  if (content === undefined) return `\`${status}\`, without a body.`;
  const [type, { schema }] = content;
  if (type === "text/event-stream") return `\`${status}\`, a stream of server-sent events. ${cell(schema.description)}`;
  const data = plain(schema.properties?.data ?? schema);
  const target = schemas[refOf(data)] ?? data;
  const items = target.properties?.items?.items;
  if (items) return `\`${status}\`, a page: \`items\` is a list of ${typeText(items, schemas)}, \`total\` their number on all pages. [Lists](/guides/lists).`;
  return `\`${status}\`, ${schema.properties?.data ? "`data`: " : "the bare record: "}${typeText(data, schemas)}.`;
}

function errorText(responses) {
  const reasons = Object.entries(responses).filter(([code]) => !code.startsWith("2")).flatMap(([, { content }]) =>
    Object.keys(content?.["application/json"]?.examples ?? {}));
  return reasons.map((reason) => `[\`${reason}\`](/reference/errors#${reason.toLowerCase()})`).join(", ");
}

function operationText(operation, schemas, ids) {
  const { id, method, path, description, parameters, body, responses, isDeprecated, auth, needsStepUp } = operation;
  const [text, ...rest] = description.split("\n\n");
  const scope = rest.find((part) => part.startsWith("Scope:"))?.match(/`(\w+)`/)?.[1];
  const access = [AUTH[auth], scope && `Scope \`${scope}\`.`, needsStepUp && auth !== "session" && "Members confirm with their password.", description.includes("Sandbox mode only") && "Sandbox mode only."];
  const bodySchema = body && (plain(body).properties ? plain(body) : schemas[refOf(plain(body))]);
  return [
    `## ${heading(id)} {#${id[0].toLowerCase()}${id.slice(1)}}`,
    `<p class="endpoint"><b>${method}</b> <code>${path}</code></p>`,
    cell(text.replace(/\n\s*/g, " ")),
    isDeprecated ? "**Deprecated.**" : "",
    access.filter(Boolean).join(" "),
    samples(operation, ids),
    parameters.length > 0 ? `### Parameters {#${id}-parameters}\n\n${parameterTable(parameters, schemas)}` : "",
    bodySchema && isRecord(bodySchema) ? `### Body {#${id}-body}\n\n${fieldTable(bodySchema, schemas)}` : "",
    `### Answer {#${id}-answer}\n\n${answerText(responses, schemas)}`,
    `<details class="reasons"><summary>Reasons of errors</summary>\n\n${errorText(responses)}\n\n</details>`,
  ].filter(Boolean).join("\n\n");
}

export function roomPage({ name, description, operations }, schemas, ids) {
  return `---\noutline: 2\n---\n# ${titleOf(name)}\n\n${cell(description)}\n\n${operations.map((operation) => operationText(operation, schemas, ids)).join("\n\n")}\n`;
}

/** The records that answers consist of. */
export function recordsPage(schemas) {
  const names = Object.keys(schemas).filter((name) => isRecord(schemas[name]) && !/(Body|Page|Query)$/.test(name)).sort();
  const parts = names.map((name) => {
    const schema = schemas[name];
    return `## ${name} {#${name.toLowerCase()}}\n\n${cell(schema.description)}\n\n${fieldTable(schema, schemas, { isAnswer: true })}`;
  });
  return `---\noutline: 2\n---\n# Records\n\nThe fields of all records. Fields without a value are left out of answers.\n\n${parts.join("\n\n")}\n`;
}

export function indexPage(rooms) {
  const rows = rooms.flatMap(({ name, operations }) => operations.map(({ id, method, path, summary }) =>
    `| [${heading(id)}](/${pageOf(name)}#${id[0].toLowerCase()}${id.slice(1)}) | \`${method} ${path}\` | ${cell(summary)} |`));
  return rows.join("\n");
}
