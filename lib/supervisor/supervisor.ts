import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import { runnerStart, webStart } from "#lib/setup/node24.mjs";
import { keepPackages } from "#lib/setup/project-lock.mjs";
import { isAtLeast, LogCollector } from "./logs/log-collector.ts";
import { returnIdleMemory } from "./services/idle-memory.ts";
import { stopStaleServices } from "./services/stop-stale-services.ts";
import { ServiceStack } from "./stack.ts";
import { formatBanner } from "./start/banner.ts";
import { buildIfChanged, stopBuild } from "./start/build.ts";
import { checkSandbox } from "./start/check-sandbox.ts";
import { checkStorage } from "./start/check-storage.ts";
import { lockDataFolderForService } from "./start/data-folder.ts";
import { loadEnvironment } from "./start/environment.ts";
import { chooseListenPort, formatLocalUrl } from "./start/listen-address.ts";
import { loadSecrets } from "./start/secrets.ts";
import { exitOnKnownError } from "./start/start-error.ts";
import { watchSources } from "./start/watch-sources.ts";
import { onStopSignal } from "./stop-signal.ts";

export interface StartOptions {
  readonly dev: boolean;
  /** The programs of the services, and the one that builds the packages, relative to the project folder. */
  readonly programs: Readonly<Record<"web" | "runner" | "packages", string>>;
}

/** Runs the whole installation in one terminal: starts all services, restarts them, stops them in order. */
export async function start({ dev, programs }: StartOptions): Promise<void> {
  let stack: ServiceStack | undefined;
  let log: LogCollector | undefined;
  onStopSignal(async (reason) => {
    log?.release();
    log?.event("info", `stopping: ${reason}`);
    stopBuild();
    await stack?.stop();
  });
  await exitOnKnownError(async () => {
    const env = await loadEnvironment();
    // Before the check of the sandbox, which uses a subfolder.
    await lockDataFolderForService(env.DATA_DIR);
    const sandbox = await checkSandbox();
    await checkStorage(env);
    await stopStaleServices(env.DATA_DIR, ["web", "media", "webhooks"]);
    const port = await chooseListenPort(env);
    // In development, Next.js has a build of its own.
    await (dev ? keepPackages() : buildIfChanged(programs.packages));
    const url = process.env.APP_URL ? env.APP_URL : `http://localhost:${port}`;
    log = new LogCollector(env.LOG_LEVEL);
    stack = new ServiceStack({
      dataDir: env.DATA_DIR,
      databaseUrl: env.DATABASE_URL,
      variables: {
        ...process.env,
        NODE_ENV: dev ? "development" : "production",
        NEXT_TELEMETRY_DISABLED: "1",
        PORT: String(port),
        APP_URL: url,
        DATA_DIR: env.DATA_DIR,
        ...loadSecrets(env),
        // Its services would take the port from each other, and web reports all of them.
        HEALTH_PORT: undefined,
      },
      programs: [
        // The development server of Next.js runs programs with its own arguments.
        { name: "web", args: dev ? [programs.web] : [...webStart, programs.web] },
        { name: "media", args: [...runnerStart, programs.runner, "media"] },
        { name: "webhooks", args: [...runnerStart, programs.runner, "webhooks"] },
      ],
      log,
    });
    log.hold();
    const account = await stack.start();
    // What a person needs of the first start is in the banner.
    const shown = JSON.stringify(describeSandbox(sandbox).join(" "));
    log.release((raw) => {
      return account === undefined || (isAtLeast("warn", raw) && !raw.line.includes(shown));
    });
    const localUrl = formatLocalUrl(port, env.HOST);
    process.stdout.write(formatBanner({ url, localUrl, sandbox, account }));
    returnIdleMemory();
    if (dev) watchSources(() => stack?.restartRunners());
  });
}
