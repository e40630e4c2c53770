// The JavaScript example of an operation.

const WIDTH = 100;
const isName = (text) => /^[A-Za-z_$][\w$]*$/.test(text);

/** A value as JavaScript writes it, on one line if it fits. */
export function literal(value, indent = "", room = WIDTH) {
  if (Array.isArray(value)) return `[${value.map((part) => literal(part, indent, room)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, part]) => [isName(name) ? name : JSON.stringify(name), part]);
  if (fields.length === 0) return "{}";
  const line = `{ ${fields.map(([name, part]) => `${name}: ${literal(part, indent, Infinity)}`).join(", ")} }`;
  if (line.length + indent.length <= room) return line;
  const inner = `${indent}  `;
  return `{\n${fields.map(([name, part]) => `${inner}${name}: ${literal(part, inner, room)},`).join("\n")}\n${indent}}`;
}

/** Settings of the client that an operation needs. */
function settings({ auth, forPartners, needsCsrf, needsStepUp }) {
  const lines = ["baseUrl: process.env.SETTLEKIT_URL"];
  const owner = forPartners ? "SETTLEKIT_PARTNER" : "SETTLEKIT";
  if (auth === "key" || auth === "signed") lines.push(`apiKey: process.env.${owner}_API_KEY`);
  if (auth === "signed" || forPartners) lines.push(`signingSecret: process.env.${owner}_SIGNING_SECRET`);
  if (auth === "session") {
    const headers = ["cookie: process.env.SETTLEKIT_SESSION"];
    if (needsCsrf) headers.push('"x-csrf-token": process.env.SETTLEKIT_CSRF_TOKEN');
    if (needsStepUp) headers.push('"x-step-up": process.env.SETTLEKIT_STEP_UP');
    lines.push(`headers: { ${headers.join(", ")} }`);
  }
  return lines;
}

function client(operation) {
  const lines = settings(operation);
  const inline = `const settlekit = new Settlekit({ ${lines.join(", ")} });`;
  const text = inline.length <= WIDTH ? inline : `const settlekit = new Settlekit({\n${lines.map((line) => `  ${line},\n`).join("")}});`;
  return `import { Settlekit } from "settlekit";\n\n${text}`;
}

/** All arguments of the method: path, query and body in one object. */
export const flat = ({ sample: { path, query, body } }) => ({ ...path, ...query, ...body });

function call(operation, ids) {
  const { javascript: { room, method, isList }, forPartners, id } = operation;
  const sample = flat(operation);
  const words = Object.keys(sample).length === 0 ? [] : [literal(sample)];
  if (forPartners && id !== "ListSubMerchants") words.push(`{ orgId: "${ids.orgId}" }`);
  const statement = `await settlekit.${room}.${method}(${words.join(", ")})`;
  return isList ? `const { items, total } = ${statement};\nconsole.log(total, items);` : `console.log(${statement});`;
}

/** Operations whose arguments are made by a program. */
const OWN = {
  ProveOwnership: () => `import { Settlekit } from "settlekit";
import { privateKeyToAccount } from "viem/accounts";

const settlekit = new Settlekit({
  baseUrl: process.env.SETTLEKIT_URL,
  apiKey: process.env.SETTLEKIT_API_KEY,
  signingSecret: process.env.SETTLEKIT_SIGNING_SECRET,
});
const { message } = await settlekit.accounts.createOwnershipChallenge({ account: "wallet" });
const signature = await privateKeyToAccount(process.env.WALLET_KEY).signMessage({ message });
console.log(await settlekit.accounts.proveOwnership({ account: "wallet", signature }));`,
  CancelReplay: () => `import { Settlekit } from "settlekit";

const settlekit = new Settlekit({ baseUrl: process.env.SETTLEKIT_URL, apiKey: process.env.SETTLEKIT_API_KEY });
const { id } = await settlekit.events.createReplay({ delivery_status: "succeeded" });
console.log(await settlekit.events.cancelReplay({ replay_id: id }));`,
  AuthorizePayment: ({ startedPayment }) => `import { Settlekit } from "settlekit";
import { privateKeyToAccount } from "viem/accounts";

const settlekit = new Settlekit({ baseUrl: process.env.SETTLEKIT_URL });
const payer = privateKeyToAccount(process.env.WALLET_KEY);
const payment_id = "${startedPayment}";
const { chain, authorization: request } = await settlekit.checkout.getPayment({ payment_id });
const fields = ["from:address", "to:address", "value:uint256", "validAfter:uint256", "validBefore:uint256", "nonce:bytes32"];
const signature = await payer.signTypedData({
  domain: { name: request.domain_name, version: request.domain_version, chainId: chain.id, verifyingContract: request.token_address },
  types: { TransferWithAuthorization: fields.map((field) => ({ name: field.split(":")[0], type: field.split(":")[1] })) },
  primaryType: "TransferWithAuthorization",
  message: { from: payer.address, to: request.to, value: BigInt(request.value), validAfter: 0n, validBefore: BigInt(request.valid_before), nonce: request.nonce },
});
console.log(await settlekit.checkout.authorizePayment({
  payment_id, from: payer.address, value: request.value, valid_after: 0, valid_before: request.valid_before, signature,
}));`,
};

/** Operations that only a member of the installation's operators may call: the sandbox has none. */
const isRefused = ({ room }) => room === "installation";
/** Operations that refuse the shop's payout: nobody has set a limit. */
const WITHOUT_LIMIT = new Set(["ApprovePayout", "RefusePayout"]);

function stream({ path, sample, auth }) {
  const target = Object.entries(sample.path).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);
  const key = auth === "public" ? "" : ', {\n  headers: { "X-API-KEY": process.env.SETTLEKIT_API_KEY },\n}';
  return `const response = await fetch(\`\${process.env.SETTLEKIT_URL}${target}\`${key});
const decoder = new TextDecoder();
for await (const chunk of response.body) console.log(decoder.decode(chunk, { stream: true }));`;
}

/** The example, or nothing if the package has no method. */
export function javascript(operation, ids) {
  if (operation.isStream) return stream(operation);
  if (OWN[operation.id]) return OWN[operation.id](ids);
  if (!operation.javascript) return undefined;
  const statement = call(operation, ids);
  const note = isRefused(operation) ? "the sandbox has no operator" : WITHOUT_LIMIT.has(operation.id) ? "no limit has held it" : undefined;
  if (note === undefined) return `${client(operation)}\n${statement}`;
  const inner = statement.replaceAll("\n", "\n  ");
  return `${client(operation)}\ntry {\n  ${inner}\n} catch (error) {\n  console.log(error.kind, error.reason);   // ${note}\n}`;
}
