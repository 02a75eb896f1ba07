import { describe, expect, test } from "vitest";
import { EngineError } from "#lib/engines/sandbox/errors.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures.ts";

const engine = "image";

test.each([
  ["a wall clock run out", { timedOut: true }, "timed_out"],
  ["CPU time run out", { signal: "SIGXCPU" }, "timed_out"],
  ["a kill that was not ours", { signal: "SIGKILL" }, "engine_crashed"],
  ["memory used up", { signal: "SIGKILL", outOfMemory: true }, "out_of_memory"],
  [
    "a heap run full",
    { signal: "SIGABRT", stderrTail: "JavaScript heap out of memory" },
    "out_of_memory",
  ],
  ["memory refused", { exitCode: 1, stderrTail: "Cannot allocate memory" }, "out_of_memory"],
  ["a file grown too large", { signal: "SIGXFSZ" }, "too_large"],
  ["a crash", { signal: "SIGSEGV" }, "engine_crashed"],
  ["an exit", { exitCode: 1 }, "engine_crashed"],
  ["endless output", { outputTooLarge: true }, "engine_crashed"],
] as const)("%s", (_, failure, code) => {
  const error = new EngineError({ engine, ...failure });
  expect(translateEngineError(error)).toMatchObject({ name: "JobError", code, cause: error });
});

describe("passes through", () => {
  test.each([
    ["an engine that its caller stopped", new EngineError({ engine, aborted: true })],
    ["a fault of ours", new TypeError("x is not a function")],
  ])("%s", (_, error) => {
    expect(translateEngineError(error)).toBe(error);
  });
});
