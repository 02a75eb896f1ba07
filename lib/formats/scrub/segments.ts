import type { FileHandle } from "node:fs/promises";
import { createNew, openRegular, streamRegular } from "#lib/files/regular-files.ts";
import { type PatchSource, sourceOfFile } from "./patch.ts";

/** A part of the output file: source bytes from `start` up to, not including, `end`, or new bytes. */
export type Segment = { readonly start: number; readonly end: number } | { readonly bytes: Buffer };

/** Writes the segments that `plan` returns for the file at `from` to a new file at `to`. */
export async function copySegments(
  from: string,
  to: string,
  plan: (source: PatchSource) => Promise<readonly Segment[]>,
): Promise<void> {
  const source = await openRegular(from);
  try {
    const { size } = await source.stat();
    const segments = await plan(sourceOfFile(source, size));
    const output = await createNew(to);
    try {
      for (const segment of segments) {
        if ("bytes" in segment) await output.write(segment.bytes);
        else await copyRange(from, output, segment);
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
  output: FileHandle,
  { start, end }: { start: number; end: number },
): Promise<void> {
  if (end <= start) return;
  const bytes = streamRegular(from, { start, end: end - 1, highWaterMark: 1024 * 1024 });
  for await (const chunk of bytes) await output.write(chunk);
}
