import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import {
  encodeAs,
  keepEveryFrame,
  keepFilterGraphOf,
  mapGraphOutput,
} from "#lib/engines/ffmpeg/arguments.ts";
import { isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { type FfmpegOutput, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import { deinterlaceFilters } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import type { VideoFile } from "#lib/engines/ffmpeg/video/filter-video.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import { rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import { convertColors } from "./join-colors.ts";
import { type JoinFormat, joinedSampleRate } from "./join-format.ts";

/** A part of the output: its video, and its audio as PCM, if the output has any. */
export interface Piece {
  readonly frames: number;
  readonly video: WorkFile;
  readonly audio: WorkFile | undefined;
}

/** A file of the request: the body is encoded, head and tail are lossless, for transitions. */
export interface Clip {
  readonly head: Piece | undefined;
  readonly body: Piece | undefined;
  readonly tail: Piece | undefined;
}

/** The numbers of frames of the whole file, and of the transitions before and after it. */
interface Lengths {
  readonly count: number;
  readonly before: number;
  readonly after: number;
}

/** Writes the pieces of a file in the common format. Throws what `runFfmpeg` throws. */
export async function writeClip(
  file: VideoFile,
  format: JoinFormat,
  { count, before, after }: Lengths,
): Promise<Clip> {
  const { input, video, work, signal } = file;
  const plans = [
    { name: "head", start: 0, end: before },
    { name: "body", start: before, end: count - after },
    { name: "tail", start: count - after, end: count },
  ].filter(({ start, end }) => end > start);
  const graphs = [
    splitVideo(
      file,
      format,
      count,
      plans.map(({ name }) => name),
    ),
  ];
  if (format.channels > 0)
    graphs.push(
      splitAudio(
        file,
        format,
        count,
        plans.map(({ name }) => name),
      ),
    );
  const outputs: FfmpegOutput[] = [];
  const pieces = new Map<string, Piece>();
  for (const { name, start, end } of plans) {
    const isBody = name === "body";
    const piece = {
      frames: end - start,
      video: work.scratch(isBody ? "mp4" : "mkv"),
      audio: format.channels > 0 ? work.scratch("wav") : undefined,
    };
    graphs.push(
      `[v${name}]trim=start_frame=${start}:end_frame=${end},setpts=PTS-STARTPTS[${name}]`,
    );
    const codec = isBody ? videoCodecArguments("h264", "mp4", format) : encodeAs("v", 0, "ffv1");
    outputs.push({
      file: piece.video,
      args: [...mapGraphOutput(name), ...codec, ...keepEveryFrame],
    });
    if (piece.audio) {
      const [from, to] = [start, end].map((frame) => toSample(frame, format));
      const range = `atrim=start_sample=${from}:end_sample=${to}`;
      graphs.push(`[a${name}]${range},asetpts=N/SR/TB[${name}audio]`);
      outputs.push({ file: piece.audio, args: mapGraphOutput(`${name}audio`) });
    }
    pieces.set(name, piece);
  }
  const { frames } = await runFfmpeg({
    work,
    signal,
    frame: video,
    inputs: [{ file: input, args: [...keepFilterGraphOf(video), ...alphaDecoder(video)] }],
    filterGraphs: graphs,
    outputs,
  });
  if (frames === 0) throw new JobError("corrupt", "A video in these files cannot be decoded.");
  return { head: pieces.get("head"), body: pieces.get("body"), tail: pieces.get("tail") };
}

/** The sample with which a frame starts. */
function toSample(frame: number, { rate }: JoinFormat): number {
  return Math.round((frame / toNumber(rate)) * joinedSampleRate);
}

/** Whole frames in the middle of a black border, exactly `count` of them. */
function splitVideo({ video }: VideoFile, format: JoinFormat, count: number, names: string[]) {
  const { width, height, rate } = format;
  const upright = rotatedFrame(video);
  const filters = [
    `scale=${upright.width}:${upright.height}`,
    ...deinterlaceFilters(video),
    ...targetFormat(video, "h264", "mp4").filters,
    // Pixels that are not square are made so.
    "scale='trunc(iw*sar/2+0.5)*2':ih,setsar=1",
    `scale=${width}:${height}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
    ...convertColors(video, format.colors),
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2`,
    "setsar=1",
    `fps=${rate.numerator}/${rate.denominator}:start_time=0`,
    `tpad=stop=${count}:stop_mode=clone`,
    `trim=end_frame=${count}`,
    `split=${names.length}`,
  ];
  return `[0:${video.index}]${filters.join(",")}${names.map((name) => `[v${name}]`).join("")}`;
}

/** The main audio track, or silence, exactly as long as `count` frames. */
function splitAudio({ info }: VideoFile, format: JoinFormat, count: number, names: string[]) {
  const tracks = info.streams.filter(isDecodableAudio);
  const track = tracks.find(({ disposition }) => disposition.default === 1) ?? tracks[0];
  const layout = format.channels === 6 ? "5.1" : "stereo";
  const samples = toSample(count, format);
  const source = track
    ? `[0:${track.index}]aresample=${joinedSampleRate}:async=1:first_pts=0,`
    : `anullsrc=r=${joinedSampleRate}:cl=${layout},`;
  const filters = [
    `aformat=sample_fmts=s16:sample_rates=${joinedSampleRate}:channel_layouts=${layout}`,
    `apad=whole_len=${samples}`,
    `atrim=end_sample=${samples}`,
    `asplit=${names.length}`,
  ];
  return `${source}${filters.join(",")}${names.map((name) => `[a${name}]`).join("")}`;
}
