import { expect, it } from "vitest";
import { requestOf } from "#components/jobs/job-request.ts";
import { ticksOf } from "#components/jobs/ticks.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";

const file = (part: string, more: Partial<JobInputFile> = {}): JobInputFile => ({
  part,
  filename: `${part}.bin`,
  contentType: null,
  bytes: null,
  address: null,
  url: null,
  ...more,
});

function details(job: Partial<JobDetails["job"]>, more: Partial<JobDetails>): JobDetails {
  const empty = { operation: "image/sharpen", params: {}, metadata: {}, ...job };
  return {
    // Only what the request is made of.
    job: empty as JobDetails["job"],
    inputs: [file("file")],
    phases: [],
    attempts: 1,
    expiresAt: null,
    hasFiles: true,
    webhookUrl: null,
    ...more,
  };
}

it("a job's request has its parameters, files, notes and webhook", () => {
  const job = { params: { sigma: 2 }, metadata: { order: "17" } };
  const inputs = [file("file"), file("watermark", { address: "https://example.com/a.png" })];
  const asked = requestOf(
    details(job, { inputs, webhookUrl: "https://example.com/hook" }),
    "http://host",
  );
  expect(asked).toEqual({
    operation: "image/sharpen",
    params: { sigma: 2, metadata: { order: "17" }, webhook_url: "https://example.com/hook" },
    input: { file: "file.bin" },
    files: { watermark: { url: "https://example.com/a.png" } },
    baseUrl: "http://host",
  });
});

it("a chain's further files stand among their operation's parameters", () => {
  const operations = [
    { type: "image/sharpen", params: {} },
    { type: "pipeline/video-watermark", params: { scale: 0.2 } },
  ];
  const watermark = file("operations-1-watermark", { address: "https://example.com/a.png" });
  const inputs = [file("file", { address: "https://example.com/film.mp4" }), watermark];
  const asked = requestOf(details({ operation: "chain", params: { operations } }, { inputs }), "");
  expect(asked.input).toEqual({ url: "https://example.com/film.mp4" });
  expect(asked.params.operations).toEqual([
    operations[0],
    {
      type: "pipeline/video-watermark",
      params: { scale: 0.2, watermark_url: "https://example.com/a.png" },
    },
  ]);
});

it.each([
  [479, 100, [0, 100, 200, 300, 400]],
  [1, 0.2, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [61_000, 20_000, [0, 20_000, 40_000, 60_000]],
])("a length of %d ms has a tick each %d ms", (length, step, marks) => {
  const ticks = ticksOf(length);
  expect(ticks.step).toBe(step);
  expect(ticks.marks.map((mark) => Math.round(mark * 10) / 10)).toEqual(marks);
});
