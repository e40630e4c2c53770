import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { Failure } from "./failure.js";

/** Address and credentials of a service. */
export interface Profile {
  url: string;
  api_key: string;
  signing_secret?: string;
}

/** Name of the profile without `--profile`. */
export const DEFAULT_PROFILE = "default";

/** The file of `settlekit login`. */
export function configFile(env: NodeJS.ProcessEnv): string {
  const given = env["XDG_CONFIG_HOME"];
  // The specification ignores relative paths.
  const folder = given?.startsWith("/") ? given : join(env["HOME"] ?? homedir(), ".config");
  return join(folder, "settlekit", "config.json");
}

/** All profiles. Fails if others can read the file. */
export function readProfiles(env: NodeJS.ProcessEnv): Record<string, Profile> {
  const file = configFile(env);
  const text = readPrivate(file);
  if (text === undefined) return {};
  try {
    const { profiles } = JSON.parse(text) as { profiles: Record<string, Profile> };
    if (Object.values(profiles).every(({ url, api_key }) => typeof url === "string" && typeof api_key === "string")) return profiles;
  } catch {
    // Reported below.
  }
  throw new Failure(`${file} is not a configuration of \`settlekit login\`: delete it, and sign in again.`);
}

/** Writes all profiles, readable by the user only. */
export function writeProfiles(env: NodeJS.ProcessEnv, profiles: Record<string, Profile>): void {
  const file = configFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  chmodSync(dirname(file), 0o700);
  if (Object.keys(profiles).length === 0) {
    rmSync(file, { force: true });
    return;
  }
  // Renamed into place: a crash leaves the earlier file.
  const fresh = `${file}.${process.pid}`;
  // A file of an earlier crash would keep its mode.
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify({ profiles }, null, 2)}\n`, { flag: "wx", mode: 0o600 });
  renameSync(fresh, file);
}

/** Text of a file that holds secrets; nothing if it does not exist. Fails if others can read it. */
export function readPrivate(file: string): string | undefined {
  let mode: number;
  try {
    ({ mode } = statSync(file));
  } catch {
    return undefined;
  }
  // Windows has no such modes.
  if (process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw new Failure(`Other users can read ${file} (mode ${(mode & 0o777).toString(8).padStart(4, "0")}), which holds secrets. Run: chmod 600 ${file}`);
  }
  return readFileSync(file, "utf8");
}
