import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { runProbe } from "../ffprobe.ts";
import { type MediaInfo, type MediaStream, toNumber } from "../media-info.ts";

/** A packet of a video stream: one frame. Times are in seconds from the start of the file. */
export interface VideoPacket {
  /** When the frame is shown. */
  readonly time: number;
  /** When the frame is decoded; undefined if the container does not say it. */
  readonly decodeTime: number | undefined;
  /** How long it is shown, as far as the container or the codec says it. */
  readonly duration: number | undefined;
  readonly isKey: boolean;
}

/**
 * Whether `packets` are those of Theora that repeats frames. Ogg has empty packets for these, of which ffmpeg
 * copies none, so that the frames after them would be shown too early.
 */
export function leavesOutFrames(
  packets: readonly VideoPacket[],
  { codec, timeBase }: MediaStream,
): boolean {
  if (codec !== "theora") return false;
  const longest = 1.5 * toNumber(timeBase);
  return packets.some(({ time }, index) => time - (packets[index - 1]?.time ?? 0) > longest);
}

/**
 * The packets of the stream `video`, in the order of decoding. It reads the whole file. In a format
 * that does not store the time of every frame, times are those of decoding, moved to where the first
 * frame is shown, and no packet is a key frame. Throws what `runProbe` throws.
 */
export async function readVideoPackets(
  file: WorkFile,
  info: MediaInfo,
  video: MediaStream,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<VideoPacket[]> {
  file.partial?.requireWhole("all packets are read to find key frames");
  const origin = info.startTime ?? 0;
  const packets: (Omit<VideoPacket, "time"> & { time: number | undefined })[] = [];
  const args = ["-of", "csv=p=0", "-select_streams", `${video.index}`];
  args.push("-show_entries", "packet=pts_time,dts_time,duration_time,flags");
  await runProbe(file, work, signal, args, (line) => {
    // ffprobe writes an empty line for the additional data of a packet, as MPEG-TS has it.
    if (line === "") return;
    const [pts, dts, length, flags = ""] = line.split(",");
    const [time, decodeTime] = [pts, dts].map((text) => {
      const seconds = Number(text) - origin;
      return Number.isFinite(seconds) ? seconds : undefined;
    });
    const duration = Number(length) || undefined;
    packets.push({ time, decodeTime, duration, isKey: flags.startsWith("K") });
  });
  const first = packets.find(
    ({ time, decodeTime }) => time !== undefined && decodeTime !== undefined,
  );
  const delay = (first?.time ?? 0) - (first?.decodeTime ?? 0);
  const isComplete = packets.every(({ time }) => time !== undefined);
  return packets.flatMap(({ time, decodeTime, ...packet }) => {
    if (isComplete && time !== undefined) return [{ ...packet, time, decodeTime }];
    if (decodeTime === undefined) return [];
    return [{ ...packet, time: decodeTime + delay, decodeTime, isKey: false }];
  });
}
