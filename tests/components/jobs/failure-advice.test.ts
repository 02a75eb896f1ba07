import { describe, expect, it } from "vitest";
import { adviseOn, failsAgain } from "#components/jobs/failure-advice.ts";

describe("advice on a failed job", () => {
  it.each([
    ["unsupported_type", "Operation 2, audio/normalize: the file has no audio.", /file with sound/],
    ["unsupported_type", "The file has no video, only audio.", /Send a video/],
    ["empty", "`start` must be before the end of the audio.", /change start:/],
    ["empty", "The PDF has no pictures.", /does not contain what the operation works on/],
    ["unsupported_type", "The file is not an office document.", /Send a file of a supported type/],
    ["corrupt", "`x` in the file is damaged.", /Open the file in another program/],
  ] as const)("%s, %s", (code, message, advice) => {
    expect(adviseOn(code, message)).toMatch(advice);
  });
});

it("a retry is not the way where the same file must fail again", () => {
  expect(failsAgain("unsupported_type")).toBe(true);
  expect(failsAgain("fetch_timeout")).toBe(false);
  expect(failsAgain(null)).toBe(false);
});
