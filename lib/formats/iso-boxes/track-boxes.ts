import { boxesIn } from "./iso-boxes.ts";
import { box as writeBox } from "./write-boxes.ts";

/** Boxes of the description of a video track, in memory: `moov`, or one that contains it. */

/** Boxes that contain boxes, with the bytes of their content before the first of them. */
const parents: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  stsd: 8,
  avc1: 78,
  hvc1: 78,
  hev1: 78,
};

/** The content of the first box of `type`, without its header. */
export function findBox(bytes: Buffer, type: string): Buffer | undefined {
  for (const box of boxesIn(bytes)) {
    const content = bytes.subarray(box.content, box.end);
    if (box.type === type) return content;
    const skipped = parents[box.type];
    const found = skipped === undefined ? undefined : findBox(content.subarray(skipped), type);
    if (found) return found;
  }
  return undefined;
}

/** Returns `bytes` with other contents of boxes, by type. */
export function replaceBoxes(bytes: Buffer, contents: Readonly<Record<string, Buffer>>): Buffer {
  const parts = [...boxesIn(bytes)].map(({ type, content, end }) => {
    const old = bytes.subarray(content, end);
    const skipped = parents[type];
    const replaced = contents[type];
    if (replaced) return writeBox(type, replaced);
    if (skipped === undefined) return writeBox(type, old);
    return writeBox(type, old.subarray(0, skipped), replaceBoxes(old.subarray(skipped), contents));
  });
  return Buffer.concat(parts);
}
