import { mediaType } from "#lib/media/types.ts";
import type { WorkFolder } from "../sandbox/work-folder.ts";
import { isDecodableAudio } from "./audio-streams.ts";
import type { MediaInfo, MediaStream } from "./media-info.ts";
import { type VideoContainerId, videoContainer } from "./video-formats.ts";

interface Kept {
  readonly audio: readonly unknown[];
  readonly subtitles: readonly unknown[];
}

/** What the caller drops on purpose, and the folder that gets the warnings. */
interface Drops {
  readonly dropAudio?: boolean;
  readonly dropTimedText?: boolean | undefined;
  readonly work?: WorkFolder;
}

/**
 * Warns of audio, subtitles and attachments among `streams` that the output does not get, unless `changes` drop them
 * on purpose. Timecodes and other data are no loss.
 */
export function warnOfDropped(
  streams: readonly MediaStream[],
  kept: Kept,
  id: VideoContainerId,
  { work, dropAudio, dropTimedText }: Drops,
): void {
  const count = (type: string) => streams.filter((stream) => stream.type === type).length;
  const label = mediaType(id).label;
  const audio = dropAudio ? 0 : count("audio") - kept.audio.length;
  if (audio > 0) work?.warn(describeUndecodable(audio));
  const subtitles = count("subtitle") - kept.subtitles.length;
  if (subtitles > 0) {
    const why = dropTimedText
      ? "because the times of the text would be wrong"
      : `because ${label} cannot hold this format`;
    work?.warn(`${describeCount(subtitles, "subtitle track")} left out, ${why}.`);
  }
  const attachments = videoContainer(id).holdsAttachments ? 0 : count("attachment");
  if (attachments > 0) {
    work?.warn(
      `${describeCount(attachments, "attached file")} left out, because ${label} cannot hold any.`,
    );
  }
}

const describeUndecodable = (count: number) =>
  `${describeCount(count, "audio track")} left out, because it cannot be decoded.`;

/** Warns of audio tracks that no output can get. */
export function warnOfUndecodable(streams: readonly MediaStream[], work: WorkFolder): void {
  const audio = streams.filter((stream) => stream.type === "audio" && !isDecodableAudio(stream));
  if (audio.length > 0) work.warn(describeUndecodable(audio.length));
}

/** Warns of what an output that has only the video and the main audio track of a file does not get. */
export function warnOfMainTracksOnly(
  { streams, chapters }: Pick<MediaInfo, "streams" | "chapters">,
  work: WorkFolder,
): void {
  warnOfUndecodable(streams, work);
  if (streams.filter(isDecodableAudio).length > 1) work.warn("Only the main audio track was kept.");
  const subtitles = streams.filter(({ type }) => type === "subtitle").length;
  if (subtitles > 0) work.warn(`${describeCount(subtitles, "subtitle track")} left out.`);
  if (chapters.length > 0) work.warn("The chapters were left out.");
}

/** Describes a number of streams as `1 audio track was` or `2 audio tracks were`. */
export function describeCount(count: number, unit: string): string {
  return count === 1 ? `1 ${unit} was` : `${count} ${unit}s were`;
}
