import { DamagedDataError } from "#lib/media/damaged-data.ts";
import type { PatchSource } from "../patch.ts";
import type { Segment } from "../segments.ts";
import { readChunkList } from "./chunks.ts";

/** Chunks of a Core Audio file that are needed to decode it. */
const keptChunks = new Set(["desc", "chan", "pakt", "kuki", "ldsc", "data"]);

/**
 * The segments of a Core Audio file without texts, markers, regions and data of programs. Throws
 * `RangeError` where its structure is broken.
 */
export async function planCaf(source: PatchSource): Promise<Segment[]> {
  const chunks = await readChunkList(source, 8, { lengthBytes: 8, alignment: 1 });
  if (chunks[0]?.type !== "desc") throw new DamagedDataError("no description");
  const kept = chunks.filter(({ type }) => keptChunks.has(type));
  return [
    { start: 0, end: 8 },
    ...kept.map(({ offset, end }): Segment => ({ start: offset, end })),
  ];
}
