import { describeOptions, HELP, type Option, parseOptions } from "../commands/options.js";
import { UsageError } from "../commands/failure.js";
import { receiverOf } from "../commands/receiver.js";

/** Options of the local service. */
export interface ServeOptions {
  /** Folder of the data. */
  data: string;
  /** Whether to delete the data first. */
  fresh: boolean;
  /** Whether to begin with a year of demo data. */
  demo: boolean;
  /** Seed of ids and secrets; random by default. */
  seed: number | undefined;
  /** Time to begin at, Unix milliseconds; the clock runs from there. */
  now: number | undefined;
  port: number;
  /** Receiver of webhooks, in place of the organisation's. */
  forwardTo: string | undefined;
  /** Whether to open the dashboard in a browser. */
  open: boolean;
}

const PORT = 8080;
const PORT_MAX = 65_535;
const DATA = ".settlekit";

/** What a start may be given. */
export const OPTIONS: readonly Option[] = [
  { name: "data", value: "DIR", description: `folder of the data; default: ${DATA}` },
  { name: "fresh", description: "deletes the data first" },
  { name: "demo", description: "begins with a year of a merchant's data" },
  { name: "port", value: "PORT", description: `port on 127.0.0.1; default: ${PORT}, 0 for a free one` },
  { name: "forward-to", value: "URL", description: "sends webhooks to this program" },
  { name: "now", value: "TIME", description: "sets the clock, such as 2026-01-31T12:00:00Z; it runs from there" },
  { name: "seed", value: "NUMBER", description: "gives the same ids and secrets each time" },
  { name: "open", description: "opens the dashboard in a browser" },
  HELP,
];

/** Lines that describe the options. */
export const SERVE_OPTIONS: readonly string[] = describeOptions(OPTIONS);

/** Reads the arguments; nothing if they ask for help. Throws a `UsageError`. */
export function readOptions(args: readonly string[]): ServeOptions | undefined {
  const given = parseOptions(args, OPTIONS);
  if (given.flag("help")) return undefined;
  const [extra] = given.positionals;
  if (extra !== undefined) throw new UsageError(`${extra} is not an option`);
  return {
    data: given.text("data") ?? DATA,
    fresh: given.flag("fresh"),
    demo: given.flag("demo"),
    seed: wholeNumber(given.text("seed"), "--seed", Number.MAX_SAFE_INTEGER),
    now: time(given.text("now")),
    port: wholeNumber(given.text("port"), "--port", PORT_MAX) ?? PORT,
    forwardTo: receiverOf(given.text("forward-to"))?.href,
    open: given.flag("open"),
  };
}

function wholeNumber(text: string | undefined, option: string, most: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new UsageError(`${option} ${text} is not a whole number from 0 to ${most}`);
}

/** A time with a day that exists: JavaScript takes 31 February for 3 March. */
function time(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const day = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.exec(text)?.[1];
  const milliseconds = Date.parse(text);
  const exists = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
  if (exists && !Number.isNaN(milliseconds)) return milliseconds;
  throw new UsageError(`--now ${text} is not a time: write it like 2026-01-31 or 2026-01-31T12:00:00Z`);
}
