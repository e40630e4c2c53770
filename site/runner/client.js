// The page's side of the runner: one worker for all examples of the tab, started by the first.

let worker;
let current;

/** Ends the worker: an endless loop hears nothing else. */
function end(outcome) {
  worker?.terminate();
  worker = undefined;
  const ended = current;
  current = undefined;
  ended?.({ kind: "ended", webhooks: [], ...outcome });
}

/**
 * Runs an example. `onMessage` gets `{ kind: "progress", bytes }`, `{ kind: "started" }`, `{ kind: "line", line, level }` and at last
 * `{ kind: "ended", failure, webhooks }`. An example that still runs is stopped.
 */
export function run(example, onMessage) {
  if (current) end({ isStopped: true });
  current = onMessage;
  worker ??= start();
  worker.postMessage({ example });
}

/** Stops the example that runs, or the download. */
export const stop = () => end({ isStopped: true });

function start() {
  const started = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }) => {
    const receive = current;
    if (data.kind === "ended") current = undefined;
    receive?.(data);
  });
  started.addEventListener("error", (event) => {
    event.preventDefault();
    end({ failure: event.message ?? "The worker could not be started." });
  });
  return started;
}
