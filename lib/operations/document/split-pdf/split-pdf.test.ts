import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { runOperation } from "#tests/support/operation.ts";
import { splitPdf } from "./index.ts";

async function split(params: Record<string, unknown>, pages = 5) {
  const sample = await toSample("pdf", makeRichPdf({ pages }));
  const { outputs } = await runOperation(splitPdf, sample, params);
  return outputs.map(({ path, suffix, pages }) => ({ suffix, pages, ...readRichPdf(path) }));
}

it("splits every few pages; each part has its own bookmarks, links, fields, tags and labels", async () => {
  const parts = await split({ every: 2 });
  expect(parts).toMatchObject([
    {
      suffix: "-pages-1-2",
      pages: 2,
      outlines: "Start>1[Page 1>1 Page 2>2]",
      fields: ["name@1", "field1@1", "name@2", "field2@2"],
      links: [[1], [1]],
      labels: [[0, "/r", 1]],
      tags: ["Page 1", "Page 2"],
      named: ["first"],
      attachments: ["notes.txt"],
    },
    {
      suffix: "-pages-3-4",
      pages: 2,
      outlines: "Start>1[Page 3>1 Page 4>2]",
      fields: ["name@1", "field3@1", "name@2", "field4@2"],
      links: [[], []],
      labels: [[0, "/D", 1]],
      tags: ["Page 3", "Page 4"],
      attachments: [],
    },
    { suffix: "-page-5", pages: 1, links: [[1]], labels: [[0, "/D", 3]], tags: ["Page 5"] },
  ]);
});

it("splits at ranges, and at the pages of bookmarks", async () => {
  const ranges = await split({ ranges: "2-3,1,4-last" });
  expect(ranges.map(({ suffix, pages, tags }) => [suffix, pages, tags])).toEqual([
    ["-pages-2-3", 2, ["Page 2", "Page 3"]],
    ["-page-1", 1, ["Page 1"]],
    ["-pages-4-5", 2, ["Page 4", "Page 5"]],
  ]);
  const parities = await split({ ranges: "odd,even,r2-last" });
  expect(parities.map(({ suffix, tags }) => [suffix, tags])).toEqual([
    ["-pages-odd", ["Page 1", "Page 3", "Page 5"]],
    ["-pages-even", ["Page 2", "Page 4"]],
    ["-pages-4-5", ["Page 4", "Page 5"]],
  ]);
  const bookmarks = await split({ bookmarks: true });
  expect(bookmarks).toMatchObject([{ suffix: "-1-start", pages: 5, outlines: expect.any(String) }]);
});

it("fails without bookmarks, and for a range after the end", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 2 }));
  const run = (params: Record<string, unknown>) => runOperation(splitPdf, sample, params);
  await expect(run({ ranges: "1,3-4" })).rejects.toMatchObject({ code: "empty" });
  const plain = await toSample("pdf", (await import("#tests/samples/metadata.ts")).makePdf());
  const withoutBookmarks = runOperation(splitPdf, plain, { bookmarks: true });
  await expect(withoutBookmarks).rejects.toMatchObject({ code: "empty" });
});

it.each([
  { ranges: "1", every: 2 },
  { every: 2, bookmarks: true },
  { every: 0 },
  { every: 1.5 },
  { ranges: "3-1" },
  { ranges: "1-3,!2" },
])("rejects %j", (params) => {
  expect(splitPdf.params.safeParse(params).success).toBe(false);
});
