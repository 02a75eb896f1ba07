import { parseArgs } from "node:util";
import { newPasswordField } from "#lib/auth/next-auth/credentials.ts";

/** The arguments of the admin commands. Separate from their implementation, so that help needs no database. */

/** An invalid command or argument; `message` is the one line to print. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

interface CommandOptions {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The command takes the path of a file after its name. */
  readonly file?: true;
}

/** Every command with its options. */
const commandOptions = {
  "account create": { required: ["email"], optional: ["plan", "password"] },
  "account set-plan": { required: ["email", "plan"], optional: [] },
  "account set-password": { required: ["email", "password"], optional: [] },
  "account set-role": { required: ["email", "role"], optional: [] },
  "account suspend": { required: ["email"], optional: [] },
  "account restore": { required: ["email"], optional: [] },
  "account list": { required: [], optional: [] },
  "key create": { required: ["email"], optional: ["name"] },
  "key revoke": { required: ["id"], optional: [] },
  "key list": { required: ["email"], optional: [] },
  "webhook-secret": { required: ["email"], optional: [] },
  "secret rotate": { required: [], optional: [] },
  "backup create": { required: [], optional: [], file: true },
  "backup restore": { required: [], optional: [], file: true },
} as const satisfies Record<string, CommandOptions>;

export type CommandName = keyof typeof commandOptions;

/** A parsed command line. */
export interface Call {
  readonly command: CommandName;
  /** The options by name; `file` is the path after the name of the command. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether to print only one JSON value. */
  readonly json: boolean;
}

const commandNames = Object.keys(commandOptions) as CommandName[]; // Object.keys returns string[]
const seeHelp = "npm run --silent admin -- --help lists all commands";

/** The parsed command line; `help` for `--help`. Throws `AdminError`. */
export function parseCall(args: readonly string[]): Call | "help" {
  const { values, positionals } = readArguments(args);
  if (values.help) return "help";
  const { command, file } = findCommand(positionals);
  const { required, optional }: CommandOptions = commandOptions[command];
  const options: Record<string, string> = file === undefined ? {} : { file };
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") continue;
    if (![...required, ...optional].includes(name)) {
      throw new AdminError(`The command ${command} has no option --${name}.`);
    }
    options[name] = value;
  }
  const missing = required.find((name) => !options[name]);
  if (missing) throw new AdminError(`--${missing} is required.`);
  if (options.password !== undefined) requireGoodPassword(options.password);
  return { command, options, json: values.json === true };
}

/** By the rules of the pages. */
function requireGoodPassword(password: string): void {
  const [issue] = newPasswordField.safeParse(password).error?.issues ?? [];
  if (issue) throw new AdminError(`--password is not valid: ${issue.message}`);
}

/** The command that the words name, and the file after it. */
function findCommand(words: readonly string[]): { command: CommandName; file?: string } {
  const input = words.join(" ");
  if (input === "") throw new AdminError(`A command is required; ${seeHelp}.`);
  const takesFile = (name: CommandName) => "file" in commandOptions[name];
  const command = commandNames.find((name) => name === input);
  if (command && takesFile(command)) throw new AdminError(`${command} needs the path of a file.`);
  if (command) return { command };
  const withFile = commandNames.find((name) => name === words.slice(0, -1).join(" "));
  const file = words.at(-1);
  if (!withFile || !file || !takesFile(withFile)) {
    throw new AdminError(`Unknown command ${input}; ${seeHelp}.`);
  }
  return { command: withFile, file };
}

function readArguments(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flags = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const options = {
    email: text,
    plan: text,
    password: text,
    role: text,
    name: text,
    id: text,
    ...flags,
  };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    // After the option's name, Node's message explains how to pass a positional that starts with "-".
    const unknown = /^Unknown option '([^']*)'/.exec(error.message)?.[1];
    const line = unknown ? `Unknown option ${unknown}; ${seeHelp}.` : error.message;
    throw new AdminError(line.split("\n")[0]);
  }
}

/** The help text: every command with its options. */
export function usage(): string {
  const lines = commandNames.map((name) => {
    const { required, optional, file }: CommandOptions = commandOptions[name];
    const options = [
      ...(file ? ["FILE"] : []),
      ...required.map((one) => `--${one} …`),
      ...optional.map((one) => `[--${one} …]`),
    ];
    return `  npm run --silent admin -- ${[name, ...options].join(" ")}\n`;
  });
  return `Usage:\n${lines.join("")}\n--json prints the result as one JSON value.\n`;
}
