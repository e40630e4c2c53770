// The curl example of an operation.

/** A word for the shell in single quotes. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Path and query as sent. */
export function target({ path, sample }) {
  const filled = Object.entries(sample.path).reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const words = Object.entries(sample.query).map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`);
  return words.length === 0 ? filled : `${filled}?${words.join("&")}`;
}

function headers({ auth, forPartners, needsCsrf, needsStepUp }, ids) {
  const owner = forPartners ? "SETTLEKIT_PARTNER" : "SETTLEKIT";
  const lines = [];
  if (auth === "key" || auth === "signed") lines.push(`-H "X-API-KEY: $${owner}_API_KEY"`);
  if (auth === "signed") lines.push('-H "X-API-Nonce: $NONCE"', '-H "X-API-Signature: $SIGNATURE"');
  if (auth === "signed" && forPartners) lines.push(`-H "X-ORG-ID: ${ids.orgId}"`);
  if (auth === "session") lines.push('-H "Cookie: $SETTLEKIT_SESSION"');
  if (auth === "session" && needsCsrf) lines.push('-H "X-CSRF-Token: $SETTLEKIT_CSRF_TOKEN"');
  if (auth === "session" && needsStepUp) lines.push('-H "X-Step-Up: $SETTLEKIT_STEP_UP"');
  return lines;
}

export function curl(operation, ids) {
  const { method, sample, isStream } = operation;
  const verb = isStream ? "curl -N" : method === "GET" ? "curl" : `curl -X ${method}`;
  const parts = [`${verb} "$SETTLEKIT_URL${target(operation)}"`, ...headers(operation, ids)];
  if (sample.body !== undefined) parts.push('-H "content-type: application/json"', `-d ${quoted(JSON.stringify(sample.body))}`);
  return parts.join(" \\\n  ");
}
