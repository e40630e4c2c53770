// A minimal static host: serves files by name, folders by their index, and the nearest `404.html` for everything else, with
// no header but the content type.

import { createServer } from "node:http";
import { readFile, stat } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".svg": "image/svg+xml", ".wasm": "application/wasm", ".woff2": "font/woff2",
};

/** The nearest `404.html` of a missing path. */
async function missing(folder, name) {
  const near = dirname(name);
  const page = await readFile(join(folder, near, "404.html")).catch(() => undefined);
  return page ?? (near === "/" ? "Page not found." : missing(folder, near));
}

/** Returns the URL and a function that stops the host. */
export async function serveFolder(folder) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(decodeURIComponent(pathname));
    const name = path.endsWith("/") ? join(path, "index.html") : path;
    const isFolder = await stat(join(folder, name)).then((found) => found.isDirectory(), () => false);
    if (isFolder) {
      response.writeHead(301, { location: `${path}/` }).end();
      return;
    }
    try {
      const bytes = await readFile(join(folder, name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404, { "content-type": TYPES[".html"] }).end(await missing(folder, name));
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    end: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }),
  };
}
