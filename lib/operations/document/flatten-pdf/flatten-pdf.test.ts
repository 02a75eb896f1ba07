import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { flattenPdf } from "#lib/operations/document/flatten-pdf/index.ts";
import { firstExtra, makePages } from "#tests/samples/pdf/drawn-pdf.ts";
import { videoFolder } from "#tests/samples/videos.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation } from "#tests/support/operation.ts";

const inputs = join(import.meta.dirname, "../../../../public/samples/inputs");

async function run(path: string) {
  const job = await runOperation(flattenPdf, { path, type: "pdf" });
  const output = job.outputs[0]?.path ?? "";
  execProgram("qpdf", ["--check", output]);
  const plain = output.replace(".pdf", "-plain.pdf");
  execProgram("qpdf", ["--qdf", "--object-streams=disable", output, plain]);
  const source = readFileSync(plain, "latin1");
  for (const name of ["/Annots", "/AcroForm", "/JavaScript", "/JS", "/Widget", "/URI"]) {
    expect(source).not.toContain(name);
  }
  return { ...job, output };
}

/** The color of a point, from the bottom left of a page that is 200 points high. */
async function colorAt(path: string, x: number, y: number): Promise<number[]> {
  const page = sharp(execProgram("pdftoppm", ["-r", "72", "-png", path])).removeAlpha();
  const pixel = await page
    .extract({ left: x, top: 200 - y, width: 1, height: 1 })
    .raw()
    .toBuffer();
  return [...pixel];
}

test("annotations with and without appearances become content, on a rotated page with a shifted box", async () => {
  const first = firstExtra([{}]);
  const annotations = [
    `<< /Type /Annot /Subtype /Stamp /Rect [20 20 60 60] /F 4 /AP << /N ${first} 0 R >> >>`,
    "<< /Type /Annot /Subtype /Square /Rect [100 20 160 60] /IC [0 0 1] /C [0 0 1] /F 4 >>",
    "<< /Type /Annot /Subtype /Highlight /Rect [200 20 260 60] /QuadPoints [200 60 260 60 200 20 260 20] /C [1 1 0] /F 4 >>",
    "<< /Type /Annot /Subtype /Square /Rect [20 120 60 160] /IC [1 0 0] /C [1 0 0] /F 2 >>",
    "<< /Type /Annot /Subtype /Link /Rect [100 120 160 160] /Border [0 0 0] /A << /S /URI /URI (http://example.com) >> >>",
  ];
  const form =
    "<< /Type /XObject /Subtype /Form /BBox [0 0 10 10] /Length 23 >>\nstream\n0 1 0 rg 0 0 10 10 re f\nendstream";
  const script = `/OpenAction << /S /JavaScript /JS (1) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (1) >>] >> >>`;
  const more = `/Annots [${annotations.join(" ")}]`;
  const page = { content: "0 0 0 rg 220 30 10 10 re f", more };
  const path = join(videoFolder(), "annotations.pdf");
  writeFileSync(path, makePages([page], { extra: [form], catalog: script }));
  const { output, result } = await run(path);
  expect(result).toEqual({ annotations: 3 });
  expect(await colorAt(output, 40, 40)).toEqual([0, 255, 0]);
  expect(await colorAt(output, 130, 40)).toEqual([0, 0, 255]);
  expect(await colorAt(output, 250, 50)).toEqual([255, 255, 0]);
  // A highlight does not cover what it marks.
  expect(await colorAt(output, 225, 35)).toEqual([0, 0, 0]);
  expect(await colorAt(output, 40, 140)).toEqual([255, 255, 255]);
  const turned = path.replace(".pdf", "-turned.pdf");
  const box = [10, 0, 310, 200] as const;
  const rotated = { ...page, box, more: `${more} /Rotate 90` };
  writeFileSync(turned, makePages([rotated], { extra: [form], catalog: script }));
  const render = (file: string) => execProgram("pdftoppm", ["-r", "36", "-gray", file]);
  const before = render(turned);
  const after = render((await run(turned)).output);
  expect(after.length).toBe(before.length);
  expect(after.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > 90).length).toBeLessThan(
    100,
  );
});

test("values of fields without appearances are drawn, in any script", async () => {
  const first = firstExtra([{}]);
  const field =
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V <feff004a00fc006900204f60597d> /Rect [20 100 220 130] /DA (/H 12 Tf 0 g) /F 4 >>";
  const path = join(videoFolder(), "values.pdf");
  const catalog = `/AcroForm << /Fields [${first} 0 R] /DA (/H 12 Tf 0 g) /NeedAppearances true >>`;
  const page = { more: `/Annots [${first} 0 R]` };
  writeFileSync(path, makePages([page], { extra: [field], catalog }));
  const { output } = await run(path);
  const text = execProgram("pdftotext", [output, "-"], { encoding: "utf8" });
  expect(text.replaceAll(/\s+/g, "")).toBe("Jüi你好");
});

test("a form looks the same, and bookmarks and text stay", async () => {
  const path = join(inputs, "registration-form.pdf");
  const { output, outputs } = await run(path);
  expect(outputs[0]?.pages).toBe(1);
  const render = async (file: string) =>
    sharp(execProgram("pdftoppm", ["-r", "40", "-gray", "-png", file]))
      .raw()
      .toBuffer();
  const before = await render(path);
  const after = await render(output);
  expect(after.filter((value, at) => Math.abs(value - (before[at] ?? 0)) > 80).length).toBe(0);
});

test("an owner password stays", async () => {
  const locked = join(videoFolder(), "owned-form.pdf");
  const permissions = ["--modify=none", "--extract=n"];
  const form = join(inputs, "registration-form.pdf");
  execProgram("qpdf", ["--encrypt", "", "owner", "256", ...permissions, "--", form, locked]);
  const info = execProgram("pdfinfo", [(await run(locked)).output], { encoding: "utf8" });
  expect(info).toMatch(/Encrypted: +yes.*copy:no change:no/);
});

test("a password and a damaged file are errors", async () => {
  await expect(run(join(inputs, "contract-protected.pdf"))).rejects.toMatchObject({
    code: "encrypted",
  });
  const path = join(videoFolder(), "damaged.pdf");
  writeFileSync(path, "%PDF-1.7\nx");
  await expect(run(path)).rejects.toMatchObject({ code: "corrupt" });
});
