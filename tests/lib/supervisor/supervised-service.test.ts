import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type PartPlan, SupervisedPart } from "#lib/supervisor/supervised-service.ts";
import { isAlive, temporaryFolder, waitUntil } from "#tests/support/processes.ts";

test("a part that ended before it was ready is started again after growing pauses", async () => {
  const { part, reports, launches } = await makePart("exit 3", { ready: false });
  void part.start();
  await waitUntil(() => launches.length === 4);
  await part.stop(1000);
  const pauses = reports.map((line) => /again in (\S+) s/.exec(line)?.[1]);
  expect(pauses.slice(0, 3)).toEqual(["0.01", "0.02", "0.04"]);
});

test("the pauses are 1, 2, 4 … 30 s unless told otherwise", async () => {
  const { part, reports } = await makePart("exit 3", { ready: false, backOffMs: undefined });
  void part.start();
  await waitUntil(() => reports.length === 2);
  await part.stop(1000);
  expect(reports).toEqual([
    "ended (exit code 3) and is started again in 1 s",
    "ended (exit code 3) and is started again in 2 s",
  ]);
});

test("a part that had been ready is started again at once, under a process id of its own", async () => {
  const { part, pidFile, reports } = await makePart("exec sleep 60");
  await part.start();
  const first = Number(readFileSync(pidFile, "utf8"));
  process.kill(first, "SIGKILL");
  await waitUntil(() => existsSync(pidFile) && Number(readFileSync(pidFile, "utf8")) !== first);
  expect(reports).toContain("ended (SIGKILL) and is started again at once");
  await part.stop(1000);
  expect(existsSync(pidFile)).toBe(false);
});

test("a part that ignores its signal is killed with all that it started", async () => {
  const { part, launches } = await makePart("trap '' TERM; sleep 60 & wait; sleep 60");
  await part.start();
  await part.stop(300);
  await waitUntil(() => !launches.some((pid) => isAlive(-pid)));
});

test("a stop amid a pause ends the pause", async () => {
  const { part, reports } = await makePart("exit 3", { ready: false, backOffMs: () => 60_000 });
  void part.start();
  await waitUntil(() => reports.length === 1);
  await part.stop(1000);
});

async function makePart(
  script: string,
  { ready = true, ...rest }: Partial<Pick<PartPlan, "backOffMs">> & { ready?: boolean } = {},
) {
  const pidFile = join(await temporaryFolder(), "part.pid");
  const reports: string[] = [];
  const launches: number[] = [];
  const part = new SupervisedPart({
    name: "part",
    pidFile,
    backOffMs: (failures) => 5 * 2 ** failures,
    report: (level, message) => level !== "debug" && reports.push(message),
    launch: () => {
      const child = spawn("sh", ["-c", script], { detached: true, stdio: "ignore" });
      launches.push(child.pid ?? 0);
      return { child, ready: ready ? Promise.resolve() : new Promise<void>(() => {}) };
    },
    ...rest,
  });
  onTestFinished(() => part.stop(0));
  return { part, pidFile, reports, launches };
}
