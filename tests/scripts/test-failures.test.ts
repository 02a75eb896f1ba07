import { expect, test } from "vitest";
import {
  playwrightErrors,
  playwrightFailures,
  renderFailures,
  vitestFailures,
} from "#scripts/commands/test/test-failures.ts";

test("failed tests, files that could not be loaded, and tests that passed when tried again are listed", () => {
  const report = {
    testResults: [
      {
        name: "/project/tests/a.test.ts",
        status: "failed",
        assertionResults: [
          { fullName: " adds", status: "passed", failureMessages: [] },
          {
            fullName: " divides",
            status: "failed",
            failureMessages: ["Error: by zero\n    at a:1"],
          },
          { fullName: " waits", status: "passed", failureMessages: ["Error: too slow"] },
        ],
      },
      {
        name: "/project/tests/b.test.ts",
        status: "failed",
        message: "Cannot find module",
        assertionResults: [],
      },
    ],
  };
  const failures = vitestFailures(report, "/project");
  expect(renderFailures(failures)).toBe(
    [
      "Passed only when tried again:",
      "  tests/a.test.ts > waits",
      "    Error: too slow",
      "",
      "Failed:",
      "  tests/a.test.ts > divides",
      "    Error: by zero",
      "        at a:1",
      "  tests/b.test.ts > (the file)",
      "    Cannot find module",
      "",
    ].join("\n"),
  );
});

test("browser tests are found in nested suites", () => {
  const spec = (title: string, status: string) => ({
    title,
    tests: [{ status, results: [{ errors: [{ message: `${title} broke` }] }] }],
  });
  const report = {
    suites: [
      {
        file: "a.spec.ts",
        specs: [spec("first", "expected")],
        suites: [
          { file: "a.spec.ts", specs: [spec("second", "unexpected"), spec("third", "flaky")] },
        ],
      },
    ],
  };
  expect(playwrightFailures(report, "tests/e2e")).toEqual([
    {
      file: "tests/e2e/a.spec.ts",
      name: "second",
      message: "second broke",
      passedWhenTriedAgain: false,
    },
    {
      file: "tests/e2e/a.spec.ts",
      name: "third",
      message: "third broke",
      passedWhenTriedAgain: true,
    },
  ]);
});

test("without failures nothing is said", () => {
  expect(renderFailures([])).toBe("");
});

test("errors outside of browser tests are found", () => {
  expect(playwrightErrors({ suites: [] })).toEqual([]);
  const errors = [{ message: "Error: no service", stack: "Error: no service\n    at a:1" }];
  expect(playwrightErrors({ suites: [], errors })).toEqual(["Error: no service\n    at a:1"]);
});
