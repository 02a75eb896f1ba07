import { parseArgs } from "node:util";
import { disconnect } from "#lib/db/client.ts";
import { AdminError, commands, usage } from "./admin/commands.ts";

/** `npm run admin -- <command>`: one command for the operator; `--json` prints one JSON value alone. */
const optionNames = ["email", "plan", "password", "name", "id"] as const;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      ...Object.fromEntries(optionNames.map((name) => [name, { type: "string" } as const])),
    },
  });
  const command = commands.get(positionals.join(" "));
  if (!command) throw new AdminError(usage());
  const options: Record<string, string> = {};
  for (const name of optionNames) {
    const value = (values as Record<string, unknown>)[name];
    if (typeof value !== "string") continue;
    if (!command.options.includes(name))
      throw new AdminError(`${positionals.join(" ")} takes no --${name}.`);
    options[name] = value;
  }
  const missing = command.required.find((name) => !options[name]);
  if (missing) throw new AdminError(`--${missing} is required.`);
  const answer = await command.run(options);
  process.stdout.write(values.json ? `${JSON.stringify(answer)}\n` : command.show(answer));
}

try {
  await run();
} catch (error) {
  // parseArgs tells of an unknown option by an error with a code; all others but ours are bugs.
  const expected = error instanceof AdminError || (error instanceof Error && "code" in error);
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `${expected ? message.split("\n")[0] : `The command failed: ${message.split("\n")[0]}`}\n`,
  );
  process.exitCode = 1;
} finally {
  await disconnect();
}
