import {
  copyStreams,
  mapStream,
  mapStreamOf,
  readRange,
  startAt,
} from "#lib/engines/ffmpeg/arguments.ts";
import { moveChapters, writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import {
  type AudioEdit,
  type EditedAudio,
  editAudio,
} from "#lib/engines/ffmpeg/audio/edit-audio.ts";
import { muxerArguments } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import { audioDuration } from "#lib/engines/ffmpeg/audio/written-duration.ts";
import { isLossless, requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";

/** In seconds; no format has fewer samples a second. */
const oneSample = 1 / 8000;

type Source = Pick<AudioEdit, "input" | "info" | "work" | "signal" | "progress">;

export interface AudioTrim extends Source {
  /** The start in seconds from the start of the audio. */
  readonly start: number;
  /** The end in seconds; `Infinity` for the end of the audio. */
  readonly end: number;
  /** Whether lossy audio is encoded again to be exact to the sample. */
  readonly precise: boolean;
}

/**
 * Writes the range of audio. Lossless audio is decoded and encoded, which changes no sample and can cut
 * in a packet. Throws what `runFfmpeg` throws.
 */
export async function trimAudio(trim: AudioTrim): Promise<EditedAudio> {
  const { input, info, start, end } = trim;
  const lossless = isLossless(requireAudio(info));
  if (!trim.precise && !lossless && input.type.kind === "audio") return copyRange(trim);
  return editAudio({
    ...trim,
    duration: Math.max(0.001, Math.min(end, info.duration ?? end) - start),
    mapTime: (seconds) => seconds - start,
    filters: ({ sampleRate }) => {
      const first = Math.round(start * sampleRate);
      // At least one sample.
      const last =
        end === Number.POSITIVE_INFINITY ? [] : [Math.max(first + 1, Math.round(end * sampleRate))];
      const range = [`start_sample=${first}`, ...last.map((sample) => `end_sample=${sample}`)];
      return [`atrim=${range.join(":")}`, "asetpts=N/SR/TB"];
    },
  });
}

/**
 * Copies packets, without a limit by the duration of the file if that is an estimate: AAC and MP3 without a
 * header do not state it. Cover art is read from a second input, because it is at time 0, before the range. */
async function copyRange(trim: AudioTrim): Promise<EditedAudio> {
  const { input, info, work, signal, progress, start, end } = trim;
  const output = work.output(input.extension);
  const id = input.type.id;
  const isEstimate = id === "aac" || id === "mp3";
  const total = isEstimate ? end : (info.duration ?? end);
  const empty = { output: { ...output, duration: 0 }, isEmpty: true };
  if (start >= total) return empty;
  const duration = Math.min(end, total) - start;
  const range = duration === Number.POSITIVE_INFINITY ? startAt(start) : readRange(start, duration);
  // Seeking in Ogg is not exact to the packet.
  const isOgg = id === "ogg" || id === "opus";
  const audio = info.streams.filter(({ type }) => type === "audio");
  const covers = info.streams.filter(({ attachedPicture }) => attachedPicture && !isOgg);
  const moved = moveChapters(info.chapters, (time) => time - start, duration);
  const chapters = await writeChapters(moved, 2, work);
  const args = [
    ...audio.flatMap(({ index }) => mapStream(index)),
    ...covers.flatMap(({ index }) => mapStreamOf(1, index)),
    ...copyStreams,
    ...chapters.args,
    ...muxerArguments(id),
    ...(isOgg ? range : []),
  ];
  const written = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [
      { file: input, args: isOgg ? [] : range },
      { file: input },
      ...(chapters.input ? [chapters.input] : []),
    ],
    outputs: [{ file: output, args }],
  });
  // After the end, ffmpeg writes the last packet, at a time before the range, or nothing but cover art.
  if (isEstimate && written.seconds < oneSample) return empty;
  const lasts = await audioDuration(output, written, {}, work, signal);
  return { output: { ...output, duration: lasts ?? duration }, isEmpty: false };
}
