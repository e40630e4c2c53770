import type { Command, Io } from "../command.js";
import { kebab, type Operation, operationsOf, ROOMS } from "./catalogue.js";
import { MISUSED, suggestion } from "./failure.js";
import { runOperation } from "./operation.js";
import { HELP } from "./options.js";
import { type Shape, shapeOf, shapeOfOperation, withShape } from "./shape.js";

/** A subcommand: an operation under its own name or another one. */
export interface Subcommand {
  name: string;
  summary: string;
  run(args: string[], io: Io): Promise<number>;
  shape?(): Shape;
}

function subcommand(operation: Operation, name = kebab(operation.method)): Subcommand {
  return { name, summary: operation.summary, run: (args, io) => runOperation(operation, args, io), shape: () => shapeOfOperation(operation, operation.summary) };
}

/** The command of a resource, with a subcommand for each of its operations. `more` come first. */
export function roomCommand(room: string, more: readonly Subcommand[] = []): Command {
  const subcommands = [...more, ...operationsOf(room).map((operation) => subcommand(operation)).filter(({ name }) => !more.some((other) => other.name === name))];
  return group(kebab(room), ROOMS[room] ?? "", subcommands);
}

/** An operation of a resource under another name. */
export function alias(room: string, method: string, name: string): Subcommand {
  const operation = operationsOf(room).find((operation) => operation.method === method);
  if (operation === undefined) throw new Error(`the catalogue has no ${room}.${method}`);
  return subcommand(operation, name);
}

/** A command of subcommands. */
export function group(name: string, summary: string, subcommands: readonly Subcommand[]): Command {
  const width = Math.max(...subcommands.map(({ name }) => name.length));
  const lines = subcommands.map((one) => `  ${one.name.padEnd(width)}  ${one.summary}`);
  const usage = [`Usage: settlekit ${name} COMMAND [options]`, "", ...lines, "", `Options of a command: settlekit ${name} COMMAND --help`].join("\n");
  const command: Command = {
    name,
    summary,
    usage,
    async run([word, ...args], io) {
      if (word === undefined || word === "--help" || word === "-h") {
        for (const line of [summary, "", ...usage.split("\n")]) io.out(line);
        return word === undefined ? MISUSED : 0;
      }
      // The names of the npm client are understood, too.
      const found = subcommands.find((one) => one.name === word || one.name === kebab(word));
      if (found === undefined) {
        io.err(`settlekit ${name} has no command ${word}${suggestion(word, subcommands.map((one) => one.name))}`);
        io.err(`Commands: settlekit ${name} --help`);
        return MISUSED;
      }
      return found.run(args, io);
    },
  };
  return withShape(command, () => ({ summary, options: [HELP], subcommands: new Map(subcommands.map((one) => [one.name, one.shape?.() ?? shapeOf(one as Command)])) }));
}

