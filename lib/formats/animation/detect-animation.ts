import { type ByteSource, withFileSource } from "#lib/media/byte-source.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { walkBoxes } from "../iso-boxes/iso-boxes.ts";
import { walkChunks } from "../png/chunks.ts";
import { declaresAnimation, jxlHeaderBytes, jxlSignature } from "./jxl-header.ts";

/** Finds the animations of which the image libraries read only the first frame. */

const detectors: Partial<Record<MediaTypeId, (source: ByteSource) => Promise<boolean>>> = {
  png: isAnimatedPng,
  avif: isAnimatedAvif,
  jxl: isAnimatedJxl,
};

/** Whether the PNG, AVIF or JPEG XL file at `path` is an animation; false for all other types. */
export async function isFirstFrameOnly(path: string, type: MediaTypeId): Promise<boolean> {
  const detect = detectors[type];
  return detect ? withFileSource(path, detect) : false;
}

/** Where the brand of a file is that begins with `ftyp`. */
export const brandAt = 8;

/** Files of this brand are image sequences (AV1 Image File Format, 6.3). */
export async function isAnimatedAvif({ head }: ByteSource): Promise<boolean> {
  return head.toString("latin1", brandAt, brandAt + 4) === "avis";
}

/** Chunks before the pixels, or boxes before the codestream, that are read at most. */
const maxParts = 1000;

/** The chunk `acTL` is before the pixels and has the number of frames (PNG, third edition, 11.3.6). */
async function isAnimatedPng(source: ByteSource): Promise<boolean> {
  let parts = 0;
  for await (const { name, content } of walkChunks(source, source.size ?? source.head.length)) {
    if (name === "acTL") return (await source.read(content, 4)).readUInt32BE(0) > 1;
    if (name === "IDAT" || ++parts === maxParts) return false;
  }
  return false;
}

async function isAnimatedJxl(source: ByteSource): Promise<boolean> {
  const { head, size = head.length } = source;
  if (head.subarray(0, jxlSignature.length).equals(jxlSignature)) return declaresAnimation(head);
  let parts = 0;
  for await (const { type, content } of walkBoxes(source, 0, size)) {
    // A partial codestream begins with its index.
    if (type === "jxlp") return declaresAnimation(await source.read(content + 4, jxlHeaderBytes));
    if (type === "jxlc") return declaresAnimation(await source.read(content, jxlHeaderBytes));
    if (++parts === maxParts) return false;
  }
  return false;
}
