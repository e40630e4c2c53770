import { UsageError } from "./failure.js";

/** The option that names a receiver of webhooks. */
const OPTION = "--forward-to";

/** Address of a local program: `localhost:3000/hook` is enough, and so is `3000/hook`. Throws a `UsageError`. */
export function receiverOf(given: string | undefined): URL | undefined {
  if (given === undefined) return undefined;
  const text = /^https?:\/\//i.test(given) ? given : `http://${/^\d+(?:\/|$)/.test(given) ? "localhost:" : ""}${given}`;
  const isOther = /^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(given);
  if (isOther || !URL.canParse(text)) throw new UsageError(`${OPTION}: ${JSON.stringify(given)} is not an address such as http://localhost:3000/hook`);
  return new URL(text);
}
