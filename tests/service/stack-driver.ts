import { Log } from "#lib/supervisor/log.ts";
import { Stack } from "#lib/supervisor/stack.ts";
import { onStopSignal } from "#lib/supervisor/stop-signal.ts";

/** The supervisor's stack on the data folder in argv, with stand-ins for web and a runner. */
const dataDir = process.argv[2] ?? "";
const standIn = `${import.meta.dirname}/service-driver.ts`;
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
