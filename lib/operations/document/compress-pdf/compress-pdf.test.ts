import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { compressPdf } from "#lib/operations/document/compress-pdf/index.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

const inputs = join(import.meta.dirname, "../../../../public/samples/inputs");
let files = 0;

function save(pdf: Buffer): string {
  const path = join(videoFolder(), `compress-${++files}.pdf`);
  writeFileSync(path, pdf);
  return path;
}

async function run(pdf: Buffer | string, params: Record<string, unknown> = {}) {
  const path = typeof pdf === "string" ? pdf : save(pdf);
  const job = await runOperation(compressPdf, { path, type: "pdf" }, params);
  const output = job.outputs[0]?.path ?? "";
  expect(readFileSync(output).length).toBe(job.result?.output_bytes);
  execProgram("qpdf", ["--check", output]);
  return { ...job, input: path, output };
}

const call = (command: string, ...args: string[]) =>
  execProgram(command, args, { encoding: "utf8" });

/** The largest difference of two renderings of a page in a channel, on average over 8 × 8 pixels. */
async function difference(left: string, right: string): Promise<number> {
  const render = (path: string) => execProgram("pdftoppm", ["-r", "36", "-l", "1", "-png", path]);
  const shrink = async (path: string) => {
    const image = sharp(render(path)).resize({ width: 40, kernel: "cubic" });
    return image.removeAlpha().raw().toBuffer();
  };
  const first = await shrink(left);
  const second = await shrink(right);
  return first.reduce((most, value, at) => Math.max(most, Math.abs(value - (second[at] ?? 0))), 0);
}

const image = (width: number, height: number, more: string, data: Buffer) =>
  pdfStream(`/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${more}`, data);

/** Two pages of 144 × 96 points, with an image each, and a bookmark. */
function makeScans(images: readonly Buffer[], more = ""): Buffer {
  const page = (number: number) =>
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 144 96] /Contents 5 0 R /Resources << /XObject << /I ${number} 0 R >> >> ${more} >>`;
  return makePdfBytes({
    objects: [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
      page(6),
      page(7),
      pdfStream("", "q 144 0 0 96 0 0 cm /I Do Q"),
      ...images,
    ],
  });
}

const rgb = "/ColorSpace /DeviceRGB /BitsPerComponent 8";

async function photo(size: { width: number; height: number }) {
  const noisy = await makeTestImage(size).blur(2).raw().toBuffer();
  return { ...size, raw: noisy, jpeg: await makeTestImage(size).jpeg({ quality: 95 }).toBuffer() };
}

test("pictures get the resolution of the level, and equal ones are stored once", async () => {
  const { width, height, jpeg } = await photo({ width: 900, height: 600 });
  const scans = makeScans(
    [1, 2].map(() => image(width, height, `${rgb} /Filter /DCTDecode`, jpeg)),
  );
  const sizes: number[] = [];
  for (const [quality, most] of [
    ["high", 300],
    ["low", 110],
  ] as const) {
    const { input, output, result } = await run(scans, { quality });
    const rows = call("pdfimages", "-list", output).trim().split("\n").slice(2);
    const columns = rows.map((row) => row.trim().split(/\s+/));
    expect(columns.map(([, , , , , , , , kind]) => kind)).toEqual(["jpeg", "jpeg"]);
    expect(new Set(columns.map((row) => row[10])).size).toBe(1);
    for (const row of columns) expect(Math.abs(Number(row[12]) - most)).toBeLessThan(4);
    expect(await difference(input, output)).toBeLessThan(20);
    sizes.push(Number(result?.output_bytes));
  }
  expect(sizes[0]).toBeLessThan(scans.length / 3);
  expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes);
});

test("pages with a large unit keep the pictures whose resolution is low", async () => {
  const { width, height, jpeg } = await photo({ width: 900, height: 600 });
  const pictures = [1, 2].map(() => image(width, height, `${rgb} /Filter /DCTDecode`, jpeg));
  // 45 pixels per inch.
  const { output } = await run(makeScans(pictures, "/UserUnit 10"), { quality: "low" });
  const rows = call("pdfimages", "-list", output).trim().split("\n").slice(2);
  expect(rows.map((row) => row.trim().split(/\s+/)[3])).toEqual(["900", "900"]);
});

test("lossless pictures become JPEG, drawings and 1-bit scans stay without loss", async () => {
  const { width, height, raw } = await photo({ width: 600, height: 400 });
  const flat = Buffer.alloc(600 * 400 * 3, Buffer.from([200, 30, 30]));
  const one = await run(
    makeScans([
      image(width, height, `${rgb} /Filter /FlateDecode`, deflateSync(raw)),
      image(width, height, `${rgb} /Filter /FlateDecode`, deflateSync(flat)),
    ]),
    { quality: "high" },
  );
  const kinds = call("pdfimages", "-list", one.output).trim().split("\n").slice(2);
  expect(kinds.map((row) => row.trim().split(/\s+/)[8])).toEqual(["jpeg", "image"]);
  expect(await difference(one.input, one.output)).toBeLessThan(20);
});

test("links, bookmarks, tags and text of a document stay", async () => {
  const path = join(inputs, "brochure.pdf");
  const { output, result, outputs } = await run(path, { quality: "low" });
  expect(Number(result?.output_bytes)).toBeLessThan(Number(result?.input_bytes) / 2);
  expect(outputs[0]?.pages).toBe(2);
  for (const args of [
    ["pdfinfo", "-url"],
    ["pdfinfo", "-struct"],
    ["pdftotext", "-layout"],
  ]) {
    const [command = "", ...options] = args;
    const [before, after] = [path, output].map((file) =>
      call(command, ...options, file, ...(command === "pdftotext" ? ["-"] : [])),
    );
    expect(after?.replaceAll(/Object \d+/g, "")).toBe(before?.replaceAll(/Object \d+/g, ""));
    expect(after?.length).toBeGreaterThan(50);
  }
  const outlines = (file: string) =>
    Object.keys(JSON.parse(call("qpdf", "--json=2", "--json-key=outlines", file)).outlines).length;
  expect(outlines(output)).toBe(outlines(path));
  expect(await difference(path, output)).toBeLessThan(24);
});

test("form fields stay, and an owner password too", async () => {
  const path = join(inputs, "registration-form.pdf");
  const locked = join(videoFolder(), "locked-form.pdf");
  execProgram("qpdf", ["--encrypt", "", "owner", "256", "--modify=none", "--", path, locked]);
  const { output } = await run(locked);
  const fields = (file: string) => {
    const { acroform } = JSON.parse(call("qpdf", "--json=2", "--json-key=acroform", file));
    return acroform.fields.map(({ fullname, value }: Record<string, unknown>) => [fullname, value]);
  };
  expect(fields(output)).toEqual(fields(path));
  expect(fields(output).length).toBeGreaterThan(3);
  expect(call("pdfinfo", output)).toMatch(/Encrypted: +yes.*change:no/);
});

test("a file that cannot become smaller is returned as it is", async () => {
  const { output } = await run(join(inputs, "brochure.pdf"), { quality: "low" });
  const again = await run(readFileSync(output), { quality: "low" });
  expect(Number(again.result?.output_bytes)).toBeLessThanOrEqual(Number(again.result?.input_bytes));
  const tiny = makePdfBytes({
    objects: [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>",
    ],
  });
  const same = await run(tiny);
  expect(readFileSync(same.output).length).toBeLessThanOrEqual(tiny.length);
});

test("a damaged picture stays, a damaged file and a password are errors", async () => {
  const broken = image(400, 400, `${rgb} /Filter /FlateDecode`, Buffer.alloc(5000, "x"));
  const { result } = await run(makeScans([broken, broken]));
  expect(result?.images).toBe(0);
  await expect(run(Buffer.from("%PDF-1.7\nx"))).rejects.toMatchObject({ code: "corrupt" });
  const locked = join(inputs, "contract-protected.pdf");
  await expect(run(locked)).rejects.toMatchObject({ code: "encrypted" });
  expect(compressPdf.params.safeParse({ quality: "best" }).success).toBe(false);
});
