import { describe, expect, it } from "vitest";
import {
  costsBySuite,
  costsOfPlaywright,
  costsOfVitest,
  renderCosts,
  renderSlowest,
  suiteBudgets,
} from "#scripts/commands/test/suite-costs.ts";

const fileOf = (name: string, ms: number, tests: number) => ({
  file: `/project/${name}`,
  tests,
  seconds: ms / 1000,
});

describe("costs of a run", () => {
  it("are summed by suite, in seconds", () => {
    const report = [
      fileOf("tests/api/jobs/jobs.test.ts", 1500, 3),
      fileOf("tests/api/limits.test.ts", 500, 2),
      fileOf("tests/layers.test.ts", 100, 1),
    ];
    expect(costsBySuite(costsOfVitest(report, "/project"))).toEqual([
      expect.objectContaining({ suite: "api", files: 2, tests: 5, seconds: 2 }),
      expect.objectContaining({ suite: "unit", files: 1, tests: 1, seconds: 0.1 }),
    ]);
  });

  it("of the browser are found in nested suites", () => {
    const spec = (duration: number) => ({ tests: [{ results: [{ duration }] }] });
    const report = {
      suites: [
        {
          file: "keys.spec.ts",
          specs: [spec(1000)],
          suites: [{ file: "keys.spec.ts", specs: [spec(500)] }],
        },
      ],
    };
    expect(costsOfPlaywright(report, "tests/e2e")).toEqual([
      { file: "tests/e2e/keys.spec.ts", tests: 2, seconds: 1.5 },
    ]);
  });

  it("over the budget are marked", () => {
    const costs = costsBySuite([{ file: "tests/faults/history.test.ts", tests: 1, seconds: 1e6 }]);
    expect(renderCosts(costs)).toContain("over budget");
  });
});

it("the slowest files are listed, the slowest first", () => {
  const files = Array.from({ length: 12 }, (_, index) =>
    fileOf(`${index}.test.ts`, index * 1000, 1),
  );
  const lines = renderSlowest(costsOfVitest(files, "/project")).split("\n");
  expect(lines.length).toBe(11);
  expect(lines[1]).toMatch(/^ +11 s {2}11\.test\.ts$/);
});

it("all budgets together leave room for set-up within half an hour, with the browser next to four workers", () => {
  const minutesOf = (isCounted: (suite: string) => boolean, workers: number) =>
    suiteBudgets
      .filter(({ suite }) => isCounted(suite))
      .reduce((sum, { seconds }) => sum + seconds / 60 / workers, 0);
  expect(minutesOf((suite) => suite !== "browser", 4)).toBeLessThanOrEqual(21);
  expect(minutesOf((suite) => suite === "browser", 2)).toBeLessThanOrEqual(15);
});
