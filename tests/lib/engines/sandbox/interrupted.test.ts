import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { closeSandbox, currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { forkServer } from "#lib/engines/sandbox/fork-server/command-starter.ts";
import { sandboxServer } from "#lib/engines/sandbox/native/sandbox-server.ts";
import { type SpawnRequest, spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { limitsOf } from "#lib/engines/sandbox/start-command.ts";
import { SandboxEndedError } from "#lib/engines/sandbox/start-copy.ts";
import { startPrepared } from "#lib/engines/sandbox/start-prepared.ts";
import { findZygote } from "#lib/engines/sandbox/zygote/zygotes.ts";
import { isAlive, temporaryFolder, waitUntil } from "#tests/support/processes.ts";
import { engineLimits } from "#tests/support/sandbox/engine-limits.ts";
import { canTrace, killAtStart } from "./kill-at-start.ts";

/** Processes that are killed while they start an engine: it never runs without being known, and never twice. */

afterEach(closeSandbox);

/** Leaves a file with a name of its own. */
const leaveFile = { command: "sh", args: ["-c", "mktemp -p /job"] } as const;

describe("a sandbox that is a copy of a template", () => {
  test.runIf(canTrace())("is known when the process that made it was killed", async () => {
    const folder = await temporaryFolder();
    const start = (request: Pick<SpawnRequest, "command" | "args">) =>
      startPrepared({ ...request, folder }, limitsOf(engineLimits, false), []);
    const first = await start({ command: "true", args: [] });
    if (first) await once(first.child, "close");
    const { started } = await killAtStart(((await sandboxServer()) ?? expect.fail()).pid, "maker");
    const known = await start(leaveFile);
    expect(known?.child.pid).toBe(await started);
    if (known) await once(known.child, "close");
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe("a process of the fork server", () => {
  test.runIf(canTrace())("does not run when the fork server was killed before", async () => {
    const { started } = await killAtStart((await forkServer()).pid, "parent");
    const sandbox = { level: "off", countsProcessesPerSandbox: false, groups: undefined } as const;
    const request = { command: "sleep", args: ["60"], folder: "/usr/share" };
    await expect(spawnProcess(sandbox, request, engineLimits)).rejects.toThrow("has ended");
    const orphan = await started;
    await waitUntil(() => !isAlive(orphan));
  });
});

const { groups } = await currentSandbox();

describe("a start that fails", () => {
  test.runIf(groups)("leaves no process", async () => {
    const sandbox = await currentSandbox();
    const left = spawn("sleep", ["60"]);
    onTestFinished(() => void left.kill("SIGKILL"));
    const ended = once(left, "exit");
    const create = sandbox.groups?.create.bind(sandbox.groups) ?? expect.fail();
    vi.spyOn(sandbox.groups ?? expect.fail(), "create").mockImplementation((limits) => {
      const group = create(limits);
      for (const path of group.processFiles) writeFileSync(path, `${left.pid}`);
      return group;
    });
    const request = { command: "python3", args: [], folder: "/missing", writable: [] };
    const zygotePrograms = new Set(["python3"]);
    await expect(
      spawnProcess({ ...sandbox, zygotePrograms }, request, engineLimits),
    ).rejects.toThrow(SandboxEndedError);
    expect(await ended).toEqual([null, "SIGKILL"]);
  });
});

describe("a copy of a zygote", () => {
  const run = async (args: readonly string[]) => {
    const sandbox = { ...(await currentSandbox()), zygotePrograms: new Set(["python3"]) };
    const folder = await temporaryFolder();
    const running = await spawnProcess(sandbox, { command: "python3", args, folder }, engineLimits);
    return { running, folder };
  };
  const leave = ["-c", "import tempfile; tempfile.mkstemp(dir='/job')"];
  const wait = ["-c", "import time; time.sleep(60)"];

  test.runIf(canTrace())("is known when the process that made it was killed", async () => {
    const { started } = await killAtStart(
      ((await findZygote("python3")) ?? expect.fail()).pid,
      "maker",
    );
    const { running, folder } = await run(leave);
    expect(running.child.pid).toBe(await started);
    await once(running.child, "close");
    expect(readdirSync(folder)).toHaveLength(1);
  });

  test.runIf(canTrace())("does not run when the zygote was killed before", async () => {
    const { started } = await killAtStart(
      ((await findZygote("python3")) ?? expect.fail()).pid,
      "server",
    );
    const { running } = await run(wait);
    const orphan = await started;
    expect(running.child.pid).not.toBe(orphan);
    await waitUntil(() => !isAlive(orphan));
    expect(isAlive(running.child.pid)).toBe(true);
    running.kill();
    await once(running.child, "close");
  });
});
