import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryLock } from "#lib/setup/lock.mjs";
import { keepProject, replaceInProject } from "#lib/setup/project-lock.mjs";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = import.meta.resolve("#lib/setup/project-lock.mjs");

/** A process that uses the build. */
async function startUser(folder: string): Promise<Program> {
  const program = new Program([
    "--input-type=module",
    "-e",
    `import { keepProject } from ${JSON.stringify(module)};
     await keepProject(${JSON.stringify(folder)});
     process.stdout.write("uses it");
     setInterval(() => {}, 1000);`,
  ]);
  await program.waitForOutput("uses it");
  return program;
}

test("a build is not replaced while processes use it, and is once they were killed", async () => {
  const folder = await temporaryFolder();
  const users = [await startUser(folder), await startUser(folder)];
  let builds = 0;
  const replace = () =>
    replaceInProject("The sources have changed", async () => void builds++, folder);
  await expect(replace()).rejects.toMatchObject({
    name: "SetupError",
    message: expect.stringMatching(/^The sources have changed, and a running Mediamill uses .+\.$/),
  });
  expect(builds).toBe(0);
  for (const { child } of users) child.kill("SIGKILL");
  await expect
    .poll(() =>
      replace().then(
        () => builds,
        () => 0,
      ),
    )
    .toBe(1);
});

test("a lock outlives the files of the folder, which Git replaces", async () => {
  const folder = await temporaryFolder();
  const pull = () => {
    writeFileSync(join(folder, "pulled"), "");
    for (const name of ["next.config.ts", "package.json", "package-lock.json"]) {
      renameSync(join(folder, "pulled"), join(folder, name));
      writeFileSync(join(folder, "pulled"), "");
    }
  };
  pull();
  await startUser(folder);
  pull();
  const replaced = replaceInProject("The sources have changed", async () => {}, folder);
  await expect(replaced).rejects.toMatchObject({ name: "SetupError" });
});

test("a build that is being replaced is used by no process, also if that fails", async () => {
  const folder = await temporaryFolder();
  let kept: Promise<() => void> | undefined;
  const replaced = replaceInProject(
    "The sources have changed",
    async () => {
      expect(tryLock(folder, { create: false, shared: true })).toBeUndefined();
      kept = keepProject(folder);
      throw new Error("the build failed");
    },
    folder,
  );
  await expect(replaced).rejects.toThrow("the build failed");
  expect(await kept).toBeDefined();
});
