import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";
import { scrubMarkup } from "./svg-markup.ts";

/**
 * An SVG file without metadata: see `scrubMarkup`. The file keeps its encoding. Throws `RangeError`
 * where its markup is broken.
 */
export async function planSvg(source: PatchSource): Promise<Segment[]> {
  const bytes = await source.read(0, source.size);
  const first = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  if (first !== 0xfffe && first !== 0xfeff) {
    // The markup is ASCII in all other encodings, so the rest of the bytes pass unchanged.
    return [{ bytes: Buffer.from(scrubMarkup(bytes.toString("latin1")), "latin1") }];
  }
  const isBigEndian = first === 0xfeff;
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  const text = (isBigEndian ? even.swap16() : even).toString("utf16le");
  const scrubbed = Buffer.from(scrubMarkup(text), "utf16le");
  return [{ bytes: isBigEndian ? scrubbed.swap16() : scrubbed }];
}
