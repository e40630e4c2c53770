// The files of dashboard, payer's page and API reference, by the rules of the server (`server/src/assets.rs`): files with a hash in their
// name are cached forever, all others are revalidated each time.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** An answer with a file. */
export interface AssetAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

interface Asset {
  bytes: Uint8Array;
  etag: string;
}

/** The dashboard's page, for any of its paths. */
const DASHBOARD = "index.html";
/** The payer's page, for any paylink. */
const PAYER = "pay/pay.html";
/** The script that embeds the payer's page in pages of other origins. */
const EMBED = "embed.js";
/** The payer's page as a preview, which the dashboard frames. */
const PREVIEW = "embed/preview";
const DOCUMENTS = "docs/docs.html";
const GUIDES = ["quickstart", "authentication", "signing", "webhooks", "errors", "idempotency", "lists", "sandbox"];

const NO_POLICIES = "require-trusted-types-for 'script'; trusted-types 'none'";
const PREVIEW_POLICY = `${NO_POLICIES}; frame-ancestors 'self'`;
const EMBEDDED_POLICY = `${NO_POLICIES}; frame-ancestors *`;
const PAGE_POLICIES: Record<string, string> = {
  [DASHBOARD]: "require-trusted-types-for 'script'; trusted-types default; frame-src 'self'",
  [PAYER]: NO_POLICIES,
  ...Object.fromEntries(GUIDES.map((guide) => [`docs/${guide}.html`, NO_POLICIES])),
};

const KINDS: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  wasm: "application/wasm",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  woff2: "font/woff2",
  json: "application/json",
  webmanifest: "application/json",
  txt: "text/plain; charset=utf-8",
};

/** The files of a folder. Each is read once. */
export class Assets {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, Asset>();

  constructor(folder: string) {
    this.#folder = folder;
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    this.#names = new Set(files.map(({ parentPath, path, name }) => relative(folder, join(parentPath ?? path, name)).split(sep).join("/")));
  }

  /** Answers a request for a path; `headers` are the request's. */
  answer(method: string, pathname: string, headers: Record<string, string | string[] | undefined>): AssetAnswer {
    if (method !== "GET" && method !== "HEAD") return empty(405);
    const path = pathname.replace(/^\/+/, "");
    const name = this.#names.has(path) && !path.endsWith(".br") ? path : pageOf(path);
    const asset = name === undefined ? undefined : this.#file(name);
    if (name === undefined || asset === undefined) return empty(404);
    const isPreview = name === PAYER && path === PREVIEW;
    const isEmbedded = name === PAYER && path.startsWith("embed/") && !isPreview;
    const policy = isPreview ? PREVIEW_POLICY : isEmbedded ? EMBEDDED_POLICY : PAGE_POLICIES[name];
    const out: Record<string, string> = {
      "cache-control": name === EMBED ? "public, max-age=3600" : isHashed(name) ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      etag: asset.etag,
      ...(policy === undefined ? {} : { "content-security-policy": policy }),
      ...(isEmbedded || name === EMBED ? { "cross-origin-resource-policy": "cross-origin" } : {}),
      ...(name === EMBED ? { "access-control-allow-origin": "*" } : {}),
    };
    const known = listOf(headers["if-none-match"]);
    if (known.includes(asset.etag) || known.includes("*")) return { status: 304, headers: out, body: new Uint8Array() };
    out["content-type"] = KINDS[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    const small = acceptsBrotli(headers["accept-encoding"]) ? this.#file(`${name}.br`) : undefined;
    if (small !== undefined) out["content-encoding"] = "br";
    return { status: 200, headers: out, body: (small ?? asset).bytes };
  }

  #file(name: string): Asset | undefined {
    if (!this.#names.has(name)) return undefined;
    let asset = this.#read.get(name);
    if (asset === undefined) {
      const bytes = readFileSync(join(this.#folder, name));
      // Weak, because the compressed form has the same name.
      asset = { bytes, etag: `W/"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"` };
      this.#read.set(name, asset);
    }
    return asset;
  }
}

/** The page of a path that is not a file; a name with a dot is a missing file. */
function pageOf(path: string): string | undefined {
  const [first, second, ...rest] = path.split("/");
  const isDeeper = rest.length > 0;
  if ((first === "pay" || first === "embed") && second && !isDeeper && !second.includes(".")) return PAYER;
  if (first === "docs" && !second && !isDeeper) return DOCUMENTS;
  if (first === "docs" && second && !isDeeper && !second.includes(".")) return GUIDES.includes(second) ? `docs/${second}.html` : DASHBOARD;
  return path.slice(path.lastIndexOf("/") + 1).includes(".") ? undefined : DASHBOARD;
}

/** Whether a name contains a content hash, as in `app-3f2c9d1e8b7a6054.js` and `app-3f2c9d1e8b7a6054_bg.wasm`. */
function isHashed(name: string): boolean {
  const stem = name.slice(name.lastIndexOf("/") + 1).split(".")[0] as string;
  return /-[0-9a-f]{8,}$/i.test(stem.replace(/_bg$/, ""));
}

function listOf(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap((list) => list.split(",")).map((item) => item.trim());
}

function acceptsBrotli(value: string | string[] | undefined): boolean {
  return listOf(value).some((coding) => {
    const [name, ...weights] = coding.split(";").map((part) => part.trim());
    return name === "br" && !weights.some((weight) => /^q=0(\.0{1,3})?$/.test(weight));
  });
}

function empty(status: number): AssetAnswer {
  return { status, headers: {}, body: new Uint8Array() };
}
