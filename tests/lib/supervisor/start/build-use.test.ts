import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepBuild, replaceBuild } from "#lib/supervisor/start/build-use.ts";
import { Program, temporaryFolder } from "#tests/support/processes.ts";

const module = import.meta.resolve("#lib/supervisor/start/build-use.ts");

async function makeLockFile(): Promise<string> {
  const file = join(await temporaryFolder(), "next.config.ts");
  writeFileSync(file, "");
  return file;
}

/** A process that uses the build. */
async function startUser(file: string): Promise<Program> {
  const program = new Program([
    "--input-type=module",
    "-e",
    `import { keepBuild } from ${JSON.stringify(module)};
     process.stdout.write(keepBuild(${JSON.stringify(file)}) ? "uses it" : "waits");
     setInterval(() => {}, 1000);`,
  ]);
  await program.waitForOutput("uses it");
  return program;
}

test("a build is not replaced while processes use it, and is once they were killed", async () => {
  const file = await makeLockFile();
  const users = [await startUser(file), await startUser(file)];
  let builds = 0;
  const replace = () => replaceBuild(async () => void builds++, file);
  await expect(replace()).rejects.toMatchObject({
    name: "StartError",
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

test("a build that is being replaced is used by no process, also if that fails", async () => {
  const file = await makeLockFile();
  const replaced = replaceBuild(async () => {
    expect(keepBuild(file)).toBeUndefined();
    throw new Error("the build failed");
  }, file);
  await expect(replaced).rejects.toThrow("the build failed");
  expect(keepBuild(file)).toBeDefined();
});
