import { applyFilters, mapStream } from "#lib/engines/ffmpeg/arguments.ts";
import type { AudioFilterRequest } from "#lib/engines/ffmpeg/audio/filter-audio.ts";
import { readFrameReport } from "#lib/engines/ffmpeg/audio/frame-report.ts";
import { type AudioStream, isDecodableAudio } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { OutputFile } from "#lib/operations/define.ts";
import { filterTracks } from "../../shared/audio/filter-tracks.ts";

export type DenoiseSource = Pick<
  AudioFilterRequest,
  "input" | "info" | "work" | "signal" | "progress"
>;

/**
 * The margin in dB. The filter lowers noise completely if its noise floor is that much above the
 * real one.
 */
const margin = 5;

/** The noise floors in dB that the filter accepts. */
const floors = { min: -80, max: -20 };

/** Spectral subtraction with the noise floor of each track. `strength` in dB. */
export async function denoiseByFft(source: DenoiseSource, strength: number): Promise<OutputFile> {
  const tracks = source.info.streams.filter(isDecodableAudio);
  const filters = new Map<number, string[]>();
  for (const stream of tracks) {
    const level = (await measureNoise(source, stream)) + margin;
    const floor = Math.min(Math.max(level, floors.min), floors.max).toFixed(1);
    // The filter returns its input this many samples late.
    const delay = 2 * Math.floor(stream.sampleRate / 80);
    filters.set(stream.index, [
      `apad=pad_len=${delay}`,
      `afftdn=noise_reduction=${strength}:noise_floor=${floor}`,
      `atrim=start_sample=${delay}`,
      `asetpts=PTS-${delay}/SR/TB`,
    ]);
  }
  return filterTracks({ ...source, filters: ({ index }) => filters.get(index) ?? [] });
}

/** Below it, in dB, a block of samples is digital silence, which says nothing of the noise. */
const silence = -90;

/** The level of the quietest tenth of a track, in dB: the noise between sounds. */
async function measureNoise(
  { input, work, signal }: DenoiseSource,
  stream: AudioStream,
): Promise<number> {
  const report = work.scratch("txt");
  const filters = [
    `asetnsamples=n=${Math.round(stream.sampleRate / 10)}:p=0`,
    "astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level",
    `ametadata=print:file=${report.name}`,
  ];
  const { seconds } = await runFfmpeg({
    work,
    signal,
    inputs: [{ file: input }],
    outputs: [{ args: [...mapStream(stream.index), ...applyFilters("a", 0, filters)] }],
  });
  const levels: number[] = [];
  for await (const { value } of seconds > 0 ? readFrameReport(report) : []) {
    if (value > silence) levels.push(value);
  }
  levels.sort((left, right) => left - right);
  return levels[Math.floor(levels.length / 10)] ?? floors.min;
}
