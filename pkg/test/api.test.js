// API Extractor's report of each entry's public API, and the list of published files. Both are in the repository, so that reviews
// show their changes. `cargo xtask print` updates them by setting `UPDATE`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Extractor, ExtractorConfig } from "@microsoft/api-extractor";

const folder = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const update = process.env.UPDATE !== undefined;

/** Compares a printed text with the file in the repository, or updates the file. */
function check(name, printed) {
  const file = join(folder, name);
  if (update) writeFileSync(file, printed);
  let stored = "";
  try {
    stored = readFileSync(file, "utf8");
  } catch {
    // The file does not exist yet.
  }
  assert.equal(printed, stored, `${name} is not current: cargo xtask print, and look at what changed`);
}

// A slim entry exports the same as its full entry plus `init`: see package.test.js.
for (const entry of ["index", "core", "texts", "webhooks", "decimal", "testing", "sandbox", "x402", "embed"]) {
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
