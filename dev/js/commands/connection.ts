import { join } from "node:path";

import { Settlekit, SettlekitError, type Settings } from "settlekit";

import type { Io } from "../command.js";
import { configFile, DEFAULT_PROFILE, type Profile, readPrivate, readProfiles } from "./config.js";
import { Failure } from "./failure.js";
import type { Parsed } from "./options.js";
import { printable } from "./printable.js";

/** Address, credentials and origin of both. */
export interface Connection {
  url: string;
  apiKey?: string;
  signingSecret?: string;
  /** Where they are from, for a person. */
  source: string;
}

/** Credentials that `settlekit-dev` writes into its data folder. */
const LOCAL = join(".settlekit", "credentials.json");

/**
 * The service to call. Options win over the environment, the environment over `settlekit login`, and that over a `settlekit-dev` whose
 * data folder is here.
 *
 * The key of one service is never sent to another: a key goes only to the address beside it.
 */
export function connectionOf(options: Parsed, io: Pick<Io, "env" | "err">): Connection {
  const [url, apiKey, signingSecret] = [options.text("url"), options.text("api-key"), options.text("signing-secret")];
  const base = baseOf(options.text("profile"), io, url !== undefined && apiKey !== undefined);
  if (url !== undefined && apiKey === undefined && base?.apiKey !== undefined && base.isPair && !isSame(url, base.url)) {
    throw new Failure(`The API key of ${base.source} belongs to ${base.url}: give the key for ${url} with --api-key.`);
  }
  const address = url ?? base?.url;
  if (address === undefined && base?.apiKey !== undefined) throw new Failure("SETTLEKIT_API_KEY is set, but no address: set SETTLEKIT_URL, or give --url.");
  if (address === undefined) {
    throw new Failure("No service is known: run `settlekit login`, set SETTLEKIT_URL and SETTLEKIT_API_KEY, or start `settlekit-dev` in this folder.");
  }
  const key = apiKey ?? base?.apiKey;
  // The secret belongs to the key beside it.
  const secret = signingSecret ?? (apiKey === undefined || !base?.isPair ? base?.signingSecret : undefined);
  return {
    url: address,
    source: url !== undefined || apiKey !== undefined ? "options" : (base as Base).source,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(secret === undefined ? {} : { signingSecret: secret }),
  };
}

interface Base extends Partial<Connection> {
  source: string;
  /** Whether address and key are from one place. */
  isPair: boolean;
}

function baseOf(profile: string | undefined, io: Pick<Io, "env" | "err">, isComplete: boolean): Base | undefined {
  const { env } = io;
  if (profile !== undefined) {
    const found = readProfiles(env)[profile];
    if (found === undefined) throw new Failure(`There is no profile ${profile} in ${configFile(env)}: run \`settlekit login --profile ${profile}\`.`);
    return fromProfile(found, `the profile ${profile}`);
  }
  const [url, apiKey, signingSecret] = [env["SETTLEKIT_URL"], env["SETTLEKIT_API_KEY"], env["SETTLEKIT_SIGNING_SECRET"]];
  if (url || apiKey) {
    return { source: "the environment", isPair: Boolean(url && apiKey), ...(url ? { url } : {}), ...(apiKey ? { apiKey } : {}), ...(signingSecret ? { signingSecret } : {}) };
  }
  // Options that name everything need no file, which may be unreadable.
  if (isComplete) return undefined;
  const found = readProfiles(env)[DEFAULT_PROFILE];
  if (found !== undefined) return fromProfile(found, configFile(env));
  return local(io);
}

function fromProfile({ url, api_key, signing_secret }: Profile, source: string): Base {
  return { url, apiKey: api_key, source, isPair: true, ...(signing_secret === undefined ? {} : { signingSecret: signing_secret }) };
}

/** The `settlekit-dev` of this folder. A folder from elsewhere must not send requests to a stranger, so its address is this machine's. */
function local({ err }: Pick<Io, "err">): Base | undefined {
  const text = readPrivate(LOCAL);
  if (text === undefined) return undefined;
  let given: Partial<Profile>;
  try {
    given = JSON.parse(text) as Partial<Profile>;
  } catch {
    throw new Failure(`${LOCAL} is not JSON: start settlekit-dev again.`);
  }
  if (typeof given.url !== "string" || typeof given.api_key !== "string" || !isLoopback(given.url)) {
    throw new Failure(`${LOCAL} does not name a settlekit-dev on this machine: start settlekit-dev again.`);
  }
  err(`Using settlekit-dev at ${printable(given.url)} (${LOCAL}).`);
  return fromProfile(given as Profile, LOCAL);
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}

function isSame(one: string, other: string | undefined): boolean {
  const trimmed = (url: string): string => url.replace(/\/+$/, "").replace(/\/v1$/, "");
  return other !== undefined && trimmed(one) === trimmed(other);
}

/** A client. `settings` are for tests and for commands with their own clock. */
export function clientOf({ url, apiKey, signingSecret }: Connection, settings: Partial<Settings> = {}): Settlekit {
  return new Settlekit({ baseUrl: url, ...(apiKey === undefined ? {} : { apiKey }), ...(signingSecret === undefined ? {} : { signingSecret }), ...settings });
}

/** Any payment id: asking for it shows the mode of the service. */
const NO_PAYMENT = "pay_00000000000070008000000000000000";

/** Whether the service is in sandbox mode. Live mode refuses the operations of the sandbox before it looks at anything else. */
export async function isSandbox(client: Settlekit): Promise<boolean> {
  try {
    await client.checkout.payFromTestWallet({ payment_id: NO_PAYMENT });
    return true;
  } catch (error) {
    if (!(error instanceof SettlekitError)) throw error;
    if (error.reason === "SANDBOX_ONLY") return false;
    if (error.kind === "not_found" && error.reason === "NOT_FOUND") return true;
    throw error;
  }
}
