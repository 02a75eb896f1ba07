import { expect, it } from "vitest";
import { warnOfDropped, warnOfMainTracksOnly } from "#lib/engines/ffmpeg/dropped-streams.ts";
import type { StreamChanges } from "#lib/engines/ffmpeg/map-streams.ts";
import type { MediaStream } from "#lib/engines/ffmpeg/media-info.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

const types = ["audio", "audio", "subtitle", "subtitle", "attachment", "data"];
// Only the types are read.
const streams = types.map((type) => ({ type }) as MediaStream);

function warn(kept: { audio: number; subtitles: number }, changes: StreamChanges = {}) {
  const work = temporaryWorkFolder();
  const list = (length: number) => Array.from({ length });
  const counted = { audio: list(kept.audio), subtitles: list(kept.subtitles) };
  warnOfDropped(streams, counted, "mp4", { ...changes, work });
  return work.takeWarnings();
}

it("warns of audio, subtitles and attachments that the container cannot hold", () => {
  expect(warn({ audio: 1, subtitles: 0 })).toEqual([
    "1 audio track was left out, because it cannot be decoded.",
    "2 subtitle tracks were left out, because MP4 cannot hold this format.",
    "1 attached file was left out, because MP4 cannot hold any.",
  ]);
  expect(warn({ audio: 2, subtitles: 2 })).toHaveLength(1);
});

it("says why text is dropped whose times change, and nothing of audio that is dropped on purpose", () => {
  expect(warn({ audio: 0, subtitles: 1 }, { dropAudio: true, dropTimedText: true })).toEqual([
    "1 subtitle track was left out, because the times of the text would be wrong.",
    "1 attached file was left out, because MP4 cannot hold any.",
  ]);
});

it("warns of all that is not the video or the main audio track", () => {
  const work = temporaryWorkFolder();
  const audio = { type: "audio", codec: "aac", sampleRate: 48_000, channels: 2 } as MediaStream;
  const chapters = [{ start: 0, end: 1, title: "One" }];
  warnOfMainTracksOnly({ streams: [audio, audio, ...streams.slice(1)], chapters }, work);
  expect(work.takeWarnings()).toEqual([
    "1 audio track was left out, because it cannot be decoded.",
    "Only the main audio track was kept.",
    "2 subtitle tracks were left out.",
    "The chapters were left out.",
  ]);
  warnOfMainTracksOnly({ streams: [audio], chapters: [] }, work);
  expect(work.takeWarnings()).toEqual([]);
});
