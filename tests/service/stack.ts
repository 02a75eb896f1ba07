import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyDatabase } from "./database/cluster-template.ts";

const root = join(import.meta.dirname, "../..");

export interface Stack {
  readonly url: string;
  readonly dataDir: string;
  /** The key of `admin@localhost`, plan enterprise; empty with `existingDataDir`. */
  readonly apiKey: string;
  readonly process: ChildProcess;
  /** Everything printed so far. */
  readonly output: () => string;
  /** Sends SIGTERM, waits for the exit and deletes all data, unless `keepsData`. Resolves with the exit code. */
  stop(options?: { readonly keepsData?: boolean }): Promise<number | null>;
}

/** Where a service of the tests starts, with which settings. */
interface Start {
  readonly variables: Record<string, string>;
  readonly prefixFor: ((dataDir: string) => readonly string[]) | undefined;
  readonly dataDir: string;
  /** Whether the data folder has no account yet. */
  readonly isFirst: boolean;
}

const createDataDir = () => mkdtemp(join(tmpdir(), "mediamill-stack-"));

/**
 * Starts the service as `npm start` does, with a free port and an empty data folder, and waits until it is
 * ready.
 *
 * @param prefixFor returns command words to put before `node`
 */
export async function startStack(
  variables: Record<string, string> = {},
  prefixFor?: (dataDir: string) => readonly string[],
): Promise<Stack> {
  return startIn({ variables, prefixFor, dataDir: await createDataDir(), isFirst: true });
}

async function startIn({
  variables,
  prefixFor = () => [],
  dataDir,
  isFirst,
}: Start): Promise<Stack> {
  const port = Number(variables.PORT ?? (await freePort()));
  const words = [...prefixFor(dataDir), process.execPath, join(root, "scripts/start.mjs")];
  const [command = process.execPath, ...args] = words;
  const child = spawn(command, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: "info",
      STATUS_CHECKS: "off",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
      appendFileSync(logFileOf(dataDir), chunk);
    });
  }
  const url = `http://localhost:${port}`;
  try {
    await until(async () => {
      if (hasEnded(child)) throw new Error(`the service did not start:\n${output}`);
      return (!isFirst || /mm_live_\w{36}/.test(output)) && (await isReady(url));
    }, 280_000);
  } catch (error) {
    child.kill("SIGTERM");
    throw new Error(`the service did not get ready:\n${output}`, { cause: error });
  }
  return {
    url,
    dataDir,
    apiKey: /mm_live_\w{36}/.exec(output)?.[0] ?? "",
    process: child,
    output: () => output,
    async stop({ keepsData = false } = {}) {
      if (!hasEnded(child)) {
        process.kill(findServiceProcess(child), "SIGTERM");
        await once(child, "exit");
      }
      if (!keepsData) {
        await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
        await rm(logFileOf(dataDir), { force: true });
      }
      return child.exitCode;
    },
  };
}

/**
 * Does what `startStack` does, with one engine of each kind instead of one for each core, without
 * LibreOffice and Chromium, with pages that are loaded when they are opened, and with a database that
 * is there already: for tests that run few jobs and open few pages, where the start would take most of
 * the time. Jobs with pages or office files need the variable `MEDIA_ENGINES: "all"`.
 *
 * @param prefixFor returns command words to put before `node`
 * @param existingDataDir that of a stopped service
 */
export async function startSmallStack(
  variables: Record<string, string> = {},
  prefixFor?: (dataDir: string) => readonly string[],
  existingDataDir?: string,
): Promise<Stack> {
  const small = {
    MEDIA_CONCURRENCY: "1",
    MEDIA_ENGINES: "av",
    MEDIAMILL_PRELOAD_PAGES: "off",
  };
  const all = { ...small, ...variables };
  const isFirst = existingDataDir === undefined;
  const dataDir = existingDataDir ?? (await createDataDir());
  if (isFirst && variables.DATABASE_URL === undefined) await copyDatabase(dataDir);
  return startIn({ variables: all, prefixFor, dataDir, isFirst });
}

/** The file with everything that the service with this data folder has printed. */
export function logFileOf(dataDir: string): string {
  return `${dataDir}.log`;
}

/** Whether it exited or was killed. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The process that runs the service: the child, or the only one that a wrapper program has started. */
function findServiceProcess({ pid = 0 }: ChildProcess): number {
  if (process.platform !== "linux") return pid;
  const [command] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  if (command === process.execPath) return pid;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
}

/** Whether the service is ready for work. */
export async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok;
  } catch {
    return false; // not listening yet
  }
}

/** Waits until `condition` holds; rejects after `timeoutMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not true within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function freePort(): Promise<number> {
  while (true) {
    // Below the ports that Linux gives to outgoing connections: one of them could have it by the time it is used.
    const port = randomInt(10_000, 32_000);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
