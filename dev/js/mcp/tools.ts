import { type Operation, OPERATIONS, type Scope } from "../commands/catalogue.js";
import type { Allowed } from "../commands/mcp.js";
import { type Class, classOf } from "./classes.js";
import { inputSchema, type ToolSchema } from "./schema.js";

/** Hints of MCP about what a tool does. */
export interface Annotations {
  title: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
  /** The protocol allows further hints. */
  [hint: string]: unknown;
}

/** An operation as a tool. */
export interface Tool {
  name: string;
  description: string;
  inputSchema: ToolSchema & { type: "object" };
  annotations: Annotations;
  operation: Operation;
  class: Class;
}

/** Changes by PATCH or PUT that are another change each time. */
const NEVER_SAME: ReadonlySet<string> = new Set(["RotateWebhookKey"]);

/** `external_accounts_create`: client programs allow letters, digits and underscores. */
export function toolName({ room, method }: Operation): string {
  return `${room}_${method}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function annotationsOf(operation: Operation, kind: Class): Annotations {
  const isRead = kind === "read";
  const adds = operation.http === "POST" && !/^(Cancel|Reject|Pause|Resume|Refuse|Fail|Reorganise|Advance)/.test(operation.id);
  return {
    title: operation.summary.replace(/\.$/, ""),
    readOnlyHint: isRead,
    // Money that is sent does not come back.
    destructiveHint: kind === "money" || (!isRead && !adds && operation.http !== "GET"),
    idempotentHint: isRead || (["PUT", "PATCH", "DELETE"].includes(operation.http) && !NEVER_SAME.has(operation.id)),
    // Everything else happens in the service.
    openWorldHint: kind === "money",
  };
}

/** All tools, in the order of the catalogue. Operations for sessions, and those with secrets, are none. */
export const TOOLS: readonly Tool[] = OPERATIONS.flatMap((operation): Tool[] => {
  const kind = classOf(operation);
  if (kind === "session" || kind === "secret" || operation.deprecated) return [];
  const notes = [...(kind === "money" ? ["A person confirms each call."] : []), ...(operation.sandbox ? ["Sandbox only."] : [])];
  return [{
    name: toolName(operation),
    description: [operation.description ?? operation.summary, ...notes].join(" "),
    inputSchema: inputSchema(operation),
    annotations: annotationsOf(operation, kind),
    operation,
    class: kind,
  }];
});

const CLASSES: Record<Allowed, readonly Class[]> = { read: ["read"], write: ["read", "write"], payout: ["read", "write", "money"] };

/** What limits the tools beside `--allow`. */
export interface Limits {
  /** Scopes of the key; unknown ones are learnt from refusals. */
  scopes?: readonly Scope[] | undefined;
  /** Scopes that the service refused. */
  missing: ReadonlySet<Scope>;
  /** Whether the service is in sandbox mode, if known. */
  sandbox?: boolean | undefined;
  /** Whether requests can be signed. */
  signs: boolean;
}

/** The tools that can succeed. */
export function allowed(allow: Allowed, { scopes, missing, sandbox, signs }: Limits): Tool[] {
  return TOOLS.filter(({ class: kind, operation: { scope, sandbox: isSandboxOnly, auth } }) =>
    CLASSES[allow].includes(kind) &&
    (scope === null || (scopes?.includes(scope) ?? true)) &&
    (scope === null || !missing.has(scope)) &&
    !(isSandboxOnly && sandbox === false) &&
    !(auth === "signed" && !signs));
}

/** Why a tool is not there, for a model that asks for it all the same; nothing if there is no such tool. */
export function whyNot(name: string, allow: Allowed, limits: Limits): string | undefined {
  const tool = TOOLS.find((tool) => tool.name === name);
  if (tool === undefined) return undefined;
  if (!CLASSES[allow].includes(tool.class)) return `${name} needs \`settlekit mcp --allow ${tool.class === "money" ? "payout" : "write"}\`, which a person starts.`;
  if (tool.operation.sandbox && limits.sandbox === false) return `${name} exists in sandbox mode only.`;
  if (tool.operation.auth === "signed" && !limits.signs) return `${name} needs the signing secret: SETTLEKIT_SIGNING_SECRET.`;
  return `${name} needs a key with the scope ${tool.operation.scope}.`;
}
