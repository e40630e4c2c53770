import { createInterface } from "node:readline";
import { Writable } from "node:stream";

import type { Io } from "../command.js";
import { configFile, DEFAULT_PROFILE, readProfiles, writeProfiles } from "./config.js";
import { clientOf } from "./connection.js";
import { Failure } from "./failure.js";
import { CONNECTION } from "./options.js";
import { printable } from "./printable.js";
import { simple } from "./simple.js";
import { readAll } from "./stdin.js";

const OPTIONS = CONNECTION.map((option) => (option.name === "profile" ? option : { ...option, description: option.description.replace(/; default: .*/, "; asked for if absent") }));

const QUESTIONS = [
  { name: "url", text: "Address of the service: ", hidden: false },
  { name: "api-key", text: "API key: ", hidden: true },
  { name: "signing-secret", text: "Signing secret (empty for none): ", hidden: true },
] as const;

export const login = simple({
  name: "login",
  summary: "Keeps the address and the key of a service for later commands.",
  text: ["Asks for address, API key and signing secret. Without a terminal, standard input has them, one a line."],
  options: OPTIONS,
  async run(options, io) {
    const profile = options.text("profile") ?? DEFAULT_PROFILE;
    // Before the questions: a configuration that others can read is refused at once.
    const profiles = readProfiles(io.env);
    const given = Object.fromEntries(QUESTIONS.map(({ name }) => [name, options.text(name)]));
    const answers = await ask(QUESTIONS.filter(({ name }) => given[name] === undefined), io);
    const [url, apiKey, secret] = QUESTIONS.map(({ name }) => (given[name] ?? answers[name] ?? "").trim()) as [string, string, string];
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new Failure(`${JSON.stringify(url)} is not an address such as https://pay.example.`);
    if (apiKey === "") throw new Failure("An API key is needed: the dashboard makes one under Settings, API keys.");
    const connection = { url, apiKey, source: "login", ...(secret === "" ? {} : { signingSecret: secret }) };
    const { name, id } = await clientOf(connection).organisation.get({ signal: io.signal });
    writeProfiles(io.env, { ...profiles, [profile]: { url, api_key: apiKey, ...(secret === "" ? {} : { signing_secret: secret }) } });
    io.out(`Signed in to ${printable(name)} (${id}) at ${url}. Kept in ${configFile(io.env)}, profile ${profile}.`);
    return 0;
  },
});

type Answers = Record<string, string | undefined>;

/** Asks in the terminal; otherwise takes the lines of standard input. */
async function ask(questions: readonly (typeof QUESTIONS)[number][], { stdin, signal }: Io): Promise<Answers> {
  if (questions.length === 0) return {};
  if (!stdin.isTTY) {
    const lines = (await readAll(stdin)).split(/\r?\n/);
    return Object.fromEntries(questions.map(({ name }, index) => [name, lines[index]]));
  }
  let isHidden = false;
  // Readline echoes the input: secrets stay unseen.
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: stdin, output, terminal: true });
  const answers: Answers = {};
  try {
    for (const { name, text, hidden } of questions) {
      // A prompt of readline would be hidden, too.
      if (hidden) process.stderr.write(text);
      isHidden = hidden;
      answers[name] = await new Promise<string>((resolve, reject) => {
        terminal.once("close", () => reject(new Failure("Nothing was kept.")));
        signal.addEventListener("abort", () => terminal.close(), { once: true });
        terminal.question(hidden ? "" : text, resolve);
      });
      if (hidden) process.stderr.write("\n");
      isHidden = false;
    }
  } finally {
    terminal.close();
  }
  return answers;
}
