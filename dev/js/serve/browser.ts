import { spawn } from "node:child_process";

/** Opens a page in the browser of this machine. Returns false if there is no program for it. */
export function openPage(url: string): Promise<boolean> {
  const [program, ...args] = opener(url);
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(url: string): [string, ...string[]] {
  switch (process.platform) {
    case "darwin":
      return ["open", url];
    case "win32":
      return ["explorer", url];
    default:
      return ["xdg-open", url];
  }
}
