import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fastStart } from "#lib/setup/node24.mjs";
import { freePort, until } from "./stack.ts";

const root = join(import.meta.dirname, "../..");

/** The API without pages, and a media runner. Both need no build of the web app. */
export interface BareService {
  readonly url: string;
  /** Kills the runner, as if the machine had failed, and stops the API. */
  kill(): Promise<void>;
}

/** Starts both with these variables in addition to those of the test. */
export async function startBareService(
  variables: Readonly<Record<string, string>>,
  { withRunner = true }: { readonly withRunner?: boolean } = {},
): Promise<BareService> {
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    APP_URL: url,
    SANDBOX: "off",
    ...variables,
    NODE_ENV: "production" as const,
  };
  const start = (...args: string[]) =>
    spawn(process.execPath, [...fastStart, ...args], {
      cwd: root,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  const children: ChildProcess[] = [
    start(join(root, "tests/release/api-server.ts"), root, port),
    ...(withRunner ? [start("scripts/runner.ts", "media")] : []),
  ];
  const kill = async () => {
    const alive = children.filter((child) => child.exitCode === null && child.signalCode === null);
    const exits = alive.map((child) => once(child, "exit"));
    for (const child of alive) child.kill("SIGKILL");
    await Promise.all(exits);
  };
  const isHealthy = async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.ok ?? false;
  try {
    await until(isHealthy, 120_000);
  } catch (error) {
    // The test would wait for them.
    await kill();
    throw error;
  }
  return { url, kill };
}

/** Runs an admin command on the database and the data folder of `variables`; the last line of stderr if it fails. */
export async function runBareAdmin(
  variables: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, ...variables, NODE_ENV: "production" as const };
  const child = spawn(process.execPath, [...fastStart, "scripts/admin.ts", ...args, "--json"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr };
}
