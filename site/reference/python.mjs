// The Python example of an operation, with the package `requests`.

import { target } from "./curl.mjs";

/** A value as Python writes it, on one line if it fits. */
function literal(value, indent = "") {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map((part) => literal(part, indent)).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value);
  if (fields.length === 0) return "{}";
  const line = `{${fields.map(([name, part]) => `${JSON.stringify(name)}: ${literal(part)}`).join(", ")}}`;
  if (line.length + indent.length <= 88) return line;
  const inner = `${indent}    `;
  return `{\n${fields.map(([name, part]) => `${inner}${JSON.stringify(name)}: ${literal(part, inner)},`).join("\n")}\n${indent}}`;
}

const variable = (name) => `os.environ["${name}"]`;

function headers({ auth, forPartners, needsCsrf, needsStepUp }) {
  const owner = forPartners ? "SETTLEKIT_PARTNER" : "SETTLEKIT";
  const pairs = [];
  if (auth === "key" || auth === "signed") pairs.push(["X-API-KEY", variable(`${owner}_API_KEY`)]);
  if (auth === "session") pairs.push(["Cookie", variable("SETTLEKIT_SESSION")]);
  if (auth === "session" && needsCsrf) pairs.push(["X-CSRF-Token", variable("SETTLEKIT_CSRF_TOKEN")]);
  if (auth === "session" && needsStepUp) pairs.push(["X-Step-Up", variable("SETTLEKIT_STEP_UP")]);
  return pairs;
}

/** Sends a signed request: the signature covers the exact bytes, so the example makes them itself. */
function signed(operation, ids) {
  const { method, sample, forPartners } = operation;
  const [path, query = ""] = target(operation).split("?");
  const owner = forPartners ? "SETTLEKIT_PARTNER" : "SETTLEKIT";
  const body = sample.body === undefined ? [] : [`body = json.dumps(${literal(sample.body)}).encode()`];
  const named = [query && `query="${query}"`, forPartners && `organisation="${ids.orgId}"`, sample.body !== undefined && "body=body"].filter(Boolean);
  const lines = (parts) => parts.map((part) => `    ${part},\n`).join("");
  const words = [`"${method}"`, "path", variable(`${owner}_SIGNING_SECRET`), ...named];
  const sent = [`"X-API-KEY": ${variable(`${owner}_API_KEY`)}`, ...(forPartners ? [`"X-ORG-ID": "${ids.orgId}"`] : []), ...(sample.body === undefined ? [] : ['"Content-Type": "application/json"'])];
  const url = `${variable("SETTLEKIT_URL")} + path${query && ` + "?${query}"`}`;
  const call = [url, `headers=headers | {${sent.join(", ")}}`, ...(sample.body === undefined ? [] : ["data=body"]), "timeout=30"];
  return [
    ...(sample.body === undefined ? [] : ["import json"]), "import os", "", "import requests", "",
    "from sign import sign  # sign.py of the guide Signing", "",
    `path = "${path}"`, ...body,
    `headers = sign(\n${lines(words)})`,
    `answer = requests.${method.toLowerCase()}(\n${lines(call)})`,
    "answer.raise_for_status()", 'print(answer.json()["data"])',
  ].join("\n");
}

export function python(operation, ids) {
  if (operation.auth === "signed") return signed(operation, ids);
  const { method, sample, isStream } = operation;
  const pairs = headers(operation);
  const parts = [`f"{os.environ['SETTLEKIT_URL']}${target(operation)}"`];
  if (pairs.length > 0) parts.push(`headers={${pairs.map(([name, value]) => `"${name}": ${value}`).join(", ")}}`);
  if (sample.body !== undefined) parts.push(`json=${literal(sample.body, "    ")}`);
  if (isStream) parts.push("stream=True");
  parts.push("timeout=30");
  const call = `answer = requests.${method.toLowerCase()}(\n${parts.map((part) => `    ${part},\n`).join("")})`;
  const shown = isStream ? "for line in answer.iter_lines(decode_unicode=True):\n    print(line)" : `print(answer.json()${operation.isBare ? "" : '["data"]'})`;
  return `import os\n\nimport requests\n\n${call}\nanswer.raise_for_status()\n${shown}`;
}
