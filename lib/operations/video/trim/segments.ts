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
  hevcTag,
  ownParameterSets,
  setCodecTag,
  setProfile,
  setTimescale,
  startPacketsAtZero,
  withoutReordering,
} from "#lib/engines/ffmpeg/packet-arguments.ts";
import { chooseEncoding, frameTimeArguments } from "#lib/engines/ffmpeg/video/choose-encoding.ts";
import type { Segment } from "#lib/engines/ffmpeg/video/playlist.ts";
import { readFrom } from "#lib/engines/ffmpeg/video/read-from.ts";
import type { VideoPacket } from "#lib/engines/ffmpeg/video/read-packets.ts";
import { videoCodecArguments } from "#lib/engines/ffmpeg/video-formats.ts";
import { hasFrames, keepFrames } from "./frame-range.ts";
import { type Range, tolerance } from "./plan-cuts.ts";
import { mergeAvcSets } from "./streams/avc-configuration.ts";
import { mergeHevcSets } from "./streams/hevc-configuration.ts";
import { renumberSets, startSequence } from "./streams/hevc-samples.ts";
import { padTransportStream, startsIndependently } from "./streams/transport-stream.ts";
import type { TrimRequest } from "./trim-request.ts";

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
  const hasHead = hasFrames(request, head);
  if (isMp4Hevc(request) && hasHead && !(await startSequence(middle.file))) return undefined;
  if (hasHead) list.push(await encodeSegment(request, head, copied));
  list.push(middle);
  const hasTail = tail.end > tail.start + tolerance && hasFrames(request, tail);
  if (hasTail) list.push(await encodeSegment(request, tail, copied));
  if (!isStream && !(await mergeSets(request, list, middle))) return undefined;
  const start = hasFrames(request, head) ? range.start : copied.start;
  return { start, list };
}

/** In it, each key frame has its own parameter sets, so that encodings can follow each other. */
function isTransportStream({ input, video }: TrimRequest): boolean {
  return chooseEncoding(input.type.id, video).container === "mpegts";
}

/** Whether the segments are MP4 files of HEVC, with one list of parameter sets each. */
function isMp4Hevc(request: TrimRequest): boolean {
  return request.video.codec === "hevc" && !isTransportStream(request);
}

/** The first segment gets the parameter sets of all, if the codec has any. False if it cannot. */
async function mergeSets(
  request: TrimRequest,
  list: readonly Segment[],
  middle: Segment,
): Promise<boolean> {
  const files = list.map(({ file }) => file);
  if (request.video.codec === "h264") return mergeAvcSets(files);
  if (request.video.codec !== "hevc") return true;
  for (const file of files) {
    if (file !== middle.file && !(await renumberSets(file, request.work))) return false;
  }
  return mergeHevcSets(files, middle.file);
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
  const lead = leadOf(packets, range.start < copied.start ? copied.start : copied.end);
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

/**
 * How long before it is shown a frame at `seconds`, which is where copied packets start or end, must
 * be decoded, so that decode times increase: as early as the packet there.
 */
function leadOf(packets: readonly VideoPacket[], seconds: number): number {
  const key = packets.find(({ time }) => Math.abs(time - seconds) < tolerance);
  const next = packets.slice(packets.findLastIndex(({ time }) => time < seconds - tolerance) + 1);
  const { decodeTime } = (key?.isKey ? key : next[0]) ?? {};
  return decodeTime === undefined ? 0 : Math.max(0, seconds - decodeTime);
}

async function writeSegment(
  request: TrimRequest,
  range: Range,
  args: readonly string[],
): Promise<Segment> {
  const { input, video, work, signal } = request;
  const { container } = chooseEncoding(input.type.id, video);
  const isStream = isTransportStream(request);
  const hasSets = video.codec === "h264" || video.codec === "hevc";
  const isIso = !isStream && (hasSets || container === "mp4");
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
          ...mapStream(video.index),
          ...args,
          ...(isIso && video.timeBase ? setTimescale(video.timeBase.denominator) : []),
          ...(isMp4Hevc(request) ? setCodecTag(hevcTag(video)) : []),
          ...limitDuration(range.end - range.start),
        ],
      },
    ],
  });
  if (isStream) await padTransportStream(file);
  return { file, seconds: range.end - range.start };
}
