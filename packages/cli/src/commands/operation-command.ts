import { type Command, Option } from "commander";
import {
  type CatalogueOperation,
  type Parameter,
  parametersOf,
  splitId,
} from "../catalogue/operation.ts";
import { describeValues, mergeValues } from "../catalogue/parse-value.ts";
import { UsageError } from "../errors.ts";
import type { Session } from "../session.ts";
import type { RunFlags, RunStep } from "./run-operation.ts";

/** What a command does once its words are parsed. */
type OnParsed = (step: RunStep, words: readonly string[], flags: RunFlags) => Promise<void> | void;

/** Flags of every operation and of the program. */
const reserved = new Set([
  "output",
  "recursive",
  "concurrency",
  "json",
  "dry-run",
  "print-urls",
  "stale-only",
  "watch",
  "cancel-on-exit",
  "timeout",
  "webhook-url",
  "metadata",
  "export",
  "overwrite",
  "keep",
  "help",
  "version",
  "profile",
  "api-key",
  "base-url",
  "quiet",
]);

/** Adds a command for a group, with a subcommand for each of its operations that runs it. */
export function addGroup(
  program: Command,
  group: string,
  operations: readonly CatalogueOperation[],
  session: Session,
): void {
  const command = addGroupCommand(program, group);
  for (const operation of operationsOf(group, operations)) {
    const { max } = operation.inputs;
    const own = addOperation(command, operation, async (step, words, flags) => {
      const { runOperation } = await import("./run-operation.ts");
      const target = { ...operation, steps: [step] };
      session.exitCode = await runOperation(await session.settings(), target, words, flags);
    });
    if (max > 0) own.argument("[files...]", describedInputs);
    addRunFlags(own, max !== 1);
  }
}

/** Adds the operations of a group as parts of another command. They take no files. */
export function addSteps(
  program: Command,
  group: string,
  operations: readonly CatalogueOperation[],
  onParsed: OnParsed,
): void {
  const command = addGroupCommand(program, group);
  for (const operation of operationsOf(group, operations)) {
    addRunFlags(addOperation(command, operation, onParsed), false);
  }
}

function addGroupCommand(program: Command, group: string): Command {
  return program.command(group).description(`Operations on ${group} files`);
}

const operationsOf = (group: string, operations: readonly CatalogueOperation[]) =>
  operations.filter(({ id }) => splitId(id)[0] === group);

export const describedInputs = "Paths, patterns, URLs, ids of uploads, or - for stdin.";

function addOperation(group: Command, operation: CatalogueOperation, onParsed: OnParsed): Command {
  const [, name] = splitId(operation.id);
  const command = group.command(name).description(operation.summary);
  const parameters = parametersOf(operation, reserved);
  for (const parameter of parameters) addParameter(command, parameter);
  command.addHelpText("after", `\nExample parameters: ${JSON.stringify(operation.example)}`);
  command.action(async (...args: unknown[]) => {
    const words = Array.isArray(args[0]) ? (args[0] as string[]) : [];
    const flags = command.opts();
    const values = new Map<string, unknown>();
    for (const { name, flag, isFile, isSecret } of parameters) {
      const remote = isFile ? flags[attribute(`${flag}-url`)] : undefined;
      values.set(name, flags[attribute(flag)] ?? remote);
      if (isSecret) values.set(`${name}-file`, flags[attribute(`${flag}-file`)]);
    }
    const given = new Map([...values].filter(([, value]) => value !== undefined));
    const own = new Set(parameters.map(({ flag }) => attribute(flag)));
    const others = Object.entries(flags).filter(([name]) => !own.has(name));
    const runFlags: RunFlags = Object.fromEntries(others);
    await onParsed({ operation, parameters, values: given }, words, runFlags);
  });
  return command;
}

/** The flags of a run. `isTogether`: all inputs are of one job. */
export function addRunFlags(command: Command, isTogether: boolean): void {
  command.option(
    "-o, --output <path>",
    "File or folder of the output; - is stdout. A folder ends with a slash, or exists.",
  );
  // video/fade has a parameter of this name.
  if (!command.options.some(({ long }) => long === "--out")) {
    command.option("--out <folder>", "As -o with a folder and -r. The folder is created.");
  }
  command.option("-r, --recursive", "Take the files in folders, and keep the folders.");
  if (!isTogether) {
    command.option("-c, --concurrency <number>", "Jobs at the same time. Default: 4.", (text) =>
      wholeNumber("concurrency", text, 1, 64),
    );
    command.option("--stale-only", "Skip the files whose outputs are up to date.");
    command.option("--watch", "Run again for files that are added or change, until Ctrl-C.");
  }
  command
    .option("--json", "Print one line of JSON for each file.")
    .option("--dry-run", "Print the curl commands, and run nothing.")
    .option("--print-urls", "Print the URLs of the outputs instead of saving them.")
    .option(
      "--export <target>",
      "Send the outputs to a connection, as conn_…:folder/{filename}, or to a presigned URL.",
    )
    .option("--overwrite", "Replace files with the same path in the connection.")
    .option("--keep", "Keep the outputs at the service, too, and save them.")
    .option("--cancel-on-exit", "Cancel the running jobs at Ctrl-C.")
    .option("--timeout <seconds>", "Wait at most so long for each job.", (text) =>
      wholeNumber("timeout", text, 1, 604_800),
    )
    .option("--webhook-url <url>", "URL that receives the job's webhook.")
    .option("--metadata <key=value>", "A text that the job returns; can be repeated.", addPair);
}

function addParameter(command: Command, parameter: Parameter): void {
  const { flag, schema, isFile, isSecret } = parameter;
  const description = describeParameter(parameter);
  if (schema.type === "boolean") {
    command.addOption(new Option(`--${flag}`, description));
    command.addOption(new Option(`--no-${flag}`).hideHelp());
    command.setOptionValue(attribute(flag), undefined);
    return;
  }
  const placeholder = isFile ? "file or URL" : placeholderOf(schema.type);
  const option = new Option(`--${flag} <${placeholder}>`, description);
  if (!isFile) {
    option.argParser((text: string, earlier: unknown) => mergeValues(parameter, earlier, text));
  }
  if (schema.enum) option.argChoices = schema.enum.map(String);
  command.addOption(option);
  // Its name in JSON requests.
  if (isFile) command.addOption(new Option(`--${flag}-url <url>`).hideHelp());
  if (isSecret) command.option(`--${flag}-file <path>`, `File with the value of --${flag}.`);
}

function describeParameter({ schema, isFile, isRequired }: Parameter): string {
  const parts = [schema.description?.replace(/ In multipart also .*$/, "") ?? ""];
  if (!isFile && !schema.enum && schema.type !== "string" && schema.type !== "boolean")
    parts.push(`(${describeValues(schema)})`);
  if (schema.default !== undefined) parts.push(`Default: ${JSON.stringify(schema.default)}.`);
  if (schema.type === "boolean" && schema.default === true) parts.push("Off: --no-….");
  if (isRequired) parts.push("Required.");
  return parts.filter(Boolean).join(" ");
}

function placeholderOf(type: string | undefined): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return "list";
  return type === "object" ? "json" : "value";
}

/** The name under which commander keeps an option's value. */
function attribute(flag: string): string {
  return flag.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function addPair(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const split = text.indexOf("=");
  if (split < 1) throw new UsageError(`--metadata must have the form key=value, not ${text}.`);
  return { ...earlier, [text.slice(0, split)]: text.slice(split + 1) };
}

/** The number of a flag. Throws `UsageError` if it is out of bounds. */
export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`--${flag} must be a whole number from ${min} to ${max}, not ${text}.`);
}
