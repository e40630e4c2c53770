// How Markdown becomes HTML: examples with a Run button, drawn diagrams, and colours of code as classes.

import { transformerStyleToClass } from "@shikijs/transformers";

import { diagram } from "../diagram/diagram.mjs";
import { optionsOf } from "./fences.mjs";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** Attributes of an example's component. */
function attributes(options) {
  const { title, id, example, after, shop, members } = options;
  const named = { title, name: id ?? example, after };
  const texts = Object.entries(named).filter(([, value]) => value !== undefined).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return [...texts, shop ? " shop" : "", members ? " members" : ""].join("");
}

/**
 * Extensions of the renderer. Colours of code become classes, because a content security policy without `unsafe-inline` refuses the
 * attribute `style`; `css()` has their rules once all pages are rendered.
 */
export function markdown() {
  const styleToClass = transformerStyleToClass({ classPrefix: "c" });
  function extend(md) {
    const fence = md.renderer.rules.fence;
    md.renderer.rules.fence = (tokens, index, ...rest) => {
      const token = tokens[index];
      const { language, options } = optionsOf(token.info);
      if (language === "mermaid") return `<div v-pre>${diagram(token.content)}</div>`;
      token.info = language === "http" ? "http" : language;
      const html = fence(tokens, index, ...rest);
      if (options.run) return `<RunExample${attributes(options)}>${html}</RunExample>`;
      return options.title ? `<div class="titled"><p class="code-title">${escaped(options.title)}</p>${html}</div>` : html;
    };
  }
  return { extend, styleToClass, css: () => styleToClass.getCSS() };
}
