import { keepEveryFrame, mapGraphOutput } from "#lib/engines/ffmpeg/arguments.ts";
import { type FfmpegOutput, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import type { VideoFile } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import { declareAs } from "./join-colors.ts";
import { type JoinFormat, joinedSampleRate, type Transition } from "./join-format.ts";
import type { Piece } from "./write-clip.ts";

/** The transitions of the filter `xfade`. */
const effects: Readonly<Record<Transition, string>> = {
  none: "fade",
  fade: "fade",
  dissolve: "dissolve",
  wipe: "wipeleft",
};

/** Writes the transition from `tail` to `head`, which are equally long. Throws what `runFfmpeg` throws. */
export async function writeTransition(
  { work, signal }: VideoFile,
  format: JoinFormat,
  transition: Transition,
  tail: Piece,
  head: Piece,
): Promise<Piece> {
  const { numerator, denominator } = format.rate;
  const video = work.scratch("mp4");
  const audio = tail.audio && head.audio ? work.scratch("wav") : undefined;
  const seconds = (tail.frames / toNumber(format.rate)).toFixed(6);
  const rate = `fps=${numerator}/${denominator},settb=${denominator}/${numerator}`;
  // The effect leaves out the time of one frame, so that times are counted again.
  const graphs = [
    `[0:0]${rate}[from]`,
    `[1:0]${rate}[to]`,
    `[from][to]xfade=transition=${effects[transition]}:duration=${seconds}:offset=0,` +
      `tpad=stop=${tail.frames}:stop_mode=clone,trim=end_frame=${tail.frames},setpts=N*${denominator}/${numerator}/TB,format=yuv420p,${declareAs(format.colors)}[video]`,
  ];
  const outputs: FfmpegOutput[] = [
    {
      file: video,
      args: [
        ...mapGraphOutput("video"),
        ...videoCodecArguments("h264", "mp4", format),
        ...keepEveryFrame,
      ],
    },
  ];
  if (audio) {
    const samples = Math.round((tail.frames / toNumber(format.rate)) * joinedSampleRate);
    graphs.push(
      `[2:0][3:0]acrossfade=ns=${samples - 1}:c1=qsin:c2=qsin,` +
        `apad=whole_len=${samples},atrim=end_sample=${samples}[audio]`,
    );
    outputs.push({ file: audio, args: mapGraphOutput("audio") });
  }
  const files = [
    tail.video,
    head.video,
    ...(tail.audio ? [tail.audio] : []),
    ...(head.audio ? [head.audio] : []),
  ];
  await runFfmpeg({
    work,
    signal,
    frame: format,
    inputs: files.map((file) => ({ file })),
    filterGraphs: graphs,
    outputs,
  });
  return { frames: tail.frames, video, audio };
}
