import type { MediaStream } from "./media-info.ts";
import type { VideoContainerId } from "./video-formats.ts";

/** Options of ffmpeg for copying and joining packets, as `arguments.ts`. */

/** Input, playlist: passes packets on as they are, with the codec configuration of the first file. */
export const keepPackets: readonly string[] = ["-auto_convert", "0"];

/** Output: encodes the fields of interlaced frames separately. */
export const keepInterlacing: readonly string[] = ["-flags:v:0", "+ildct+ilme"];

/**
 * Output: changes the packets of the stream `track` of its type with bit stream filters, in order.
 * Their expressions are quoted, because they contain commas.
 */
export function filterPackets(
  type: "v" | "a" | "s",
  track: number,
  filters: readonly string[],
): string[] {
  return [`-bsf:${type}:${track}`, filters.join(",")];
}

/** Output, MP4 and MOV: the time base of videos is `ticks` to the second. */
export function setTimescale(ticks: number): string[] {
  return ["-video_track_timescale", `${ticks}`];
}

/** Output: keeps the time base of a video whose packets are copied, if the container lets it be chosen. */
export function keepTimescale(
  container: VideoContainerId,
  { timeBase }: Pick<MediaStream, "timeBase">,
): string[] {
  const isIso = ["mp4", "mov", "3gp"].includes(container);
  return isIso && timeBase ? setTimescale(timeBase.denominator) : [];
}

/**
 * Bit stream filter: drops packets outside the times from `start` to `end` (exclusive), in seconds. The output
 * must have the time base of the input: in another one, only the sign of `start` counts.
 */
export function dropPacketsOutside(start: number, end = Number.POSITIVE_INFINITY): string {
  const late = Number.isFinite(end) ? `+gte(pts*tb,${end.toFixed(6)})` : "";
  return `noise=drop='lt(pts*tb,${start.toFixed(6)})${late}'`;
}

/** Bit stream filter: subtitles that start before 0 start at 0; those that end before are dropped. */
export const startSubtitlesAtZero =
  "noise=drop='lte((pts+duration)*tb,0)',setts=duration='DURATION+min(0,PTS)':ts='max(0,TS)'";

/** Bit stream filter: the first packet is at 0. */
export const startPacketsAtZero = "setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS";

/** Bit stream filter: packets are decoded `seconds` earlier. */
export function decodeEarlier(seconds: number): string {
  return `setts=dts='DTS-round(${seconds.toFixed(6)}/TB)'`;
}

/** Input: delays all streams by `seconds`. */
export function delayBy(seconds: number): string[] {
  return ["-itsoffset", seconds.toFixed(6)];
}

/**
 * Input: times count from the start of the file, also after a seek. ffmpeg does not take gaps before time 0
 * for errors of the file, as it does in Ogg: there, frames that are repeated are left out.
 */
export const keepTimes: readonly string[] = ["-copyts", "-start_at_zero"];

/** Output, H.264 and HEVC: encodes without frames that are stored out of order. */
export const withoutReordering: readonly string[] = ["-bf", "0"];

/** Output, H.264: numbers the parameter sets so that they differ from those of other encoders. */
export const ownParameterSets: readonly string[] = ["-x264-params", "sps-id=31"];

/** Output: the profile of the codec. */
export function setProfile(profile: string): string[] {
  return ["-profile:v:0", profile];
}

/** Output: the name of the video's codec in the container. */
export function setCodecTag(tag: string): string[] {
  return ["-tag:v:0", tag];
}

/**
 * The name of HEVC in MP4 and MOV: `hvc1`, which players of Apple require, unless the source says that
 * parameter sets may be among its pictures.
 */
export function hevcTag({ codecTag }: { readonly codecTag: string | undefined }): string {
  return codecTag === "hev1" ? "hev1" : "hvc1";
}

/** Bit stream filter: packets play `factor` times as fast. */
export function scaleTimes(factor: number): string {
  const scale = (name: string) => `${name.toLowerCase()}='round(${name}/${factor})'`;
  return `setts=${["PTS", "DTS", "DURATION"].map(scale).join(":")}`;
}

/** Output: the first or second of two passes of an encoder; `name` is where statistics are kept. */
export function twoPass(pass: 1 | 2, name: string): string[] {
  return ["-pass", `${pass}`, "-passlogfile", name];
}

/** Output: bit/s of each audio track. */
export function setAudioBitRate(bitRate: number): string[] {
  return ["-b:a", `${bitRate}`];
}
