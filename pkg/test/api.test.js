// What each entry publishes, as API Extractor reports it, and what npm would ship: both stand in the repository, so that a
// change of either is seen in the change that makes it. `cargo xtask print` prints them again, which sets `UPDATE`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const folder = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const update = process.env.UPDATE !== undefined;

/** Compares a printed text with the one in the repository, or replaces that. */
function check(name, printed) {
  const file = join(folder, name);
  if (update) writeFileSync(file, printed);
  let stored = "";
  try {
    stored = readFileSync(file, "utf8");
  } catch {
    // Nothing has been stored yet.
  }
  assert.equal(printed, stored, `${name} is not current: cargo xtask print, and look at what changed`);
}

// A slim entry publishes what its twin does, and `init`: see package.test.js.
for (const entry of ["index", "webhooks", "decimal", "testing", "sandbox"]) {
  test(`the report of what ${entry} publishes is current`, () => {
    const scratch = mkdtempSync(join(tmpdir(), "settlekit-api-"));
    try {
      mkdirSync(join(folder, "api"), { recursive: true });
      const quiet = { default: { logLevel: "none" } };
      const config = ExtractorConfig.prepare({
        configObject: {
          projectFolder: folder,
          mainEntryPointFilePath: join(folder, `dist/${entry}.d.ts`),
          newlineKind: "lf",
          compiler: { tsconfigFilePath: join(folder, "tsconfig.json") },
          apiReport: { enabled: true, reportFileName: `${entry}.api.md`, reportFolder: scratch, reportTempFolder: join(scratch, "made"), includeForgottenExports: true },
          docModel: { enabled: false },
          dtsRollup: { enabled: false },
          tsdocMetadata: { enabled: false },
          messages: { compilerMessageReporting: quiet, extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
        },
        configObjectFullPath: join(folder, "api-extractor.json"),
        packageJsonFullPath: join(folder, "package.json"),
      });
      Extractor.invoke(config, { localBuild: true, messageCallback: (message) => (message.handled = true) });
      check(`api/${entry}.api.md`, readFileSync(join(scratch, "made", `${entry}.api.md`), "utf8"));
    } finally {
      rmSync(scratch, { recursive: true });
    }
  });
}

test("the list of what npm ships is current", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json", "--loglevel=error"], { cwd: folder, encoding: "utf8" });
  const [{ files }] = JSON.parse(packed);
  check("api/files.txt", `${files.map(({ path }) => path).sort().join("\n")}\n`);
});
