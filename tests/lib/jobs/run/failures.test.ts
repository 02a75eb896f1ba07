import { describe, expect, it } from "vitest";
import { EngineError } from "#lib/engines/sandbox/failures/errors.ts";
import { JobError } from "#lib/errors.ts";
import { classifyFailure } from "#lib/jobs/run/failures.ts";
import { UnavailableError } from "#lib/unavailable.ts";

const withCode = (code: string) => Object.assign(new Error("words"), { code });
const caused = (cause: unknown) => new Error("Failed query", { cause });
const job = (attempts: number, ageSeconds = 1) => ({
  attempts,
  createdAt: new Date(Date.now() - ageSeconds * 1000),
});

it.each([
  [
    "a source that cannot be reached",
    new JobError("fetch_failed", "…", { cause: withCode("ECONNREFUSED") }),
  ],
  ["a corrupt file", new JobError("corrupt", "…")],
])("%s is the caller's fault and fails at once", (_what, error) => {
  expect(classifyFailure(error, job(1))).toMatchObject({ kind: "fail", code: error.code });
});

it("a crashed engine gets one retry, an internal error two", () => {
  const kinds = (error: Error) =>
    [1, 2, 3].map((attempts) => classifyFailure(error, job(attempts)).kind);
  expect(kinds(new EngineError({ engine: "ffmpeg", exitCode: 139 }))).toEqual([
    "retry",
    "fail",
    "fail",
  ]);
  expect(kinds(new Error("a bug"))).toEqual(["retry", "retry", "fail"]);
});

const unavailable: [what: string, error: Error][] = [
  ["a full disk", withCode("ENOSPC")],
  ["an exhausted disk quota", caused(withCode("EDQUOT"))],
  ["an unavailable store", new UnavailableError("unavailable")],
  [
    "an engine on a full disk",
    new UnavailableError("full", { cause: new JobError("corrupt", "…") }),
  ],
  ["a database that refuses connections", caused(withCode("ECONNREFUSED"))],
  ["a database with a full disk", caused(withCode("53100"))],
  ["a database during a failover", caused(withCode("25006"))],
];

describe.each(unavailable)("%s", (_what, error) => {
  it("makes the job wait after any number of attempts", () => {
    for (const attempts of [1, 3, 30]) {
      expect(classifyFailure(error, job(attempts))).toMatchObject({ kind: "wait" });
    }
  });
});

it("the delay starts with seconds, grows to five minutes, and waiting ends after a day", () => {
  const waits = [1, 60, 3600, 80_000].map((age) => {
    const decision = classifyFailure(new UnavailableError("unavailable"), job(1, age));
    return decision.kind === "wait" ? decision.delaySeconds : Number.NaN;
  });
  for (const [index, most] of [4, 30, 300, 300].entries()) {
    expect(waits[index]).toBeLessThanOrEqual(most);
    expect(waits[index]).toBeGreaterThanOrEqual(most / 2);
  }
  expect(classifyFailure(new UnavailableError("unavailable"), job(3, 90_000))).toMatchObject({
    kind: "fail",
    code: "internal",
  });
});
