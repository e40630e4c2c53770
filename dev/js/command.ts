/** A command of the program. */
export interface Command {
  name: string;
  summary: string;
  usage: string;
  run(args: string[], io: Io): Promise<number>;
}

/** What a command reads and writes. */
export interface Io {
  out(line: string): void;
  err(line: string): void;
  env: NodeJS.ProcessEnv;
  stdin: NodeJS.ReadStream;
  isTty: boolean;
  signal: AbortSignal;
}
