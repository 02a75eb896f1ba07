import type { Command, Option } from "commander";
import { readCachedOperations } from "../catalogue/catalogue.ts";
import { type CatalogueOperation, splitId } from "../catalogue/operation.ts";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import { printLine } from "../terminal/print.ts";
import { addGroup } from "./operation-command.ts";
import { expandRun } from "./run-command.ts";

const scripts: Readonly<Record<string, string>> = {
  bash: `_mediamill() {
  local IFS=$'\\n'
  local words
  words=$(mediamill __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -o bashdefault -F _mediamill mediamill`,
  zsh: `#compdef mediamill
_mediamill() {
  local -a found
  found=("\${(@f)$(mediamill __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" == _mediamill ]]; then _mediamill "$@"; else compdef _mediamill mediamill; fi`,
  fish: `function __mediamill
  set -l found (mediamill __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c mediamill -f -a '(__mediamill)'`,
};

/** Runs `mediamill completion`, which prints the script that the shell evaluates at its start. */
export function printCompletion(shell: string): void {
  const script = scripts[shell];
  if (!script)
    throw new UsageError(`There is no completion for ${shell}; only bash, zsh and fish.`);
  printLine(script);
}

/** Prints what the last of the words may be, one a line. Nothing: a file. Asks no service. */
export async function complete(
  program: Command,
  session: Session,
  words: readonly string[],
): Promise<void> {
  const { baseUrl } = await session.settings();
  const operations = (await readCachedOperations(baseUrl)) ?? [];
  const current = words.at(-1) ?? "";
  const given = words.slice(0, -1);
  const step = stepOf(given);
  const before = expandRun(step ?? given);
  if (before.length === 1 && before[0] === "run")
    return printMatches(current, operations.map(idOf));
  if (step?.length === 0) return printMatches(current, operations.filter(isChainable).map(idOf));
  const path = before.filter((word) => !word.startsWith("-"));
  for (const group of new Set(operations.map(({ id }) => splitId(id)[0]))) {
    if (path[0] === group || path.length === 0) {
      const isNamed = path.length > 1;
      const own = operations.filter(({ id }) => !isNamed || id === `${group}/${path[1]}`);
      addGroup(program, group, own, session);
    }
  }
  let command = program;
  for (const word of path) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
  }
  const values = valuesAfter(command, before.at(-1));
  const found = values ?? [
    ...(current.startsWith("-") ? flagsOf(command, program) : visibleNames(command)),
  ];
  printMatches(current, found);
}

function printMatches(current: string, found: readonly string[]): void {
  for (const one of found) if (one.startsWith(current)) printLine(one);
}

const idOf = ({ id }: CatalogueOperation) => id;

const isChainable = ({ inputs }: CatalogueOperation) => inputs.max === 1;

/** The words after the last `--then` of a chain, as those of the operation's own command. */
function stepOf(words: readonly string[]): string[] | undefined {
  const start = words.lastIndexOf("--then");
  if (words[0] !== "chain" || start < 0) return undefined;
  const [id, ...flags] = words.slice(start + 1);
  return id === undefined ? [] : [...id.split("/"), ...flags];
}

function visibleNames(command: Command): string[] {
  return command.commands.map((one) => one.name()).filter((name) => !name.startsWith("__"));
}

function flagsOf(command: Command, program: Command): string[] {
  const options = [...command.options, ...program.options];
  return options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
}

/** The values of the flag before the word. Undefined if it takes none, or they are not known. */
function valuesAfter(command: Command, flag: string | undefined): readonly string[] | undefined {
  const option = command.options.find(
    ({ long, short }) => flag && (flag === long || flag === short),
  );
  if (!option?.required) return undefined;
  return optionValues(option);
}

/** The values of an option; if there are none, the shell completes files. */
function optionValues({ argChoices }: Option): readonly string[] {
  return argChoices ?? [];
}
