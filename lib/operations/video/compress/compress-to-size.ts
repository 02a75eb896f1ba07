import { alphaDecoder } from "#lib/engines/ffmpeg/alpha.ts";
import { applyFilters, keepFilterGraphOf, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import { isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { toNumber } from "#lib/engines/ffmpeg/media-info.ts";
import { twoPass } from "#lib/engines/ffmpeg/packet-arguments.ts";
import {
  deinterlaceFilters,
  frameTimeArguments,
} from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import { copyVideo } from "#lib/engines/ffmpeg/video/copy-video.ts";
import {
  filterVideo,
  type VideoFile,
  type VideoOutput,
} from "#lib/engines/ffmpeg/video/filter-video.ts";
import { roundFrame } from "#lib/engines/ffmpeg/video/output-frame.ts";
import { targetFormat } from "#lib/engines/ffmpeg/video/target-format.ts";
import { displayedFrame, type Frame, rotatedFrame } from "#lib/engines/ffmpeg/video-frame.ts";
import { JobError } from "#lib/errors.ts";
import { statRegular } from "#lib/files/regular-files.ts";
import { rateControlArguments } from "../../shared/video/rate-control.ts";

/** A result is accepted from this share of the limit on. */
const minShare = 0.98;

/** The share that is aimed at, between `minShare` and 1. */
const targetShare = 0.991;

const maxAttempts = 5;

/** The bit/s for a pixel of each frame, below which a smaller frame looks better. */
const minPixelBits = 0.025;

/** The lowest bit rate of the video in bit/s. x264 rejects lower rates than about 4000. */
const minVideoRate = 12_000;

/** Bytes of an MP4 for each frame and each audio packet. */
const bytesPerPacket = 8;

/**
 * Encodes a video in two passes so that it has at most `maxBytes`, and at least 98 % of it if it needs
 * them. An MP4 of `bytes` that is already small enough is copied. Throws `JobError("too_large")` if the
 * size cannot be reached, and what `runFfmpeg` throws.
 */
export async function compressToSize(
  file: VideoFile,
  maxBytes: number,
  bytes: number,
): Promise<VideoOutput> {
  const { input, progress } = file;
  if (bytes <= maxBytes && input.type.id === "mp4") return copyVideo(file);
  const plan = planRates(file, maxBytes);
  const statistics = file.work.scratch("stats");
  await runPass(file, plan, statistics.name);
  let { videoRate } = plan;
  let best: VideoOutput | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const output = await encode(
      { ...file, progress: (percent) => progress?.(30 + (percent * 70) / 100) },
      { ...plan, videoRate },
      twoPass(2, statistics.name),
    );
    const { size } = await statRegular(output.path);
    if (size <= maxBytes) best = output;
    if (size <= maxBytes && size >= maxBytes * minShare) return output;
    const excess = (size - maxBytes * targetShare) * 8;
    const seconds = plan.seconds;
    const changed = Math.max(minVideoRate, Math.min(videoRate * 2, videoRate - excess / seconds));
    if (changed === videoRate) break;
    videoRate = Math.round(changed);
  }
  if (best) return best;
  throw new JobError("too_large", `The video cannot be compressed to ${maxBytes} bytes.`);
}

interface Plan {
  readonly frame: Frame;
  readonly seconds: number;
  /** The bit rate of the video in bit/s. */
  readonly videoRate: number;
  readonly audioRate: number;
}

function planRates({ info, video }: VideoFile, maxBytes: number): Plan {
  const seconds = Math.max(0.1, info.duration ?? video.duration ?? 0.1);
  const fps = Math.min(240, toNumber(video.averageFrameRate) || 25);
  const tracks = info.streams.filter(isDecodableAudio);
  const packets = seconds * (fps + tracks.length * 47);
  const total = (8 * (maxBytes * targetShare - packets * bytesPerPacket - 2000)) / seconds;
  // AAC needs 24 kbit/s for speech; more than 128 kbit/s is not audible.
  const share = tracks.length === 0 ? 0 : (total * 0.15) / tracks.length;
  const audioRate = Math.round(Math.min(128_000, Math.max(24_000, share)));
  const videoRate = Math.round(total - audioRate * tracks.length);
  if (videoRate < minVideoRate) {
    throw new JobError("too_large", `The video cannot be compressed to ${maxBytes} bytes.`);
  }
  const source = displayedFrame(video);
  const bits = videoRate / (source.width * source.height * fps);
  const factor = Math.min(1, Math.sqrt(bits / minPixelBits));
  const scaled = { width: source.width * factor, height: source.height * factor };
  return { frame: roundFrame(scaled, 2), seconds, videoRate, audioRate };
}

function videoFilters({ video }: VideoFile, { width, height }: Frame): string[] {
  return [`scale=${width}:${height}`, "setsar=1", ...targetFormat(video, "h264", "mp4").filters];
}

function rateArguments({ videoRate }: Plan, frame: Frame): string[] {
  const rate = { bitRate: videoRate, preset: "medium" } as const;
  return rateControlArguments("h264", "mp4", frame, rate);
}

function encode(file: VideoFile, plan: Plan, passArguments: readonly string[]) {
  const { encoding } = targetFormat(file.video, "h264", "mp4");
  return filterVideo({
    ...file,
    encoding,
    frame: plan.frame,
    filters: videoFilters(file, plan.frame),
    audioEncoding: { format: "m4a", bitRate: plan.audioRate, channels: 2 },
    codecArguments: (frame) => [...rateArguments(plan, frame), ...passArguments],
  });
}

/** The first pass, which writes nothing but statistics. It must decode the same frames. */
async function runPass(file: VideoFile, plan: Plan, statistics: string): Promise<void> {
  const { input, info, video, work, signal, progress } = file;
  const { encoding } = targetFormat(video, "h264", "mp4");
  const upright = rotatedFrame(video);
  const filters = [
    `scale=${upright.width}:${upright.height}`,
    ...deinterlaceFilters(video),
    ...videoFilters(file, plan.frame),
    `format=${encoding.pixelFormat ?? "yuv420p"}`,
  ];
  await runFfmpeg({
    work,
    signal,
    progress: (percent) => progress?.((percent * 30) / 100),
    duration: info.duration,
    frame: video,
    inputs: [{ file: input, args: [...keepFilterGraphOf(video), ...alphaDecoder(video)] }],
    outputs: [
      {
        args: [
          ...mapStream(video.index),
          ...rateArguments(plan, plan.frame),
          ...twoPass(1, statistics),
          ...applyFilters("v", 0, filters),
          ...frameTimeArguments(encoding, video),
        ],
      },
    ],
  });
}
