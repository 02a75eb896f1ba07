import { describe, expect, it } from "vitest";
import { EngineError } from "#lib/engines/sandbox/errors.ts";
import { JobError } from "#lib/errors.ts";
import { judgeFailure } from "#lib/jobs/run/failures.ts";
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
])("%s is the caller's: fails at once", (_what, error) => {
  expect(judgeFailure(error, job(1))).toMatchObject({ kind: "fail", code: error.code });
});

it("an engine that crashed gets one more try, what is ours three in all", () => {
  const kinds = (error: Error) =>
    [1, 2, 3].map((attempts) => judgeFailure(error, job(attempts)).kind);
  expect(kinds(new EngineError({ engine: "ffmpeg", exitCode: 139 }))).toEqual([
    "retry",
    "fail",
    "fail",
  ]);
  expect(kinds(new Error("a mistake of ours"))).toEqual(["retry", "retry", "fail"]);
});

const away: [what: string, error: Error][] = [
  ["a disk without room", withCode("ENOSPC")],
  ["a quota that is used up", caused(withCode("EDQUOT"))],
  ["a store that is away", new UnavailableError("away")],
  [
    "an engine on a full disk",
    new UnavailableError("full", { cause: new JobError("corrupt", "…") }),
  ],
  ["a database that refuses connections", caused(withCode("ECONNREFUSED"))],
  ["a database without room", caused(withCode("53100"))],
  ["a database that is taken over", caused(withCode("25006"))],
];

describe.each(away)("%s", (_what, error) => {
  it("is waited for, whatever number of tries the job has had", () => {
    for (const attempts of [1, 3, 30]) {
      expect(judgeFailure(error, job(attempts))).toMatchObject({ kind: "wait" });
    }
  });
});

it("the wait is seconds at first, five minutes at most, and ends after a day", () => {
  const waits = [1, 60, 3600, 80_000].map((age) => {
    const verdict = judgeFailure(new UnavailableError("away"), job(1, age));
    return verdict.kind === "wait" ? verdict.delaySeconds : Number.NaN;
  });
  for (const [index, most] of [4, 30, 300, 300].entries()) {
    expect(waits[index]).toBeLessThanOrEqual(most);
    expect(waits[index]).toBeGreaterThanOrEqual(most / 2);
  }
  expect(judgeFailure(new UnavailableError("away"), job(3, 90_000))).toMatchObject({
    kind: "fail",
    code: "internal",
  });
});
