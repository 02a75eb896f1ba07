import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles } from "#lib/supervisor/start/list-files.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

test("a build depends on sources, not on their tests and not on what was made from them", async () => {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, "image"));
  mkdirSync(join(folder, "dist"));
  const made = ["dist/resize.js", "image/resize.so", "image/resize.bin"];
  for (const file of ["image/resize.ts", "image/resize.test.ts", "plans.ts", ...made]) {
    writeFileSync(join(folder, file), "");
  }
  expect(listFiles(folder)).toEqual([join(folder, "image", "resize.ts"), join(folder, "plans.ts")]);
});
