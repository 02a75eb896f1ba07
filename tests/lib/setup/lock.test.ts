import { join } from "node:path";
import { expect, test } from "vitest";
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
