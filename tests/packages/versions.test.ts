import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageFiles, packageVersion } from "#lib/api/endpoints/packages/client-packages.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { version as commandVersion } from "#packages/cli/src/program.ts";

const read = (path: string) => readFileSync(join(projectFolder, path), "utf8");

it("all packages have the version of the service", () => {
  const versions = ["", "packages/sdk/", "packages/cli/", "packages/n8n/"].map(
    (folder) => JSON.parse(read(`${folder}package.json`)).version,
  );
  expect(new Set(versions)).toEqual(new Set([packageVersion]));
  expect(commandVersion).toBe(packageVersion);
  expect(read("packages/python/src/mediamill/_version.py")).toBe(
    `__version__ = "${packageVersion}"\n`,
  );
  expect(read("packages/python/README.md")).toContain(`/packages/${packageFiles.python.name}"`);
});
