import type { Command } from "../command.js";
import { optionsOf } from "./arguments.js";
import type { Operation } from "./catalogue.js";
import type { Option } from "./options.js";

/** What a shell completes after a command: words, then options. */
export interface Shape {
  summary: string;
  options: readonly Option[];
  /** Words that its first argument may be. */
  words?: readonly string[];
  subcommands?: ReadonlyMap<string, Shape>;
}

const shapes = new WeakMap<Command, () => Shape>();

/** Remembers the shape of a command, for completion. */
export function withShape(command: Command, shape: () => Shape): Command {
  shapes.set(command, shape);
  return command;
}

export function shapeOf(command: Command): Shape {
  return shapes.get(command)?.() ?? { summary: command.summary, options: [] };
}

/** The shape of an operation. */
export function shapeOfOperation(operation: Operation, summary: string): Shape {
  const { fields, others } = optionsOf(operation);
  return { summary, options: [...fields, ...others] };
}
