import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { makeSecretPdf } from "#tests/samples/pdf/pdf-secrets.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "#tests/support/operation.ts";
import { grayAt, redactPdf, savePdf, sourceOfPdf, textOfPdf } from "#tests/support/redacted-pdf.ts";
import { redact } from "./index.ts";

const run = (params: Record<string, unknown>, bytes = makeSecretPdf()) => redactPdf(params, bytes);

describe("texts", () => {
  test("are gone from pages, layers, forms, values, notes, bookmarks and metadata", async () => {
    const { path, result, warnings } = await run({ texts: ["secret  name"] });
    const left = textOfPdf(path);
    expect(left).toMatch(/Keep this line[\s\S]*The\s+, here[\s\S]*another line[\s\S]*form with/);
    const all = sourceOfPdf(path);
    for (const part of ["Secret", "Name)", "cret"]) expect(all).not.toContain(part);
    expect(all).not.toMatch(/EmbeddedFile|ActualText|Thumb/);
    expect(all).toContain("(Ada Byron)");
    expect(all).toContain("example.org");
    expect(warnings).toEqual([expect.stringContaining("attached files")]);
    expect(result?.count).toBeGreaterThan(3);
    expect(JSON.stringify(result)).not.toContain("Secret");
    // The bar over the name, and the text next to it.
    expect(grayAt(path, 120, 66)).toBe(0);
    expect(grayAt(path, 220, 66)).toBe(255);
  });

  test("words that only the format uses do not count as text that remains", async () => {
    const contract = readFileSync("public/samples/inputs/contract.pdf");
    const { warnings } = await run({ texts: ["CMapName", "Adobe", "MCID", "NonStruct"] }, contract);
    expect(warnings).toEqual(["Nothing in the PDF matches."]);
  });

  test.each([90, 180])("are found on pages rotated by %d degrees", async (angle) => {
    const page = `/Rotate ${angle} /CropBox [20 20 380 290]`;
    const { path, warnings } = await run({ texts: ["Secret Name"] }, makeSecretPdf({ page }));
    expect(sourceOfPdf(path)).not.toContain("Secret");
    expect(warnings?.join()).not.toContain("pictures");
    expect(textOfPdf(path)).toContain("Keep this line");
  });

  test("are found in words of two sizes, with a hyphen at the end of a line, and in vertical writing", async () => {
    const lines = [
      { text: "M", y: 160, size: 20 },
      { text: "aria Jensen keeps", x: 32, y: 160 },
      { text: "by Maria Jen-", y: 120 },
      { text: "sen, Jean-", y: 106 },
      { text: "Paul stays", y: 92 },
      ...[..."張瑪麗"].map((text, index) => ({ text, x: 240, y: 160 - 12 * index })),
    ];
    const texts = ["Maria Jensen", "Jean-Paul", "張瑪麗"];
    const { path, warnings } = await redactPdf({ texts }, makePages([{ lines }]));
    expect(textOfPdf(path).split(/\s+/).filter(Boolean)).toEqual(["keeps", "by", ",", "stays"]);
    expect(warnings).toEqual([]);
  });

  test("a pattern removes a part of a word only", async () => {
    const { path } = await run({ patterns: ["Na(?=me)"], color: "#ff0000" });
    expect(sourceOfPdf(path)).not.toContain("Secret Name");
    expect(textOfPdf(path)).toMatch(/The Secret\s+me, here/);
    const ppm = execProgram("pdftoppm", ["-r", "36", "-singlefile", path]).toString("latin1");
    expect(ppm).toContain("\xff\x00\x00\xff\x00\x00");
  });

  test("a page whose glyphs have unknown widths becomes a picture", async () => {
    const encoding = "<< /Differences [65 /A] >>";
    const { path, warnings } = await run({ texts: ["Secret Name"] }, makeSecretPdf({ encoding }));
    expect(warnings).toContainEqual(expect.stringMatching(/became pictures.*: 1\.$/));
    expect(sourceOfPdf(path)).not.toContain("Secret");
    // What is left of the value of the field, which is no part of the page.
    expect(textOfPdf(path).trim()).toBe("Mr");
    expect(grayAt(path, 120, 66)).toBe(0);
    expect(grayAt(path, 300, 66)).toBeGreaterThan(250);
  });

  test("in Hebrew and Arabic are found as they are read", async () => {
    const draw = (words: readonly string[], y: number) =>
      words.map((word, index) => ({
        // Letters are drawn from the left.
        text: /\d/.test(word) ? word : [...word].reverse().join(""),
        x: 240 - 60 * index,
        y,
      }));
    const lines = [
      ...draw(["שלום", "כהן", "לוי", "טוב"], 150),
      ...draw(["מספר", "4711", "סוף"], 120),
      ...draw(["السيد", "ﻣﺤﻤﺪ", "كريم"], 90),
    ];
    const texts = ["כהן לוי", "מספר 4711", "محمد"];
    const { path, result } = await redactPdf({ texts }, makePages([{ lines }]));
    expect(result).toMatchObject({ count: 5 });
    const text = textOfPdf(path);
    for (const kept of ["שלום", "טוב", "סוף", "السيد", "كريم"]) expect(text).toContain(kept);
    expect(text).not.toMatch(/כהן|לוי|מספר|4711|ﺤ|ح/);
  });

  test("nothing that matches is a warning", async () => {
    const { path, warnings } = await run({ patterns: ["\\d{9}"] });
    expect(warnings).toContain("Nothing in the PDF matches.");
    expect(textOfPdf(path)).toContain("Secret Name");
  });
});

describe("regions", () => {
  test("lose text, pixels and annotations, and nothing else", async () => {
    const regions = [
      { page: 1, left: 190, top: 140, width: 60, height: 70 },
      { left: 40, top: 30, width: 200, height: 25 },
    ];
    const { path, warnings } = await run({ regions });
    expect(warnings?.join()).not.toContain("pictures");
    const left = textOfPdf(path);
    expect(left).not.toContain("Keep this line");
    expect(left).toContain("The Secret Name, here");
    expect(sourceOfPdf(path)).not.toContain("example.org");
    // The picture was white; its pixels below the region are removed, and the others are not.
    const folder = temporaryWorkFolder().root;
    execProgram("pdfimages", [path, join(folder, "image")]);
    const pixels = readFileSync(join(folder, "image-000.ppm")).subarray(-20 * 10 * 3);
    expect([...pixels.subarray(0, 30)]).toEqual(Array(30).fill(0));
    expect([...pixels.subarray(30, 60)]).toEqual(Array(30).fill(255));
  });

  test("lose pixels of a JPEG, and the rest of the page stays as it is", async () => {
    const jpeg = await makeTestImage({ width: 20, height: 10 }).jpeg().toBuffer();
    const image = "/Type /XObject /Subtype /Image /Width 20 /Height 10 /BitsPerComponent 8";
    const bytes = makePdfBytes({
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /XObject << /Pic 5 0 R >> >> >>",
        pdfStream("", "q 200 0 0 100 0 0 cm /Pic Do Q"),
        pdfStream(`${image} /ColorSpace /DeviceRGB /Filter /DCTDecode`, jpeg),
      ],
    });
    const { path, warnings } = await run(
      { regions: [{ left: 0, top: 0, width: 100, height: 100 }] },
      bytes,
    );
    expect(warnings).toEqual([]);
    const folder = temporaryWorkFolder().root;
    execProgram("pdfimages", [path, join(folder, "image")]);
    const pixels = readFileSync(join(folder, "image-000.ppm")).subarray(-20 * 10 * 3);
    expect([...pixels.subarray(0, 24)].every((value) => value < 16)).toBe(true);
    expect(pixels[3 * 19]).toBeGreaterThan(100);
  });

  const lines = [
    { text: "Secret", x: 120, y: 100 },
    { text: "Kept", x: 220, y: 100 },
    { text: "Cut", x: 20, y: 100 },
  ];

  test.each([
    ["", "[100 50 400 150]", 20, 38, 1],
    ["/Rotate 90", "[100 50 300 150]", 48, 18, 1],
    ["/UserUnit 2", "[400 150 100 50]", 40, 76, 2],
  ])("are measured on the visible page: %s /CropBox %s", async (more, crop, left, top, unit) => {
    const isTurned = more.includes("Rotate");
    const size = isTurned ? { width: 14, height: 46 } : { width: 46 * unit, height: 14 * unit };
    const region = { page: 1, left, top, ...size };
    const bytes = makePages([{ lines, more: `/CropBox ${crop} ${more}` }]);
    const { path, result, warnings } = await run({ regions: [region] }, bytes);
    expect(warnings).toEqual([]);
    expect(result).toEqual({ areas: [{ page: 1, box: { left, top, ...size } }], count: 1 });
    expect(textOfPdf(path)).toMatch(/Cut/);
    expect(textOfPdf(path)).toMatch(/Kept/);
    expect(sourceOfPdf(path)).not.toContain("Secret");
    expect(textOfPdf(path)).not.toMatch(/Secret/);
    // The areas of a match are where the region was.
    const { result: found } = await run({ texts: ["Secret"] }, bytes);
    const { areas } = found as { areas: { box: Record<string, number> }[] };
    const box = areas[0]?.box ?? {};
    expect(Math.abs((box.left ?? 0) - left)).toBeLessThan(4 * unit);
    expect(Math.abs((box.top ?? 0) - top)).toBeLessThan(4 * unit);
  });

  test("a page without a valid size is that which viewers show", async () => {
    const regions = [{ left: 110, top: 792 - 115, width: 60, height: 20 }];
    const bytes = makePages([{ lines, box: [0, 0, 0, 0] }]);
    const { path } = await run({ regions }, bytes);
    expect(textOfPdf(path)).toMatch(/Cut\s+Kept/);
  });

  test("a region outside of the page is a warning", async () => {
    const regions = [{ left: 2000, top: 10, width: 60, height: 20 }];
    const { warnings } = await run({ regions }, makePages([{ lines }]));
    expect(warnings?.join()).toMatch(/One of the regions lies outside of the page/);
  });

  test("a page that does not exist is an error", async () => {
    const regions = [{ page: 9, left: 0, top: 0, width: 10, height: 10 }];
    await expect(run({ regions })).rejects.toMatchObject({ code: "empty" });
  });
});

test("the protection of a file that opens without a password stays", async () => {
  const { path } = savePdf(makeSecretPdf());
  encryptPdf(path, "", "--print=none");
  const redacted = await run({ texts: ["Secret Name"] }, readFileSync(path));
  const info = execProgram("pdfinfo", [redacted.path], { encoding: "utf8" });
  expect(info).toMatch(/Encrypted: +yes \(print:no/);
  execProgram("qpdf", ["--replace-input", "--decrypt", redacted.path]);
  expect(sourceOfPdf(redacted.path)).not.toContain("Secret");
  expect(textOfPdf(redacted.path)).toContain("Keep this line");
});

describe("limits", () => {
  test("files with a password to open and damaged files are reported", async () => {
    const { path } = savePdf(makeSecretPdf());
    encryptPdf(path, "open");
    const locked = runOperation(redact, { path, type: "pdf" }, { texts: ["x"] });
    await expect(locked).rejects.toMatchObject({ code: "encrypted" });
    const damaged = runOperation(redact, savePdf(Buffer.from("%PDF-1.7\nx")), { texts: ["x"] });
    await expect(damaged).rejects.toMatchObject({ code: "corrupt" });
  });

  test.each([
    {},
    { texts: [] },
    { texts: [" "] },
    { patterns: ["("] },
    { regions: [{ left: 0, top: 0, width: 0, height: 1 }] },
    { regions: [{ page: 0, left: 0, top: 0, width: 1, height: 1 }] },
    { texts: ["x"], color: "red" },
  ])("rejects %j", (params) => expect(redact.params.safeParse(params).success).toBe(false));
});
