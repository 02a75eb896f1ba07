import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type ServicePlan,
  SupervisedService,
} from "#lib/supervisor/services/supervised-service.ts";
import { isAlive, temporaryFolder, waitUntil } from "#tests/support/processes.ts";

test("a service that ended before it was ready is restarted after increasing delays", async () => {
  const { service, reports, launches } = await createService("exit 3", { ready: false });
  void service.start();
  await waitUntil(() => launches.length === 4);
  await service.stop(1000);
  const delays = reports.map((line) => /restarting in (\S+) s/.exec(line)?.[1]);
  expect(delays.slice(0, 3)).toEqual(["0.01", "0.02", "0.04"]);
});

test("the default delays are 1, 2, 4 … 30 s", async () => {
  const { service, reports } = await createService("exit 3", {
    ready: false,
    backoffMs: undefined,
  });
  void service.start();
  await waitUntil(() => reports.length === 2);
  await service.stop(1000);
  expect(reports).toEqual([
    "ended (exit code 3), restarting in 1 s",
    "ended (exit code 3), restarting in 2 s",
  ]);
});

test("a service that was ready is restarted at once, with a new process id", async () => {
  const { service, pidFile, reports } = await createService("exec sleep 60");
  await service.start();
  const first = Number(readFileSync(pidFile, "utf8"));
  process.kill(first, "SIGKILL");
  await waitUntil(() => existsSync(pidFile) && Number(readFileSync(pidFile, "utf8")) !== first);
  expect(reports).toContain("ended (SIGKILL), restarting now");
  await service.stop(1000);
  expect(existsSync(pidFile)).toBe(false);
});

test("a service that ignores its stop signal is killed with its child processes", async () => {
  const { service, launches } = await createService("trap '' TERM; sleep 60 & wait; sleep 60");
  await service.start();
  await service.stop(300);
  await waitUntil(() => !launches.some((pid) => isAlive(-pid)));
});

test("a stop during a restart delay ends the delay", async () => {
  const { service, reports } = await createService("exit 3", {
    ready: false,
    backoffMs: () => 60_000,
  });
  void service.start();
  await waitUntil(() => reports.length === 1);
  await service.stop(1000);
});

async function createService(
  script: string,
  { ready = true, ...rest }: Partial<Pick<ServicePlan, "backoffMs">> & { ready?: boolean } = {},
) {
  const pidFile = join(await temporaryFolder(), "service.pid");
  const reports: string[] = [];
  const launches: number[] = [];
  const service = new SupervisedService({
    name: "service",
    pidFile,
    backoffMs: (failures) => 5 * 2 ** failures,
    report: (level, message) => level !== "debug" && reports.push(message),
    launch: () => {
      const child = spawn("sh", ["-c", script], { detached: true, stdio: "ignore" });
      launches.push(child.pid ?? 0);
      return { child, ready: ready ? Promise.resolve() : new Promise<void>(() => {}) };
    },
    ...rest,
  });
  onTestFinished(() => service.stop(0));
  return { service, pidFile, reports, launches };
}
