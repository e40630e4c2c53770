import { createRequire } from "node:module";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitepress";

import { load } from "../build/load.mjs";
import { markdown } from "../build/markdown.mjs";
import { sidebar } from "../build/sidebar.mjs";
import { withoutInlineCode } from "../build/inline.mjs";
import { slugify } from "../build/sections.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = (name) => at(`../../pkg/dist/${name}`);

const { rooms } = await load();
const { extend, styleToClass, css } = markdown();

/** Bytes of the modules that the first run loads, to show its progress. */
const BYTES = statSync(dist("sandbox.wasm")).size + statSync(dist("client.wasm")).size;

/** The colours of code, known when all pages are rendered. */
const COLOURS = "/code.css";
const colours = {
  name: "code-colours",
  configureServer: (server) => void server.middlewares.use(COLOURS, (_, response) => response.setHeader("content-type", "text/css").end(css())),
};

export default defineConfig({
  lang: "en",
  title: "Settlekit",
  description: "A self-hosted merchant payments and settlement service.",
  srcDir: "dist/pages",
  outDir: "dist/site",
  cacheDir: "node_modules/.vitepress",
  // With their endings, addresses work on every static host.
  cleanUrls: false,
  metaChunk: true,
  // A page loads what it shows; the next page loads in a moment.
  router: { prefetchLinks: false },
  // The demo is copied beside the pages, and `test/links.test.mjs` checks all links of the built site.
  ignoreDeadLinks: [/^\/demo\//, /^\/openapi\.json/],
  head: [["link", { rel: "preload", href: "/geist.woff2", as: "font", type: "font/woff2", crossorigin: "" }], ["link", { rel: "stylesheet", href: COLOURS }], ["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }], ["meta", { name: "color-scheme", content: "light dark" }]],
  transformHtml: withoutInlineCode,
  buildEnd: ({ outDir }) => writeFileSync(join(outDir, COLOURS), css()),
  transformHead: ({ page }) => (page === "404.md" ? [["meta", { name: "robots", content: "noindex" }]] : []),
  markdown: { anchor: { slugify }, headers: { level: [2, 3] }, codeTransformers: [styleToClass], config: extend, theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" } },
  themeConfig: {
    search: { provider: "local", options: { detailedView: false } },
    nav: [
      { text: "Get started", link: "/guides/quickstart", activeMatch: "^/guides/quickstart" },
      { text: "Guides", link: "/guides/payment-links", activeMatch: "^/guides/(?!quickstart)" },
      { text: "Concepts", link: "/concepts/states", activeMatch: "^/concepts/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: "Decisions", link: "/decisions/", activeMatch: "^/decisions/" },
      { text: "Demo", link: "/demo/", target: "_self" },
    ],
    sidebar: sidebar(rooms),
    outline: [2, 3],
    docFooter: { prev: "Previous", next: "Next" },
    externalLinkIcon: true,
  },
  vite: {
    plugins: [colours],
    publicDir: at("../dist/pages/public"),
    define: { __SANDBOX_BYTES__: JSON.stringify(BYTES) },
    resolve: {
      alias: [
        { find: /^#package\/(.*)$/, replacement: dist("$1") },
        { find: /^url$/, replacement: at("../runner/url.js") },
        { find: /^buffer$/, replacement: createRequire(import.meta.url).resolve("buffer/") },
      ],
    },
    worker: { format: "es" },
    build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    server: { fs: { allow: [at("../..")] } },
  },
});
