import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { findStaleFiles } from "#scripts/commands/render-catalogue.ts";

const root = join(import.meta.dirname, "../..");

it("the generated files are current: else run `npm run catalogue`", async () => {
  const stale = await findStaleFiles();
  expect(stale.map(({ path }) => path)).toEqual([]);
});

describe.each(operations)("$id", ({ id, sample }) => {
  it("has a test in its folder", () => {
    expect(existsSync(join(root, `lib/operations/${id}/${id.split("/")[1]}.test.ts`))).toBe(true);
  });

  it("has a sample of files that exist", () => {
    for (const name of [...sample.inputs, ...Object.values(sample.files)]) {
      expect(existsSync(join(root, "public/samples/inputs", name)), name).toBe(true);
    }
  });
});
