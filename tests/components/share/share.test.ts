import { describe, expect, it } from "vitest";
import { requestSnippets } from "#components/code/snippets.ts";
import { lifetimeOptions } from "#components/share/lifetime.ts";
import {
  playgroundPathOf,
  requestOfRecipe,
  titleOfRecipe,
} from "#components/shared-result/recipe.ts";
import { sharedNumbers } from "#components/shared-result/shared-numbers.tsx";
import type { ShareRow } from "#lib/db/schema/dashboard/shares.ts";
import type { JobRow } from "#lib/db/schema/jobs.ts";
import { serializeSharedResult } from "#lib/jobs/view/shared-result.ts";

const now = new Date("2026-11-26T12:00:00Z");
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

describe("how long a result can be shared", () => {
  it.each([
    [null, [1, 7, 30]],
    [inDays(40), [1, 7, 30]],
    [inDays(30), [1, 7, 30]],
    [inDays(8), [1, 7, 30]],
    [inDays(0.9), [1]],
  ])("with files until %s", (until, days) => {
    const options = lifetimeOptions(now, until);
    expect(options.days.map((one) => one.days)).toEqual(days);
  });

  it("names the deletion of the files only if it comes before", () => {
    expect(lifetimeOptions(now, inDays(8)).days.map(({ until }) => until?.toISOString())).toEqual([
      undefined,
      undefined,
      inDays(8),
    ]);
    expect(lifetimeOptions(now, inDays(8)).note).toContain("4 Dec 2026");
    expect(lifetimeOptions(now, inDays(31)).days.some(({ until }) => until)).toBe(false);
  });
});

const share: ShareRow = {
  id: "shr_1",
  accountId: "acc_1",
  jobId: "job_1",
  token: "t".repeat(32),
  title: null,
  filename: null,
  withInput: true,
  createdAt: now,
  expiresAt: new Date(inDays(1)),
};

/** A completed job with the columns that a share reads. */
function jobWith(values: Partial<JobRow>): JobRow {
  return {
    id: "job_1",
    accountId: "acc_1",
    operation: "document/protect-pdf",
    params: { owner_password: "***", allow_print: true },
    status: "completed",
    source: {
      kind: "stored",
      key: "inputs/job_1/file",
      filename: "private.PDF",
      contentType: "application/pdf",
      bytes: 900,
      sha256: "",
    },
    parts: {},
    input: { filename: "private.PDF", contentType: "application/pdf", bytes: 900, url: null },
    outputs: [
      {
        key: "outputs/job_1/attempt-1/0",
        filename: "private.pdf",
        contentType: "application/pdf",
        bytes: 1000,
        pages: 2,
      },
    ],
    metadata: { customer: "cus_1" },
    webhookUrl: "https://hooks.example/secret",
    expiresAt: new Date(Date.now() + 86_400_000),
    filesDeletedAt: null,
    engineStartedAt: new Date(now.getTime()),
    engineEndedAt: new Date(now.getTime() + 120),
    ...values,
    // Only the columns above are read.
  } as JobRow;
}

describe("a shared result", () => {
  it("has neither secret parameters nor names, ids and URLs of the account", () => {
    const result = serializeSharedResult(share, jobWith({}));
    expect(result).toMatchObject({
      hiddenParams: ["owner_password"],
      steps: [{ type: "document/protect-pdf", params: { allow_print: true } }],
      input: { filename: "original.pdf" },
      outputs: [{ filename: "result.pdf" }],
      engineMs: 120,
    });
    expect(JSON.stringify(result)).not.toMatch(/private|job_|acc_|cus_|hooks|outputs\/|\*\*\*/);
  });

  it("replaces URLs at any depth of the parameters", () => {
    const params = {
      text: "see https://intern.example/a?token=1 now",
      data: { list: ["s3://b/k"] },
    };
    const result = serializeSharedResult(share, jobWith({ operation: "image/qr-code", params }));
    expect(result?.steps[0]?.params).toEqual({
      text: "see https://example.com/ now",
      data: { list: ["https://example.com/"] },
    });
  });

  it("ends with the files of its job", () => {
    expect(serializeSharedResult(share, jobWith({ filesDeletedAt: now }))).toBeUndefined();
  });

  it("has the input only if it was chosen, and the names that were chosen", () => {
    const named = { ...share, withInput: false, filename: "Q3 report" };
    const result = serializeSharedResult(named, jobWith({}));
    expect(result?.input).toBeUndefined();
    expect(result?.outputs[0]?.url).toBe(`/files/r/${share.token}/output/0/Q3%20report.pdf`);
  });

  it("names sizes, pages and time", () => {
    const result = serializeSharedResult(share, jobWith({}));
    expect(result && sharedNumbers(result)).toEqual([
      ["Input", "900 B"],
      ["Output", "1 kB"],
      ["Pages", "2"],
      ["Processed in", "120 ms"],
    ]);
  });
});

describe("the recipe of a shared result", () => {
  const steps = [
    { type: "video/trim", params: { start: 1, end: 3 } },
    { type: "video/gif", params: { width: 320 } },
  ];

  it("is a title, a call and a link to the playground for one operation", () => {
    const recipe = { operation: "image/watermark-image", inputs: 1, parts: ["watermark"] };
    const [step] = [{ type: "image/watermark-image", params: { opacity: 0.5 } }];
    const one = { ...recipe, steps: [step] };
    expect(titleOfRecipe(one)).toBe("Image watermark");
    const { curl } = requestSnippets(requestOfRecipe(one, "https://mill.example"));
    expect(curl).toContain("https://mill.example/v1/image/watermark-image");
    expect(curl).toContain("-F file=@your-file");
    expect(curl).toContain("-F watermark=@your-watermark");
    expect(curl).toContain("-F opacity=0.5");
  });

  it("is one chain for several operations", () => {
    const chain = { operation: "chain", inputs: 1, parts: [], steps };
    const { curl } = requestSnippets(requestOfRecipe(chain, "https://mill.example"));
    expect(curl).toContain("https://mill.example/v1/jobs");
    const { searchParams } = new URL(playgroundPathOf(chain), "https://mill.example");
    expect(JSON.parse(searchParams.get("operations") ?? "")).toEqual(steps);
  });
});
