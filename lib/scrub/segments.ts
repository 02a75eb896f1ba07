import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { type PatchSource, sourceOf } from "./patch.ts";

/** A part of the file that is made: bytes of the source from `start` to before `end`, or new ones. */
export type Piece = { readonly start: number; readonly end: number } | { readonly bytes: Buffer };

/** Asks `plan` what the file at `from` keeps, and writes that to `to`. */
export async function copyPieces(
  from: string,
  to: string,
  plan: (source: PatchSource) => Promise<readonly Piece[]>,
): Promise<void> {
  const source = await open(from, "r");
  try {
    const { size } = await source.stat();
    const pieces = await plan(sourceOf(source, size));
    const output = await open(to, "wx");
    try {
      for (const piece of pieces) {
        if ("bytes" in piece) await output.write(piece.bytes);
        else await copyRange(from, output, piece);
      }
    } finally {
      await output.close();
    }
  } finally {
    await source.close();
  }
}

async function copyRange(
  from: string,
  output: Awaited<ReturnType<typeof open>>,
  { start, end }: { start: number; end: number },
): Promise<void> {
  if (end <= start) return;
  const bytes = createReadStream(from, { start, end: end - 1, highWaterMark: 1024 * 1024 });
  for await (const chunk of bytes) await output.write(chunk);
}
