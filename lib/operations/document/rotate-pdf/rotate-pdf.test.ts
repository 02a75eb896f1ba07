import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toSample } from "#tests/samples/images/images.ts";
import { renderPdf } from "#tests/samples/pdf/pdf.ts";
import { makePdfBytes } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeRichPdf, readRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";
import { rotatePdf } from "./index.ts";

it.each([
  [90, "", 200, 300],
  [270, "/Rotate 90", 300, 200],
  [180, "/Rotate -90", 200, 300],
])("turns by %i a page with %j", async (angle, page, width, height) => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 1, page: () => page }));
  const { outputs } = await runOperation(rotatePdf, sample, { angle });
  const rendered = renderPdf(outputs[0]?.path ?? "");
  expect([rendered.width, rendered.height]).toEqual([width / 2, height / 2]);
});

it("turns a page whose rotation is an object of its own", async () => {
  const page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Rotate 4 0 R";
  const pages = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", pages, `<< ${page} >>`, "90"];
  const sample = await toSample("pdf", makePdfBytes({ objects }));
  const { outputs } = await runOperation(rotatePdf, sample, { angle: 90 });
  expect(renderPdf(outputs[0]?.path ?? "")).toMatchObject({ width: 150, height: 100 });
});

it("turns only the selected pages, and everything else stays", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 3 }));
  const { outputs } = await runOperation(rotatePdf, sample, { angle: 90, pages: "2" });
  const { text: _, objects: __, ...before } = readRichPdf(sample.path);
  expect(outputs).toMatchObject([{ pages: 3 }]);
  expect(readRichPdf(outputs[0]?.path ?? "")).toMatchObject(before);
  const { width } = renderPdf(outputs[0]?.path ?? "");
  expect(width).toBe(150);
});

it("fails if it has none of the pages; other angles are rejected", async () => {
  const sample = await toSample("pdf", makeRichPdf({ pages: 3 }));
  const run = runOperation(rotatePdf, sample, { angle: 90, pages: "7" });
  await expect(run).rejects.toMatchObject({ code: "empty" });
  expect(rotatePdf.params.safeParse({ angle: 45 }).success).toBe(false);
});

it("a damaged file is repaired, with a warning", async () => {
  const bytes = makeRichPdf({ pages: 2 });
  const sample = await toSample("pdf", bytes);
  const whole = await runOperation(rotatePdf, sample, { angle: 90 });
  expect(whole.warnings ?? []).toEqual([]);
  const text = bytes.toString("latin1").replace(/startxref\s+\d+/, "startxref\n7");
  const damaged = await toSample("pdf", Buffer.from(text, "latin1"));
  const { outputs, warnings } = await runOperation(rotatePdf, damaged, { angle: 90 });
  expect(outputs).toMatchObject([{ pages: 2 }]);
  expect(warnings).toEqual([expect.stringMatching(/^A PDF is damaged and was repaired/)]);
});

it.each([
  ["1.4", 0],
  ["1.7", 1],
])("a file of PDF %s has the structure of this version", async (version, streams) => {
  const bytes = makeRichPdf({ pages: 3 }).toString("latin1");
  const sample = await toSample(
    "pdf",
    Buffer.from(bytes.replace("%PDF-1.7", `%PDF-${version}`), "latin1"),
  );
  const { outputs } = await runOperation(rotatePdf, sample, { angle: 90 });
  const path = outputs[0]?.path ?? "";
  expect(execProgram("qpdf", ["--check", path], { encoding: "utf8" })).toContain(
    `Version: ${version}`,
  );
  const written = readFileSync(path, "latin1");
  expect(written.match(/\/ObjStm/g) ?? []).toHaveLength(streams);
  expect(/^xref$/m.test(written)).toBe(streams === 0);
  const { text: _, objects: __, ...before } = readRichPdf(sample.path);
  expect(readRichPdf(path)).toMatchObject(before);
});
