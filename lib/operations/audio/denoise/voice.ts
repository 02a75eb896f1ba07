import { applyFilters, mapStream, rawSamples } from "#lib/engines/ffmpeg/arguments.ts";
import { filterAudio } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import { type AudioStream, isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { renameChannels } from "#lib/engines/ffmpeg/channel-layouts.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { JobError } from "#lib/errors.ts";
import type { OutputFile } from "#lib/operations/define.ts";
import { denoiseSpeech } from "./denoise-speech.ts";
import type { DenoiseSource } from "./fft.ts";

/** Hours of all channels together. As 16-bit samples they are less than 4 GiB, the limit of WAV. */
const maxChannelHours = 12;

/** RNNoise works at this sample rate, in Hz, only. */
const sampleRate = 48_000;

/** Removes everything but speech from each track. `strength` in dB. */
export async function denoiseByRnnoise(
  source: DenoiseSource,
  strength: number,
): Promise<OutputFile> {
  const { input, info, work, progress } = source;
  const tracks = info.streams.filter(isDecodableAudio);
  const replacements = new Map<number, WorkFile>();
  for (const [done, stream] of tracks.entries()) {
    checkLength(stream, info.duration ?? 0);
    const file = await decodeTrack(source, stream);
    const filtered = await denoiseSpeech({
      ...source,
      file,
      channels: stream.channels,
      attenuation: 10 ** (-strength / 20),
      progress: (percent) => progress?.((80 * (done + percent / 100)) / tracks.length),
    });
    replacements.set(stream.index, filtered);
  }
  const output = work.output(input.extension);
  await filterAudio({
    ...source,
    output,
    replacements,
    filters: new Map(tracks.map((stream) => [stream.index, restoreLayout(stream)])),
    progress: (percent) => progress?.(80 + percent / 5),
  });
  return { ...output, ...(info.duration === undefined ? {} : { duration: info.duration }) };
}

function checkLength({ channels }: AudioStream, duration: number): void {
  if (channels * duration <= maxChannelHours * 3600) return;
  const message = `The audio is too long for the model voice: ${maxChannelHours} hours of mono, or half as much stereo, are possible.`;
  throw new JobError("too_complex", message);
}

/** Decodes a track from the start of the file, so that it stays in time with a video. */
async function decodeTrack(source: DenoiseSource, stream: AudioStream): Promise<WorkFile> {
  const { input, work, signal } = source;
  const file = work.scratch("pcm");
  const align = input.type.kind === "video" ? ["aresample=async=1:first_pts=0"] : ["anull"];
  const { seconds } = await runFfmpeg({
    work,
    signal,
    inputs: [{ file: input }],
    outputs: [
      {
        file,
        args: [
          ...mapStream(stream.index),
          ...applyFilters("a", 0, align),
          ...rawSamples(sampleRate),
        ],
      },
    ],
  });
  if (seconds > 0) return file;
  throw new JobError("corrupt", "The audio in this file cannot be decoded.");
}

/** Filters that name the channels again, of which a WAV file has only the number. */
function restoreLayout({ channels, channelLayout }: AudioStream): string[] {
  if (channels <= 2 || channelLayout === undefined) return ["anull"];
  return [renameChannels(channels, channelLayout)];
}
