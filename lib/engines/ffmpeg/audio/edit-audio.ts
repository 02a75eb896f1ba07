import { type MediaType, type MediaTypeId, mediaType } from "#lib/media/types.ts";
import type { WorkFile, WorkFolder } from "../../sandbox/work-folder.ts";
import { type AudioFormat, audioFormats } from "../audio-formats.ts";
import { type AudioStream, isDecodableAudio, requireAudio } from "../audio-streams.ts";
import { runFfmpeg } from "../ffmpeg.ts";
import type { MediaInfo } from "../media-info.ts";
import { audioFileArguments } from "./audio-file.ts";
import { moveChapters, writeChapters } from "./chapters.ts";
import { decodeTimeMs } from "./decode-time.ts";
import { filterAudio } from "./filter-audio.ts";
import { alignToFile } from "./gaps.ts";
import { audioDuration } from "./written-duration.ts";

/** Edits that change the times of audio. An audio file keeps its format, codec, tags and cover art. */

export interface AudioEdit {
  readonly input: WorkFile & { readonly type: MediaType };
  readonly info: MediaInfo;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress?: (percent: number) => void;
  /** The filters of a track; the first of its samples must be at time 0 after them. */
  readonly filters: (stream: AudioStream) => readonly string[];
  /** Duration of the output in seconds. */
  readonly duration: number;
  /** The time in the output, in seconds, of a time in the input; for chapters. */
  readonly mapTime: (seconds: number) => number;
}

export interface EditedAudio {
  readonly output: WorkFile & { readonly duration: number };
  /** Whether nothing was left. */
  readonly isEmpty: boolean;
}

/**
 * The type of the output of an edit. The video would no longer fit the audio, so that a video becomes
 * an audio file.
 */
export function editedType(type: MediaTypeId): MediaTypeId {
  return mediaType(type).kind === "video" ? audioFormatOf(type) : type;
}

/** The format of an audio file with the audio of a file of `type`. */
export function audioFormatOf(type: MediaTypeId): AudioFormat {
  const format = audioFormats.find((name) => name === type);
  if (format) return format;
  if (type === "webm") return "opus";
  return type === "ogv" ? "ogg" : "m4a";
}

/** Writes the edited audio to a new output. Throws what `runFfmpeg` throws. */
export async function editAudio(edit: AudioEdit): Promise<EditedAudio> {
  const { input, work, signal, duration } = edit;
  const output = work.output(mediaType(editedType(input.type.id)).extension);
  const isVideo = input.type.kind === "video";
  const seconds = await (isVideo ? writeTrack(edit, output) : writeFilteredFile(edit, output));
  if (seconds === 0) return { output: { ...output, duration: 0 }, isEmpty: true };
  const lasts = await audioDuration(output, { seconds }, { planned: duration }, work, signal);
  return { output: { ...output, duration: lasts ?? duration }, isEmpty: false };
}

async function writeFilteredFile(edit: AudioEdit, output: WorkFile): Promise<number> {
  const tracks = edit.info.streams.filter(isDecodableAudio);
  const { seconds } = await filterAudio({
    ...edit,
    output,
    chapters: movedChapters(edit),
    filters: new Map(tracks.map((stream) => [stream.index, edit.filters(stream)])),
  });
  return seconds;
}

/** Writes the main audio track of a video. */
async function writeTrack(edit: AudioEdit, output: WorkFile): Promise<number> {
  const { input, info, work, signal, duration } = edit;
  const stream = requireAudio(info);
  const format = audioFormatOf(input.type.id);
  const encoding = {
    format,
    sampleRate: stream.sampleRate,
    bitRate: stream.bitRate,
    filters: [...alignToFile, ...edit.filters(stream)],
  };
  const chapters = await writeChapters(movedChapters(edit), 1, work);
  const { seconds } = await runFfmpeg({
    work,
    signal,
    duration,
    progress: edit.progress,
    stallMs: decodeTimeMs(info.duration),
    inputs: [{ file: input }, ...(chapters.input ? [chapters.input] : [])],
    outputs: [
      {
        file: output,
        args: [...audioFileArguments(info, stream, encoding), ...chapters.args],
      },
    ],
  });
  return seconds;
}

function movedChapters({ info, mapTime, duration }: AudioEdit) {
  return moveChapters(info.chapters, mapTime, duration);
}
