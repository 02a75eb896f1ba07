import { isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { describeCount, warnOfUndecodable } from "#lib/engines/ffmpeg/dropped-streams.ts";
import { isTextTrack } from "#lib/engines/ffmpeg/extract-subtitles.ts";
import type { MediaInfo } from "#lib/engines/ffmpeg/media-info.ts";
import type { WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { maxTracks } from "./encoded-stream.ts";

/** Warns of what a file has and its presentation does not. */
export function warnOfDroppedTracks(
  { streams, chapters }: Pick<MediaInfo, "streams" | "chapters">,
  work: WorkFolder,
): void {
  warnOfUndecodable(streams, work);
  const audios = streams.filter(isDecodableAudio);
  const subtitles = streams.filter(({ type }) => type === "subtitle");
  const texts = subtitles.filter(isTextTrack);
  const images = subtitles.length - texts.length;
  const kept = (unit: string) => `Only the first ${maxTracks} ${unit}s were kept.`;
  if (audios.length > maxTracks) work.warn(kept("audio track"));
  if (audios.slice(0, maxTracks).some(({ channels }) => channels > 2)) {
    work.warn(
      "Audio with more than two channels was mixed to stereo, which every player supports.",
    );
  }
  if (texts.length > maxTracks) work.warn(kept("subtitle track"));
  if (images > 0) {
    const what = describeCount(images, "subtitle track");
    work.warn(`${what} left out, because only those of text can be streamed.`);
  }
  if (chapters.length > 0) work.warn("The chapters were left out, because HLS has none.");
}
