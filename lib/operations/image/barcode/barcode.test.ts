import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { barcode } from "#lib/operations/image/barcode/index.ts";
import { barcodeTypeNames } from "#lib/operations/image/barcode/types.ts";
import { runOperation } from "#tests/support/operation.ts";
import { readCodes } from "#tests/support/read-codes.ts";

async function run(params: Record<string, unknown>) {
  const { outputs } = await runOperation(barcode, [], params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const { width, height } = await sharp(output.path).metadata();
  expect([output.width, output.height]).toEqual([width, height]);
  return output;
}

/** A text for each type, and what a reader finds; undefined if the reader of the tests cannot read it. */
const samples: Record<string, readonly [text: string, found: string | undefined]> = {
  code128: ["Mill-2041 <&> ^", "Code128: Mill-2041 <&> ^"],
  code39: ["MILL 20+41", "Code39: MILL 20+41"],
  code93: ["MILL/2041", "Code93: MILL/2041"],
  codabar: ["A40156B", "Codabar: A40156B"],
  code11: ["123-45", undefined],
  msi: ["12345678", undefined],
  pharmacode: ["1234", undefined],
  itf: ["12345678", "ITF: 12345678"],
  itf14: ["1540014128876", "ITF: 15400141288763"],
  ean13: ["4006381333931", "EAN13: 4006381333931"],
  ean8: ["96385074", "EAN8: 96385074"],
  upca: ["012345678905", "EAN13: 0012345678905"],
  upce: ["01234565", "UPCE: 0012345000065"],
  isbn: ["978-1-56581-231-4", "EAN13: 9781565812314"],
  gs1_128: ["(01)09521234543213(10)AB-1", "Code128: (01)09521234543213(10)AB-1"],
  databar: ["(01)09521234543213", "DataBarOmni: (01)09521234543213"],
  pdf417: ["Grüße ^ 日本", "PDF417: Grüße ^ 日本"],
  micropdf417: ["Mill 2041", "MicroPDF417: Mill 2041"],
  datamatrix: ["Grüße ^ 日本", "DataMatrix: Grüße ^ 日本"],
  gs1_datamatrix: ["(01)09521234543213", "DataMatrix: (01)09521234543213"],
  aztec: ["Grüße ^ 日本", "Aztec: Grüße ^ 日本"],
  qrcode: ["Grüße ^ 日本", "QRCode: Grüße ^ 日本"],
  microqrcode: ["12345", "MicroQRCode: 12345"],
  maxicode: ["MILL 2041", "MaxiCode: MILL 2041"],
};

test("every type has a sample", () => {
  expect(Object.keys(samples)).toEqual(barcodeTypeNames);
});

describe("a reader finds the text", () => {
  test.each(barcodeTypeNames)("%s", async (type) => {
    const [text = "", found] = samples[type] ?? [];
    for (const format of ["png", "svg"]) {
      const { path } = await run({ type, text, format });
      expect(await readCodes(path)).toEqual(found === undefined ? [] : [found]);
      const { channels } = await sharp(path).flatten({ background: "#fff" }).stats();
      expect([channels[0]?.min, channels[0]?.max]).toEqual([0, 255]);
    }
  });
});

describe("size and style", () => {
  test("the width is exact, and a default is there", async () => {
    for (const size of [300, 777]) {
      const { width, path } = await run({ type: "code128", text: "ABC", size });
      expect(width).toBe(size);
      expect(await readCodes(path)).toEqual(["Code128: ABC"]);
    }
    const { width } = await run({ type: "datamatrix", text: "a" });
    expect(width).toBe((10 + 2 * 2) * 8);
  });

  test("colors, margin and error correction", async () => {
    const code = { type: "aztec", text: "Mill", color: "#102030", background: "#f0f0e0" };
    const { path } = await run({ ...code, margin: 5 });
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([0xf0, 0xf0, 0xe0]);
    const colors = new Set<string>();
    for (let at = 0; at < data.length; at += info.channels)
      colors.add(data.toString("hex", at, at + 3));
    expect(colors).toEqual(new Set(["102030", "f0f0e0"]));
    const bars = { type: "ean8", text: "96385074", color: "#ff0000" };
    const { channels } = await sharp((await run(bars)).path).stats();
    expect(channels.slice(0, 3).map(({ min }) => min)).toEqual([255, 0, 0]);
    const trimmed = await sharp(path).trim().toBuffer({ resolveWithObject: true });
    expect(trimmed.info.trimOffsetLeft).toBe(-5 * 8);
    for (const type of ["qrcode", "aztec", "pdf417"]) {
      const low = await run({ type, text: "Mill ".repeat(20), error_correction: "L" });
      const high = await run({ type, text: "Mill ".repeat(20), error_correction: "H" });
      const area = ({ width = 0, height = 0 }) => width * height;
      expect(area(high)).toBeGreaterThan(area(low));
    }
  });

  test("too small a size", async () => {
    const failing = runOperation(barcode, [], { type: "code128", text: "a".repeat(80), size: 100 });
    await expect(failing).rejects.toMatchObject({ code: "too_complex", message: /`size`/ });
  });
});

describe("texts that a type cannot hold", () => {
  test.each([
    ["ean13", "123", /12 digits/],
    ["ean13", "40063813339AB", /12 digits/],
    ["code39", "lower", /0-9, A-Z/],
    ["code128", "Grüße", /ASCII/],
    ["itf", "123", /even number/],
    ["codabar", "1234", /between two letters/],
    ["pharmacode", "131071", /3 to 131070/],
    ["pharmacode", "2", /3 to 131070/],
    ["gs1_128", "0109521234543213", /brackets/],
    ["gs1_128", `${"(01)a".repeat(500)}é`, /brackets/],
    ["gs1_datamatrix", "(01)(10)1", /brackets/],
    ["upce", "91234565", /0 or 1/],
  ])("%s of %s is rejected before the job", (type, text, message) => {
    const { error } = barcode.params.safeParse({ type, text });
    expect(error?.issues[0]).toMatchObject({
      path: ["text"],
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["ean13", "4006381333932", /check digit/],
    ["isbn", "978-1-56581-231-5", /check digit/i],
    ["gs1_128", "(01)12345", /\w/],
    ["microqrcode", "x".repeat(100), /\w/],
    ["datamatrix", "日".repeat(2000), /\w/],
  ])("%s of %s fails with the reason", async (type, text, reason) => {
    const failing = runOperation(barcode, [], { type, text });
    await expect(failing).rejects.toMatchObject({
      code: expect.stringMatching(/^(unsupported_type|too_complex)$/),
      message: expect.stringMatching(reason),
    });
    await expect(failing).rejects.toThrow(`The text does not fit the type ${type}: `);
  });
});

test.each([
  { text: "a" },
  { type: "code128" },
  { type: "code1", text: "a" },
  { type: "code128", text: "a", error_correction: "L" },
  { type: "code128", text: "a", height: 5 },
])("%j is rejected", (params) => {
  expect(barcode.params.safeParse(params).success).toBe(false);
});
