import { z } from "zod";
import { mediaPath, runFfmpeg } from "#lib/engines/ffmpeg.ts";
import {
  type MediaInfo,
  type MediaStream,
  probe,
  requireVideo,
  toNumber,
} from "#lib/engines/ffprobe.ts";
import { encodeAudio, keepStreams } from "#lib/engines/keep-streams.ts";
import { pickScene } from "#lib/engines/pick-scene.ts";
import { isSound } from "#lib/engines/sound.ts";
import { evenFrame, type Film, filmFrame, fitFilters } from "#lib/engines/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { videoContainer, videoEncoder } from "#lib/media/video-formats.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { videos } from "#lib/operations/fields.ts";

export const previewClip = defineOperation({
  id: "video/preview-clip",
  summary: "Cut a short MP4 out of a video, ready to play in a page.",
  accepts: videos,
  params: z.strictObject({
    duration: z
      .number()
      .int()
      .min(1)
      .max(60)
      .default(5)
      .describe("Length in seconds; a video that is shorter comes whole."),
    start: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .describe(
        "Where it starts, in seconds. If absent, a place about a tenth into the video is picked, " +
          "later where the picture there is black; always the same one for the same video.",
      ),
  }),
  example: { duration: 3 },
  engine: "runner",
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const video = requireVideo(info);
    const total = video.duration ?? info.duration ?? 0;
    if (params.start !== undefined && params.start >= total) {
      const sentence = `The video lasts ${total.toFixed(2)} s, so nothing is left from start on; choose an earlier start.`;
      throw new JobError("empty", sentence);
    }
    const latest = Math.max(0, total - params.duration);
    const film = { file: input, video, duration: total };
    const start = params.start ?? (latest === 0 ? 0 : await pickScene(film, latest, work, signal));
    const output = work.output("mp4");
    const duration = Math.min(params.duration, total - start);
    const isWhole = start === 0 && total <= params.duration;
    const { frames } = await runFfmpeg({
      work,
      signal,
      progress,
      duration,
      build: (command) =>
        command
          .input(mediaPath(input))
          .inputOptions(isWhole ? [] : ["-ss", start.toFixed(6), "-noaccurate_seek"])
          .outputOptions(isWhole && isPlayable(info, video) ? copy(info, video) : cut(info, video))
          .outputOptions(isWhole ? [] : ["-t", `${params.duration}`])
          .output(mediaPath(output)),
    });
    if (frames === 0) throw new JobError("corrupt", "The video cannot be decoded at that place.");
    return { outputs: [{ ...output, ...evenFrame(filmFrame(video)), duration }] };
  },
});

const hdrTransfers = ["smpte2084", "arib-std-b67"];

/** An H.264 film that every browser plays and that starts with the file can be copied as it is. */
function isPlayable(info: MediaInfo, { codec, pixelFormat = "", startTime = 0 }: MediaStream) {
  const late = startTime - (info.startTime ?? 0);
  return codec === "h264" && /^yuvj?420p$/.test(pixelFormat) && Math.abs(late) < 0.001;
}

/** Players that do not know edit lists show the first frame at once too. */
const withoutEditList = ["-movflags", "+negative_cts_offsets"];

function copy(info: MediaInfo, video: MediaStream): string[] {
  const film = ["-map", `0:${video.index}`, "-c:v:0", "copy"];
  return [...film, ...keepStreams(info, video, "mp4"), ...withoutEditList];
}

/**
 * Encodes from the first frame that is asked for. Frames come from the key frame before it and are
 * dropped up to the one that is on screen at the start, so that a frame that stays long is not missed;
 * subtitles and chapters, which tell of the whole film, stay behind.
 */
function cut(info: MediaInfo, video: Film): string[] {
  const frame = filmFrame(video);
  const toneMap = hdrTransfers.includes(video.colorTransfer ?? "") ? [mapToSdr] : [];
  const filters = [
    ...toneMap,
    ...fitFilters(frame, evenFrame(frame), "yuv420p", "tv"),
    `fps=${chooseRate(video)}:start_time=0`,
  ];
  const sounds = info.streams.filter(isSound);
  return [
    ...["-map", `0:${video.index}`, "-filter:v:0", filters.join(",")],
    ...videoEncoder("h264", "mp4"),
    ...sounds.flatMap((sound, track) => [
      ...["-map", `0:${sound.index}`],
      ...encodeAudio(sound, track, "mp4", ["atrim=start=0", "aresample=async=1:first_pts=0"]),
    ]),
    ...["-map_chapters", "-1", ...videoContainer("mp4").muxer, ...withoutEditList],
  ];
}

/** Hable's curve from a 100 cd/m² reference white: previews are for pages, and those are SDR. */
const mapToSdr =
  "zscale=transfer=linear:npl=100,format=gbrpf32le,zscale=primaries=bt709," +
  "tonemap=hable:desat=0,zscale=transfer=bt709:matrix=bt709:range=tv";

/** The film's own rate where it is steady and at most 60; else 30 or 60. */
function chooseRate({ frameRate, averageFrameRate }: MediaStream): string {
  const [steady, average] = [toNumber(frameRate), toNumber(averageFrameRate)];
  const isSteady = Math.abs(steady - average) <= 0.05 * average;
  if (frameRate && isSteady && steady <= 60)
    return `${frameRate.numerator}/${frameRate.denominator}`;
  return average > 30 ? "60" : "30";
}
