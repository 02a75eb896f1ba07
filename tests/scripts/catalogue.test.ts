import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operations } from "#lib/operations/catalogue/index.ts";
import { findFault } from "#lib/operations/check-definition.ts";
import { selectStale } from "#scripts/commands/generated-files.ts";
import { renderAll, renderCatalogue } from "#scripts/commands/render-catalogue.ts";

const root = join(import.meta.dirname, "../..");

it("the generated files are current: else run `npm run catalogue`", async () => {
  const stale = await selectStale(await renderCatalogue());
  expect(stale.map(({ path }) => path)).toEqual([]);
});

it("Git has none of the packages' generated files, and ignores each", async () => {
  const inGit = new Set((await renderCatalogue()).map(({ path }) => path));
  const paths = (await renderAll()).map(({ path }) => path).filter((path) => !inGit.has(path));
  expect(paths.length).toBeGreaterThan(10);
  const git = (...args: string[]) =>
    execFileSync("git", [...args, "--", ...paths], { cwd: root, encoding: "utf8" }).trim();
  expect(git("ls-files")).toBe("");
  expect(git("check-ignore").split("\n")).toEqual(paths);
});

describe.each(operations)("$id", (operation) => {
  const { id, sample } = operation;

  it("has a good definition", () => {
    expect(findFault(operation)).toBeUndefined();
  });

  it("has a test in its folder", () => {
    expect(existsSync(join(root, `lib/operations/${id}/${id.split("/")[1]}.test.ts`))).toBe(true);
  });

  it("has a sample of files that exist", () => {
    for (const name of [...sample.inputs, ...Object.values(sample.files)]) {
      expect(existsSync(join(root, "public/samples/inputs", name)), name).toBe(true);
    }
  });
});
