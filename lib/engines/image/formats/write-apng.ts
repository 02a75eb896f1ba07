import { createNew } from "#lib/files/regular-files.ts";
import { pngChunk, pngSignature } from "#lib/formats/png/chunks.ts";
import type { WorkFile } from "../../sandbox/work-folder.ts";
import type { FramePixels } from "../frames.ts";
import { loadSharp, translateVipsErrors } from "../open.ts";
import type { SavedImage } from "../save.ts";

/** Writes animated PNG files (PNG specification, third edition), which libvips does not write. */

export interface Timing {
  /** The delay of each frame in milliseconds. */
  readonly delay?: readonly number[] | undefined;
  /** How often the animation is shown; 0 is forever. */
  readonly loop?: number | undefined;
}

/** The delay of a frame that has none, in milliseconds. */
const defaultDelayMs = 100;

/** Writes frames in RGBA with 8 bits. */
export async function writeApng(
  { width, height, pages, samples }: FramePixels,
  { delay, loop = 0 }: Timing,
  output: WorkFile,
): Promise<SavedImage> {
  const sharp = await loadSharp();
  const raw = { width, height, channels: 4 } as const;
  const length = width * height * 4;
  const file = await createNew(output.path);
  try {
    let sequence = 0;
    for (let page = 0; page < pages; page++) {
      const frame = samples.subarray(page * length, (page + 1) * length);
      const encoded = sharp(frame, { raw }).png({ compressionLevel: 1 }).toBuffer();
      const chunks = readChunks(await translateVipsErrors(encoded));
      const header = chunks.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(13);
      if (page === 0) {
        const control = Buffer.concat([uint32(pages), uint32(loop)]);
        await file.write(
          Buffer.concat([pngSignature, pngChunk("IHDR", header), pngChunk("acTL", control)]),
        );
      }
      const delayMs = delay?.[page] ?? defaultDelayMs;
      const parts = [pngChunk("fcTL", frameControl(sequence++, width, height, delayMs))];
      for (const { type, data } of chunks) {
        if (type !== "IDAT") continue;
        parts.push(
          page === 0
            ? pngChunk("IDAT", data)
            : pngChunk("fdAT", Buffer.concat([uint32(sequence++), data])),
        );
      }
      await file.write(Buffer.concat(parts));
    }
    await file.write(pngChunk("IEND", Buffer.alloc(0)));
  } finally {
    await file.close();
  }
  return { ...output, width, height };
}

/** Each frame is complete and replaces the one before. */
function frameControl(sequence: number, width: number, height: number, delayMs: number): Buffer {
  const times = Buffer.alloc(6);
  times.writeUInt16BE(Math.min(delayMs, 65_535), 0);
  times.writeUInt16BE(1000, 2);
  return Buffer.concat([
    uint32(sequence),
    uint32(width),
    uint32(height),
    // Its offset in the image.
    uint32(0),
    uint32(0),
    // No disposal, and the alpha replaces that of the last frame: zeros in the last two bytes.
    times,
  ]);
}

function readChunks(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = [];
  for (let offset = pngSignature.length; offset + 12 <= png.length; ) {
    const length = png.readUInt32BE(offset);
    const type = png.toString("latin1", offset + 4, offset + 8);
    chunks.push({ type, data: png.subarray(offset + 8, offset + 8 + length) });
    offset += 12 + length;
  }
  return chunks;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
