import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { SetupError } from "#lib/setup/command.mjs";
import { tryLock, waitForLock } from "#lib/setup/lock.mjs";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = import.meta.resolve("#lib/setup/lock.mjs");

/** A process that holds the lock. */
async function startHolder(file: string): Promise<Program> {
  const program = new Program([
    "--input-type=module",
    "-e",
    `import { tryLock } from ${JSON.stringify(module)};
     process.stdout.write(tryLock(${JSON.stringify(file)}) ? "held" : "taken");
     setInterval(() => {}, 1000);`,
  ]);
  await program.waitForOutput("held");
  return program;
}

test("only one holder has the lock, and another one gets it after its release", async () => {
  const file = join(await temporaryFolder(), "lock");
  const release = tryLock(file);
  expect(release).toBeDefined();
  expect(tryLock(file)).toBeUndefined();
  release?.();
  expect(tryLock(file)).toBeDefined();
});

test("a lock is released when its process is killed", async () => {
  const file = join(await temporaryFolder(), "lock");
  const holder = await startHolder(file);
  expect(tryLock(file)).toBeUndefined();
  let waited = 0;
  const waiting = waitForLock(file, { onWait: () => waited++ });
  holder.child.kill("SIGKILL");
  const release = await waiting;
  expect(waited).toBeLessThanOrEqual(1);
  release();
});

test.each([
  [
    "prints why",
    "echo 'flock: 3: No locks available' >&2; exit 71",
    "flock: 3: No locks available",
  ],
  ["prints nothing", "exit 71", "flock exited with 71"],
  ["is missing", undefined, "the program flock (package util-linux) is missing"],
])("where files cannot be locked, the error says so: flock %s", async (_name, flock, reason) => {
  const folder = await temporaryFolder();
  if (flock) writeFileSync(join(folder, "flock"), `#!/bin/sh\n${flock}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = join(folder, "lock");
  expect(() => tryLock(file)).toThrow(new SetupError(`${file} cannot be locked: ${reason}`));
});
