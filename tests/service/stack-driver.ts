import { LogCollector } from "#lib/supervisor/logs/log-collector.ts";
import { ServiceStack } from "#lib/supervisor/stack.ts";
import { onStopSignal } from "#lib/supervisor/stop-signal.ts";

/** The supervisor's stack on the data folder in argv, with placeholders for web and a runner. */
const dataDir = process.argv[2] ?? "";
const placeholder = `${import.meta.dirname}/service-driver.ts`;
const stack = new ServiceStack({
  dataDir,
  databaseUrl: undefined,
  variables: { ...process.env, DATA_DIR: dataDir },
  programs: [
    { name: "web", args: [placeholder] },
    { name: "media", args: [placeholder] },
  ],
  log: new LogCollector("info"),
});
onStopSignal(() => stack.stop());
const account = await stack.start();
process.stdout.write(`${JSON.stringify({ started: true, account })}\n`);
