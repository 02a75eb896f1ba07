import { describe, expect, it } from "vitest";
import { adviseOn, failsAgain, needsUnlock } from "#components/jobs/failure-advice.ts";

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

it.each([
  ["document/rotate-pdf", "The PDF is protected by a password.", "application/pdf", true],
  ["chain", "Operation 1, document/rotate-pdf: the PDF is protected.", "application/pdf", true],
  ["chain", "Operation 2, document/rotate-pdf: the PDF is protected.", "application/pdf", false],
  ["document/unlock-pdf", "The password is not the password of the PDF.", "application/pdf", false],
  ["document/doc-to-pdf", "The document is protected by a password.", "application/msword", false],
])("%s, %s: to unlock the file first helps a %s: %s", (operation, error, type, helps) => {
  expect(needsUnlock({ operation, error, error_code: "encrypted" }, [type])).toBe(helps);
  expect(needsUnlock({ operation, error, error_code: "corrupt" }, [type])).toBe(false);
});
