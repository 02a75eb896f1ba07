import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "#lib/supervisor/start/list-files.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

test("a build depends on sources, not on their tests", async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, "image"));
  for (const file of ["image/resize.ts", "image/resize.test.ts", "plans.ts"]) {
    writeFileSync(join(folder, file), "");
  }
  expect(listFiles(folder)).toEqual([join(folder, "image", "resize.ts"), join(folder, "plans.ts")]);
});
