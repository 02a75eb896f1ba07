import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

const wasm = fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm"));
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer } });

/** The codes in an image, as `format: text`. An SVG is drawn first. */
export async function readCodes(path: string): Promise<string[]> {
  const image = sharp(path).flatten({ background: "#ffffff" }).ensureAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  const pixels = new Uint8ClampedArray(data);
  const found = await readBarcodes(
    { data: pixels, width: info.width, height: info.height, colorSpace: "srgb" } as ImageData,
    { tryHarder: true, tryInvert: true },
  );
  return found.map(({ format, text }) => `${format}: ${text}`);
}
