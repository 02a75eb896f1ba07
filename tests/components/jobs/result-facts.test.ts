import { describe, expect, it } from "vitest";
import { describeChange, resultFacts } from "#components/jobs/explain/result-facts.ts";
import type { JobDetails } from "#lib/jobs/view/details.ts";

const file = {
  part: "file",
  filename: "a.jpg",
  contentType: "image/jpeg",
  sourceUrl: null,
  url: null,
};

function details(
  outputs: object[],
  result: object | null = null,
  inputs = [{ ...file, bytes: 1000 }],
  phases: object[] = [],
) {
  // Only what the facts read.
  return { job: { outputs, result }, inputs, phases } as unknown as JobDetails;
}

describe("what a job has changed", () => {
  it.each([
    [1000, 1000, "the same size"],
    [1000, 260, "74% smaller"],
    [1000, 1120, "12% larger"],
    [1000, 985, "1.5% smaller"],
    [100_000, 99_999, "less than 0.1% smaller"],
    [1_000_000, 1, "more than 99% smaller"],
    [1000, 25_000, "25 times as large"],
  ])("%i bytes that become %i are %s", (before, after, text) => {
    expect(describeChange(before, after)).toBe(text);
  });

  it("size, dimensions and duration for one input and one output", () => {
    const output = { bytes: 260, content_type: "image/webp", width: 320, height: 240, duration: 2 };
    expect(resultFacts(details([output]), { width: 640, height: 480, duration: 4 })).toEqual([
      ["Size", "1 kB → 260 B, 74% smaller"],
      ["Dimensions", "640 × 480 → 320 × 240"],
      ["Duration", "4.0 s → 2.0 s"],
    ]);
    expect(resultFacts(details([output, output]), undefined)).toEqual([]);
    expect(
      resultFacts(details([{ ...output, content_type: "application/json" }]), undefined),
    ).toEqual([]);
  });

  it("the speed of a long job on a video or audio file", () => {
    const factsOf = (ms: number, duration?: number) => {
      const times = { from: new Date(0).toISOString(), to: new Date(ms).toISOString() };
      const before = duration === undefined ? {} : { duration };
      return resultFacts(details([], null, [], [{ name: "working", ...times }]), before);
    };
    expect(factsOf(10_000, 23)).toEqual([["Speed", "2.3 × real time"]]);
    expect(factsOf(60_000, 24)).toEqual([["Speed", "0.4 × real time"]]);
    expect(factsOf(4000, 600)).toEqual([["Speed", "150 × real time"]]);
    expect([...factsOf(2000, 600), ...factsOf(10_000)]).toEqual([]);
  });

  it("compares sizes only within a kind of file", () => {
    const output = { bytes: 6420, content_type: "application/pdf" };
    const input = { ...file, contentType: "text/html", bytes: 14 };
    expect(resultFacts(details([output], null, [input]), undefined)).toEqual([
      ["Size", "14 B → 6.42 kB"],
    ]);
  });

  it("loudness and similarity of the result", () => {
    const loudness = (lufs: number | null) => ({
      integrated_lufs: lufs,
      loudness_range_lu: 2,
      true_peak_dbtp: -1,
    });
    const result = { before: loudness(null), after: loudness(-14), ssim: 0.98214 };
    expect(resultFacts(details([], result), undefined)).toEqual([
      ["Loudness", "silence → -14 LUFS"],
      ["Loudness range", "2 LU → 2 LU"],
      ["True peak", "-1 dBTP → -1 dBTP"],
      ["Similarity", "SSIM 0.9821; 1 is identical to the input"],
    ]);
  });
});
