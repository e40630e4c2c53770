// Moves what VitePress writes into each page as inline script or style into files, so that a content security policy can refuse both.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const INLINE = /<script( id="[\w-]+")?>([\s\S]*?)<\/script>/g;

/** The theme's style sheet of icons, which is empty: the site has none. */
const NO_ICONS = /<link [^>]*href="\/vp-icons\.css"[^>]*>\s*/;

/** Style of elements that wait for the page's program; `theme/style.css` hides them until it sets their style. */
const HIDDEN = /<(\w+)([^>]*?) style="display:none;"([^>]*)>/g;
const STYLE = / style="[^"]*"/g;

function withoutStyles(html) {
  const marked = html.replace(HIDDEN, (_, tag, before, after) => {
    const rest = before + after;
    return rest.includes(' class="') ? `<${tag}${rest.replace(' class="', ' class="waits ')}>` : `<${tag}${rest} class="waits">`;
  });
  return marked.replace(/<[a-z][^>]*>/g, (tag) => tag.replace(STYLE, ""));
}

/** The style element that VueUse adds for a moment when the colours change. */
const VUEUSE = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='";

/** What a page may load. A host that sends a policy for `worker.js` too allows it `blob:` scripts and WebAssembly. */
const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", `style-src 'self' ${VUEUSE}`, "img-src 'self' data:", "font-src 'self'",
  "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
].join("; ");

export function withoutInlineCode(html, _, { siteConfig }) {
  const folder = join(siteConfig.outDir, "assets");
  mkdirSync(folder, { recursive: true });
  const moved = withoutStyles(html).replace(INLINE, (_, id = "", text) => {
    const name = `inline.${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`;
    writeFileSync(join(folder, name), text);
    return `<script${id} src="/assets/${name}"></script>`;
  });
  // The theme's first page has no main element; `theme/index.js` does the same once the page's program runs.
  const marked = moved.replace(NO_ICONS, "").replace('class="VPContent is-home"', 'class="VPContent is-home" role="main"');
  return marked.replace("<head>", `<head>\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
}
