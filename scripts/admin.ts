import { disconnect } from "#lib/db/client.ts";
import { AdminError, parseCall, usage } from "./admin/arguments.ts";
import { commands } from "./admin/commands.ts";
import { formatTable } from "./admin/table.ts";

/**
 * Runs one operator command for `npm run admin -- <command>`. With `--json`, prints only one JSON
 * value.
 */
async function run(): Promise<string> {
  const call = parseCall(process.argv.slice(2));
  if (call === "help") return usage();
  const result = await commands[call.command](call.options);
  return call.json ? `${JSON.stringify(result)}\n` : formatTable(result);
}

try {
  process.stdout.write(await run());
} catch (error) {
  const line = error instanceof Error ? error.message.split("\n")[0] : String(error);
  process.stderr.write(`${error instanceof AdminError ? line : `The command failed: ${line}`}\n`);
  process.exitCode = 1;
} finally {
  await disconnect();
}
