import { expect, it } from "vitest";
import type { JobRow, JobSource, StoredSource } from "#lib/db/schema/jobs.ts";
import { shownParams } from "#lib/jobs/view/params.ts";

const given = "https://user:secret@example.com/logo.png?token=abc&size=2#top";
const shown = "https://example.com/logo.png?token=&size=";
const reference = "conn_000000000000000000000001:logos/a b?.png";

const stored = (more: Partial<StoredSource> = {}): StoredSource => ({
  kind: "stored",
  key: "inputs/a",
  filename: "logo.png",
  contentType: "image/png",
  bytes: 1,
  sha256: "",
  ...more,
});

const job = (parts: JobRow["parts"], operation = "pipeline/video-watermark") => ({
  operation,
  params: { scale: 0.2 },
  parts,
});

it.each<[string, JobSource, string]>([
  ["before it is fetched", { kind: "url", url: given }, shown],
  ["once it is fetched", stored({ url: given }), shown],
  [
    "as it was before redirects",
    stored({ url: "https://cdn.example/1?signature=abc", requestedUrl: given }),
    shown,
  ],
  ["as a file in a connection", { kind: "url", url: reference }, reference],
  ["as a file in a connection, once it is fetched", stored({ reference }), reference],
])(
  "the URL of a further file is shown %s, without user info and query values",
  (_, source, url) => {
    expect(shownParams(job({ watermark: source }))).toEqual({ scale: 0.2, watermark_url: url });
  },
);

it("an uploaded file has no URL, and a further input is not a parameter", () => {
  const parts: JobRow["parts"] = { watermark: stored(), "file-2": { kind: "url", url: given } };
  expect(shownParams(job(parts))).toEqual({ scale: 0.2 });
});

it("the URL of a secret file is hidden", () => {
  const parts: JobRow["parts"] = { certificate: { kind: "url", url: given } };
  expect(shownParams(job(parts, "document/sign-pdf"))).toMatchObject({ certificate_url: "***" });
});

it("in a chain, the URL is among the parameters of its operation", () => {
  const operations = [
    { type: "image/sharpen", params: { sigma: 1 } },
    { type: "image/watermark-image", params: { scale: 0.2 } },
  ];
  const chain = {
    operation: "chain",
    params: { operations, keep_steps: true },
    parts: { "operations-1-watermark": { kind: "url", url: given } } as const,
  };
  expect(shownParams(chain)).toEqual({
    operations: [
      operations[0],
      { type: "image/watermark-image", params: { scale: 0.2, watermark_url: shown } },
    ],
    keep_steps: true,
  });
});
