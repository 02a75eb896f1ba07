import { fastStart } from "#scripts/setup/node24.mjs";
import { formatBanner } from "./banner.ts";
import { buildIfChanged, stopBuild } from "./build.ts";
import { claimForService, keepSecret } from "./data-folder.ts";
import { readEnvironment, readSandbox } from "./environment.ts";
import { checkListenAddress, localAddress } from "./listen-address.ts";
import { Log } from "./log.ts";
import { Stack } from "./stack.ts";
import { stopLeftoverParts } from "./stale-services.ts";
import { endWithOneLine } from "./start-error.ts";
import { onStopSignal } from "./stop-signal.ts";
import { watchSources } from "./watch-sources.ts";

/** The whole service in one terminal: starts it, keeps it running, stops it in order. */
export async function start({ dev }: { dev: boolean }): Promise<void> {
  let stack: Stack | undefined;
  let log: Log | undefined;
  onStopSignal(async (why) => {
    log?.event("info", "supervisor", `stopping: ${why}`);
    stopBuild();
    await stack?.stop();
  });
  await endWithOneLine(async () => {
    const env = await readEnvironment();
    // Before the sandbox is tried, which works in a part of the folder.
    await claimForService(env.DATA_DIR);
    const sandbox = await readSandbox();
    await stopLeftoverParts(env.DATA_DIR, ["web", "media", "webhooks"]);
    const port = await checkListenAddress(env.PORT, env.HOST);
    if (!dev) await buildIfChanged();
    const url = process.env.APP_URL ? env.APP_URL : `http://localhost:${port}`;
    log = new Log(env.LOG_LEVEL);
    stack = new Stack({
      dataDir: env.DATA_DIR,
      databaseUrl: env.DATABASE_URL,
      variables: {
        ...process.env,
        NODE_ENV: dev ? "development" : "production",
        NEXT_TELEMETRY_DISABLED: "1",
        PORT: String(port),
        APP_URL: url,
        DATA_DIR: env.DATA_DIR,
        SECRET: env.SECRET ?? keepSecret(env.DATA_DIR),
      },
      programs: [
        { name: "web", args: ["scripts/web.ts"] },
        { name: "media", args: [...fastStart, "scripts/runner.ts", "media"] },
        { name: "webhooks", args: [...fastStart, "scripts/runner.ts", "webhooks"] },
      ],
      log,
    });
    const account = await stack.start();
    const localUrl = localAddress(port, env.HOST);
    process.stdout.write(formatBanner({ url, localUrl, sandbox, account }));
    if (dev) watchSources(() => stack?.restartRunners());
  });
}
