import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createMemoryFolder } from "#scripts/commands/test/memory-folder.ts";

const sharedMemory = "/dev/shm";

/** Whether programs can be started from `folder`. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, "program");
  writeFileSync(path, "#!/bin/sh\nexit 7\n");
  chmodSync(path, 0o755);
  return spawnSync(path).status === 7;
}

/** Whether `/dev/shm` can hold the temporary files of programs. */
function isUsable(): boolean {
  try {
    const folder = mkdtempSync(join(sharedMemory, "mediamill-try-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return process.platform === "linux" && runsPrograms(folder);
  } catch {
    return false;
  }
}

it("is created where it may hold programs, and what a killed run left is removed", () => {
  const usable = isUsable();
  const { pid } = spawnSync("true");
  const stale = `mediamill-tests-${pid}-killed`;
  if (usable) mkdirSync(join(sharedMemory, stale, "data"), { recursive: true });
  const folder = createMemoryFolder(1);
  if (folder) onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect([folder !== undefined, folder !== undefined && runsPrograms(folder)]).toEqual([
    usable,
    usable,
  ]);
  if (usable) expect(readdirSync(sharedMemory)).not.toContain(stale);
});

it("is not created with too little space", () => {
  expect(createMemoryFolder(2 ** 60)).toBeUndefined();
});
