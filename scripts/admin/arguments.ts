import { parseArgs } from "node:util";

/** What an operator may ask for. Apart from what the commands do, so that help needs no database. */

/** A mistake of the operator's; its message is the one line to print. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

interface CommandOptions {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** Every command by its words, with the options that it takes. */
const commandOptions = {
  "account create": { required: ["email"], optional: ["plan", "password"] },
  "account set-plan": { required: ["email", "plan"], optional: [] },
  "account set-password": { required: ["email", "password"], optional: [] },
  "account list": { required: [], optional: [] },
  "key create": { required: ["email"], optional: ["name"] },
  "key revoke": { required: ["id"], optional: [] },
  "key list": { required: ["email"], optional: [] },
  "webhook-secret": { required: ["email"], optional: [] },
} as const satisfies Record<string, CommandOptions>;

export type CommandName = keyof typeof commandOptions;

/** A command with all that it needs. */
export interface Call {
  readonly command: CommandName;
  readonly options: Readonly<Record<string, string>>;
  /** Whether the answer is one JSON value alone. */
  readonly json: boolean;
}

const words = Object.keys(commandOptions) as CommandName[]; // what Object.keys gives are its keys
const seeHelp = "npm run --silent admin -- --help lists them all";

/** The call, or `help` where that is asked for. Throws `AdminError`. */
export function parseCall(args: readonly string[]): Call | "help" {
  const { values, positionals } = readArguments(args);
  if (values.help) return "help";
  const asked = positionals.join(" ");
  if (asked === "") throw new AdminError(`A command is missing; ${seeHelp}.`);
  const command = words.find((name) => name === asked);
  if (!command) throw new AdminError(`There is no command ${asked}; ${seeHelp}.`);
  const { required, optional }: CommandOptions = commandOptions[command];
  const options: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "string") continue;
    if (![...required, ...optional].includes(name)) {
      throw new AdminError(`${command} takes no --${name}.`);
    }
    options[name] = value;
  }
  const missing = required.find((name) => !options[name]);
  if (missing) throw new AdminError(`--${missing} is required.`);
  return { command, options, json: values.json === true };
}

function readArguments(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flags = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const options = { email: text, plan: text, password: text, name: text, id: text, ...flags };
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    // Behind the option's name Node tells how to write a word that begins like one.
    const unknown = /^Unknown option '([^']*)'/.exec(error.message)?.[1];
    const line = unknown ? `There is no option ${unknown}; ${seeHelp}.` : error.message;
    throw new AdminError(line.split("\n")[0]);
  }
}

/** Every command with its options, a line each. */
export function usage(): string {
  const lines = words.map((name) => {
    const { required, optional }: CommandOptions = commandOptions[name];
    const options = [
      ...required.map((one) => `--${one} …`),
      ...optional.map((one) => `[--${one} …]`),
    ];
    return `  npm run --silent admin -- ${[name, ...options].join(" ")}\n`;
  });
  return `Usage:\n${lines.join("")}\n--json prints the answer as one JSON value.\n`;
}
