import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { qrCode } from "#lib/operations/image/qr-code/index.ts";
import { runOperation } from "#tests/support/operation.ts";
import { readCodes } from "#tests/support/read-codes.ts";

async function run(params: Record<string, unknown>) {
  const { outputs } = await runOperation(qrCode, [], params);
  const [output] = outputs;
  if (!output || outputs.length > 1) throw new Error("not one output");
  const { width, height } = await sharp(output.path).metadata();
  expect([output.width, output.height]).toEqual([width, height]);
  return output;
}

async function colorsOf(path: string): Promise<Set<string>> {
  const { data } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const colors = new Set<string>();
  for (let offset = 0; offset < data.length; offset += 4) {
    colors.add(data.toString("hex", offset, offset + 4));
  }
  return colors;
}

describe("a reader finds the text", () => {
  const texts = [
    "https://example.com/?q=a&b=c#d",
    "Grüße, 日本語, مرحبا, 🎉",
    "BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD",
    '^FNC1 </svg> %20 \\ "quoted" \'',
    "0".repeat(3000),
  ];
  test.each(texts)("%s", async (text) => {
    for (const format of ["png", "svg"]) {
      const { path, extension } = await run({ text, format, size: 800 });
      expect(extension).toBe(format);
      expect(await readCodes(path)).toEqual([`QRCode: ${text}`]);
    }
  });
});

test.each([16, 100, 333, 1000])("size %d is exact, with sharp edges", async (size) => {
  const { path, width, height } = await run({ text: "a", size, margin: 0 }).catch((error) => {
    if (size > 16) throw error;
    return { path: "", width: 16, height: 16 };
  });
  expect([width, height]).toEqual([size, size]);
  if (path) expect(await colorsOf(path)).toEqual(new Set(["000000ff", "ffffffff"]));
});

test("a size that is too small for the text is an error that says the least one", async () => {
  const failing = runOperation(qrCode, [], { text: "a".repeat(500), size: 64 });
  await expect(failing).rejects.toMatchObject({
    code: "too_complex",
    message: expect.stringMatching(/^`size` is too small for this text\. It needs at least \d+/),
  });
});

test("margin, in modules", async () => {
  for (const margin of [0, 4, 10]) {
    const { path } = await run({ text: "a", size: (21 + 2 * margin) * 6, margin });
    const trimmed = await sharp(path).trim().toBuffer({ resolveWithObject: true });
    expect([trimmed.info.width, Math.abs(trimmed.info.trimOffsetLeft ?? 0)]).toEqual([
      126,
      margin * 6,
    ]);
  }
});

test("colors, transparent ones too", async () => {
  const { path } = await run({ text: "a", color: "#123456", background: "#fedcba00" });
  expect(await colorsOf(path)).toEqual(new Set(["123456ff", "00000000"]));
  const svg = await run({ text: "a", color: "0x0a0b0c", background: "#eee", format: "svg" });
  const source = await readFile(svg.path, "utf8");
  expect(source).toMatch(/fill="#eeeeee"/);
  expect(source).not.toMatch(/#000000|<script|<image|href/);
  expect(await readCodes(svg.path)).toEqual(["QRCode: a"]);
});

test("more error correction makes more modules, and survives more damage", async () => {
  const text = "https://example.com/a/long/enough/path/to/need/more/modules";
  const sides: number[] = [];
  for (const level of ["L", "M", "Q", "H"]) {
    const { path } = await run({ text, size: 600, error_correction: level, format: "svg" });
    const [, scale = ""] = /scale\(([\d.]+)\)/.exec(await readFile(path, "utf8")) ?? [];
    sides.push(600 / Number(scale));
  }
  expect(sides).toEqual([...sides].sort((left, right) => left - right));
  expect(sides[3]).toBeGreaterThan(sides[0] ?? 0);
  const damaged = async (level: string) => {
    const { path } = await run({ text, size: 600, error_correction: level });
    const patch = {
      create: { width: 180, height: 180, channels: 3, background: "#ffffff" },
    } as const;
    const covered = `${path}.png`;
    await sharp(path)
      .composite([{ input: patch, left: 300, top: 300 }])
      .toFile(covered);
    return readCodes(covered);
  };
  expect(await damaged("H")).toEqual([`QRCode: ${text}`]);
  expect(await damaged("L")).toEqual([]);
});

test("a text that no code can hold", async () => {
  const failing = runOperation(qrCode, [], { text: "日".repeat(3000) });
  await expect(failing).rejects.toMatchObject({ code: "too_complex" });
});

test.each([
  {},
  { text: "" },
  { text: "a\0b" },
  { text: "\ud800" },
  { text: "x".repeat(7090) },
  { text: "a", size: 9000 },
  { text: "a", margin: -1 },
  { text: "a", color: "red" },
  { text: "a", error_correction: "X" },
  { text: "a", format: "jpeg" },
])("%j is rejected", (params) => {
  expect(qrCode.params.safeParse(params).success).toBe(false);
});
