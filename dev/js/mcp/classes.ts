import { fieldsOf, type Operation } from "../commands/catalogue.js";

/**
 * What an operation does, for agents. Every operation is in exactly one class.
 *
 * - `session`: needs a member's session, so no key can call it.
 * - `secret`: takes or answers a secret, which a model must not see.
 * - `read`: changes nothing.
 * - `write`: changes records.
 * - `money`: sends money, trades it, or decides where it goes, or where webhooks go.
 */
export type Class = "session" | "secret" | "read" | "write" | "money";

/** Fields that hold secrets, in requests and in answers. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(["key", "signing_secret", "csrf_token", "token", "password", "new_password"]);

/** A record that holds its secret in the answer to its creation only. */
const SECRET_AT_CREATION = "ApiKey";

/**
 * Operations of the class `money` whose scope does not say so. A payer's authorization moves money. The organisation has the webhook URL,
 * for which the service asks a member's password, too, and the texts that payers read.
 */
const CONFIRMED: ReadonlySet<string> = new Set(["AuthorizePayment", "UpdateOrganisation"]);

export function classOf(operation: Operation): Class {
  if (operation.auth === "session") return "session";
  if (isSecret(operation)) return "secret";
  if (CONFIRMED.has(operation.id)) return "money";
  // Content that may name a destination of money is treated as a payout, as the service does.
  if (operation.outflow || (operation.scope === "payout" && operation.http !== "GET")) return "money";
  // One GET needs the scope write: a quote is stored.
  return operation.http === "GET" && operation.scope !== "write" ? "read" : "write";
}

function isSecret(operation: Operation): boolean {
  if (fieldsOf(operation).some(({ name, place }) => place === "body" && SECRET_FIELDS.has(name))) return true;
  const { record, fields } = operation.returns;
  if (record === SECRET_AT_CREATION && operation.http !== "POST") return false;
  return fields.some((field) => SECRET_FIELDS.has(field));
}
