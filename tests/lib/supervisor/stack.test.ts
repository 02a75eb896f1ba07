import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive, Program, waitUntil } from "#tests/support/processes.ts";

const driver = `${import.meta.dirname}/../../service/stack-driver.ts`;
const names = ["postgres", "web", "media"];
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "mediamill-stack-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test("SIGTERM stops web, then the runners, then the database, and exits with 0; only the first start creates an account", async () => {
  const first = await startStack();
  expect(first.stdout).toContain('"email":"admin@localhost"');
  const pids = readPids();
  const { code, stdout } = await stop(first);
  expect(code).toBe(0);
  const stops = stdout.split("\n").filter((line) => line.includes('"msg":"stopping"'));
  expect(stops.map((line) => JSON.parse(line).service)).toEqual(["web", "media"]);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(names.filter((name) => existsSync(pidFile(name)))).toEqual([]);
  const second = await startStack();
  expect(second.stdout).not.toContain("admin@localhost");
  await stop(second);
});

test("each service that is killed is restarted at once, with the same database URL", async () => {
  const stack = await startStack();
  for (const name of names) {
    const before = readPid(name);
    process.kill(before, "SIGKILL");
    await waitForOtherPid(name, before);
    expect(names.filter((other) => !isAlive(readPid(other)))).toEqual([]);
    await waitUntil(() => acceptsConnections(databaseUrlOf(stack)));
  }
  await stop(stack);
});

test("nothing outlives a kill of the supervisor, and the next start works", async () => {
  const stack = await startStack();
  const pids = readPids();
  stack.child.kill("SIGKILL");
  await waitUntil(() => !pids.some(isAlive), 30_000);
  await stop(await startStack());
});

test("a service that does not respond is replaced, and none is because the whole machine was paused", async () => {
  const stack = await startStack(shortTimes);
  const before = readPids();
  const paused = [stack.child.pid ?? 0, ...before];
  for (const pid of paused) process.kill(pid, "SIGSTOP");
  await wait(2500);
  for (const pid of paused) process.kill(pid, "SIGCONT");
  await wait(1200);
  expect(readPids()).toEqual(before);
  const [web, media] = [readPid("web"), readPid("media")];
  process.kill(media, "SIGSTOP");
  await waitForOtherPid("media", media);
  expect(isAlive(-media)).toBe(false);
  expect(stack.stdout).toContain("media did not respond for 2 s, killing it");
  expect(readPid("web")).toBe(web);
  await stop(stack);
});

/** A service may take only 2 seconds to answer the supervisor. */
const shortTimes = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --conditions=mediamill-test`.trim(),
  TEST_UNRESPONSIVE_SECONDS: "2",
};

async function startStack(variables: Record<string, string> = {}): Promise<Program> {
  const program = new Program([driver, dataDir], variables);
  await program.waitForOutput('"started":true');
  return program;
}

function stop(stack: Program) {
  stack.child.kill("SIGTERM");
  return stack.exited;
}

function pidFile(name: string): string {
  return join(dataDir, "run", `${name}.pid`);
}

function readPid(name: string): number {
  return Number(readFileSync(pidFile(name), "utf8"));
}

/** Resolves when the service has a process other than `before`. */
function waitForOtherPid(name: string, before: number): Promise<void> {
  return waitUntil(() => {
    try {
      const text = readFileSync(pidFile(name), "utf8");
      return text !== "" && Number(text) !== before;
    } catch {
      return false; // the file of the process before was removed
    }
  }, 30_000);
}

function readPids(): number[] {
  return names.map(readPid);
}

/** The URL of the database that the services got. */
function databaseUrlOf(stack: Program): string {
  return /uses (postgres:[^"]+)/.exec(stack.stdout)?.[1] ?? "";
}

async function acceptsConnections(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 1 });
  const reachable = await sql`select 1`.then(
    () => true,
    () => false,
  );
  await sql.end({ timeout: 1 });
  return reachable;
}
