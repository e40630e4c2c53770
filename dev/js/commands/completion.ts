import type { Command } from "../command.js";
import { Failure } from "./failure.js";
import type { Option } from "./options.js";
import { type Shape, shapeOf } from "./shape.js";
import { simple } from "./simple.js";

const SHELLS = { bash, zsh, fish } as const;

const SETUP = [
  "bash: settlekit completion bash > ~/.local/share/bash-completion/completions/settlekit",
  "zsh:  settlekit completion zsh > \"${fpath[1]}/_settlekit\"",
  "fish: settlekit completion fish > ~/.config/fish/completions/settlekit.fish",
].join("\n");

export const completion = simple({
  name: "completion",
  summary: "Prints a script that completes commands and options in a shell.",
  takes: "bash|zsh|fish",
  text: [SETUP],
  options: [],
  words: Object.keys(SHELLS),
  least: 1,
  most: 1,
  async run({ positionals: [shell] }, io) {
    if (!Object.hasOwn(SHELLS, shell as string)) throw new Failure(`There is completion for bash, zsh and fish, not for ${shell}.`);
    // The list has this command, too.
    const [{ COMMANDS }, { OPTIONS }] = await Promise.all([import("./index.js"), import("../serve/options.js")]);
    for (const line of SHELLS[shell as keyof typeof SHELLS](treeOf(COMMANDS, OPTIONS))) io.out(line);
    return 0;
  },
});

/** A point of the command line: no word, a command, or a command and a subcommand. */
interface Point {
  words: string[];
  shape: Shape;
  /** The words that may follow, with what they do. */
  next: [word: string, summary: string][];
}

/** Options without a command start the service, as `serve` does. */
function treeOf(commands: readonly Command[], options: readonly Option[]): Point[] {
  const starts: Shape = { summary: "Starts the service on this machine.", options };
  const root: Shape = { summary: "", options: [...options, { name: "version", description: "shows the version" }] };
  const points: Point[] = [
    { words: [], shape: root, next: [["serve", starts.summary], ...commands.map(({ name, summary }): [string, string] => [name, summary])] },
    { words: ["serve"], shape: starts, next: [] },
  ];
  for (const command of commands) {
    const shape = shapeOf(command);
    const subcommands = [...(shape.subcommands ?? [])];
    const next = subcommands.map(([name, { summary }]): [string, string] => [name, summary]);
    points.push({ words: [command.name], shape, next: [...next, ...(shape.words ?? []).map((word): [string, string] => [word, ""])] });
    for (const [name, shape] of subcommands) points.push({ words: [command.name, name], shape, next: [] });
  }
  return points;
}

/** A single-quoted word of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The beginning of a description: a shell shows one line. */
function short(description: string): string {
  const first = /^.*?[.;:](?= |$)/.exec(description)?.[0].slice(0, -1) ?? description;
  return first.length > 80 ? `${first.slice(0, 79)}…` : first;
}

const names = (options: readonly Option[]): string[] => options.map(({ name }) => `--${name}`);

/** Options with known values, by name. */
const withValues = (options: readonly Option[]): Option[] => options.filter(({ values }) => values !== undefined);

function bash(points: readonly Point[]): string[] {
  const key = ({ words }: Point): string => quote(words.join(" "));
  return [
    "# settlekit in bash. Printed by `settlekit completion bash`.",
    "_settlekit() {",
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" point="" words="" values="" options=""',
    "  COMPREPLY=()",
    '  [ "$COMP_CWORD" -gt 1 ] && [ "${COMP_WORDS[1]:0:1}" != - ] && point="${COMP_WORDS[1]}"',
    "  case \"$point\" in",
    ...points.filter(({ words, shape }) => words.length === 1 && shape.subcommands !== undefined).map(({ words }) => `    ${words[0]}) [ "$COMP_CWORD" -gt 2 ] && point="$point \${COMP_WORDS[2]}" ;;`),
    "  esac",
    "  case \"$point\" in",
    ...points.map((point) => `    ${key(point)}) words=${quote(point.next.map(([word]) => word).join(" "))}; options=${quote(names(point.shape.options).join(" "))} ;;`),
    "  esac",
    "  case \"$point $prev\" in",
    ...points.flatMap(({ words, shape }) => withValues(shape.options).map(({ name, values }) => `    ${quote(`${words.join(" ")} --${name}`)}) values=${quote((values ?? []).join(" "))} ;;`)),
    "  esac",
    '  if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$cur"))',
    '  elif [ "${cur:0:1}" = - ]; then COMPREPLY=($(compgen -W "$options" -- "$cur"))',
    '  else COMPREPLY=($(compgen -W "$words" -- "$cur")); fi',
    "}",
    "complete -o default -F _settlekit settlekit",
  ];
}

function zsh(points: readonly Point[]): string[] {
  // `_describe` takes `word:description`.
  const entry = ([word, summary]: readonly [string, string]): string => quote(`${word.replaceAll(":", "\\:")}${summary === "" ? "" : `:${short(summary)}`}`);
  const options = (options: readonly Option[]): string => options.map(({ name, description }) => entry([`--${name}`, short(description)])).join(" ");
  return [
    "#compdef settlekit",
    "# settlekit in zsh. Printed by `settlekit completion zsh`.",
    "_settlekit() {",
    '  local point="" prev="${words[CURRENT-1]}"',
    "  local -a next options values",
    '  (( CURRENT > 2 )) && [[ "${words[2]}" != -* ]] && point="${words[2]}"',
    "  case \"$point\" in",
    `    ${points.filter(({ words, shape }) => words.length === 1 && shape.subcommands !== undefined).map(({ words }) => words[0]).join("|")}) (( CURRENT > 3 )) && point="$point \${words[3]}" ;;`,
    "  esac",
    "  case \"$point\" in",
    ...points.map((point) => `    ${quote(point.words.join(" "))}) next=(${point.next.map(entry).join(" ")}); options=(${options(point.shape.options)}) ;;`),
    "  esac",
    "  case \"$point $prev\" in",
    ...points.flatMap(({ words, shape }) => withValues(shape.options).map(({ name, values }) => `    ${quote(`${words.join(" ")} --${name}`)}) values=(${(values ?? []).map(quote).join(" ")}) ;;`)),
    "  esac",
    "  if (( $#values )); then _describe -t values value values",
    '  elif [[ "${words[CURRENT]}" == -* ]]; then _describe -t options option options',
    "  elif (( $#next )); then _describe -t commands command next",
    "  else _files; fi",
    "}",
    'if [ "$funcstack[1]" = "_settlekit" ]; then _settlekit "$@"; else compdef _settlekit settlekit; fi',
  ];
}

function fish(points: readonly Point[]): string[] {
  // fish escapes backslash and quote in single quotes.
  const text = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return [
    "# settlekit in fish. Printed by `settlekit completion fish`.",
    "function __settlekit_at",
    "  set -l words (commandline -opc)",
    "  set -e words[1]",
    "  test (count $words) -eq (count $argv); and test \"$words\" = \"$argv\"",
    "end",
    "function __settlekit_in",
    "  set -l words (commandline -opc)",
    "  set -e words[1]",
    "  set -l least (count $argv)",
    "  test (count $words) -ge $least; and test \"$words[1..$least]\" = \"$argv\"",
    "end",
    "function __settlekit_without_command",
    "  set -l words (commandline -opc)",
    "  set -e words[1]",
    "  test (count $words) -eq 0; or string match -q -- '-*' $words[1]",
    "end",
    "complete -c settlekit -f",
    ...points.flatMap((point) => {
      const place = point.words.join(" ");
      const within = place === "" ? "__settlekit_without_command" : `__settlekit_in ${place}`;
      return [
        ...point.next.map(([word, summary]) => `complete -c settlekit -n ${text(`__settlekit_at ${place}`.trimEnd())} -a ${text(word)}${summary === "" ? "" : ` -d ${text(short(summary))}`}`),
        ...point.shape.options.map(({ name, value, values, description }) => {
          const takes = value === undefined ? "" : (values === undefined ? " -r" : ` -x -a ${text(values.join(" "))}`);
          return `complete -c settlekit -n ${text(within)} -l ${name}${takes} -d ${text(short(description))}`;
        }),
      ];
    }),
  ];
}
