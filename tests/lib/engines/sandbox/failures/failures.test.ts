import { describe, expect, test } from "vitest";
import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { translateEngineError } from "#lib/engines/sandbox/failures/failures.ts";

const engine = "image";

test.each([
  ["a timeout", { timedOut: true }, "timed_out"],
  ["exceeded CPU time", { signal: "SIGXCPU" }, "timed_out"],
  ["a kill by the system", { signal: "SIGKILL" }, "engine_crashed"],
  ["exceeded memory", { signal: "SIGKILL", outOfMemory: true }, "out_of_memory"],
  [
    "a full heap",
    { signal: "SIGABRT", stderrTail: "JavaScript heap out of memory" },
    "out_of_memory",
  ],
  ["a failed allocation", { exitCode: 1, stderrTail: "Cannot allocate memory" }, "out_of_memory"],
  ["a file above the size limit", { signal: "SIGXFSZ" }, "too_large"],
  ["a crash", { signal: "SIGSEGV" }, "engine_crashed"],
  ["a failed exit", { exitCode: 1 }, "engine_crashed"],
  ["too much output", { outputTooLarge: true }, "engine_crashed"],
  ["an invalid reply", { invalidReply: true }, "engine_crashed"],
] as const)("%s", (_, failure, code) => {
  const error = new EngineError({ engine, ...failure });
  expect(translateEngineError(error)).toMatchObject({ name: "JobError", code, cause: error });
});

describe("returns unchanged", () => {
  test.each([
    ["an engine that its caller aborted", new EngineError({ engine, aborted: true })],
    ["an internal error", new TypeError("x is not a function")],
  ])("%s", (_, error) => {
    expect(translateEngineError(error)).toBe(error);
  });
});
