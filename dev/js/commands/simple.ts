import type { Command, Io } from "../command.js";
import { guarded, UsageError } from "./failure.js";
import { describeOptions, HELP, type Option, type Parsed, parseOptions, wrapped } from "./options.js";
import { withShape } from "./shape.js";

/** A command with options and at most a few arguments. */
export interface Simple {
  name: string;
  summary: string;
  /** What follows the name in the usage: `EVENT`. */
  takes?: string;
  /** Paragraphs of the help, after the usage. */
  text?: readonly string[];
  options: readonly Option[];
  /** What the first argument may be, for completion. */
  words?: readonly string[];
  /** Numbers of arguments; default: none. */
  least?: number;
  most?: number;
  run(options: Parsed, io: Io): Promise<number>;
}

/** A command from its options: parses them, and answers `--help`. */
export function simple({ name, summary, takes, text = [], options, words, least = 0, most = 0, run }: Simple): Command {
  const all = [...options, HELP];
  const first = `Usage: settlekit ${name}${takes === undefined ? "" : ` ${takes}`} [options]`;
  const usage = [first, ...text.flatMap((paragraph) => ["", ...paragraph.split("\n").flatMap((line) => wrapped(line))]), "", ...describeOptions(all)].join("\n");
  const command: Command = {
    name: name.split(" ").at(-1) as string,
    summary,
    usage,
    run: (args, io) => guarded(io.err, `${first}\nHelp: settlekit ${name} --help`, async () => {
      const parsed = parseOptions(args, all);
      if (parsed.flag("help")) {
        for (const line of [summary, "", ...usage.split("\n")]) io.out(line);
        return 0;
      }
      const { positionals } = parsed;
      if (positionals.length < least) throw new UsageError(`${takes?.split(" ").slice(positionals.length).join(" ")} is missing`);
      if (positionals.length > most) throw new UsageError(`${JSON.stringify(positionals[most])} is too much`);
      return run(parsed, io);
    }),
  };
  return withShape(command, () => ({ summary, options: all, ...(words === undefined ? {} : { words }) }));
}
