import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
import { extractPages } from "./index.ts";

it("keeps what belongs to the pages, and nothing leads to the others", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 5 }));
  const { outputs, warnings } = await runOperation(extractPages, sample, { pages: "4-,2,9-12" });
  expect(outputs).toMatchObject([{ pages: 3 }]);
  expect(warnings).toEqual([]);
  const path = outputs[0]?.path ?? "";
  const { text, objects, ...rest } = readRichPdf(path);
  expect(text).toMatchObject(
    ["Page 2", "Page 4", "Page 5"].map((page) => expect.stringContaining(page)),
  );
  expect(rest).toEqual({
    outlines: "Start>1[Page 2>1 Page 4>2 Page 5>3]",
    fields: ["name@1", "field2@1", "name@2", "field4@2", "name@3", "field5@3"],
    attachments: ["notes.txt"],
    labels: [
      [0, "/r", 2],
      [1, "/D", 2],
    ],
    // The second link of each page leads to the last page; the first one led to page 1.
    links: [[3], [3], [3]],
    named: ["last"],
    tags: ["Page 2", "Page 4", "Page 5"],
  });
  // No removed page is left in the file.
  expect(objects).toBeLessThan(readRichPdf(sample.path).objects * 0.7);
  expect(execProgram("pdfinfo", [path], { encoding: "utf8" })).toMatch(/Title: +Rich/);
});

it("keeps boxes and rotation that pages inherit, restrictions and linearization", async () => {
  const boxes = ["/MediaBox [0 0 300 400] /CropBox [10 20 210 320] /Rotate 90", "", "/Rotate -90"];
  const sample = await toSample(
    "pdf",
    makeRichPdf({ pages: 3, page: (index) => boxes[index] ?? "" }),
  );
  const encryption = ["--encrypt", "", "owner", "256", "--print=none", "--"];
  execProgram("qpdf", [sample.path, "--replace-input", "--linearize", ...encryption]);
  const { outputs } = await runOperation(extractPages, sample, { pages: "1,last" });
  const path = outputs[0]?.path ?? "";
  const info = execProgram("pdfinfo", ["-f", "1", "-l", "2", path], { encoding: "utf8" });
  expect(info).toMatch(/Page +1 size: +200 x 300/);
  expect(info).toMatch(/Page +1 rot: +90/);
  expect(info).toMatch(/Page +2 size: +300 x 200/);
  expect(info).toMatch(/Page +2 rot: +270/);
  expect(info).toMatch(/Encrypted: +yes \(print:no/);
  expect(info).toMatch(/Optimized: +yes/);
});

it.each([
  ["/GoTo", "/D [1 /Fit]", /^ \[ \d+ 0 R \/Fit \]/],
  [
    "/GoToR",
    "/F (other.pdf) /D [1 /Fit]",
    /^ << \/D \[ 1 \/Fit \] \/F \(other.pdf\) \/S \/GoToR >>/,
  ],
])("keeps what happens when the document is opened: %s", async (type, entries, written) => {
  const catalog = `/OpenAction << /S ${type} ${entries} >>`;
  const sample = await toSample("pdf", makeRichPdf({ pages: 3, catalog }));
  const { outputs } = await runOperation(extractPages, sample, { pages: "2" });
  const path = outputs[0]?.path ?? "";
  const root = execProgram("qpdf", [path, "--show-object=trailer"], { encoding: "utf8" });
  const [, number = ""] = /\/Root (\d+)/.exec(root) ?? [];
  const read = execProgram("qpdf", [path, `--show-object=${number}`], { encoding: "utf8" });
  expect(read.split("/OpenAction")[1]).toMatch(written);
});

it("fails if no page is selected, the file is damaged or needs a password", async () => {
  const rich = makeRichPdf({ pages: 2 });
  const sample = await toSample("pdf", rich);
  const extract = (file: typeof sample, pages: string) =>
    runOperation(extractPages, file, { pages });
  await expect(extract(sample, "3-")).rejects.toMatchObject({
    code: "empty",
    message: "`pages` does not match any page of the document, which has 2 pages.",
  });
  const damaged = await toSample("pdf", rich.subarray(0, 500));
  await expect(extract(damaged, "1")).rejects.toMatchObject({ code: "corrupt" });
  encryptPdf(sample.path, "user");
  await expect(extract(sample, "1")).rejects.toMatchObject({ code: "encrypted" });
});

it.each(["", "0", "3-1", "a", "1,,2", "last-1", "-2", "1.5"])("rejects %j", (pages) => {
  expect(extractPages.params.safeParse({ pages }).success).toBe(false);
});
