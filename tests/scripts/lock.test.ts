import { join } from "node:path";
import { expect, test } from "vitest";
import { tryLock, waitForLock } from "#scripts/lock.mjs";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = `${import.meta.dirname}/../../scripts/lock.mjs`;

async function holdElsewhere(file: string): Promise<Program> {
  const program = new Program([
    "--input-type=module",
    "-e",
    `import { tryLock } from ${JSON.stringify(module)};
     process.stdout.write(tryLock(${JSON.stringify(file)}) ? "held" : "taken");
     setInterval(() => {}, 1000);`,
  ]);
  await program.prints("held");
  return program;
}

test("one process holds the lock, and another gets it after its release", async () => {
  const file = join(await temporaryFolder(), "lock");
  const release = tryLock(file);
  expect(release).toBeDefined();
  expect(tryLock(file)).toBeUndefined();
  release?.();
  expect(tryLock(file)).toBeDefined();
});

test("a lock dies with the process that holds it, however that ends", async () => {
  const file = join(await temporaryFolder(), "lock");
  const holder = await holdElsewhere(file);
  expect(tryLock(file)).toBeUndefined();
  let waited = 0;
  const waiting = waitForLock(file, { onWait: () => waited++ });
  holder.child.kill("SIGKILL");
  const release = await waiting;
  expect(waited).toBeLessThanOrEqual(1);
  release();
});
