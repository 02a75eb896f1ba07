import type { Box } from "../iso-boxes/iso-boxes.ts";
import type { PatchSource } from "./patch.ts";

/** The size of a table for 24 hours of samples at 200 a second. */
const maxTableBytes = 128 * 2 ** 20;

/** The byte ranges of a track's samples, one for each chunk, by the boxes of its sample table (`stbl`). */
export async function readChunks(
  source: PatchSource,
  table: readonly Box[],
): Promise<{ offset: number; length: number }[]> {
  const content = async (type: string) => {
    const box = table.find((one) => one.type === type);
    if (!box || box.end - box.content > maxTableBytes) return undefined;
    return source.read(box.content, box.end - box.content);
  };
  const sizes = await content("stsz");
  const runs = await content("stsc");
  const offsets32 = await content("stco");
  const offsets = offsets32 ?? (await content("co64"));
  if (!sizes || !runs || !offsets) return [];
  const width = offsets32 ? 4 : 8;
  const chunkCount = Math.min(offsets.readUInt32BE(4), (offsets.length - 8) / width);
  const fixed = sizes.readUInt32BE(4);
  const chunks: { offset: number; length: number }[] = [];
  let sample = 0;
  let run = 0;
  for (let chunk = 1; chunk <= chunkCount; chunk++) {
    // A run of chunks ends where the next one begins.
    const next = 8 + 12 * (run + 1);
    if (next + 12 <= runs.length && runs.readUInt32BE(next) <= chunk) run++;
    const samples = runs.readUInt32BE(8 + 12 * run + 4);
    let length = fixed * samples;
    for (let index = 0; fixed === 0 && index < samples; index++, sample++) {
      const at = 12 + 4 * sample;
      if (at + 4 > sizes.length) break;
      length += sizes.readUInt32BE(at);
    }
    const at = 8 + width * (chunk - 1);
    const offset = offsets32 ? offsets.readUInt32BE(at) : Number(offsets.readBigUInt64BE(at));
    chunks.push({ offset, length });
  }
  return chunks;
}
