import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  changeRules,
  describeLeftOut,
  removeNested,
  selectByRules,
} from "#scripts/commands/test/changed-tests.ts";

const root = join(import.meta.dirname, "../..");

function testsFor(...changedFiles: string[]): string[] {
  return selectByRules(changedFiles).map(({ tests }) => tests);
}

const textTests = ["tests/layers.test.ts", "tests/vocabulary.test.ts"];

describe("the rules", () => {
  it.each(changeRules)("of $changed refer to existing files and folders", ({ changed, tests }) => {
    for (const path of [changed, ...tests]) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
  });

  it("cover every folder of the service's code", () => {
    const libraries = readdirSync(join(root, "lib"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `lib/${name}/`);
    const covered = changeRules.map(({ changed }) => changed);
    expect(covered).toEqual(
      expect.arrayContaining([...libraries, "app/", "components/", "inngest/", "scripts/"]),
    );
  });
});

describe("changed files select", () => {
  it("nothing without changes", () => {
    expect(testsFor()).toEqual([]);
  });

  it.each([
    ["app/v1/[[...path]]/route.ts", ["tests/api", "tests/e2e"]],
    ["components/jobs/table.tsx", ["tests/e2e"]],
    ["lib/ids.ts", ["tests/api"]],
    ["lib/quotas/reserve.ts", ["tests/api/limits.test.ts", "tests/api/quotas.test.ts"]],
    ["scripts/web.ts", ["tests/api", "tests/faults", "tests/lib/supervisor", "tests/scripts"]],
    ["tests/e2e/keys.spec.ts", ["tests/e2e/keys.spec.ts"]],
    ["lib/ids.test.ts", []],
    [".gitignore", []],
  ])("%s selects %j", (file, tests) => {
    expect(testsFor(file)).toEqual([...tests, ...textTests].sort());
  });

  it("names the changed files as reasons, once each", () => {
    const selected = selectByRules(["scripts/web.ts", "scripts/runner.ts"]);
    expect(selected.find(({ tests }) => tests === "tests/faults")?.because).toEqual([
      "scripts/web.ts",
      "scripts/runner.ts",
    ]);
  });
});

it("a file in a selected folder is not listed again", () => {
  const paths = [
    "tests/api",
    "tests/api/jobs/jobs.test.ts",
    "tests/apidocs",
    "tests/lib",
    "tests/api",
  ];
  expect(removeNested(paths)).toEqual(["tests/api", "tests/apidocs", "tests/lib"]);
});

describe("what a selection leaves out", () => {
  const all = [
    "tests/api/jobs/jobs.test.ts",
    "tests/api/bad-requests/errors.test.ts",
    "tests/e2e/keys.spec.ts",
  ];

  it("is counted by suite", () => {
    expect(describeLeftOut(all, ["tests/api/jobs/jobs.test.ts"])).toBe(
      [
        "Left out, because no rule and no import leads to them:",
        "  api: 1 of 2 test files",
        "  browser: 1 of 1 test files",
      ].join("\n"),
    );
  });

  it("is nothing if all are selected", () => {
    expect(describeLeftOut(all, ["tests/api", "tests/e2e/keys.spec.ts"])).toBeUndefined();
  });
});
