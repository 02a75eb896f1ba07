import { pipeline } from "node:stream/promises";
import {
  copyStreams,
  elementaryStream,
  mapStream,
  mapStreamOf,
} from "#lib/engines/ffmpeg/arguments.ts";
import { writeChapters } from "#lib/engines/ffmpeg/audio/chapters.ts";
import { muxerArguments } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import { findCover, tagArguments } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { streamRegular, streamToEnd, writeNew } from "#lib/files/regular-files.ts";
import type { AudioSource } from "../../shared/audio/join-audio.ts";
import { joinChapters } from "./join-chapters.ts";
import type { JoinRequest } from "./join-samples.ts";

/** Codecs whose packets can follow each other without a common header: MP3 frames, and AAC in ADTS. */
const selfContained = { mp3: "mp3", aac: "adts" } as const;

function streamFormat({ stream }: AudioSource): "mp3" | "adts" | undefined {
  const { codec, profile } = stream;
  if (codec === "mp3") return selfContained.mp3;
  return codec === "aac" && profile === "LC" ? selfContained.aac : undefined;
}

/** Whether the packets of all sources can be joined: one file type, codec, sample rate and layout. */
export function canCopyPackets(sources: readonly AudioSource[]): boolean {
  const forms = sources.map(({ file, stream }) =>
    [file.type.id, stream.codec, stream.profile, stream.sampleRate, stream.channels].join(),
  );
  const isAudio = ["mp3", "aac", "m4a"].includes(sources[0]?.file.type.id ?? "");
  return isAudio && new Set(forms).size === 1 && sources.every((one) => streamFormat(one));
}

/**
 * Joins the packets of the main tracks. The delays of encoders stay between the files, about 0.05
 * seconds each. Returns the seconds that were written. Throws what `runFfmpeg` throws.
 */
export async function copyPackets(request: JoinRequest): Promise<number> {
  const { sources, output, duration, work, signal, progress } = request;
  const [first] = sources;
  const format = first && streamFormat(first);
  if (!format) throw new Error("packets cannot be joined");
  const joined = work.scratch(format === "mp3" ? "mp3" : "aac");
  await writeNew(joined.path, "");
  for (const { file, stream } of sources) {
    const packets = work.scratch(joined.extension);
    const args = [...mapStream(stream.index), ...copyStreams, ...elementaryStream(format)];
    await runFfmpeg({ work, signal, inputs: [{ file }], outputs: [{ file: packets, args }] });
    await pipeline(streamRegular(packets.path), streamToEnd(joined.path), {
      signal,
    });
  }
  const { info, file, stream } = first;
  const overlaps = sources.slice(1).map(() => 0);
  const chapters = await writeChapters(joinChapters(sources, overlaps), 2, work);
  const cover = file.type.id === "aac" ? undefined : findCover(info);
  const { seconds } = await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    inputs: [{ file }, { file: joined }, ...(chapters.input ? [chapters.input] : [])],
    outputs: [
      {
        file: output,
        args: [
          ...mapStreamOf(1, 0),
          ...(cover ? mapStream(cover.index) : []),
          ...copyStreams,
          ...tagArguments(info, stream),
          ...muxerArguments(file.type.id),
          ...chapters.args,
        ],
      },
    ],
  });
  return seconds;
}
