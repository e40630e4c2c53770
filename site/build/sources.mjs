// Which files of the project become which pages. The files stay where they are: their texts are read when the site is built.

import { readdirSync } from "node:fs";

import { read, root } from "./parts.mjs";

/** Pages of files that are not below `docs/`. */
const OTHERS = {
  "README.md": "readme.md",
  "ARCHITECTURE.md": "concepts/architecture.md",
  "CHANGELOG.md": "changelog.md",
  "SECURITY.md": "security.md",
  "component/README.md": "languages.md",
  "contracts/README.md": "concepts/contracts.md",
  "dev/README.md": "settlekit-dev.md",
  "pkg/README.md": "javascript.md",
  "pkg/CHANGELOG.md": "changelog-javascript.md",
  "pkg/TUTORIAL.md": "guides/tutorial.md",
};

/** Pages of single files of `docs/`; others keep their path. */
const MOVED = {
  "docs/states.md": "concepts/states.md",
  "docs/errors.md": "reference/errors.md",
  "docs/decisions/README.md": "decisions/index.md",
};

function below(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? below(`${folder}${entry.name}/`) : entry.name.endsWith(".md") ? [`${folder}${entry.name}`] : []).sort();
}

/** Page of each source, by path from the root. */
export function sources() {
  const docs = below("docs/").map((path) => [path, MOVED[path] ?? path.replace("docs/", "")]);
  return new Map([...Object.entries(OTHERS), ...docs]);
}

/** Address of the public repository, for links to files that are no pages; none before it is set in `pkg/package.json`. */
export function repository() {
  const { repository: named } = JSON.parse(read("pkg/package.json"));
  const url = typeof named === "string" ? named : named?.url;
  return url?.replace(/^git\+/, "").replace(/\.git$/, "");
}
