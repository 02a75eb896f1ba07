import { isSound } from "#lib/engines/ffmpeg/audio.ts";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { encodeAudio, keepStreams } from "#lib/engines/ffmpeg/map-streams.ts";
import { type MediaInfo, type MediaStream, toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import { videoContainer, videoEncoder } from "#lib/engines/ffmpeg/video-formats.ts";
import { evenFrame, type Film, filmFrame, fitFilters } from "#lib/engines/ffmpeg/video-frame.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";

/** Cutting a piece out of a film, as an MP4 that plays at once. */

export interface FilmCut {
  readonly file: WorkFile;
  readonly info: MediaInfo;
  readonly video: Film;
  /** Seconds from the film's start; the whole film where absent. */
  readonly part: { readonly start: number; readonly duration: number } | undefined;
  readonly output: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
}

/**
 * Writes a part of a film as H.264 and AAC, or copies a whole one that every browser plays as it is.
 * The first frame is a key frame at time 0 and is what was on screen at the start. Throws
 * `JobError("corrupt")` where nothing there can be decoded, and what `runFfmpeg` throws.
 */
export async function cutFilm(cut: FilmCut): Promise<void> {
  const { info, part, video } = cut;
  if (!part && isPlayable(info, video)) {
    const film = ["-map", `0:${video.index}`, "-c:v:0", "copy"];
    await run(cut, [], [...film, ...keepStreams(info, video, "mp4")]);
    return;
  }
  const start = part?.start ?? 0;
  for (const lead of leads(info.format)) {
    const seek = start > lead ? start - lead : 0;
    const inputOptions = ["-reinit_filter", video.rotation === 0 ? "0" : "-1"];
    if (seek > 0) inputOptions.push("-ss", seek.toFixed(6), "-noaccurate_seek");
    const written = await run(cut, inputOptions, encode(cut, start - seek));
    if (written > 0) return;
    if (seek === 0) break;
  }
  throw new JobError("corrupt", "The video cannot be decoded at that place.");
}

/**
 * How many seconds before a place to start reading, one after the other until frames come. Streams
 * without an index are entered anywhere, and show nothing up to their next key frame.
 */
function leads(format: string): number[] {
  return /^mpeg/.test(format) ? [10, Number.POSITIVE_INFINITY] : [0, Number.POSITIVE_INFINITY];
}

async function run(cut: FilmCut, inputOptions: string[], outputOptions: string[]) {
  const { file, info, part, video, output, work, signal, progress } = cut;
  const { frames } = await runFfmpeg({
    work,
    signal,
    progress,
    duration: part?.duration ?? info.duration,
    frame: video,
    build: (command) =>
      command
        .input(mediaPath(file))
        .inputOptions(inputOptions)
        .outputOptions(outputOptions)
        // Players that do not know edit lists show the first frame at once too.
        .outputOptions(["-movflags", "+negative_cts_offsets"])
        .outputOptions(part ? ["-t", part.duration.toFixed(6)] : [])
        .output(mediaPath(output)),
  });
  return frames;
}

/** An H.264 film that every browser plays and that starts with the file can be copied as it is. */
function isPlayable(info: MediaInfo, { codec, pixelFormat = "", startTime = 0 }: MediaStream) {
  const late = startTime - (info.startTime ?? 0);
  return codec === "h264" && /^yuvj?420p$/.test(pixelFormat) && Math.abs(late) < 0.001;
}

/**
 * Encodes from `offset` seconds after the place where reading starts. Earlier frames are dropped up to
 * the one that is on screen then, so that a picture that stays long is not missed. Subtitles and
 * chapters, which tell of the whole film, stay behind.
 */
function encode({ info, video }: FilmCut, offset: number): string[] {
  const frame = filmFrame(video);
  const begin = offset.toFixed(6);
  const filters = [
    ...(needsToneMap(video) ? [toneMap] : []),
    ...fitFilters(frame, evenFrame(frame), "yuv420p", "tv"),
    `fps=${chooseRate(video)}:start_time=${begin}`,
    `setpts=PTS-${begin}/TB`,
  ];
  const sound = [`atrim=start=${begin}`, `asetpts=PTS-${begin}/TB`];
  return [
    ...["-map", `0:${video.index}`, "-filter:v:0", filters.join(",")],
    ...videoEncoder("h264", "mp4", frame),
    ...info.streams
      .filter(isSound)
      .flatMap((stream, track) => [
        ...["-map", `0:${stream.index}`],
        ...encodeAudio(stream, track, "mp4", [...sound, "aresample=async=1:first_pts=0"]),
      ]),
    ...["-map_chapters", "-1", ...videoContainer("mp4").muxer],
  ];
}

/** Previews are for pages, and those are SDR. */
function needsToneMap({ colorTransfer = "", colorSpace = "", colorPrimaries }: MediaStream) {
  const isHdr = ["smpte2084", "arib-std-b67"].includes(colorTransfer);
  return isHdr && colorPrimaries === "bt2020" && colorSpace.startsWith("bt2020");
}

/** Hable's curve from a reference white of 100 cd/m². */
const toneMap =
  "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709," +
  "tonemap=hable:desat=0,zscale=transfer=bt709:matrix=bt709:range=tv,format=yuv420p";

/** The film's own rate where it is steady and at most 60; else 30 or 60. */
function chooseRate({ frameRate, averageFrameRate }: MediaStream): string {
  const [steady, average] = [toNumber(frameRate), toNumber(averageFrameRate)];
  const isSteady = Math.abs(steady - average) <= 0.05 * average;
  if (frameRate && isSteady && steady <= 60) {
    return `${frameRate.numerator}/${frameRate.denominator}`;
  }
  return average > 30 ? "60" : "30";
}
