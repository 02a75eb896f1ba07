import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { metricsToken } from "./service.ts";
import { freePort, hasEnded, until } from "./stack.ts";

const root = join(import.meta.dirname, "../..");

export interface NextAlone {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts Next.js without our HTTP server on the database and files of a running service, as a serverless
 * host runs it: with one connection to the database, so that no request may need two.
 */
export async function startNextAlone(service: {
  readonly url: string;
  readonly dataDir: string;
}): Promise<NextAlone> {
  const port = await freePort();
  const next = join(root, "node_modules/next/dist/bin/next");
  const child: ChildProcess = spawn(process.execPath, [next, "start", "-p", String(port)], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NODE_OPTIONS: "",
      DATABASE_URL: await findRunningDatabase(service.dataDir),
      DATABASE_POOL: "1",
      DATA_DIR: service.dataDir,
      SECRET: readFileSync(join(service.dataDir, "secret"), "utf8").trim(),
      APP_URL: service.url,
      METRICS_TOKEN: metricsToken,
      STATUS_CHECKS: "off",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const url = `http://localhost:${port}`;
  await until(async () => {
    if (hasEnded(child)) throw new Error(`Next.js did not start:\n${output}`);
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }, 60_000);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      if (!hasEnded(child)) await once(child, "exit");
    },
  };
}
