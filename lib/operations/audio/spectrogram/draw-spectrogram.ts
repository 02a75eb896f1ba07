import { encodeAs, limitFrames, mapGraphOutput } from "#lib/engines/ffmpeg/arguments.ts";
import { decodeTimeMs } from "#lib/engines/ffmpeg/audio/decode-time.ts";
import type { AudioStream } from "#lib/engines/ffmpeg/audio-streams.ts";
import { runFfmpeg } from "#lib/engines/ffmpeg/ffmpeg.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";

export interface SpectrogramRequest {
  readonly file: WorkFile;
  readonly stream: AudioStream;
  /** Samples of one channel. */
  readonly samples: number;
  readonly output: WorkFile;
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
  readonly progress: (percent: number) => void;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The levels that are drawn, in dB below full scale; 16-bit audio has noise below them. */
const range = "drange=100";

/**
 * Draws the spectrum of all channels together, on a scale of decibels. Throws what `runFfmpeg` throws.
 *
 * `showspectrumpic` is not used: it cuts windows off, which draws vertical lines, and it holds the whole
 * audio in memory.
 */
export async function drawSpectrogram(request: SpectrogramRequest): Promise<void> {
  const { file, stream, output, work, signal, progress, width, height } = request;
  const duration = request.samples / stream.sampleRate;
  await runFfmpeg({
    work,
    signal,
    progress,
    duration,
    stallMs: decodeTimeMs(duration),
    inputs: [{ file }],
    filterGraphs: [`[0:${stream.index}]${planFilters(request).join(",")}[image]`],
    frame: { width, height },
    outputs: [
      {
        file: output,
        args: [...mapGraphOutput("image"), ...encodeAs("v", 0, "png"), ...limitFrames(1)],
      },
    ],
  });
}

/**
 * A window of the Fourier transform has two samples for each pixel of the height. Windows of short audio
 * overlap. Of long audio, several windows are averaged to a column.
 */
function planFilters({ samples, width, height }: SpectrogramRequest): string[] {
  const window = 2 * height;
  const step = Math.ceil(samples / width);
  const windows = Math.ceil(step / window);
  const columns = Math.ceil(samples / (windows > 1 ? windows * window : step));
  // The half makes rounding to the step exact.
  const overlap = windows > 1 ? 0 : Math.max(0, 1 - (step + 0.5) / window);
  const size = `s=${windows > 1 ? windows : columns}x${height}`;
  const look = `legend=0:scale=log:color=magma:${range}:win_func=hann`;
  return [
    "aformat=channel_layouts=mono",
    // So that the last column is complete.
    `apad=pad_len=${(windows + 1) * window}`,
    `showspectrum=${size}:slide=fullframe:overlap=${overlap.toFixed(8)}:${look}`,
    ...(windows > 1 ? [`scale=1:${height}:flags=area`, `tile=${columns}x1`] : []),
    `scale=${width}:${height}`,
    "format=rgb24",
  ];
}
