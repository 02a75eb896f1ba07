import { Command } from "commander";
import { loadCatalogue, readCachedOperations } from "./catalogue/catalogue.ts";
import { type CatalogueOperation, splitId } from "./catalogue/operation.ts";
import { addAccountCommands } from "./commands/account-commands.ts";
import { addChain, splitChain } from "./commands/chain-command.ts";
import { addJobCommands } from "./commands/job-commands.ts";
import { addGroup } from "./commands/operation-command.ts";
import { addRunCommand, expandRun } from "./commands/run-command.ts";
import { addToolCommands } from "./commands/tool-commands.ts";
import { addWebhookCommands } from "./commands/webhook-commands.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Session } from "./session.ts";
import { type GlobalFlags, readSettings, type Settings } from "./settings/settings.ts";
import { setQuiet } from "./terminal/print.ts";
import { addEndpointCommands } from "./webhooks/endpoint-commands.ts";

export const version = "1.0.0";

/** Commands that name a service or profile that need not exist yet. */
const settingUp = new Set(["login", "profiles"]);

/** Parses the command line and runs the command. Resolves with the exit code. */
export async function runProgram(words: readonly string[]): Promise<number> {
  const args = expandRun(words.map(normalizeFlag));
  const program = createProgram();
  const { operands, unknown } = program.parseOptions([...args]);
  const flags = program.opts<GlobalFlags>();
  setQuiet(flags.quiet ?? false);
  const [name, second] = operands;
  let settings: Promise<Settings> | undefined;
  const session: Session = {
    settings: () => {
      settings ??= readSettings(flags, { mayBeNew: settingUp.has(name ?? "") });
      return settings;
    },
    exitCode: exitCodes.ok,
  };
  const [own, ...steps] = name === "chain" ? splitChain(args) : [args];
  addRunCommand(program);
  addChain(program, session, steps, async () => loadChainable(session, steps));
  // Without a default command, a word that is no command of its group is an error that suggests one.
  const isDefault = second === undefined;
  addJobCommands(program, session, { isDefault });
  addWebhookCommands(program, session);
  addEndpointCommands(program, session, { isDefault });
  addAccountCommands(program, session, { isDefault });
  addToolCommands(program, session);
  const isKnown = program.commands.some((one) => one.name() === name) || name === "help";
  if (name && !isKnown) await addOperations(program, session, name, second);
  else if (!name) await describeGroups(program, session, unknown);
  await program.parseAsync([...own], { from: "user" });
  return session.exitCode;
}

function createProgram(): Command {
  const program = new Command("mediamill")
    .description("Transform video, audio, images and documents.")
    .version(version, "-V, --version", "Print the version.")
    .helpOption("-h, --help", "Show the help of a command.")
    .option("--profile <name>", "The profile of the settings.")
    .option("--api-key <key>", "The API key. Better: login, or MEDIAMILL_API_KEY.")
    .option("--base-url <url>", "The URL of the service. Default: MEDIAMILL_BASE_URL.")
    .option("-q, --quiet", "Write no messages other than warnings and errors.")
    .usage("<command> [options]")
    .showSuggestionAfterError()
    .showHelpAfterError("Add --help to see the flags.")
    .exitOverride();
  return program;
}

/** The operations for a chain; newer ones if the copy on the disk lacks one that a step names. */
async function loadChainable(
  session: Session,
  steps: readonly (readonly string[])[],
): Promise<readonly CatalogueOperation[]> {
  const { baseUrl } = await session.settings();
  const operations = await loadCatalogue(baseUrl);
  const ids = steps.map(([first = "", second]) =>
    first.includes("/") ? first : `${first}/${second}`,
  );
  const hasAll = ids.every((id) => operations.some((one) => one.id === id));
  return hasAll ? operations : loadCatalogue(baseUrl, { isNewest: true });
}

/** Adds the group that the command names, from the catalogue; a newer one if it has no such operation. */
async function addOperations(
  program: Command,
  session: Session,
  group: string,
  name: string | undefined,
): Promise<void> {
  const { baseUrl } = await session.settings();
  const has = (operations: readonly CatalogueOperation[]) =>
    operations.some(({ id }) => id === `${group}/${name}` || (!name && id.startsWith(`${group}/`)));
  let operations = await loadCatalogue(baseUrl);
  if (!has(operations)) operations = await loadCatalogue(baseUrl, { isNewest: true });
  for (const one of groupsOf(operations)) addGroup(program, one, operations, session);
}

/** The groups for the help, without asking the service. */
async function describeGroups(
  program: Command,
  session: Session,
  unknown: readonly string[],
): Promise<void> {
  if (unknown.includes("-V") || unknown.includes("--version")) return;
  const { baseUrl } = await session.settings();
  const operations = (await readCachedOperations(baseUrl)) ?? [];
  const groups = groupsOf(operations);
  const lines = groups.map((group) => {
    const count = operations.filter(({ id }) => splitId(id)[0] === group).length;
    return `  ${group.padEnd(12)} ${count} operations`;
  });
  const listed = lines.length > 0 ? lines : ["  mediamill operations lists them"];
  program.addHelpText(
    "after",
    `\nOperations (mediamill <group> <operation> [files...]):\n${listed.join("\n")}`,
  );
}

function groupsOf(operations: readonly CatalogueOperation[]): string[] {
  return [...new Set(operations.map(({ id }) => splitId(id)[0]))];
}

/** Parameters may be written as in the API: `--page_size` is `--page-size`. */
function normalizeFlag(word: string): string {
  const flag = /^--[a-z][a-z0-9_-]*/.exec(word)?.[0];
  return flag ? flag.replaceAll("_", "-") + word.slice(flag.length) : word;
}
