// The guides as the server shows them at /docs: pages without a program of their own, printed into `web/docs`.

import { writeFileSync } from "node:fs";

import MarkdownIt from "markdown-it";

import { optionsOf } from "./fences.mjs";
import { read, root } from "./parts.mjs";
import { isExternal, pathOf, replaceLinks, slugify, titleOf } from "./sections.mjs";

/** Page of `web/docs`, its guide and its name in the navigation. */
const PAGES = [
  ["quickstart", "quickstart", "Quickstart"], ["authentication", "authentication", "Authentication"], ["signing", "signing", "Signing"], ["webhooks", "webhooks", "Webhooks"],
  ["errors", "errors", "Errors"], ["idempotency", "idempotency", "Idempotency"], ["lists", "lists", "Lists and filters"], ["sandbox", "testing", "Sandbox"],
];
const pageOf = new Map(PAGES.map(([page, guide]) => [`docs/guides/${guide}.md`, `/docs/${page}`]));
const LANGUAGES = { sh: "Shell", js: "JavaScript", html: "HTML", python: "Python", rust: "Rust", json: "JSON" };

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A link of a guide as a link of the server; the text alone where the server has no such page. */
function linked(markdown, source) {
  return replaceLinks(markdown, (label, target) => {
    if (target.startsWith("dashboard:")) return `${label}(${target.slice("dashboard:".length)})`;
    if (isExternal(target)) return undefined;
    const { path, anchor } = pathOf(target, source);
    const mark = anchor === undefined ? "" : `#${anchor}`;
    if (path === source) return `${label}(${mark})`;
    if (path === "docs/openapi.json") return `${label}(/docs)`;
    if (path === "docs/errors.md") return `${label}(/docs/errors#reasons)`;
    return pageOf.has(path) ? `${label}(${pageOf.get(path)}${mark})` : label.slice(1, -1);
  });
}

function renderer() {
  const md = new MarkdownIt({ html: true });
  const { rules } = md.renderer;
  rules.fence = (tokens, index) => {
    const { language, options } = optionsOf(tokens[index].info);
    const title = options.title ?? LANGUAGES[language] ?? "Text";
    const example = options.example ? ` data-example="${options.example}"` : "";
    return `<figure class="code"><figcaption>${escaped(title)}</figcaption><pre tabindex="0"><code${example}>${escaped(tokens[index].content.replace(/\n$/, ""))}</code></pre></figure>\n`;
  };
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  rules.th_open = () => '<th scope="col">';
  rules.heading_open = (tokens, index) => {
    const { tag } = tokens[index];
    if (tag === "h1") return "<h1>";
    const id = slugify(tokens[index + 1].content);
    return `<${tag} id="${id}"><a href="#${id}">`;
  };
  rules.heading_close = (tokens, index) => (tokens[index].tag === "h1" ? "</h1>\n" : `</a></${tokens[index].tag}>\n`);
  return md;
}

/** The list of reasons, in the form that `tests/it/guides` checks. */
function reasons() {
  const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \| (\d+) \| (.*) \|$/gm)].map(([, reason, status, text]) =>
    `<tr id="${reason}"><td><code>${reason}</code></td><td>${status}</td><td>${escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>")}</td></tr>\n`);
  return `<!-- Printed from core/src/error.rs -->\n<div class="table" tabindex="0"><table><thead><tr><th scope="col">Reason</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>\n${rows.join("")}</tbody></table></div>\n<!-- Printed until here -->`;
}

function page([name, guide, title]) {
  const source = `docs/guides/${guide}.md`;
  const markdown = linked(read(source), source).replace("<!-- reasons -->", reasons());
  const content = renderer().render(markdown).replace("</h1>\n<p>", '</h1>\n<p class="lead">').trim();
  const sections = [...content.matchAll(/<h2 id="([^"]*)"><a href="[^"]*">(.*?)<\/a><\/h2>/g)];
  const item = ([other, , text]) => `      <li><a href="/docs/${other}"${other === name ? ' aria-current="page"' : ""}>${text}</a></li>\n`;
  return `<!doctype html>
<html lang="en">
<!-- Printed from ${source} by \`cargo xtask print\` -->
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Settlekit docs</title>
  <link rel="icon" href="/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/docs/guide.css">
  <script src="/docs/theme.js"></script>
  <script src="/docs/guide.js" defer></script>
</head>
<body>
  <a class="skip" href="#content">Skip to content</a>
  <header class="docs-head">
    <a class="docs-name" href="/">Settlekit</a>
    <nav class="docs-nav" aria-label="Documentation"><ul>
${PAGES.map(item).join("")}      <li><a href="/docs">API reference</a></li>
    </ul></nav>
  </header>
  <div class="guide">
    <nav class="contents" aria-labelledby="contents-title">
      <p id="contents-title">On this page</p>
      <ul>
${sections.map(([, id, text]) => `      <li><a href="#${id}">${text}</a></li>\n`).join("")}      </ul>
    </nav>
    <main id="content" tabindex="-1">
${content}
    </main>
  </div>
  <p id="said" role="status"></p>
</body>
</html>
`;
}

const fileOf = ([name]) => `web/docs/${name}.html`;

/** The pages that are out of date. */
export const outdatedPages = () => PAGES.filter((one) => page(one) !== read(fileOf(one))).map(fileOf);

export function printWeb() {
  for (const one of PAGES) writeFileSync(new URL(fileOf(one), root), page(one));
}
