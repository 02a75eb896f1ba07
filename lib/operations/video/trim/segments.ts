import {
  applyFilters,
  encodeAs,
  ignoreRotation,
  keepFilterGraph,
  limitDuration,
  mapStream,
} from "#lib/engines/ffmpeg/arguments.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import {
  decodeEarlier,
  dropPacketsOutside,
  filterPackets,
  ownParameterSets,
  setProfile,
  setTimescale,
  startPacketsAtZero,
  withoutReordering,
} from "#lib/engines/ffmpeg/packet-arguments.ts";
import {
  mergeAvcConfigurations,
  readAvcConfiguration,
  replaceAvcConfiguration,
} from "#lib/engines/ffmpeg/video/avc-configuration.ts";
import { chooseEncoding, frameTimeArguments } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import type { Segment } from "#lib/engines/ffmpeg/video/playlist.ts";
import { readFrom } from "#lib/engines/ffmpeg/video/read-from.ts";
import {
  padTransportStream,
  startsIndependently,
} from "#lib/engines/ffmpeg/video/transport-stream.ts";
import { videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import { hasFrames, keepFrames } from "./frame-range.ts";
import { type Range, tolerance } from "./plan-cuts.ts";
import type { TrimRequest } from "./trim-precisely.ts";

export interface Segments {
  /** When the first segment starts, in seconds of the input. */
  readonly start: number;
  readonly list: readonly Segment[];
}

/**
 * Writes the video of the cuts as files that a playlist joins: the frames before the copied packets,
 * these packets, and the frames after them. Undefined if the encodings cannot be in one stream.
 */
export async function makeSegments(
  request: TrimRequest,
  { range, copied }: { readonly range: Range; readonly copied: Range },
): Promise<Segments | undefined> {
  const head = { start: range.start, end: copied.start };
  const tail = { start: copied.end, end: range.end };
  const list: Segment[] = [];
  const middle = await copySegment(request, copied);
  const isStream = isTransportStream(request);
  if (isStream && !(await startsIndependently(middle.file, request.video.codec))) return undefined;
  if (hasFrames(request, head)) list.push(await encodeSegment(request, head, copied));
  list.push(middle);
  const hasTail = tail.end > tail.start + tolerance && hasFrames(request, tail);
  if (hasTail) list.push(await encodeSegment(request, tail, copied));
  const isConfigured = request.video.codec === "h264" && !isStream;
  if (isConfigured && !(await mergeConfigurations(list))) return undefined;
  const start = hasFrames(request, head) ? range.start : copied.start;
  return { start, list };
}

/** In it, each key frame has its own parameter sets, so that encodings can follow each other. */
function isTransportStream({ input, video }: TrimRequest): boolean {
  return chooseEncoding(input.type.id, video).container === "mpegts";
}

/** The first segment gets the parameter sets of all. False if that is not possible. */
async function mergeConfigurations(list: readonly Segment[]): Promise<boolean> {
  const [first] = list;
  const all = await Promise.all(list.map(({ file }) => readAvcConfiguration(file)));
  const known = all.filter((one) => one !== undefined);
  const merged = known.length === list.length ? mergeAvcConfigurations(known) : undefined;
  if (!first || !merged) return false;
  await replaceAvcConfiguration(first.file, merged);
  return true;
}

async function copySegment(request: TrimRequest, range: Range): Promise<Segment> {
  const seconds = range.end - range.start;
  const drop = dropPacketsOutside(-tolerance, seconds - tolerance);
  return writeSegment(request, range, [
    ...encodeAs("v", 0, "copy"),
    ...filterPackets("v", 0, [drop, startPacketsAtZero]),
  ]);
}

/** Profiles of H.264 by ffprobe's name, as x264 calls them. */
const profiles: Readonly<Record<string, string>> = {
  "Constrained Baseline": "baseline",
  Baseline: "baseline",
  Main: "main",
  High: "high",
  "High 10": "high10",
  "High 4:2:2": "high422",
  "High 4:4:4 Predictive": "high444",
};

/** Encodes `range` so that the packets of `copied` can stand next to it. */
function encodeSegment(request: TrimRequest, range: Range, copied: Range): Promise<Segment> {
  const { input, video, packets } = request;
  const encoding = chooseEncoding(input.type.id, video);
  const { codec, container, pixelFormat } = encoding;
  const isAvc = codec === "h264";
  const profile = profiles[video.profile ?? ""];
  // Packets are decoded as early as those of the copied range, so that decode times increase.
  const key = packets.find(({ time }) => Math.abs(time - copied.start) < tolerance);
  const lead = key?.decodeTime === undefined ? 0 : key.time - key.decodeTime;
  return writeSegment(request, range, [
    ...videoCodecArguments(codec, container, video),
    ...(isAvc ? ownParameterSets : []),
    ...(isAvc || codec === "hevc" ? withoutReordering : []),
    ...(isAvc && profile ? setProfile(profile) : []),
    ...applyFilters("v", 0, [
      `scale=${video.width}:${video.height}`,
      ...keepFrames(request, range),
      ...(pixelFormat ? [`format=${pixelFormat}`] : []),
    ]),
    ...frameTimeArguments(encoding, video),
    ...(lead > 0 ? filterPackets("v", 0, [decodeEarlier(lead)]) : []),
  ]);
}

async function writeSegment(
  request: TrimRequest,
  range: Range,
  args: readonly string[],
): Promise<Segment> {
  const { input, video, work, signal } = request;
  const { container } = chooseEncoding(input.type.id, video);
  const isStream = isTransportStream(request);
  const isIso = !isStream && (video.codec === "h264" || container === "mp4");
  const file = work.scratch(isStream ? "ts" : isIso ? "mp4" : "mkv");
  await runFfmpeg({
    work,
    signal,
    frame: video,
    inputs: [
      {
        file: input,
        args: [...ignoreRotation, ...keepFilterGraph, ...readFrom(request, range.start)],
      },
    ],
    outputs: [
      {
        file,
        args: [
          ...[...mapStream(video.index), ...args],
          ...(isIso && video.timeBase ? setTimescale(video.timeBase.denominator) : []),
          ...limitDuration(range.end - range.start),
        ],
      },
    ],
  });
  if (isStream) await padTransportStream(file);
  return { file, seconds: range.end - range.start };
}
