import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SetupError } from "#lib/setup/command.mjs";
import type { showStep } from "#lib/setup/progress.mjs";
import { buildPackages, packagesAreBuilt } from "#lib/supervisor/start/packages-build.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

const show: typeof showStep = (_title, work) => work(() => {});

/** A project whose build writes a package and, as ours does, one of its own sources. */
async function makeProject(): Promise<string> {
  const root = await temporaryFolder();
  for (const folder of ["packages/sdk/src", "packages/dist", "packages/sdk/dist"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  writeFileSync(join(root, "packages/sdk/src/index.ts"), "");
  const program = `import { writeFileSync } from "node:fs";
    writeFileSync("packages/dist/sdk.tgz", "a package");
    writeFileSync("packages/sdk/src/generated.ts", "made from the operations");`;
  writeFileSync(join(root, "build.mjs"), program);
  return root;
}

test("packages are built when their sources or those of the web app have changed", async () => {
  const root = await makeProject();
  expect(packagesAreBuilt("app", root)).toBe(false);
  await buildPackages("build.mjs", "app", show, root);
  expect(packagesAreBuilt("app", root)).toBe(true);
  expect(packagesAreBuilt("another app", root)).toBe(false);
  writeFileSync(join(root, "packages/sdk/dist/index.js"), "made from the sources");
  expect(packagesAreBuilt("app", root)).toBe(true);
  writeFileSync(join(root, "packages/sdk/src/index.ts"), "changed");
  expect(packagesAreBuilt("app", root)).toBe(false);
});

test("a build that fails leaves the packages as not built, and says why", async () => {
  const root = await makeProject();
  await buildPackages("build.mjs", "app", show, root);
  writeFileSync(join(root, "build.mjs"), "console.error('no space left'); process.exit(1);");
  const error = await buildPackages("build.mjs", "app", show, root).catch((reason) => reason);
  expect(error).toBeInstanceOf(SetupError);
  expect(error.message).toContain("no space left");
  expect(packagesAreBuilt("app", root)).toBe(false);
});
