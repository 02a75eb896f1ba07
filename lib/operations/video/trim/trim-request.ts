import type { VideoFile } from "#lib/engines/ffmpeg/video/filter-video.ts";
import type { VideoPacket } from "#lib/engines/ffmpeg/video/read-packets.ts";
import type { Cuts } from "./plan-cuts.ts";

export interface TrimRequest extends VideoFile {
  /** The packets in the order of decoding. */
  readonly packets: readonly VideoPacket[];
  readonly cuts: Cuts;
}
