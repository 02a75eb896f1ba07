import { z } from "zod";
import {
  audioCopyArguments,
  audioFileArguments,
  canCopyAudio,
} from "#lib/engines/ffmpeg/audio/audio-file.ts";
import { audioDuration } from "#lib/engines/ffmpeg/audio/written-duration.ts";
import { type AudioFormat, audioFormats } from "#lib/engines/ffmpeg/audio-formats.ts";
import { type AudioStream, isLossless, requireAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import { probe } from "#lib/engines/ffmpeg/ffprobe.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import { videos } from "../../fields/index.ts";

export const extractAudio = defineOperation({
  id: "video/extract-audio",
  title: "Extract audio",
  summary:
    "Save the audio of a video as a file, without encoding it again where the format allows.",
  accepts: videos,
  params: z.strictObject({
    format: z
      .enum(audioFormats)
      .optional()
      .describe(
        "The output format. The default is the one that holds the audio as it is: m4a for AAC, mp3, " +
          "opus, ogg for Vorbis, flac or wav; m4a for other codecs, and flac for other lossless ones.",
      ),
  }),
  example: { format: "mp3" },
  sample: { input: "video.mp4", params: {} },
  produces: (type, { format }) => format ?? usualFormat(type),
  runsIn: "runner",
  requires: ["ffmpeg", "ffprobe"],
  async run({ input, params, work, signal, progress }) {
    const info = await probe(input, work, signal);
    const stream = requireAudio(info);
    const format = params.format ?? chooseFormat(stream);
    const output = work.output(format);
    const isCopy = canCopyAudio(format, stream);
    const args = isCopy
      ? audioCopyArguments(info, stream, format)
      : audioFileArguments(info, stream, { format, sampleRate: stream.sampleRate });
    const written = await runFfmpeg({
      work,
      signal,
      progress,
      duration: info.duration,
      inputs: [{ file: input }],
      outputs: [{ file: output, args }],
    });
    const planned = stream.duration ?? info.duration;
    const duration = await audioDuration(output, written, { planned, isCopy }, work, signal);
    return { outputs: [{ ...output, ...(duration === undefined ? {} : { duration }) }] };
  },
});

/** The first of them that can hold a copy of the audio is the default. */
const defaultFormats: readonly AudioFormat[] = ["m4a", "mp3", "opus", "ogg", "flac", "wav"];

function chooseFormat(stream: AudioStream): AudioFormat {
  const copied = defaultFormats.find((format) => canCopyAudio(format, stream));
  if (copied) return copied;
  if (stream.codec?.startsWith("pcm_")) return "wav";
  return isLossless(stream) ? "flac" : "m4a";
}

/** The format of the audio that files of `type` usually have. */
function usualFormat(type: MediaTypeId): AudioFormat {
  if (type === "webm") return "opus";
  if (type === "avi" || type === "flv") return "mp3";
  return type === "ogv" ? "ogg" : "m4a";
}
