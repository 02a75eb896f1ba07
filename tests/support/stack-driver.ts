import { Log } from "#scripts/supervisor/log.ts";
import { Stack } from "#scripts/supervisor/stack.ts";
import { onStopSignal } from "#scripts/supervisor/stop-signal.ts";

/** The supervisor's stack on the data folder in argv, with stand-ins for web and a runner. */
const dataDir = process.argv[2] ?? "";
const standIn = `${import.meta.dirname}/part-driver.ts`;
const stack = new Stack({
  dataDir,
  databaseUrl: undefined,
  variables: { ...process.env, DATA_DIR: dataDir },
  programs: [
    { name: "web", args: [standIn] },
    { name: "media", args: [standIn] },
  ],
  log: new Log("info"),
});
onStopSignal(() => stack.stop());
const account = await stack.start();
process.stdout.write(`${JSON.stringify({ started: true, account })}\n`);
