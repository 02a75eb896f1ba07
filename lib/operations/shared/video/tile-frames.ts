import { pipeline } from "node:stream/promises";
import {
  applyFilters,
  keepEveryFrame,
  limitFrames,
  mapGraphOutput,
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
  stillFilters,
  stillFrame,
  stillInput,
} from "#lib/engines/ffmpeg/frames/still-image.ts";
import type { Frame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { streamRegular, streamToEnd, writeNew } from "#lib/files/regular-files.ts";
import {
  type FrameTimes,
  type SampleRequest,
  sampleFrames,
  selectTimes,
  usesSeeks,
} from "./sample-frames.ts";

export interface TileLayout {
  readonly columns: number;
  readonly rows: number;
  readonly format: StillFormat;
}

export interface TiledFrames {
  readonly image: WorkFile & Frame;
  /** The size of each frame. */
  readonly frame: Frame;
  /** In seconds; one for each frame. */
  readonly times: readonly number[];
}

/**
 * Writes one image with the frames that are on screen at `times`, row by row, as many as there are before
 * the end; missing ones are black. Throws `JobError("corrupt")` if there is none, and what `runFfmpeg`
 * throws.
 */
export async function tileFrames(
  request: Omit<SampleRequest, "format">,
  times: FrameTimes,
  layout: TileLayout,
): Promise<TiledFrames> {
  const { info, work, signal } = request;
  if (!usesSeeks(info, times)) return decodeTiles(request, times, layout);
  const series = work.series("tmp", "png", times.count);
  const sampled = await sampleFrames({ ...request, format: "png" }, times, series);
  const image = await joinFiles(sampled.files, sampled.frame, layout, work, signal);
  return { ...sampled, image };
}

function allocateImage({ columns, rows, format }: TileLayout, frame: Frame, work: WorkFolder) {
  const size = { width: frame.width * columns, height: frame.height * rows };
  return { ...work.output(stillExtension(format)), ...size };
}

const tileFilters = ({ columns, rows, format }: TileLayout) => [
  `tile=${columns}x${rows}`,
  ...stillColors(format),
];

/** Decodes the video and joins its frames in one run. */
async function decodeTiles(
  request: Omit<SampleRequest, "format">,
  times: FrameTimes,
  layout: TileLayout,
): Promise<TiledFrames> {
  const { file, video, work, signal, progress } = request;
  const frame = stillFrame(video, request.width);
  const image = allocateImage(layout, frame, work);
  const filters = [
    ...selectTimes(times),
    ...stillFilters(video, frame, "png"),
    `trim=end_frame=${times.count}`,
  ];
  const { frames } = await runFfmpeg({
    work,
    signal,
    progress,
    frame: video,
    duration: times.count * times.step,
    inputs: [{ file, args: stillInput(video) }],
    filterGraphs: [
      `[0:${video.index}]${filters.join(",")},split[frames][tiles]`,
      `[tiles]${tileFilters(layout).join(",")}[image]`,
    ],
    outputs: [
      // The frames of the first output are counted.
      { args: [...mapGraphOutput("frames"), ...keepEveryFrame] },
      {
        file: image,
        args: [
          ...mapGraphOutput("image"),
          ...limitFrames(1),
          ...stillEncoder(layout.format),
          ...singleImage,
        ],
      },
    ],
  });
  if (frames === 0) throw new JobError("corrupt", "The video in this file cannot be decoded.");
  const taken = Array.from({ length: frames }, (_, index) => times.first + index * times.step);
  return { image, frame, times: taken };
}

/** Joins `files`, PNGs of the size `frame`. */
async function joinFiles(
  files: readonly WorkFile[],
  frame: Frame,
  layout: TileLayout,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile & Frame> {
  // The demuxer of PNG reads several images in one file as frames.
  const joined = work.scratch("png");
  await writeNew(joined.path, "");
  for (const { path } of files) await pipeline(streamRegular(path), streamToEnd(joined.path));
  const image = allocateImage(layout, frame, work);
  await runFfmpeg({
    work,
    signal,
    frame: image,
    inputs: [{ file: joined, args: readAs("png_pipe") }],
    outputs: [
      {
        file: image,
        args: [
          ...mapStream(0),
          ...applyFilters("v", 0, tileFilters(layout)),
          ...limitFrames(1),
          ...stillEncoder(layout.format),
          ...singleImage,
        ],
      },
    ],
  });
  return image;
}
