import { pipeline } from "node:stream/promises";
import {
  applyFilters,
  limitFrames,
  mapStream,
  readAs,
  singleImage,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import {
  type StillFormat,
  stillColors,
  stillEncoder,
  stillExtension,
} from "#lib/engines/ffmpeg/frames/still-image.ts";
import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { streamRegular, streamToEnd, writeNew } from "#lib/files/regular-files.ts";

export interface TileLayout {
  readonly columns: number;
  readonly rows: number;
  readonly format: StillFormat;
}

/**
 * Writes one image with `files`, PNGs of the size `frame`, row by row. Missing ones are black. Throws
 * what `runFfmpeg` throws.
 */
export async function tileFrames(
  files: readonly WorkFile[],
  frame: Frame,
  { columns, rows, format }: TileLayout,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile & Frame> {
  // The demuxer of PNG reads several images in one file as frames.
  const joined = work.scratch("png");
  await writeNew(joined.path, "");
  for (const { path } of files) await pipeline(streamRegular(path), streamToEnd(joined.path));
  const output = work.output(stillExtension(format));
  const size = { width: frame.width * columns, height: frame.height * rows };
  const filters = [`tile=${columns}x${rows}`, ...stillColors(format)];
  await runFfmpeg({
    work,
    signal,
    frame: size,
    inputs: [{ file: joined, args: readAs("png_pipe") }],
    outputs: [
      {
        file: output,
        args: [
          ...mapStream(0),
          ...applyFilters("v", 0, filters),
          ...limitFrames(1),
          ...stillEncoder(format),
          ...singleImage,
        ],
      },
    ],
  });
  return { ...output, ...size };
}
