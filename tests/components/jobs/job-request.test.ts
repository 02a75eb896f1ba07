import { expect, it } from "vitest";
import { toSnippetRequest } from "#components/jobs/job-request.ts";
import { timelineTicks } from "#components/jobs/timeline/timeline-ticks.ts";
import type { JobDetails, JobInputFile } from "#lib/jobs/view/details.ts";

const file = (part: string, more: Partial<JobInputFile> = {}): JobInputFile => ({
  part,
  filename: `${part}.bin`,
  contentType: null,
  bytes: null,
  sourceUrl: null,
  url: null,
  ...more,
});

function details(job: Partial<JobDetails["job"]>, more: Partial<JobDetails>): JobDetails {
  const empty = { operation: "image/unknown", params: {}, metadata: {}, ...job };
  return {
    // Only the fields that the request uses.
    job: empty as JobDetails["job"],
    inputs: [file("file")],
    phases: [],
    steps: [],
    attempts: 1,
    networkBytes: 0,
    expiresAt: null,
    hasFiles: true,
    isExported: false,
    webhookUrl: null,
    ...more,
  };
}

it("a job's request has its parameters, files, metadata and webhook", () => {
  const watermark_url = "https://example.com/a.png";
  const job = { params: { sigma: 2, watermark_url }, metadata: { order: "17" } };
  const inputs = [file("file"), file("watermark", { sourceUrl: watermark_url })];
  const request = toSnippetRequest(
    details(job, { inputs, webhookUrl: "https://example.com/hook" }),
    "http://host",
  );
  expect(request).toEqual({
    operation: "image/unknown",
    params: { sigma: 2, metadata: { order: "17" }, webhook_url: "https://example.com/hook" },
    input: { file: "file.bin" },
    files: { watermark: { url: watermark_url } },
    baseUrl: "http://host",
  });
});

it("several inputs are in their order, also past the ninth, and apart from additional files", () => {
  const parts = ["audio", "file-2", "file-10", "file-3", "file"];
  const request = toSnippetRequest(details({}, { inputs: parts.map((part) => file(part)) }), "");
  expect(request.input).toBeUndefined();
  expect(request.inputs).toEqual(
    ["file", "file-2", "file-3", "file-10"].map((part) => ({ file: `${part}.bin` })),
  );
  expect(request.files).toEqual({ audio: { file: "audio.bin" } });
});

it("a chain's additional files are parameters of their operation", () => {
  const watermark_url = "https://example.com/a.png";
  const operations = [
    { type: "image/sharpen", params: {} },
    { type: "pipeline/video-watermark", params: { scale: 0.2, watermark_url } },
  ];
  const watermark = file("operations-1-watermark", { sourceUrl: watermark_url });
  const inputs = [file("file", { sourceUrl: "https://example.com/video.mp4" }), watermark];
  const request = toSnippetRequest(
    details({ operation: "chain", params: { operations } }, { inputs }),
    "",
  );
  expect(request.input).toEqual({ url: "https://example.com/video.mp4" });
  expect(request.params.operations).toEqual(operations);
  expect(request.files).toEqual({});
});

it.each([
  [479, 100, [0, 100, 200, 300, 400]],
  [1, 0.2, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [61_000, 20_000, [0, 20_000, 40_000, 60_000]],
])("an axis of %d ms has a tick every %d ms", (length, step, marks) => {
  const ticks = timelineTicks(length);
  expect(ticks.step).toBe(step);
  expect(ticks.marks.map((mark) => Math.round(mark * 10) / 10)).toEqual(marks);
});
